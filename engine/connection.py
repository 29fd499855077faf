"""Connections: `connect()` and what it returns."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import pyarrow as pa

from ..planner import messages_api as messages
from .catalog import MemoryCatalog
from .cursor import Cursor, Parameters
from .devices import device_notice
from .notices import Message, tell
from .session import Session
from .settings import SettingValues
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

    def sql(self, sql: str) -> Cursor:
        """Executes a query and returns its cursor."""
        return self.execute(sql)

    def fetch_arrow_table(self, sql: str) -> pa.Table:
        """The rows of a query as an Arrow table."""
        return self.execute(sql).fetch_arrow_table()

    def interrupt(self) -> None:
        """Cancels all running queries of this connection; may be called from another thread."""
        self.session.interrupt()

    def commit(self) -> None:
        """Does nothing: every statement is committed when it ends."""
        self.check_open()

    def rollback(self) -> None:
        """NotSupportedError: there are no transactions yet."""
        self.check_open()
        raise messages.no_transactions()

    def close(self) -> None:
        """Cancels running queries and waits for their end; the connection cannot be used after it."""
        self.session.close()
        self._closed = True

    def check_open(self) -> None:
        """InterfaceError when the connection is closed."""
        if self._closed:
            raise messages.closed("connection")

    def __enter__(self) -> Connection:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()
