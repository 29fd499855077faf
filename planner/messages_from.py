"""Texts of errors in FROM and WITH: recursion, joins, pivots, samples, column expressions."""

from __future__ import annotations

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
