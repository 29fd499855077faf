"""Relations: queries that are put together in Python and run when their rows are asked for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from ..planner import messages_frames as messages
from ..planner.types import SQLType
from .box import box
from .cursor import Cursor

if TYPE_CHECKING:
    from .connection import Connection

_SHOWN = 40


def quoted(name: str) -> str:
    """A name as SQL has it in quotes."""
    return '"' + name.replace('"', '""') + '"'


def _text(value: str) -> str:
    return "'" + value.replace("'", "''") + "'"


def _list(items: Sequence[str]) -> str:
    return ", ".join(items)


class LentNames:
    """The Python objects that a query named when it was made, for when it runs."""

    def __init__(self, tables: Mapping[str, Any]) -> None:
        self.tables = dict(tables)

    def find(self, name: str) -> Any:
        """The table of a name; None for others."""
        return self.tables.get(name)


class Relation:
    """A query. Every method that returns a relation makes a new one; nothing runs before rows are fetched,
    shown or stored. `fetchone` and `fetchmany` go on where the last fetch ended; `fetchall`, `df` and the
    like take what is left, and the next fetch runs the query again.

    >>> import tandemdb
    >>> numbers = tandemdb.connect().sql("SELECT i FROM range(10) t(i)")
    >>> numbers.filter("i % 2 = 1").aggregate("sum(i)").fetchall()
    [(25,)]
    """

    def __init__(
        self, connection: Connection, sql: str, lent: Mapping[str, Any], alias: str = "relation"
    ) -> None:
        self._connection = connection
        self._sql = sql
        self._lent = dict(lent)
        self.alias = alias
        self._cursor: Cursor | None = None
        self._described: tuple[tuple[str, ...], tuple[SQLType, ...]] | None = None

    # What it is
    def sql_query(self) -> str:
        """Its SQL text."""
        return self._sql

    @property
    def columns(self) -> list[str]:
        """Names of its columns."""
        return list(self.describe()[0])

    @property
    def types(self) -> list[SQLType]:
        """Types of its columns; str() of one is the SQL type."""
        return list(self.describe()[1])

    dtypes = types

    @property
    def description(self) -> list[tuple[str, SQLType, None, None, None, None, None]]:
        """As a cursor's."""
        return [(n, t, None, None, None, None, None) for n, t in zip(*self.describe(), strict=True)]

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns; counting them runs the query."""
        return len(self), len(self.columns)

    def __len__(self) -> int:
        return self._over("SELECT count(*)").fetchall()[0][0]

    def __bool__(self) -> bool:
        return True  # whether it has rows or not: nothing runs for `if relation:`

    def describe(self) -> tuple[tuple[str, ...], tuple[SQLType, ...]]:
        """Names and types of its columns; SqlError where it cannot be bound."""
        if self._described is None:
            found = self._connection.session.describe(self._sql, LentNames(self._lent))
            assert found is not None
            self._described = found.names, found.types
        return self._described

    # Other relations
    def _from(self) -> str:
        return f"({self._sql}) AS {quoted(self.alias)}"

    def _over(self, select: str, rest: str = "") -> Relation:
        """`select` FROM this `rest`."""
        return self._made(f"{select} FROM {self._from()} {rest}".rstrip())

    def _made(self, sql: str, other: Relation | None = None) -> Relation:
        lent = self._lent
        if other is not None:
            if other._connection is not self._connection:
                raise messages.other_connection()
            for name, table in other._lent.items():
                if lent.get(name, table) is not table:
                    raise messages.two_objects(name)
            lent = {**lent, **other._lent}
        made = Relation(self._connection, sql, lent, self.alias)
        made.describe()  # wrong names are told here, not when it runs
        return made

    def set_alias(self, alias: str) -> Relation:
        """The same under a name, by which conditions of joins can refer to it."""
        return Relation(self._connection, self._sql, self._lent, alias)

    def filter(self, condition: str) -> Relation:
        """The rows for which a condition is true."""
        return self._over("SELECT *", f"WHERE {condition}")

    def project(self, *expressions: str) -> Relation:
        """Expressions over its rows; several may be in one text."""
        return self._over(f"SELECT {_list(expressions)}")

    select = project

    def __getitem__(self, names: str | Sequence[str]) -> Relation:
        chosen = [names] if isinstance(names, str) else names
        return self.project(*map(quoted, chosen))

    def aggregate(self, expressions: str | Sequence[str], group: str = "") -> Relation:
        """Aggregates, one row a group; without `group` the expressions without aggregates are the groups."""
        listed = expressions if isinstance(expressions, str) else _list(expressions)
        return self._over(f"SELECT {listed}", f"GROUP BY {group or 'ALL'}")

    def count(self, expression: str = "*", group: str = "") -> Relation:
        """The number of rows, or of values that are not NULL."""
        before = f"{group}, " if group else ""
        return self.aggregate(f"{before}count({expression})", group)

    def order(self, *keys: str) -> Relation:
        """Its rows in order."""
        return self._over("SELECT *", f"ORDER BY {_list(keys)}")

    sort = order

    def limit(self, count: int, offset: int = 0) -> Relation:
        """The first rows."""
        return self._over("SELECT *", f"LIMIT {int(count)} OFFSET {int(offset)}")

    def distinct(self) -> Relation:
        """Each row once."""
        return self._over("SELECT DISTINCT *")

    def unique(self, columns: str) -> Relation:
        """Each combination of some columns once."""
        return self._over(f"SELECT DISTINCT {columns}")

    def join(self, other: Relation, condition: str, how: str = "inner") -> Relation:
        """A join; `condition` is an expression, or names of columns of both. Aliases (`set_alias`) tell
        columns apart. `how`: inner, left, right, full (outer), semi, anti.
        """
        words = how.lower().replace("outer", "").split()
        if words not in (["inner"], ["left"], ["right"], ["full"], ["semi"], ["anti"], []):
            raise messages.unknown_join(how)
        shared = {name.lower() for name in self.columns} & {name.lower() for name in other.columns}
        names = [name.strip() for name in condition.split(",")]
        named = all(name.lower().strip('"') in shared for name in names)
        on = f"USING ({_list(names)})" if named else f"ON {condition}"
        kind = " ".join(words).upper() or "FULL"
        right = other if other.alias != self.alias else other.set_alias(f"{other.alias}_1")
        return self._made(f"SELECT * FROM {self._from()} {kind} JOIN {right._from()} {on}", other)

    def cross(self, other: Relation) -> Relation:
        """Each row with each of another."""
        right = other if other.alias != self.alias else other.set_alias(f"{other.alias}_1")
        return self._made(f"SELECT * FROM {self._from()} CROSS JOIN {right._from()}", other)

    def union(self, other: Relation) -> Relation:
        """The rows of both (UNION ALL)."""
        return self._made(f"({self._sql}) UNION ALL ({other._sql})", other)

    def intersect(self, other: Relation) -> Relation:
        """The rows that both have (INTERSECT ALL)."""
        return self._made(f"({self._sql}) INTERSECT ALL ({other._sql})", other)

    def except_(self, other: Relation) -> Relation:
        """The rows without those of another (EXCEPT ALL)."""
        return self._made(f"({self._sql}) EXCEPT ALL ({other._sql})", other)

    def query(self, name: str, sql: str) -> Relation:
        """A query in which this is the table `name`."""
        return self._made(f"WITH {quoted(name)} AS ({self._sql}) {sql}")

    # Storing
    def create(self, name: str) -> None:
        """A table of its rows."""
        self._run(f"CREATE TABLE {quoted(name)} AS {self._sql}")

    to_table = create

    def create_view(self, name: str, replace: bool = True) -> Relation:
        """A view; the variables that it names are looked up where the view is read. Returns the view."""
        self._run(f"CREATE {'OR REPLACE ' if replace else ''}VIEW {quoted(name)} AS {self._sql}")
        return Relation(self._connection, f"SELECT * FROM {quoted(name)}", self._lent, name)

    to_view = create_view

    def insert_into(self, name: str) -> None:
        """Appends its rows to a table."""
        self._run(f"INSERT INTO {quoted(name)} {self._sql}")

    def write_parquet(self, path: str) -> None:
        """Writes a Parquet file."""
        self._run(f"COPY ({self._sql}) TO {_text(path)} (FORMAT parquet)")

    to_parquet = write_parquet

    def write_csv(self, path: str, sep: str = ",", header: bool = True) -> None:
        """Writes a CSV file."""
        options = f"FORMAT csv, DELIMITER {_text(sep)}, HEADER {str(header).lower()}"
        self._run(f"COPY ({self._sql}) TO {_text(path)} ({options})")

    to_csv = write_csv

    # Rows
    def _run(self, sql: str) -> Cursor:
        return self._connection.cursor().execute_with(sql, LentNames(self._lent))

    def execute(self) -> Relation:
        """Runs the query; fetches go on from its first row."""
        if self._cursor is not None:
            self._cursor.close()
        self._cursor = self._run(self._sql)
        return self

    def _fetching(self) -> Cursor:
        if self._cursor is None:
            self.execute()
        assert self._cursor is not None
        return self._cursor

    def _last(self) -> Cursor:
        cursor, self._cursor = self._fetching(), None
        return cursor

    def fetchone(self) -> tuple[Any, ...] | None:
        """The next row, or None."""
        return self._fetching().fetchone()

    def fetchmany(self, size: int = 1) -> list[tuple[Any, ...]]:
        """Up to `size` rows."""
        return self._fetching().fetchmany(size)

    def fetchall(self) -> list[tuple[Any, ...]]:
        """All rows, or those left."""
        return self._last().fetchall()

    def fetch_arrow_table(self) -> pa.Table:
        """All rows, or those left, as an Arrow table."""
        return self._last().fetch_arrow_table()

    arrow = to_arrow_table = fetch_arrow_table

    def fetch_record_batch(self) -> pa.RecordBatchReader:
        """All rows, or those left, as a stream of Arrow record batches."""
        return self._last().fetch_record_batch()

    fetch_arrow_reader = record_batch = fetch_record_batch

    def df(self) -> Any:
        """All rows, or those left, as a pandas DataFrame."""
        return self._last().df()

    fetchdf = to_df = df

    def pl(self) -> Any:
        """All rows, or those left, as a Polars DataFrame."""
        return self._last().pl()

    def fetchnumpy(self) -> dict[str, Any]:
        """All rows, or those left, as one NumPy array a column."""
        return self._last().fetchnumpy()

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """All its rows, however often they are asked for (the Arrow PyCapsule interface)."""
        return self._run(self._sql).__arrow_c_stream__(requested_schema)

    # Showing
    def explain(self) -> str:
        """The plan."""
        return self._run(f"EXPLAIN {self._sql}").fetchall()[0][1]

    def show(self, *, max_rows: int = _SHOWN) -> None:
        """Prints its first rows."""
        print(self._boxed(max_rows))

    def _boxed(self, most: int) -> str:
        names, types = self.describe()
        places = _list([f"#{place}::VARCHAR" for place in range(1, len(names) + 1)])
        rows = self._over(f"SELECT {places}", f"LIMIT {most + 1}").fetchall()
        note = f"{len(rows)} row{'s' if len(rows) != 1 else ''}"
        if len(rows) > most:
            note = f"the first {most} rows; there are more"
        return box(names, [str(kind) for kind in types], rows[:most], note)

    def __repr__(self) -> str:
        return self._boxed(_SHOWN)
