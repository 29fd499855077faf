"""Texts of the errors about files, folders and lakes."""

from __future__ import annotations

from collections.abc import Sequence

from .candidates import did_you_mean
from .errors import BinderError, ConversionError, InvalidInputError, IoError, UnsupportedError


# Finding files ----------------------------------------------------------------------------------------------
def no_file(path: str, hint: str | None = None) -> IoError:
    """A path in FROM at which there is nothing."""
    return IoError("no_file", f"no file '{path}'", hint=hint)


def bad_path(path: str) -> IoError:
    """A path that no file system takes."""
    shown = path.encode("unicode_escape", "backslashreplace").decode("ascii")
    return IoError("bad_path", f"'{shown}' cannot be a path: it holds a character that paths cannot have")


def missing_folder(folder: str) -> str:
    """The hint of `no_file` when the file's folder is missing too."""
    return f"the folder '{folder}' does not exist"


def unreadable(path: str, why: str | None) -> IoError:
    """A file that the system does not let us look at; `why` is the system's word."""
    return IoError("bad_file", f"cannot read '{path}': {why}")


def no_match(pattern: str) -> IoError:
    """A glob that no file matches."""
    return IoError("no_file", f"no file matches '{pattern}'")


def empty_folder(folder: str, suffix: str) -> IoError:
    """A folder in FROM without a file of the wanted kind."""
    return IoError("no_file", f"the folder '{folder}' has no {suffix} file")


# Lakes ------------------------------------------------------------------------------------------------------
def no_lake(folder: str) -> IoError:
    """The lake of a connection is no folder."""
    return IoError("no_file", f"the lake folder '{folder}' does not exist or is not a folder")


def unreadable_lake(folder: str, why: str | None) -> IoError:
    """The lake's folder cannot be listed; `why` is the system's word."""
    return IoError("bad_file", f"cannot read the lake '{folder}': {why}")


def ambiguous_table(name: str, paths: Sequence[str]) -> IoError:
    """A table's name stands for a file and for a folder."""
    return IoError("ambiguous_table", f'table "{name}" is both {" and ".join(repr(p) for p in paths)}')


# Parquet ----------------------------------------------------------------------------------------------------
def too_many_open_files(path: str) -> IoError:
    """The system opens no more files for this process, or for all."""
    return IoError(
        "too_many_open_files",
        f"cannot open {path}: too many files are open",
        hint="Raise the limit (ulimit -n), or lower SET threads.",
    )


def not_parquet(path: str, why: str) -> IoError:
    """A file that cannot be read as Parquet."""
    return IoError("bad_file", f"cannot read '{path}' as Parquet: {why}")


def unsupported_column_type(path: str, kind: object) -> IoError:
    """A file has a column whose Arrow type stands for no SQL type."""
    return IoError("unsupported_type", f"'{path}' has a column of type {kind}, which is not supported")


def not_text(path: str) -> InvalidInputError:
    """read_text of a file that is not UTF-8."""
    return InvalidInputError(
        "not_text",
        f"'{path}' is not valid UTF-8 text",
        hint="read_blob reads files of any bytes",
    )


def hive_mismatch(first: str, other: str) -> IoError:
    """Files in folders with different keys."""
    return IoError("hive_partitions", f"Hive partition mismatch between file '{first}' and '{other}'")


def unknown_hive_type(name: str, keys: Sequence[str]) -> BinderError:
    """hive_types= names a key that folders do not have."""
    return BinderError(
        "unknown_column",
        f'Unknown hive_type: "{name}" does not appear to be a partition',
        hint=did_you_mean(name, keys),
    )


def hive_value(key: str, text: str, kind: object) -> ConversionError:
    """A folder's value has not the type asked for."""
    return ConversionError(
        "hive_value", f"Unable to cast '{text}' (from hive partition column '{key}') to: '{kind}'"
    )


def file_changed(path: str) -> IoError:
    """A file is not the one it was when the statement was planned."""
    return IoError(
        "file_changed",
        f"'{path}' was changed while the statement was running",
        hint="run the statement again when nothing writes to the file",
    )


def file_removed(path: str) -> IoError:
    """A file that was there when the statement was planned is gone."""
    return IoError("no_file", f"'{path}' was removed while the statement was running")


def column_missing(path: str, column: str, first: str, names: Sequence[str]) -> IoError:
    """A file, which has columns `names`, lacks a column that the first file of its table has."""
    has = ", ".join(f'"{name}"' for name in names[:20]) + (", ..." if len(names) > 20 else "")
    return IoError(
        "schema_mismatch",
        f"'{path}' has no column \"{column}\", which '{first}' has; its columns are {has}",
        hint="read_parquet(..., union_by_name = true) reads files with different columns",
    )


def column_not_cast(path: str, column: str, kind: object, wanted: object, why: str) -> ConversionError:
    """A value of a file's column, or the column itself, cannot be cast to its type in the table."""
    return ConversionError(
        "column_type",
        f"column \"{column}\" of '{path}' is {kind} and is read as {wanted}: {why}",
        hint="the first file decides the type; read_parquet(..., union_by_name = true) finds one for all",
    )


def nanoseconds(path: str, column: str, kind: object) -> UnsupportedError:
    """A column with values below a microsecond, of a type that is not kept that fine."""
    return UnsupportedError(
        "nanoseconds",
        f"column \"{column}\" of '{path}' has values finer than a microsecond: {kind} in nanoseconds is not "
        "supported yet",
        hint="leave the column out of the query, or write the file with microseconds",
    )
