"""Texts of the errors of JSON files."""

from __future__ import annotations

import json

from .errors import BinderError, InvalidInputError

_SHOWN = 200


def _at(path: str, line: int, record: int) -> str:
    return f'JSON transform error in file "{path}", in record {record} from line {line} on'


def malformed(path: str, line: int, why: str) -> InvalidInputError:
    """Text that is no JSON."""
    return InvalidInputError(
        "json_malformed",
        f'Malformed JSON in file "{path}", in line {line}: {why}',
        hint="ignore_errors=true reads such lines as NULL",
    )


def no_record(path: str, line: int, record: int, value: object) -> InvalidInputError:
    """A value that is no object among objects."""
    shown = json.dumps(value, ensure_ascii=False)[:_SHOWN]
    return InvalidInputError("json_record", f"{_at(path, line, record)}: expected an object, not {shown}")


def unknown_key(path: str, line: int, record: int, key: str) -> InvalidInputError:
    """A member that no object of the sample had."""
    return InvalidInputError(
        "json_key",
        f'{_at(path, line, record)}: the object has unknown key "{key}"',
        hint="look at more values (sample_size=-1), give the columns, or set ignore_errors=true",
    )


def json_conversion(
    path: str, line: int, record: int, column: str, value: object, kind: object
) -> InvalidInputError:
    """A member that has not its column's type."""
    shown = json.dumps(value, ensure_ascii=False)[:_SHOWN]
    return InvalidInputError(
        "json_conversion",
        f"{_at(path, line, record)}: column \"{column}\": could not convert {shown} to '{kind}'",
        hint="look at more values (sample_size=-1), give the columns, or set ignore_errors=true",
    )


def wrong_format(path: str, wanted: str, found: str) -> InvalidInputError:
    """format= does not fit the file."""
    return InvalidInputError(
        "json_format", f"Expected format='{wanted}', but first character is '{found}' in file \"{path}\""
    )


def records_expected(path: str) -> BinderError:
    """records = true for values that are no objects."""
    return BinderError(
        "json_records",
        f'expected records, but got non-record JSON instead in file "{path}"',
        hint="Try setting records='auto' or records='false'.",
    )
