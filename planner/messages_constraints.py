"""Errors about keys, CHECKs and indexes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from .candidates import did_you_mean
from .errors import BinderError, CatalogError, ConstraintError, ParserError, Span
from .types import SQLType


def two_primary_keys(table: str, span: Span | None) -> ParserError:
    """CREATE TABLE with a second PRIMARY KEY."""
    return ParserError("two_primary_keys", f'table "{table}" has more than one primary key', span=span)


def subquery_in_check(span: Span | None) -> ParserError:
    """CHECK ((SELECT ...))."""
    return ParserError("subquery_in_check", "subqueries prohibited in CHECK constraints", span=span)


def unknown_key_column(table: str, name: str, span: Span | None) -> CatalogError:
    """A key over a column that the table does not have."""
    return CatalogError("unknown_column", f'table "{table}" does not have a column named "{name}"', span=span)


def bad_key_type(kind: SQLType, span: Span | None) -> BinderError:
    """A key over a list or struct."""
    return BinderError("bad_key_type", f"Invalid Type [{kind}]: Invalid type for index key.", span=span)


def key_column_twice(name: str, span: Span | None) -> ParserError:
    """UNIQUE (a, a)."""
    return ParserError("key_column_twice", f'column "{name}" appears twice in a key', span=span)


def check_violated(table: str, text: str) -> ConstraintError:
    """A row for which a CHECK is false."""
    return ConstraintError(
        "check", f'CHECK constraint failed on table "{table}" with expression CHECK({text})'
    )


def duplicate_key(columns: Sequence[str], values: Sequence[Any], primary: bool) -> ConstraintError:
    """A new row whose key a row of the table has."""
    key = ", ".join(f"{c}: {_shown(v)}" for c, v in zip(columns, values, strict=True))
    kind = "primary key" if primary else "unique"
    return ConstraintError("duplicate_key", f'Duplicate key "{key}" violates {kind} constraint.')


def duplicate_new_key(values: Sequence[Any]) -> ConstraintError:
    """Two rows of one statement with the same key."""
    key = ", ".join(_shown(v) for v in values)
    return ConstraintError(
        "duplicate_key", f'PRIMARY KEY or UNIQUE constraint violation: duplicate key "{key}"'
    )


def duplicates_in_data() -> ConstraintError:
    """CREATE UNIQUE INDEX over rows that have a key twice."""
    return ConstraintError("duplicate_key", "Data contains duplicates on indexed column(s)")


def _shown(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def index_exists(name: str) -> CatalogError:
    """CREATE INDEX of a name that is taken."""
    return CatalogError("already_exists", f'Index with name "{name}" already exists!')


def unknown_index(name: str, known: Iterable[str]) -> CatalogError:
    """DROP INDEX of a name that is not there."""
    return CatalogError(
        "unknown_index", f"Index with name {name} does not exist!", hint=did_you_mean(name, known)
    )


def subquery_in_default(span: Span | None) -> BinderError:
    """DEFAULT (SELECT ...)."""
    return BinderError("subquery_in_default", "DEFAULT value cannot contain subqueries", span=span)


def replace_and_exists(span: Span | None) -> ParserError:
    """CREATE OR REPLACE TABLE IF NOT EXISTS."""
    text = "Cannot specify both OR REPLACE and IF NOT EXISTS within single create statement"
    return ParserError("replace_and_exists", text, span=span)
