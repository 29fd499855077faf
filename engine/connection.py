"""Connections: `connect()` and what it returns."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, cast

import pyarrow as pa

from ..planner import errors
from ..planner import messages_api as messages
from .catalog import MemoryCatalog, new_uid
from .cursor import Cursor, Parameters
from .devices import device_notice
from .notices import Message, tell
from .relation import Relation, quoted
from .session import Session
from .settings import SettingValues
from .sources.frames import callers_names, frame_table
from .sources.lake import Lake


def connect(
    database: str = ":memory:", *, lake: str | None = None, config: Mapping[str, Any] | None = None
) -> Connection:
    """Opens a database in memory.

    `lake` is a folder whose Parquet files and folders of Parquet files become tables; `config` has settings
    by name (see SHOW ALL).

    >>> connect().execute("SELECT 40 + 2").fetchall()
    [(42,)]
    """
    if database not in (":memory:", ""):
        raise messages.database_file(database)
    if config is not None and not (isinstance(config, Mapping) and all(isinstance(k, str) for k in config)):
        raise messages.bad_config(config)
    values = SettingValues(config)
    notice = device_notice(values)
    connection = Connection(MemoryCatalog(None if lake is None else Lake(str(lake))), values)
    if notice is not None:
        tell([notice], connection.messages)
    return connection


class Connection:
    """A database session (PEP 249). Statements may also be executed on the connection itself; each gets a
    cursor of its own.
    """

    # PEP 249: the errors are at hand where only a connection is.
    Warning = errors.Warning
    Error = errors.Error
    InterfaceError = errors.InterfaceError
    DatabaseError = errors.DatabaseError
    DataError = errors.DataError
    OperationalError = errors.OperationalError
    IntegrityError = errors.IntegrityError
    InternalError = errors.InternalError
    ProgrammingError = errors.ProgrammingError
    NotSupportedError = errors.NotSupportedError

    def __init__(self, catalog: MemoryCatalog, settings: SettingValues) -> None:
        self.session = Session(catalog, settings)
        # PEP 249: (class, exception) of every warning that connecting gave.
        self.messages: list[Message] = []
        self._closed = False

    def cursor(self) -> Cursor:
        """A new cursor."""
        self.check_open()
        return Cursor(self)

    def execute(self, sql: str, parameters: Parameters | None = None) -> Cursor:
        """Executes a script on a new cursor and returns it."""
        return self.cursor().execute(sql, parameters)

    def executemany(self, sql: str, parameters: Iterable[Parameters]) -> Cursor:
        """Executes a statement with each set of parameters on a new cursor and returns it."""
        return self.cursor().executemany(sql, parameters)

    def sql(self, sql: str, *, params: Parameters | None = None, alias: str = "relation") -> Relation:
        """A query as a relation, which runs when its rows are asked for. What is no query, several
        statements, and a query with parameters run at once: they give a relation of the rows, or None where
        there are none. Its type does not say so, as in DuckDB: whoever calls it knows the statement.

        >>> connect().sql("SELECT 40 + 2 AS answer").fetchall()
        [(42,)]
        """
        self.check_open()
        callers = callers_names()
        if not params and isinstance(sql, str):
            found = self.session.describe(sql, callers)
            if found is not None:
                return Relation(self, found.sql, found.lent, alias)
        cursor = self.execute(sql, params)
        if cursor.description is None:
            return cast(Relation, None)
        return self.from_arrow(cursor.fetch_arrow_table(), alias=alias)

    query = sql

    def table(self, name: str) -> Relation:
        """A table or view as a relation."""
        parts = name.split(".")
        made = Relation(self, f"SELECT * FROM {'.'.join(map(quoted, parts))}", {}, parts[-1])
        made.describe()  # a name that is not there is told now
        return made

    view = table

    def from_arrow(self, frame: Any, *, alias: str = "relation") -> Relation:
        """A relation of the rows that a Python object has now; see `register`."""
        self.check_open()
        table = frame_table("given rows", frame, new_uid())
        name = f"given rows {table.uid}"
        return Relation(self, f"SELECT * FROM {quoted(name)}", {name: table}, alias)

    from_df = from_arrow

    def fetch_arrow_table(self, sql: str) -> pa.Table:
        """The rows of a query as an Arrow table."""
        return self.execute(sql).fetch_arrow_table()

    def register(self, name: str, frame: Any) -> Connection:
        """Makes a Python object a table of that name, as its rows are now: pandas and Polars frames, Arrow
        tables, batches, readers and datasets, whatever has `__arrow_c_stream__`, and dictionaries of columns.
        It hides another table of the name. Returns the connection.

        >>> connect().register("t", {"a": [40, 2]}).execute("SELECT sum(a) FROM t").fetchall()
        [(42,)]
        """
        self.check_open()
        self.session.catalog.register(frame_table(name, frame, new_uid()))
        return self

    def unregister(self, name: str) -> Connection:
        """Takes back what `register` made, if there is any. Returns the connection."""
        self.check_open()
        self.session.catalog.unregister(name)
        return self

    def create_function(
        self,
        name: str,
        function: Callable[..., Any],
        parameters: Sequence[Any] | None = None,
        return_type: Any = None,
        *,
        type: str = "native",
        null_handling: str = "default",
        exception_handling: str = "default",
        side_effects: bool = False,
        device: str = "cpu",
    ) -> Connection:
        """Makes a Python function a scalar SQL function of this connection; returns the connection.

        `parameters` (a list) and `return_type` are types, e.g. 'BIGINT', int, pyarrow.int64(); what is left
        out comes from the function's annotations. `type` 'native': called once a row with Python values;
        'arrow': once a piece of rows with one pyarrow.ChunkedArray a parameter, returns an array.
        `null_handling` 'default': rows with a NULL argument are NULL without a call; 'special': NULL is None,
        in and out. `exception_handling` 'return_null': where it raises, the value is NULL. `side_effects`:
        every row asks for a call of its own. `device` 'gpu': compiled by numba, for the CPU and for the GPU.

        Raises SqlError (a ProgrammingError or NotSupportedError) where it cannot be one. See docs/udf.md.

        >>> con = connect().create_function("plus", lambda x, y: x + y, [int, int], int)
        >>> con.execute("SELECT plus(40, 2)").fetchall()
        [(42,)]
        """
        self.check_open()
        self.session.functions.create(
            name,
            function,
            parameters=parameters,
            return_type=return_type,
            type=type,
            null_handling=null_handling,
            exception_handling=exception_handling,
            side_effects=side_effects,
            device=device,
        )
        return self

    def remove_function(self, name: str) -> Connection:
        """Removes a function that `create_function` made; CatalogError where there is none. Queries that run
        keep it. Returns the connection.
        """
        self.check_open()
        self.session.functions.remove(name)
        return self

    def interrupt(self) -> None:
        """Cancels all running queries of this connection; may be called from another thread."""
        self.session.interrupt()

    def begin(self) -> Connection:
        """Begins a transaction; returns the connection. OperationalError in another one."""
        self.check_open()
        self.session.begin()
        return self

    def commit(self) -> None:
        """Commits the transaction that was begun; without one it does nothing, as every statement is
        committed when it ends.
        """
        self.check_open()
        if self.session.transaction is not None:
            self.session.commit()

    def rollback(self) -> None:
        """Takes back what the transaction changed; without one it does nothing, as `commit` (PEP 249)."""
        self.check_open()
        if self.session.transaction is not None:
            self.session.rollback()

    def duplicate(self) -> Connection:
        """Another connection to the same database, with the settings of this one."""
        self.check_open()
        return Connection(self.session.shared_catalog, self.session.settings.overlaid({}))

    def close(self) -> None:
        """Cancels running queries and waits for their end; the connection cannot be used after it:
        InterfaceError also when it is closed again.
        """
        self.check_open()
        self.session.close()
        self._closed = True

    def check_open(self) -> None:
        """InterfaceError when the connection is closed."""
        if self._closed:
            raise messages.closed("connection")

    def __enter__(self) -> Connection:
        return self

    def __exit__(self, *error: object) -> None:
        if not self._closed:
            self.close()
