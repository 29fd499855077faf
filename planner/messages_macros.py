"""Errors about macros."""

from __future__ import annotations

from collections.abc import Iterable

from .candidates import did_you_mean
from .catalog import Macro
from .errors import BinderError, CatalogError, ParserError, Span


def duplicate_parameter(name: str, span: Span | None) -> ParserError:
    """CREATE MACRO f(a, a)."""
    return ParserError("duplicate_parameter", f'Duplicate parameter "{name}" in macro definition', span=span)


def column_in_default(name: str, span: Span | None) -> BinderError:
    """CREATE MACRO f(a, b := a)."""
    return BinderError(
        "column_in_default", f'Default value for parameter "{name}" cannot contain column names', span=span
    )


def wrong_arguments(macro: Macro, span: Span | None) -> BinderError:
    """A call with too few, too many or unknown arguments."""
    listed = ", ".join(n if default is None else f"{n} := {default}" for n, default in macro.parameters)
    return BinderError(
        "macro_arguments",
        f"Macro {macro.name}() does not support the supplied arguments. You might need to add explicit type "
        f"casts.\nCandidate macros:\n\t{macro.name}({listed})",
        span=span,
    )


def recursive(name: str, span: Span | None) -> BinderError:
    """A macro whose expression calls itself."""
    return BinderError("recursive_macro", f'Macro "{name}" calls itself', span=span)


def macro_exists(name: str) -> CatalogError:
    """CREATE MACRO of a name that is taken."""
    return CatalogError("already_exists", f'Macro Function with name "{name}" already exists!')


def unknown_macro(name: str, known: Iterable[str]) -> CatalogError:
    """DROP MACRO of a name that is not there."""
    return CatalogError(
        "unknown_macro", f"Macro Function with name {name} does not exist!", hint=did_you_mean(name, known)
    )
