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


def no_such_insert_column(table: str, name: str, known: Iterable[str], span: Span | None) -> BinderError:
    """BY NAME or ON CONFLICT names a column that is not there."""
    return BinderError(
        "unknown_column",
        f'Table "{table}" does not have a column with name "{name}"',
        span=span,
        hint=did_you_mean(name, known),
    )


def conflict_where(span: Span | None) -> BinderError:
    """ON CONFLICT (a) WHERE ... DO ..."""
    return BinderError(
        "conflict_where",
        "ON CONFLICT WHERE clause is only supported in DO UPDATE SET ... WHERE ...",
        span=span,
        hint="The WHERE clause after the conflict columns is for partial indexes, which are not supported.",
    )


def subquery_in_do_update(span: Span | None) -> BinderError:
    """DO UPDATE SET a = (SELECT ...)."""
    return BinderError("subquery_in_do_update", "DO UPDATE SET clause cannot contain a subquery", span=span)


def no_such_key(span: Span | None) -> BinderError:
    """ON CONFLICT over columns that are no key."""
    return BinderError(
        "no_such_key",
        "The specified columns as conflict target are not referenced by a UNIQUE/PRIMARY KEY CONSTRAINT or "
        "INDEX",
        span=span,
    )


def no_keys(span: Span | None) -> BinderError:
    """ON CONFLICT on a table without keys."""
    return BinderError(
        "no_keys",
        "There are no UNIQUE/PRIMARY KEY constraints that refer to this table, specify ON CONFLICT columns "
        "manually",
        span=span,
    )


def several_keys(span: Span | None) -> BinderError:
    """DO UPDATE that does not say for which key."""
    return BinderError(
        "several_keys",
        "Conflict target has to be provided for a DO UPDATE operation when the table has multiple "
        "UNIQUE/PRIMARY KEY constraints",
        span=span,
    )


def conflict_on(what: str) -> TransactionError:
    """The rows were changed by another connection since the statement, or its transaction, began."""
    return TransactionError("conflict", f"Conflict on {what}!")


def in_transaction() -> TransactionError:
    """BEGIN in a transaction."""
    return TransactionError("in_transaction", "cannot start a transaction within a transaction")


def no_transaction(what: str) -> TransactionError:
    """COMMIT or ROLLBACK without BEGIN."""
    return TransactionError("no_transaction", f"cannot {what} - no transaction is active")


def transaction_aborted() -> TransactionError:
    """A statement after one that failed, in the same transaction."""
    return TransactionError("transaction_aborted", "Current transaction is aborted (please ROLLBACK)")


def read_only_transaction() -> TransactionError:
    """A change in a transaction that was begun READ ONLY."""
    return TransactionError(
        "read_only_transaction",
        'Cannot write to database "memory" - transaction is launched in read-only mode',
    )


def commit_failed(why: str) -> TransactionError:
    """COMMIT of what another connection's commit stands against: nothing of the transaction stays."""
    return TransactionError("commit_failed", f"Failed to commit: {why}")


def changed_elsewhere(name: str) -> str:
    """Why a commit fails: another transaction changed the same table, view or index, and was first."""
    return f'write-write conflict on "{name}"'
