"""The hash has the bits that its specification says, whatever the storage."""

from __future__ import annotations

import math
import struct

import numpy as np
import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st
from kernels import oracles
from kernels.oracles import (
    FLOAT64,
    INT64,
    INT128,
    QUICK,
    TEXT,
    float64s,
    int64s,
    optional,
    sliced,
    valid_of,
    words,
)
from tandemdb.cpu_fallback.kernels import hashing

SEED = st.sampled_from([0, 1, 12345])


@given(st.lists(optional(INT64), max_size=20), SEED)
@QUICK
def test_integers(values: list[int | None], seed: int) -> None:
    expected = [oracles.hash_null(seed) if v is None else oracles.hash_word(v, seed) for v in values]
    assert hashing.hash_int64(int64s(values), valid_of(values), seed).tolist() == expected
    assert hashing.hash_array(sliced(values, pa.int64()), seed).tolist() == expected


@given(st.lists(optional(FLOAT64), max_size=20))
@QUICK
def test_floats_hash_equal_when_they_are_equal_keys(values: list[float | None]) -> None:
    def expected(value: float | None) -> int:
        if value is None:
            return oracles.hash_null()
        if math.isnan(value):
            return oracles.hash_word(0x7FF8000000000000)
        return oracles.hash_word(struct.unpack("<q", struct.pack("<d", value + 0.0))[0])

    found = hashing.hash_float64(float64s(values), valid_of(values))
    assert found.tolist() == [expected(v) for v in values]


def test_every_nan_and_both_zeros_are_one_key() -> None:
    other_nan = np.array([0xFFF8000000000123], dtype=np.uint64).view(np.float64)[0]
    found = hashing.canonical_floats(np.array([0.0, -0.0, float("nan"), -float("nan"), other_nan]))
    assert found[0] == found[1] == 0
    assert found[2] == found[3] == found[4]


@given(st.lists(optional(INT128), max_size=20), SEED)
@QUICK
def test_128_bit_integers_hash_as_int64_where_they_fit(values: list[int | None], seed: int) -> None:
    expected = [oracles.hash_null(seed) if v is None else oracles.hash_int128(v, seed) for v in values]
    assert hashing.hash_words(words(values), valid_of(values), seed).tolist() == expected


@given(st.lists(optional(TEXT), max_size=20), SEED)
@QUICK
def test_strings(values: list[str | None], seed: int) -> None:
    expected = [
        oracles.hash_null(seed) if v is None else oracles.hash_bytes(v.encode(), seed) for v in values
    ]
    arr = sliced(values, pa.string())
    assert hashing.hash_array(arr, seed).tolist() == expected
    assert hashing.hash_array(arr.dictionary_encode(), seed).tolist() == expected


@given(st.lists(st.tuples(optional(INT64), optional(INT64)), max_size=20))
@QUICK
def test_columns_combine_from_left_to_right(rows: list[tuple[int | None, int | None]]) -> None:
    def one(value: int | None) -> int:
        return oracles.hash_null() if value is None else oracles.hash_word(value)

    expected = [oracles.combine(one(a), one(b)) for a, b in rows]
    keys = oracles.columns(rows, 2)
    assert hashing.hash_key_words(keys, oracles.null_bits(rows)).tolist() == expected
    left, right = ([row[j] for row in rows] for j in (0, 1))
    found = hashing.hash_combine(
        hashing.hash_int64(int64s(left), valid_of(left)), hashing.hash_int64(int64s(right), valid_of(right))
    )
    assert found.tolist() == expected


def test_order_of_columns_matters_and_bits_are_spread() -> None:
    keys = [np.arange(4096), np.arange(4096)[::-1].copy()]
    assert (hashing.hash_key_words(keys) != hashing.hash_key_words(keys[::-1])).all()
    hashes = hashing.hash_int64(np.arange(1 << 16))
    for shift in (0, 24, 52):
        counts = np.bincount(
            ((hashes >> np.uint64(shift)) & np.uint64(0xFFF)).astype(np.int64), minlength=4096
        )
        assert counts.max() < 48  # 16 on average
