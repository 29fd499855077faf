"""Texts of errors in FROM and WITH: recursion, joins, pivots, samples, column expressions."""

from __future__ import annotations

from collections.abc import Sequence

from .candidates import did_you_mean
from .errors import BinderError, ParserError, Span, SqlError


def circular_reference(name: str, span: Span | None) -> SqlError:
    """A WITH entry that reads itself where it is not recursive."""
    return BinderError(
        "circular_reference",
        f'Circular reference to CTE "{name}"',
        span=span,
        hint="A recursive query reads itself only behind its UNION [ALL], under WITH RECURSIVE.",
    )


def clause_of_recursion(clause: str, span: Span | None) -> SqlError:
    """ORDER BY or LIMIT behind a recursive union."""
    return ParserError(
        "clause_of_recursion",
        f"{clause} in a recursive query is not allowed",
        span=span,
        hint="Put it on the query that reads the result, or put the recursive part into parentheses.",
    )


def no_matching_columns(pattern: str, names: Sequence[str], span: Span | None) -> SqlError:
    """COLUMNS('expression') that matches no name."""
    hint = did_you_mean(pattern, list(names))
    return BinderError("no_columns", f'No column matches the expression "{pattern}"', span=span, hint=hint)


def no_columns(span: Span | None) -> SqlError:
    """A star with a pattern, or COLUMNS with a condition, that no column satisfies."""
    return BinderError("no_columns", "No column satisfies this", span=span)


def bad_columns_regex(pattern: str, reason: str, span: Span | None) -> SqlError:
    """COLUMNS with a wrong regular expression."""
    return BinderError("bad_regex", f'"{pattern}" is no regular expression: {reason}', span=span)


def listed_column(name: str, names: Sequence[str], span: Span | None) -> SqlError:
    """COLUMNS(['name']) of a column that FROM does not have."""
    hint = did_you_mean(name, list(names))
    return BinderError("unknown_column", f'Column "{name}" is not in FROM', span=span, hint=hint)


def wrong_columns_argument(span: Span | None) -> SqlError:
    """COLUMNS(1)."""
    return BinderError(
        "columns_argument",
        "COLUMNS takes a star, a regular expression, a list of names or a lambda",
        span=span,
    )


def column_in_columns(name: str, span: Span | None) -> SqlError:
    """COLUMNS(a)."""
    return BinderError("columns_argument", f'COLUMNS cannot read the column "{name}"', span=span)


def different_columns(span: Span | None) -> SqlError:
    """COLUMNS('a') + COLUMNS('b')."""
    return BinderError("different_columns", "One expression cannot have several different COLUMNS", span=span)


def unpacked_alone(span: Span | None) -> SqlError:
    """*COLUMNS where no list of values stands."""
    return BinderError(
        "unpacked_columns", "*COLUMNS stands among the arguments of a call or a list", span=span
    )


def star_pattern(span: Span | None) -> SqlError:
    """* LIKE column."""
    return BinderError("star_pattern", "The pattern behind a star is a constant text", span=span)


def columns_not_here(span: Span | None) -> SqlError:
    """COLUMNS in a clause that takes one value."""
    return BinderError("columns_not_here", "COLUMNS and stars are not supported in this place", span=span)


def asof_inequality(count: int, span: Span | None) -> SqlError:
    """An ASOF JOIN without an inequality between its sides, or with several."""
    problem = "Missing ASOF JOIN inequality" if not count else "Multiple ASOF JOIN inequalities"
    hint = "Its condition has one of <, <=, >, >= between the sides; all else is equality, or is of one side."
    return BinderError("asof_inequality", problem, span=span, hint=hint)
