"""Texts of errors about lists, structs and maps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .candidates import closest
from .errors import BinderError, Span


def no_such_field(name: str, known: Sequence[str], span: Span | None) -> BinderError:
    """A field that a struct does not have."""
    near = closest(name, known)
    hint = "It has " + ", ".join(f'"{field}"' for field in near) if near else None
    return BinderError("unknown_field", f'Could not find key "{name}" in struct', span=span, hint=hint)


def no_fields(kind: Any, span: Span | None) -> BinderError:
    """`x.a` of something that is no struct."""
    return BinderError(
        "no_fields", f"Cannot extract field from expression: type {kind} has no fields", span=span
    )


def bad_lambda(problem: str, span: Span | None) -> BinderError:
    """A lambda, or something in it, that does not fit."""
    return BinderError("bad_lambda", problem, span=span)


def bad_struct(problem: str, span: Span | None) -> BinderError:
    """Arguments of which no struct can be made."""
    return BinderError("bad_struct", problem, span=span)


def bad_unnest(problem: str, span: Span | None) -> BinderError:
    """unnest where it cannot stand, or of what it does not take."""
    return BinderError("bad_unnest", problem, span=span)
