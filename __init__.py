"""TandemDB: SQL over Arrow, on CPU and GPU in tandem.

>>> import tandemdb
>>> tandemdb.connect().execute("SELECT 40 + 2 AS answer").fetchall()
[(42,)]

The names below are loaded when first used, so that `import tandemdb` costs next to nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

# PEP 249 module globals
apilevel = "2.0"
threadsafety = 1
paramstyle = "qmark"

if TYPE_CHECKING:
    from .engine.connection import Connection, connect
    from .engine.cursor import Cursor
    from .engine.dbapi_types import (
        BINARY,
        DATETIME,
        NUMBER,
        ROWID,
        STRING,
        Binary,
        Date,
        DateFromTicks,
        Time,
        TimeFromTicks,
        Timestamp,
        TimestampFromTicks,
    )
    from .engine.default_connection import default_connection, execute, sql
    from .engine.relation import Relation
    from .planner.errors import (
        DatabaseError,
        DataError,
        Error,
        GpuWarning,
        IntegrityError,
        InterfaceError,
        InternalError,
        NotSupportedError,
        OperationalError,
        ProgrammingError,
        SqlError,
        Warning,
    )

_LAZY = {
    "connect": ".engine.connection",
    "Connection": ".engine.connection",
    "Cursor": ".engine.cursor",
    "Relation": ".engine.relation",
    **dict.fromkeys(("default_connection", "execute", "sql"), ".engine.default_connection"),
    **dict.fromkeys(
        (
            "BINARY",
            "Binary",
            "DATETIME",
            "Date",
            "DateFromTicks",
            "NUMBER",
            "ROWID",
            "STRING",
            "Time",
            "TimeFromTicks",
            "Timestamp",
            "TimestampFromTicks",
        ),
        ".engine.dbapi_types",
    ),
    **dict.fromkeys(
        (
            "DatabaseError",
            "DataError",
            "Error",
            "GpuWarning",
            "IntegrityError",
            "InterfaceError",
            "InternalError",
            "NotSupportedError",
            "OperationalError",
            "ProgrammingError",
            "SqlError",
            "Warning",
        ),
        ".planner.errors",
    ),
}

__all__ = [
    "BINARY",
    "DATETIME",
    "NUMBER",
    "ROWID",
    "STRING",
    "Binary",
    "Connection",
    "Cursor",
    "DataError",
    "DatabaseError",
    "Date",
    "DateFromTicks",
    "Error",
    "GpuWarning",
    "IntegrityError",
    "InterfaceError",
    "InternalError",
    "NotSupportedError",
    "OperationalError",
    "ProgrammingError",
    "Relation",
    "SqlError",
    "Time",
    "TimeFromTicks",
    "Timestamp",
    "TimestampFromTicks",
    "Warning",
    "apilevel",
    "connect",
    "default_connection",
    "execute",
    "paramstyle",
    "sql",
    "threadsafety",
]


def __getattr__(name: str) -> Any:
    if name not in _LAZY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_LAZY[name], __name__), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *_LAZY})
