"""Texts of the errors about the use of connections and cursors."""

from __future__ import annotations

from .errors import (
    InterfaceError,
    NotSupportedError,
    OutOfRangeError,
    ProgrammingError,
    UnsupportedError,
)


def closed(what: str) -> InterfaceError:
    """`what`: 'connection' or 'cursor'."""
    return InterfaceError(f"the {what} is closed")


def database_file(path: str) -> UnsupportedError:
    """connect() with a path."""
    return UnsupportedError(
        "database_path",
        f"a database file ('{path}') is not supported yet",
        hint="use :memory:, and lake=DIR for Parquet files",
    )


def bad_config(given: object) -> ProgrammingError:
    """connect(config=...) with something else than settings by name."""
    return ProgrammingError(
        f"config must have values by the names of settings, e.g. {{'threads': 2}}, not {given!r}"
    )


def nothing_executed() -> ProgrammingError:
    """A fetch before any execute()."""
    return ProgrammingError("no statement has been executed on this cursor")


def no_rows(kind: str) -> ProgrammingError:
    """A fetch after a statement of this kind, which returns no rows."""
    return ProgrammingError(f"the last statement ({kind}) has no rows to fetch")


def sql_not_text(kind: type) -> ProgrammingError:
    """execute() of something that is no str."""
    return ProgrammingError(f"SQL must be a str, not {kind.__name__}")


def bad_parameters(kind: type) -> ProgrammingError:
    """Parameters that are neither a sequence nor a mapping."""
    return ProgrammingError(
        f"parameters must be a sequence or a mapping, not {kind.__name__}; for one value write [value]"
    )


def no_python_value(type_name: str) -> OutOfRangeError:
    """A date, time or interval that Python's datetime cannot hold."""
    return OutOfRangeError(
        "python_range",
        "an INTERVAL value has more days than Python can represent (999999999)"
        if type_name == "INTERVAL"
        else f"a {type_name} value lies outside the years 1 to 9999 that Python can represent",
        hint="fetch_arrow_table() returns such values, or cast them to VARCHAR",
    )


def library_missing(name: str) -> NotSupportedError:
    """A result in the form of a library that is not installed."""
    return NotSupportedError(
        f"{name} is not installed, which this form of a result needs: pip install {name}"
    )


def one_result_a_file() -> InterfaceError:
    """A second result for a file of a binary format."""
    return InterfaceError("a Parquet or Arrow file holds one result: the statements before gave one already")
