"""The connection of `tandemdb.sql()` and `tandemdb.execute()`: one of the process, made when first used."""

from __future__ import annotations

from functools import cache

from .connection import Connection, connect
from .cursor import Cursor, Parameters
from .relation import Relation


@cache
def default_connection() -> Connection:
    """The connection of the process, to a database in memory of its own. Not for several threads at once."""
    return connect()


def sql(sql: str, *, params: Parameters | None = None, alias: str = "relation") -> Relation:
    """As `Connection.sql`, on the default connection.

    >>> import tandemdb
    >>> tandemdb.sql("SELECT 40 + 2 AS answer").fetchall()
    [(42,)]
    """
    return default_connection().sql(sql, params=params, alias=alias)


def execute(sql: str, parameters: Parameters | None = None) -> Cursor:
    """As `Connection.execute`, on the default connection."""
    return default_connection().execute(sql, parameters)
