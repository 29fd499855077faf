"""Texts of the errors about prepared statements."""

from __future__ import annotations

from collections.abc import Iterable

from .candidates import did_you_mean
from .errors import BinderError, ParserError, Span


def unknown_prepared(name: str, known: Iterable[str], span: Span | None) -> BinderError:
    """EXECUTE of a name that no PREPARE gave."""
    text = f'Prepared statement "{name}" does not exist'
    return BinderError("unknown_prepared", text, span=span, hint=did_you_mean(name, known))


def not_preparable(word: str, span: Span) -> ParserError:
    """PREPARE of a statement about prepared statements."""
    return ParserError("not_preparable", f"{word}_STATEMENT is not a preparable statement", span=span)
