"""Texts of the errors of COPY and of the options of files."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from .candidates import did_you_mean
from .errors import (
    BinderError,
    CatalogError,
    InvalidInputError,
    IoError,
    ParserError,
    Span,
    SqlError,
    UnsupportedError,
)


def unknown_option(name: str, form: str, known: Iterable[str]) -> SqlError:
    """An option that the format does not have."""
    return BinderError(
        "unknown_option", f'Unrecognized option "{name}" for {form}', hint=did_you_mean(name, known)
    )


def repeated_option(name: str, span: Span) -> SqlError:
    """An option is given twice."""
    return ParserError("repeated_option", f'Unexpected duplicate option "{name}"', span=span)


def unknown_format(name: str, known: Sequence[str]) -> SqlError:
    """FORMAT of a name that none has."""
    return CatalogError(
        "unknown_format", f"Copy Function with name {name} does not exist!", hint=did_you_mean(name, known)
    )


def bad_option_value(name: str, value: object, kind: str) -> SqlError:
    """The value of an option is of another type."""
    return InvalidInputError(
        "bad_option", f'Copy option "{name}" expected an argument of type {kind}, not "{value}"'
    )


def value_required(name: str, kind: str) -> SqlError:
    """An option without its value."""
    return InvalidInputError("bad_option", f'Copy option "{name}" requires an argument of type {kind}')


def too_long_option(name: str, size: int) -> SqlError:
    """A character of CSV that is longer than it may be."""
    plural = "byte" if size == 1 else "bytes"
    return InvalidInputError("bad_option", f"The {name} option cannot exceed a size of {size} {plural}.")


def same_character(one: str, other: str) -> SqlError:
    """Two options of CSV exclude each other."""
    return BinderError("bad_option", f"{one} must not appear in the {other} specification and vice versa")


def columns_expected(name: str) -> SqlError:
    """An option wants a list of columns."""
    return BinderError("bad_option", f'"{name}" expects a column list or * as parameter')


def no_such_column(option: str, name: str) -> SqlError:
    """An option names a column that the query does not have."""
    return BinderError(
        "unknown_column", f'"{option}" expected to find {name}, but it was not found in the table'
    )


def unknown_compression(name: str, known: Sequence[str]) -> SqlError:
    """A codec that the format does not have."""
    return BinderError(
        "bad_option", f'Expected "compression" argument to be any of [{", ".join(known)}], not "{name}"'
    )


def unknown_encoding(name: str) -> SqlError:
    """An encoding other than UTF-8."""
    return UnsupportedError("encoding", f"The encoding '{name}' is not supported: files are UTF-8")


def only_partitions() -> SqlError:
    """PARTITION_BY leaves nothing for the files."""
    return UnsupportedError(
        "only_partitions",
        "No column to write as all columns are specified as partition columns",
        hint="WRITE_PARTITION_COLUMNS option can be used to write partition columns.",
    )


def contradicting(names: Sequence[str]) -> SqlError:
    """Options of which one at most may be given."""
    listed = " and ".join(name.upper() for name in names)
    return BinderError("bad_option", f"Cannot specify {listed} at the same time")


def append_pattern() -> SqlError:
    """APPEND with names of files that may be there already."""
    return BinderError("bad_option", "APPEND mode requires a {uuid} label in filename_pattern")


def path_expected(span: Span) -> SqlError:
    """What follows TO or FROM is no text."""
    return BinderError("bad_path", "The path of COPY has to be a text", span=span)


# While writing ----------------------------------------------------------------------------------------------
def cannot_write(path: str, why: str | None) -> IoError:
    """A file that the system does not let us write; `why` is the system's word."""
    return IoError("cannot_write", f'Cannot open file "{path}": {why}')


def folder_not_empty(path: str) -> IoError:
    """PARTITION_BY into a folder with files."""
    return IoError(
        "not_empty", f'Directory "{path}" is not empty! Enable OVERWRITE option to overwrite files'
    )


def is_a_file(path: str) -> IoError:
    """PARTITION_BY to a path that is a file."""
    return IoError(
        "cannot_write",
        f'Cannot write to "{path}" - it exists and is a file, not a directory! '
        "Enable OVERWRITE option to overwrite the file",
    )


def not_in_parquet(name: str, kind: object) -> UnsupportedError:
    """A column of a type that Parquet files are not written with."""
    return UnsupportedError(
        "parquet_type",
        f'Column "{name}" of type {kind} cannot be written to Parquet',
        hint="cast it to VARCHAR, or to a type that Parquet has",
    )
