"""Errors about tables and views that the engine finds while it executes DDL and DML."""

from __future__ import annotations

from collections.abc import Iterable

from .candidates import did_you_mean
from .errors import CatalogError, ConstraintError


def already_exists(kind: str, name: str) -> CatalogError:
    """CREATE of a name that is taken."""
    return CatalogError(
        "already_exists",
        f'{kind.capitalize()} with name "{name}" already exists!',
        hint=f"CREATE OR REPLACE {kind.upper()} replaces it, CREATE {kind.upper()} IF NOT EXISTS leaves it",
    )


def name_is_other_kind(name: str, found: str, wanted: str) -> CatalogError:
    """A table where a view is meant, or the other way round."""
    return CatalogError("wrong_kind", f'"{name}" is a {found}, not a {wanted}')


def unknown_to_drop(kind: str, name: str, known: Iterable[str]) -> CatalogError:
    """DROP of a name that is not there."""
    text = f"{kind.capitalize()} with name {name} does not exist!"
    return CatalogError("unknown_table", text, hint=did_you_mean(name, known))


def lake_is_read_only(name: str) -> CatalogError:
    """DML or DDL on a table that stands for files."""
    return CatalogError("read_only", f'"{name}" is made of files, which statements do not change')


def table_gone(name: str) -> CatalogError:
    """The table that rows were made for is no longer there: dropped by a function that the rows call, say."""
    return CatalogError(
        "table_gone", f'Table "{name}" was dropped or replaced while rows for it were made: none is stored'
    )


def not_null_violated(table: str, column: str) -> ConstraintError:
    """A NULL in a NOT NULL column."""
    return ConstraintError("not_null", f"NOT NULL constraint failed: {table}.{column}")
