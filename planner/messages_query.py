"""Texts of the errors of the frontend, of queries and of statements: the only place that builds them.

Each function returns the error; the caller raises it.
"""

from __future__ import annotations

from .errors import ParserError, Span, SqlError, UnsupportedError


# Syntax -----------------------------------------------------------------------------------------------------
def syntax_error(text: str | None, span: Span | None) -> SqlError:
    """`text` is the token that does not fit, None at the end of the input."""
    where = "at end of input" if text is None else f'at or near "{text}"'
    return ParserError("syntax_error", f"syntax error {where}", span=span)


def unterminated(opening: str, span: Span) -> SqlError:
    what = {"'": "string", '"': "quoted name", "$": "dollar-quoted string", "/": "comment"}.get(
        opening, "token"
    )
    return ParserError("unterminated", f"unterminated {what}", span=span)


def too_deep(depth: int, limit: int, span: Span) -> SqlError:
    return ParserError(
        "too_deep",
        f"the statement nests {depth:,} levels deep; the limit is {limit:,}",
        span=span,
        hint="Chains of AND, OR and UNION do not count; use IN lists, CTEs or temporary tables for the rest.",
    )


def too_long(limit: int, span: Span) -> SqlError:
    return ParserError(
        "too_deep",
        f"an expression of the statement chains more than {limit:,} operators",
        span=span,
        hint="Chains of AND and OR do not count; use a list, a CTE or a temporary table for the rest.",
    )


def explain_format(text: str, span: Span) -> SqlError:
    return UnsupportedError(
        "explain_format",
        f'EXPLAIN format "{text}" is not supported',
        span=span,
        hint="Formats are text and json.",
    )


# Not built --------------------------------------------------------------------------------------------------
def unsupported(what: str, span: Span | None, hint: str | None = None) -> SqlError:
    """`what` names the construct as a user writes it."""
    return UnsupportedError("unsupported", f"{what} is not supported", span=span, hint=hint)
