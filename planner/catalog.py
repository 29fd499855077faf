"""What the planner asks of the world: tables, views and the catalog, as protocols."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from .statistics import ColumnStats, TableStats
from .types import SQLType


@dataclass(frozen=True, slots=True)
class TableColumn:
    """A column of a stored table. `default` is the SQL text of its DEFAULT, if any."""

    name: str
    type: SQLType
    nullable: bool = True
    default: str | None = None


@dataclass(frozen=True, slots=True)
class Key:
    """A PRIMARY KEY or UNIQUE constraint, or the columns of a unique index, whose name is then `index`."""

    columns: tuple[str, ...]
    primary: bool = False
    index: str | None = None


@dataclass(frozen=True, slots=True)
class Constraints:
    """What the rows of a table must satisfy besides NOT NULL: keys, and the SQL texts of its CHECKs."""

    keys: tuple[Key, ...] = ()
    checks: tuple[str, ...] = ()


NO_CONSTRAINTS = Constraints()


@runtime_checkable
class Table(Protocol):
    """An immutable version of a table. `identity` is equal for equal contents (uid and version, or the files'
    path, size, mtime).
    """

    @property
    def name(self) -> str:
        """The table's own name."""
        ...

    @property
    def columns(self) -> tuple[TableColumn, ...]:
        """All columns, in order."""
        ...

    @property
    def identity(self) -> Hashable:
        """Equal for equal contents."""
        ...

    def stats(self) -> TableStats:
        """What is known of the table as a whole."""
        ...

    def column_stats(self, name: str) -> ColumnStats | None:
        """What is known of a column; None for nothing."""
        ...


@runtime_checkable
class StoredTable(Table, Protocol):
    """A table whose rows statements may change."""

    @property
    def constraints(self) -> Constraints:
        """What its rows must satisfy."""
        ...

    def numbered(self) -> Table:
        """The same rows with one more column, the last, of a name of its own: their numbers from 0 on, as
        BIGINT."""
        ...


@dataclass(frozen=True, eq=False)
class RowsTable:
    """Rows that a statement makes while it runs: in its plans this stands for them."""

    name: str
    columns: tuple[TableColumn, ...]

    @property
    def identity(self) -> Hashable:
        return ("rows", id(self))

    def stats(self) -> TableStats:
        return TableStats(1.0)

    def column_stats(self, name: str) -> ColumnStats | None:
        return None


def constraints_of(table: Table) -> Constraints:
    """The constraints of a table, none where its rows do not change."""
    return table.constraints if isinstance(table, StoredTable) else NO_CONSTRAINTS


@dataclass(frozen=True, slots=True)
class View:
    """A named query: its SQL text, column aliases if given, and the columns that it had when it was made."""

    name: str
    sql: str
    aliases: tuple[str, ...] = ()
    columns: tuple[TableColumn, ...] = ()


@dataclass(frozen=True, slots=True)
class Macro:
    """A scalar macro: its parameters, each with the SQL text of its default if it has one, and the text of
    the expression that a call stands for. `depth` bounds the nesting of that.
    """

    name: str
    parameters: tuple[tuple[str, str | None], ...]
    sql: str
    depth: int = 0


class Catalog(Protocol):
    """A snapshot of names. Lookups are case-insensitive and keep the stored spelling."""

    def lookup(self, parts: Sequence[str]) -> Table | View | None:
        """The table or view called [catalog.][schema.]name, or None."""
        ...

    def names(self) -> Iterable[str]:
        """Names of all tables and views, for candidates."""
        ...

    def table_function(self, name: str, args: Sequence[Any], named: Mapping[str, Any]) -> Table | None:
        """The table that a table function call stands for (`range`, `read_parquet`, ...); arguments are
        Python values. None when there is no such function; raises SqlError for bad arguments."""
        ...

    def table_functions(self) -> Iterable[str]:
        """Names of all table functions, for candidates."""
        ...

    def open_path(self, path: str) -> Table | None:
        """The table a quoted path in FROM stands for ('x.parquet', a glob, a folder), or None when the text
        does not look like a path.
        """
        ...
