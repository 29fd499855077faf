"""Errors about UPDATE, DELETE, ON CONFLICT, RETURNING and transactions."""

from __future__ import annotations

from collections.abc import Iterable

from .candidates import did_you_mean
from .errors import BinderError, ParserError, Span, TransactionError


def qualified_target(span: Span | None) -> ParserError:
    """SET t.a = 1."""
    return ParserError("qualified_target", "Qualified column names in UPDATE .. SET not supported", span=span)


def unknown_target(name: str, known: Iterable[str], span: Span | None) -> BinderError:
    """SET of a column that is not there."""
    return BinderError(
        "unknown_column",
        f"Referenced update column {name} not found in table!",
        span=span,
        hint=did_you_mean(name, known),
    )


def assigned_twice(name: str, span: Span | None) -> BinderError:
    """SET a = 1, a = 2."""
    return BinderError("assigned_twice", f'Multiple assignments to same column "{name}"', span=span)


def assigned_values(targets: int, values: int, span: Span | None) -> ParserError:
    """SET (a, b) = (1, 2, 3)."""
    return ParserError(
        "assigned_values", f"Could not perform assignment, expected {targets} values, got {values}", span=span
    )


def subquery_in_returning(span: Span | None) -> BinderError:
    """RETURNING (SELECT ...)."""
    return BinderError(
        "subquery_in_returning", "SUBQUERY is not supported in returning statements", span=span
    )


def aggregate_in_returning(span: Span | None) -> BinderError:
    """RETURNING count(*)."""
    return BinderError(
        "aggregate_in_returning",
        "Aggregates and windows are not supported in RETURNING",
        span=span,
    )


def conflict_on(what: str) -> TransactionError:
    """The rows were changed by another connection since the statement, or its transaction, began."""
    return TransactionError("conflict", f"Conflict on {what}!")
