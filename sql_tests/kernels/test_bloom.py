"""Runtime filters never reject what was added."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from kernels.oracles import INT64, QUICK, int64s, optional, valid_of
from tandemdb.cpu_fallback.kernels.bloom import MAX_BYTES, BloomFilter, DenseSet, MinMax
from tandemdb.cpu_fallback.kernels.hashing import hash_int64


@pytest.mark.parametrize("rows", [0, 1, 1000, 100_000])
def test_added_hashes_pass_and_few_others_do(rows: int) -> None:
    bloom = BloomFilter(rows)
    bloom.add(hash_int64(np.arange(rows)))
    assert bloom.test(hash_int64(np.arange(rows))).all()
    assert bloom.test(hash_int64(np.arange(10**9, 10**9 + 50_000))).mean() < 0.015


def test_merged_filters_hold_both_sides() -> None:
    ours, theirs = BloomFilter(2000), BloomFilter(2000)
    ours.add(hash_int64(np.arange(1000)))
    theirs.add(hash_int64(np.arange(1000, 2000)))
    ours.merge(theirs)
    assert ours.test(hash_int64(np.arange(2000))).all()


def test_rows_that_are_not_valid_are_neither_added_nor_passed() -> None:
    hashes, valid = hash_int64(np.arange(2)), np.array([1, 0], dtype=np.uint8)
    bloom = BloomFilter(2)
    bloom.add(hashes, valid)
    assert bloom.test(hashes).tolist() == [1, 0]
    bloom.add(hashes)
    assert bloom.test(hashes, valid).tolist() == [1, 0]


def test_the_size_of_a_filter_is_bounded() -> None:
    assert BloomFilter(1 << 40).nbytes == MAX_BYTES


@given(st.lists(optional(INT64), max_size=20), st.lists(INT64, max_size=10))
@QUICK
def test_ranges(values: list[int | None], probes: list[int]) -> None:
    present = [v for v in values if v is not None]
    bounds, halves = MinMax(), MinMax()
    bounds.add(int64s(values), valid_of(values))
    for part in (values[:3], values[3:]):
        half = MinMax()
        half.add(int64s(part), valid_of(part))
        halves.merge(half)
    assert bounds.empty == halves.empty == (not present)
    for found in (bounds, halves):
        if present:
            assert (found.low, found.high) == (min(present), max(present))
        expected = [bool(present) and min(present) <= p <= max(present) for p in probes]
        assert found.test(int64s(probes)).tolist() == expected
        nothing = np.zeros(len(probes), dtype=np.uint8)
        assert not found.test(int64s(probes), nothing).any()


@given(
    st.integers(-(2**63), 2**63 - 200), st.lists(optional(st.integers(0, 150)), max_size=40), st.lists(INT64)
)
@QUICK
def test_dense_sets_are_exact(low: int, places: list[int | None], probes: list[int]) -> None:
    values = [None if place is None else low + place for place in places]
    there = DenseSet(low, low + 150)
    there.add(int64s(values), valid_of(values))
    probes += [*range(low, low + 151), max(low - 1, -(2**63)), low + 151]
    assert there.test(int64s(probes)).tolist() == [p in values for p in probes]
    assert not there.test(int64s(probes), np.zeros(len(probes), dtype=np.uint8)).any()
