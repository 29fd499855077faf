"""Rows picked from arrays of every type."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from kernels.oracles import QUICK, sliced
from tandemdb.cpu_fallback.kernels import gather

COLUMNS = [
    (pa.int64(), [1, None, -(1 << 63), 4]),
    (pa.int32(), [1, None, 3, 4]),
    (pa.int8(), [1, 2, 3, 4]),
    (pa.uint16(), [1, None, 3, 4]),
    (pa.float64(), [1.5, None, float("inf"), 0.0]),
    (pa.bool_(), [True, None, False, True]),
    (pa.date32(), [dt.date(1995, 3, 1), None, None, dt.date(1970, 1, 1)]),
    (pa.timestamp("us"), [dt.datetime(2020, 1, 1), None, None, None]),
    (pa.decimal128(38, 2), [Decimal("1E+30"), None, Decimal("-1.25"), Decimal(0)]),
    (pa.string(), ["b", None, "", "long enough to matter"]),
    (pa.large_binary(), [b"\xff", None, b"", b"x"]),
    (pa.dictionary(pa.int8(), pa.string()), ["b", None, "a", "b"]),
    (pa.list_(pa.int64()), [[1], None, [], [2, 3]]),
    (pa.month_day_nano_interval(), [(1, 2, 3), None, (0, 0, 0), (4, 5, 6)]),
    (pa.null(), [None] * 4),
]


@pytest.mark.parametrize(("type_", "values"), COLUMNS)
@pytest.mark.parametrize("rows", [[0, 1, 2, 3, 3, 1], [3], [], [-1, 2, -1, 0]])
def test_take(type_: pa.DataType, values: list, rows: list[int]) -> None:
    for arr in (sliced(values, type_), pa.array(values, type_)):
        taken = gather.take(arr, np.array(rows, dtype=np.int32), nullable=-1 in rows)
        taken.validate(full=True)
        assert taken.type == type_
        source = arr.to_pylist()
        assert taken.to_pylist() == [None if row < 0 else source[row] for row in rows]


@pytest.mark.parametrize("type_", [type_ for type_, _ in COLUMNS])
def test_take_from_nothing_gives_nulls(type_: pa.DataType) -> None:
    taken = gather.take(pa.array([], type_), np.array([-1, -1], dtype=np.int32), nullable=True)
    assert taken.to_pylist() == [None, None]
    assert gather.take(pa.array([], type_), np.empty(0, dtype=np.int32)).type == type_


@pytest.mark.parametrize("dtype", [np.int8, np.int16, np.float32, np.int64, np.float64, np.bool_])
def test_take_values_gives_zero_for_row_minus_one(dtype: type) -> None:
    values = np.array([1, 0, 3]).astype(dtype)
    taken = gather.take_values(values, np.array([2, -1, 0], dtype=np.int32))
    assert taken.dtype == dtype
    assert taken.tolist() == [values[2], 0, values[0]]
    assert gather.take_values(values[:0], np.array([-1], dtype=np.int32)).tolist() == [0]


@given(st.lists(st.booleans(), max_size=50))
@QUICK
def test_selected_rows(mask: list[bool]) -> None:
    expected = [i for i, chosen in enumerate(mask) if chosen]
    for dtype in (np.bool_, np.uint8):
        array = np.array(mask, dtype=dtype)
        assert gather.select_indices(array).tolist() == expected
