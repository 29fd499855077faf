"""Views of arrow arrays and arrays over numpy data."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from kernels.oracles import INT128, QUICK, TEXT, from_words, optional, sliced, valid_of, words
from tandemdb.cpu_fallback.kernels import arrays

FIXED = [
    (pa.int8(), [1, None, -128]),
    (pa.uint8(), [255, 0, None]),
    (pa.int16(), [None, 7]),
    (pa.int32(), [1, 2, 3]),
    (pa.uint64(), [(1 << 64) - 1, None]),
    (pa.int64(), [None, None]),
    (pa.float32(), [0.5, None]),
    (pa.float64(), [1.5]),
    (pa.date32(), [dt.date(1995, 1, 1), None]),
    (pa.timestamp("us"), [None, dt.datetime(2020, 1, 1)]),
    (pa.time64("us"), [dt.time(1, 2)]),
    (pa.duration("us"), [dt.timedelta(1), None]),
    (pa.int32(), []),
]


@pytest.mark.parametrize(("type_", "values"), FIXED)
def test_fixed_width_values_round_trip_from_a_slice(type_: pa.DataType, values: list) -> None:
    arr = sliced(values, type_)
    view = arrays.values_view(arr)
    assert view.dtype.itemsize * 8 == type_.bit_width
    again = arrays.make_array(view, arrays.validity_bytes(arr), type_)
    again.validate(full=True)
    assert again.equals(arr)


@given(st.lists(optional(st.booleans()), max_size=40), st.integers(0, 20))
@QUICK
def test_bitmaps_become_bytes_at_any_offset(values: list[bool | None], before: int) -> None:
    arr = sliced(values, pa.bool_(), before)
    valid = arrays.validity_bytes(arr)
    assert arrays.all_valid(valid, len(values)).tolist() == [v is not None for v in values]
    assert (valid is None) == (None not in values)
    assert arrays.make_bool(arrays.bool_bytes(arr), valid).equals(arr)


@given(st.lists(optional(INT128.filter(lambda v: abs(v) < 10**38)), max_size=20))
@QUICK
def test_decimal_words_are_the_unscaled_integers(values: list[int | None]) -> None:
    arr = sliced([None if v is None else Decimal(f"{v}E-2") for v in values], pa.decimal128(38, 2))
    view = arrays.decimal_words(arr)
    assert [None if v is None else w for v, w in zip(values, from_words(view), strict=True)] == values
    assert arrays.make_decimal128(view, arrays.validity_bytes(arr), 38, 2).equals(arr)
    assert arrays.make_decimal128(words(values), valid_of(values), 38, 2).equals(arr)


@given(st.lists(optional(st.integers(-(10**18) + 1, 10**18 - 1)), max_size=20))
@QUICK
def test_scaled_integers_become_decimals(values: list[int | None]) -> None:
    arr = pa.array(values, pa.int64())
    made = arrays.scaled_to_decimal128(arrays.int64_values(arr), arrays.validity_bytes(arr), 18, 3)
    assert made.to_pylist() == [None if v is None else Decimal(f"{v}E-3") for v in values]


@pytest.mark.parametrize("type_", [pa.string(), pa.large_string(), pa.binary(), pa.large_binary()])
@given(values=st.lists(optional(TEXT), max_size=20))
@QUICK
def test_string_views_are_the_bytes_of_each_row(type_: pa.DataType, values: list[str | None]) -> None:
    encoded = [None if v is None else v.encode() for v in values]
    arr = sliced(encoded, type_)
    views = arrays.string_views(arr)
    for i, value in enumerate(encoded):
        if value is not None:
            assert views.data[views.offsets[i] : views.offsets[i + 1]].tobytes() == value
    again = arrays.make_strings(views.offsets, views.data, arrays.validity_bytes(arr), type_)
    again.validate(full=True)
    assert again.equals(arr)


def test_strings_beyond_two_gib_need_a_type_with_long_offsets() -> None:
    offsets = np.array([0, 1 << 31], dtype=np.int64)
    with pytest.raises(OverflowError, match="do not fit one array"):
        arrays.make_strings(offsets, np.empty(0, dtype=np.uint8), None, pa.string())


def test_a_dictionary_row_is_null_where_its_entry_is() -> None:
    arr = pa.DictionaryArray.from_arrays(pa.array([0, 1, None, 0]), pa.array(["a", None]))
    assert arrays.all_valid(arrays.validity_bytes(arr), 4).tolist() == [1, 0, 0, 1]


def test_null_arrays_have_no_valid_row() -> None:
    assert arrays.all_valid(arrays.validity_bytes(pa.nulls(3)), 3).tolist() == [0, 0, 0]
    assert arrays.validity_bytes(pa.nulls(0)) is None


def test_masks_combine_and_an_all_valid_one_needs_no_buffer() -> None:
    a, b = np.array([1, 1, 0], dtype=np.uint8), np.array([1, 0, 1], dtype=np.uint8)
    combined = arrays.and_valid(None, a, b)
    assert combined is not None
    assert combined.tolist() == [1, 0, 0]
    assert arrays.and_valid(None, None) is None
    assert arrays.mask_to_buffer(np.ones(9, dtype=np.uint8)) is None


def test_unsigned_values_keep_their_bits() -> None:
    assert arrays.int64_values(pa.array([(1 << 64) - 1], pa.uint64())).tolist() == [-1]
    assert arrays.int64_values(pa.array([True, False])).tolist() == [1, 0]


def test_views_share_memory_and_are_read_only() -> None:
    arr = pa.array([1, 2, 3], pa.int64())
    view = arrays.values_view(arr)
    assert arrays.make_array(view, None, pa.int64()).buffers()[1].address == arr.buffers()[1].address
    for shared in (
        view,
        arrays.int64_values(arr),
        arrays.decimal_words(pa.array([Decimal(1)])),
        arrays.string_views(pa.array(["a"])).data,
    ):
        assert not shared.flags.writeable
