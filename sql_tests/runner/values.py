"""How results are written in test files: a line a row, columns separated by tabs."""

from __future__ import annotations

import datetime
import hashlib
import math
from collections.abc import Iterable
from decimal import Decimal
from typing import Any

from oracle.engines import Result

LETTERS = {
    "BOOLEAN": "B",
    "VARCHAR": "T",
    "DATE": "D",
    "TIMESTAMP": "D",
    "TIMESTAMP WITH TIME ZONE": "D",
    "TIME": "D",
    "FLOAT": "R",
    "DOUBLE": "R",
}
INTEGERS = (
    "TINYINT",
    "SMALLINT",
    "INTEGER",
    "BIGINT",
    "HUGEINT",
    "UTINYINT",
    "USMALLINT",
    "UINTEGER",
    "UBIGINT",
)


def letter(type_: str) -> str:
    """The letter of a type: I integers, R floating point and decimals, T text and the rest, B booleans, D
    dates.
    """
    if type_ in INTEGERS:
        return "I"
    if type_.startswith("DECIMAL"):
        return "R"
    return LETTERS.get(type_, "T")


def written(value: Any, type_: str) -> str:
    """The text of one value; what could be misread in a line (tabs, line ends, a string "NULL") is
    escaped.
    """
    if value is None:
        return "NULL"
    if isinstance(value, str):
        if value == "":
            return "(empty)"
        text = value.replace("\\", "\\\\").replace("\t", "\\t").replace("\n", "\\n").replace("\r", "\\r")
        # A result line that is blank or starts like a separator would end the section.
        misread = text in ("NULL", "(empty)") or text[0] in " -" or text[-1] == " "
        return f"\\{text}" if misread else text
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return _float(value, type_)
    if isinstance(value, Decimal):
        return format(value, "f")
    if isinstance(value, datetime.datetime):
        return value.isoformat(sep=" ")
    if isinstance(value, (datetime.date, datetime.time)):
        return value.isoformat()
    if isinstance(value, (list, tuple)) and not hasattr(value, "_fields"):
        return "[" + ", ".join(written(item, "") for item in value) + "]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {written(item, '')}" for key, item in value.items()) + "}"
    if hasattr(value, "_fields"):  # pyarrow's MonthDayNano: an interval
        return f"{value.months} months {value.days} days {value.nanoseconds // 1000} us"
    return str(value)


def _float(value: float, type_: str) -> str:
    """Twelve digits of a DOUBLE, six of a FLOAT: what is left of the difference between ways to add."""
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    text = format(value + 0.0, ".6g" if type_ == "FLOAT" else ".12g")
    return text if any(mark in text for mark in ".en") else f"{text}.0"


def lines(result: Result, sort: str, hash_threshold: int | None) -> tuple[str, ...]:
    """The lines of a result under a sort mode; one hash line where it has more values than the threshold."""
    rows = [[written(value, t) for value, t in zip(row, result.types, strict=True)] for row in result.rows]
    if sort == "rowsort":
        rows.sort()
    if sort == "valuesort":
        rows = [[value] for value in sorted(value for row in rows for value in row)]
    count = sum(len(row) for row in rows)
    if hash_threshold is not None and count > hash_threshold:
        return (f"{count} values hashing to {digest(value for row in rows for value in row)}",)
    return tuple("\t".join(row) for row in rows)


def digest(values: Iterable[str]) -> str:
    """The md5 of the values, a line each: the hash of the sqllogictest format."""
    found = hashlib.md5(usedforsecurity=False)
    for value in values:
        found.update(value.encode() + b"\n")
    return found.hexdigest()
