"""The columns calls are tried on: odd values of every type, in five patterns of NULLs and slices."""

from __future__ import annotations

import datetime
import decimal
import math
from collections.abc import Iterator
from typing import Any

import pyarrow as pa

from .forms import ColumnForm, column

_D = decimal.Decimal
_NAN, _INF = math.nan, math.inf

# Seven values a type: the lowest, the highest, the odd ones, and one value twice.
VALUES: dict[pa.DataType, list[Any]] = {
    pa.bool_(): [True, False, True, False, False, True, True],
    pa.int8(): [-128, 127, 0, 1, -1, 7, 7],
    pa.int16(): [-(2**15), 2**15 - 1, 0, 1, -1, 7, 7],
    pa.int32(): [-(2**31), 2**31 - 1, 0, 1, -1, 7, 7],
    pa.int64(): [-(2**63), 2**63 - 1, 0, 1, -1, 7, 7],
    pa.uint8(): [255, 0, 1, 2, 128, 7, 7],
    pa.uint16(): [2**16 - 1, 0, 1, 2, 2**15, 7, 7],
    pa.uint32(): [2**32 - 1, 0, 1, 2, 2**31, 7, 7],
    pa.uint64(): [2**64 - 1, 0, 1, 2, 2**63, 7, 7],
    pa.float32(): [_NAN, -0.0, 0.0, _INF, -_INF, 1.5, 1.5],
    pa.float64(): [_NAN, -0.0, 0.0, _INF, -_INF, 1.5, 1.5],
    pa.decimal128(38, 2): [
        _D("9" * 36 + ".99"),
        _D("-" + "9" * 36 + ".99"),
        _D("0.00"),
        _D("0.01"),
        _D("-0.01"),
        _D("7.50"),
        _D("7.50"),
    ],
    pa.string(): ["", "a", "A", "é", "日本 x", "a%_\\b", "a"],
    pa.date32(): [
        datetime.date(1, 1, 1),
        datetime.date(9999, 12, 31),
        datetime.date(1970, 1, 1),
        datetime.date(1969, 12, 31),
        datetime.date(2000, 2, 29),
        datetime.date(1900, 3, 1),
        datetime.date(1900, 3, 1),
    ],
    pa.timestamp("us"): [-62135596800000000, 253402300799999999, 0, -1, 951782400123456, 1, 1],
}

DECIMAL64 = pa.decimal64(18, 2)
DECIMAL64_VALUES = [
    _D("9999999999999999.99"),
    _D("-9999999999999999.99"),
    _D("0.00"),
    _D("0.01"),
    _D("-0.01"),
    _D("7.50"),
    _D("7.50"),
]

INTEGERS = (pa.int8(), pa.int16(), pa.int32(), pa.int64(), pa.uint8(), pa.uint16(), pa.uint32(), pa.uint64())
FLOATS = (pa.float32(), pa.float64())


def label(kind: pa.DataType) -> str:
    """A type's name within a case's: `timestamp[us]` is `timestamp_us`."""
    return str(kind).replace("[", "_").replace("]", "").replace("(", "_").replace(", ", "_").replace(")", "")


def full(kind: pa.DataType) -> ColumnForm:
    """All values of a type, no NULL."""
    return column(kind, VALUES[kind])


def with_nulls(kind: pa.DataType) -> ColumnForm:
    """The values of a type, every third NULL."""
    return column(kind, _holes(VALUES[kind]))


def patterns(kind: pa.DataType, values: list[Any] | None = None) -> Iterator[tuple[str, ColumnForm]]:
    """The five patterns by name: no NULL, some, all, no row, and a slice from within a byte of the mask."""
    found = VALUES[kind] if values is None else values
    yield "full", column(kind, found)
    yield "nulls", column(kind, _holes(found))
    yield "all_null", column(kind, [None] * 3)
    yield "empty", column(kind, [])
    yield "sliced", column(kind, _holes(found), 2)


def _holes(values: list[Any]) -> list[Any]:
    return [None if i % 3 == 1 else value for i, value in enumerate(values)]
