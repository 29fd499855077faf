"""Dates and times by a format."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from ....arguments import library
from ....errors import expects, invalid_argument, logic_error
from ....kernels import storage
from ... import traits
from ..._casts import in_unit
from ..._kinds import Kind, storage_type
from ..._operation_types import unit
from ..._strings import BOOL, numbers, strings, texts_of
from ...column import Column, made
from ...datetime import _month_days, civil, days_of
from ...types import DataType

_DIGITS = {"d": 2, "m": 2, "y": 2, "Y": 4, "H": 2, "I": 2, "M": 2, "S": 2, "j": 3, "f": 6}
_NS = {"H": 3_600 * 10**9, "M": 60 * 10**9, "S": 10**9}


def _parts(format: str) -> list[tuple[str, int]]:
    """The specifiers, with their number of digits, and the characters between, with 0."""
    expects(bool(format), invalid_argument("Format parameter must not be empty."))
    found: list[tuple[str, int]] = []
    for match in re.finditer(r"%([1-9]?)(.)|(.)", format, re.DOTALL):
        if match[3] is not None or match[2] == "%":
            found.append((match[3] or "%", 0))
            continue
        expects(
            match[2] in _DIGITS or match[2] == "p", invalid_argument(f"specifier not supported: {match[2]}")
        )
        found.append((match[2], int(match[1]) if match[1] and match[2] == "f" else _DIGITS.get(match[2], 2)))
    return found


def _read(text: str, parts: list[tuple[str, int]]) -> dict[str, int] | None:
    """The numbers that the text has for each specifier; None where it does not fit."""
    found, place = {"Y": 1970, "m": 1, "d": 1}, 0
    for name, width in parts:
        piece = text[place : place + max(width, 1)]
        if not width:
            if piece != name:
                return None
            place += 1
        elif name == "p":
            if piece.upper() not in ("AM", "PM"):
                return None
            found["p"], place = int(piece.upper() == "PM"), place + 2
        else:
            if len(piece) != width or not (piece.isascii() and piece.isdigit()):
                return None
            found[name] = int(piece) * (10 ** (9 - width) if name == "f" else 1)
            place += width
    if "y" in found:
        found["Y"] = found["y"] + (2000 if found["y"] < 69 else 1900)
    return found if place == len(text) else None


def _hour(found: dict[str, int]) -> int:
    return found["I"] % 12 + 12 * found.get("p", 0) if "I" in found else found.get("H", 0)


def _is_date(found: dict[str, int]) -> bool:
    year, month, day = (np.array([found[name]]) for name in "Ymd")
    if not (1 <= month[0] <= 12 and 1 <= day[0] <= _month_days(year, month)[0]):
        return False
    return _hour(found) < 24 and found.get("M", 0) < 60 and found.get("S", 0) < 60


def _nanoseconds(found: dict[str, int]) -> tuple[int, int]:
    """Days since 1970, and nanoseconds since midnight; a day beyond its month runs on into the next."""
    one = (np.array([found[name]]) for name in "Ymd")
    day = int(days_of(*one)[0])
    time = (
        _hour(found) * _NS["H"]
        + found.get("M", 0) * _NS["M"]
        + found.get("S", 0) * _NS["S"]
        + found.get("f", 0)
    )
    return day, time


@library
def to_timestamps(
    input: Column, timestamp_type: DataType, format: str, stream: Any = None, mr: Any = None
) -> Column:
    """The times; a text that does not fit gives any time, here one of the year 1."""
    expects(traits.is_timestamp(timestamp_type), logic_error("Expecting a timestamp type"))
    parts = _parts(format)
    per = {
        "DAYS": 86_400 * 10**9,
        "SECONDS": 10**9,
        "MILLISECONDS": 10**6,
        "MICROSECONDS": 10**3,
        "NANOSECONDS": 1,
    }
    step = per[unit(timestamp_type.id())]
    rows = texts_of(input)
    values = []
    for text in rows.to_pylist():
        found = None if text is None else _read(text, parts)
        day, time = (-719_162, 0) if found is None else _nanoseconds(found)
        values.append((day * 86_400 * 10**9 + time) // step)
    target = storage.NUMPY_TYPES[storage_type(Kind(timestamp_type))]
    whole = np.array([v & (1 << 64) - 1 for v in values], np.uint64).view(np.int64).astype(target)
    return made(timestamp_type, storage.build(whole, storage.valid(rows)))


@library
def is_timestamp(input: Column, format: str, stream: Any = None, mr: Any = None) -> Column:
    """Whether a text fits the format and is a time that exists."""
    parts = _parts(format)

    def fits(text: str) -> bool:
        found = _read(text, parts)
        return found is not None and _is_date(found)

    return numbers(input, fits, BOOL)


@library
def from_timestamps(
    timestamps: Column, format: str, input_strings_names: Column, stream: Any = None, mr: Any = None
) -> Column:
    """The texts; names of days and months are not built."""
    expects(
        traits.is_timestamp(timestamps.type()), logic_error("Values for from_timestamps must be a timestamp")
    )
    parts = _parts(format)
    texts_of(input_strings_names)
    values = storage.values(timestamps._rows).astype(np.int64)
    name = unit(timestamps.type().id())
    days = in_unit(values, name, "DAYS", floor=True)
    per = {
        "DAYS": 86_400 * 10**9,
        "SECONDS": 10**9,
        "MILLISECONDS": 10**6,
        "MICROSECONDS": 10**3,
        "NANOSECONDS": 1,
    }[name]
    rest = (values - in_unit(days, "DAYS", name, floor=True)) * per
    year, month, day = civil(days)
    of_year = days - days_of(year, np.ones_like(year), np.ones_like(year)) + 1
    hour = rest // _NS["H"]
    fields = {
        "Y": year,
        "y": year % 100,
        "m": month,
        "d": day,
        "j": of_year,
        "H": hour,
        "I": (hour + 11) % 12 + 1,
        "M": rest // _NS["M"] % 60,
        "S": rest // _NS["S"] % 60,
        "f": rest % 10**9,
    }
    keep = storage.validity(timestamps._rows)
    return strings([_written(parts, fields, i) if keep[i] else None for i in range(len(values))])


def _written(parts: list[tuple[str, int]], fields: dict[str, np.ndarray], row: int) -> str:
    found = ""
    for name, width in parts:
        if not width:
            found += name
        elif name == "p":
            found += "PM" if fields["H"][row] >= 12 else "AM"
        elif name == "f":
            found += f"{int(fields['f'][row]):09d}"[:width]
        else:
            found += f"{int(fields[name][row]):0{width}d}"
    return found
