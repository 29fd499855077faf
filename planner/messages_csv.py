"""Texts of the errors of CSV files."""

from __future__ import annotations

from collections.abc import Iterable

from .candidates import did_you_mean
from .errors import BinderError, ConversionError, InvalidInputError, IoError

_SHOWN = 400


def _at(path: str, line: int, text: str, what: str) -> str:
    shown = text if len(text) <= _SHOWN else text[:_SHOWN] + "..."
    return f"CSV Error on Line: {line}\nOriginal Line: {shown}\n{what}\n\n  file = {path}"


def csv_conversion(
    path: str, line: int, text: str, column: str, value: str, kind: object, detected: bool
) -> ConversionError:
    """A field that has no value of its column's type."""
    what = f'Error when converting column "{column}". Could not convert string "{value}" to \'{kind}\''
    how = "auto-detected from the file" if detected else "given, or that of the table"
    return ConversionError(
        "csv_conversion",
        _at(path, line, text, what),
        hint=f"The type was {how}: set it (types={{'{column}': 'VARCHAR'}}), look at more rows "
        "(sample_size=-1), or leave such rows out (ignore_errors=true).",
    )


def wrong_field_count(path: str, line: int, text: str, wanted: int, found: int) -> InvalidInputError:
    """A row with too few or too many fields."""
    return InvalidInputError(
        "csv_fields",
        _at(path, line, text, f"Expected Number of Columns: {wanted} Found: {found}"),
        hint="null_padding=true fills short rows with NULL, ignore_errors=true leaves such rows out.",
    )


def unterminated_quote(path: str, line: int, text: str) -> InvalidInputError:
    """A quoted field that does not end, or goes on behind its end."""
    return InvalidInputError(
        "csv_quote",
        _at(path, line, text, "Value with unterminated quote found."),
        hint="ignore_errors=true leaves such rows out; quote='' reads quotes as plain characters.",
    )


def not_utf8(path: str, line: int, text: str) -> InvalidInputError:
    """Bytes that are not UTF-8."""
    what = "Invalid unicode (byte sequence mismatch) detected. This file is not utf-8 encoded."
    return InvalidInputError("csv_unicode", _at(path, line, text, what))


def no_dialect(path: str, delimiters: Iterable[str]) -> InvalidInputError:
    """No way to read the file gives rows of equally many fields."""
    listed = ", ".join(f"'{d}'" for d in delimiters)
    return InvalidInputError(
        "csv_sniffing",
        f'Error when sniffing file "{path}".\nIt was not possible to automatically detect the CSV parsing '
        f"dialect\nDelimiter Candidates: {listed}",
        hint="null_padding=true fills short rows with NULL, ignore_errors=true leaves such rows out.",
    )


def skipped_all(path: str) -> InvalidInputError:
    """`skip` leaves nothing of the file."""
    return InvalidInputError(
        "csv_sniffing", f'Error when sniffing file "{path}".\nThe file has no more rows than skip passes over'
    )


def unknown_parameter(name: str, function: str, known: Iterable[str]) -> BinderError:
    """A named parameter that a table function does not have."""
    return BinderError(
        "unknown_parameter",
        f'Invalid named parameter "{name}" for function {function}',
        hint=did_you_mean(name, known),
    )


def bad_parameter(name: str, why: str) -> BinderError:
    """A named parameter of a table function with a wrong value."""
    return BinderError("bad_parameter", f'Parameter "{name}": {why}')


def unknown_types(names: Iterable[str]) -> BinderError:
    """types= names columns that the file does not have."""
    listed = ", ".join(f'"{name}"' for name in names)
    return BinderError(
        "unknown_column", f"COLUMN_TYPES error: Columns with names: {listed} do not exist in the file"
    )


def too_many(what: str, given: int, has: int) -> BinderError:
    """More names or types than columns."""
    return BinderError("too_many", f"{given} {what} were provided, but the file only has {has} columns")


def repeated_name(name: str) -> BinderError:
    """names= with a name twice."""
    return BinderError("repeated_name", f'"names" must have unique values. "{name}" is repeated.')


def columns_needed(function: str) -> BinderError:
    """auto_detect = false without columns."""
    return BinderError(
        "columns_needed",
        f"{function} requires columns to be specified through the 'columns' option, or auto_detect = true",
    )


def mismatch(path: str, first: str, why: str) -> IoError:
    """A file whose columns are not those of the first."""
    return IoError(
        "schema_mismatch",
        f"Schema mismatch between globbed files: '{path}' {why}, '{first}' does not",
        hint="union_by_name=true reads files with different columns",
    )
