"""Grouped and ungrouped aggregates against Python's arithmetic, and merges of partial states."""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from kernels.oracles import (
    FLOAT64,
    INT64,
    INT128,
    QUICK,
    float64s,
    from_words,
    int64s,
    optional,
    valid_of,
    words,
)
from tandemdb.cpu_fallback.kernels import aggregates as grouped
from tandemdb.cpu_fallback.kernels import aggregates_one as one

GROUPS = 4


def rows(values: st.SearchStrategy[Any]) -> st.SearchStrategy[list[tuple[int, Any]]]:
    return st.lists(st.tuples(st.integers(0, GROUPS - 1), optional(values)), max_size=40)


def split(data: Sequence[tuple[int, Any]]) -> tuple[np.ndarray, list[Any]]:
    return np.array([gid for gid, _ in data], dtype=np.int32), [value for _, value in data]


def by_group(data: Sequence[tuple[int, Any]], fold: Callable[[list[Any]], Any]) -> list[Any]:
    return [fold([v for gid, v in data if gid == g and v is not None]) for g in range(GROUPS)]


def zeros(dtype: Any = np.int64) -> np.ndarray:
    return np.zeros(GROUPS, dtype=dtype)


def with_seen(best: list[Any], seen: np.ndarray) -> list[Any]:
    return [value if s else None for value, s in zip(best, seen, strict=True)]


def same_float(a: float | None, b: float | None) -> bool:
    return a == b or (a is not None and b is not None and math.isnan(a) and math.isnan(b))


IDENTITY = np.arange(GROUPS, dtype=np.int32)


@given(rows(INT64))
@QUICK
def test_counts(data: list[tuple[int, int | None]]) -> None:
    gids, values = split(data)
    every, valid, merged = zeros(), zeros(), zeros()
    grouped.count_valid(gids, None, every)
    grouped.count_valid(gids, valid_of(values), valid)
    grouped.merge_counts(IDENTITY[::-1].copy(), every, merged)
    assert every.tolist() == [sum(g == gid for gid, _ in data) for g in range(GROUPS)]
    assert valid.tolist() == by_group(data, len)
    assert merged.tolist() == every.tolist()[::-1]
    assert one.count_valid_one(valid_of(values), len(values)) == sum(by_group(data, len))


@given(rows(INT64))
@QUICK
def test_integer_sums_are_exact_beyond_64_bits(data: list[tuple[int, int | None]]) -> None:
    gids, values = split(data)
    acc, overflow = np.zeros((GROUPS, 2), dtype=np.int64), zeros(np.uint8)
    for _ in range(3):
        grouped.sum_int64(gids, int64s(values), valid_of(values), acc)
    grouped.sum_words(IDENTITY, acc.copy(), None, acc, overflow)
    assert from_words(acc) == by_group(data, lambda group: 6 * sum(group))
    assert not overflow.any()
    assert one.sum_int64_one(int64s(values), valid_of(values)) == sum(by_group(data, sum))


@given(rows(INT128))
@QUICK
def test_128_bit_sums_flag_overflow(data: list[tuple[int, int | None]]) -> None:
    gids, values = split(data)
    acc, overflow = np.zeros((GROUPS, 2), dtype=np.int64), zeros(np.uint8)
    grouped.sum_words(gids, words(values), valid_of(values), acc, overflow)
    for g, exact in enumerate(by_group(data, list)):
        sums = [sum(exact[: i + 1]) for i in range(len(exact))]
        assert bool(overflow[g]) == any(not -(1 << 127) <= s < 1 << 127 for s in sums)
        if not overflow[g]:
            assert from_words(acc)[g] == sum(exact)
    assert one.sum_words_one(words(values), valid_of(values)) == sum(by_group(data, sum))


@given(rows(st.floats(allow_nan=False, allow_infinity=False, min_value=-1e100, max_value=1e100)))
@QUICK
def test_float_sums_are_within_1e_15_of_the_sum_of_absolute_values(data: list[tuple[int, Any]]) -> None:
    gids, values = split(data)
    total, comp = zeros(np.float64), zeros(np.float64)
    half = len(values) // 2
    for part in (slice(0, half), slice(half, None)):
        a, c = zeros(np.float64), zeros(np.float64)
        valid = valid_of(values[part])
        grouped.sum_float64(gids[part], float64s(values[part]), valid, a, c)
        grouped.merge_sum_float64(IDENTITY, a, c, total, comp)
    found = grouped.float_sum_result(total, comp)
    for g, group in enumerate(by_group(data, list)):
        exact = sum(map(Fraction, group))
        assert abs(Fraction(float(found[g])) - exact) <= Fraction(1, 10**15) * sum(
            abs(Fraction(v)) for v in group
        )
    whole, rest = one.sum_float64_one(float64s(values), valid_of(values))
    everything = [Fraction(v) for v in values if v is not None]
    bound = Fraction(1, 10**15) * sum(map(abs, everything))
    assert abs(Fraction(whole + rest) - sum(everything)) <= bound


@pytest.mark.parametrize(
    "values", [[math.inf, 1.0], [math.inf, -math.inf], [math.nan, 1.0], [1e308, 1e308], [-math.inf, -1e308]]
)
def test_infinite_and_nan_sums_are_those_of_plain_addition(values: list[float]) -> None:
    total, comp = zeros(np.float64), zeros(np.float64)
    grouped.sum_float64(np.zeros(2, dtype=np.int32), np.array(values), None, total, comp)
    assert same_float(float(grouped.float_sum_result(total, comp)[0]), values[0] + values[1])


def order(value: float) -> tuple[bool, float]:
    """NaN above all numbers."""
    return (True, 0.0) if math.isnan(value) else (False, value)


@given(rows(INT64))
@QUICK
def test_integer_extremes_and_their_rows(data: list[tuple[int, int | None]]) -> None:
    gids, values = split(data)
    for update, fold, single in (
        (grouped.min_int64, min, one.min_int64_one),
        (grouped.max_int64, max, one.max_int64_one),
    ):
        best, seen, at = zeros(), zeros(np.uint8), np.full(GROUPS, -1, dtype=np.int32)
        update(gids, int64s(values), valid_of(values), best, seen, at)
        expected = by_group(data, lambda group, fold=fold: fold(group, default=None))
        assert with_seen(best.tolist(), seen) == expected
        assert [None if row < 0 else values[row] for row in at] == expected
        assert all(row < 0 or (g, values[row]) not in data[:row] for g, row in enumerate(at))
        merged, merged_seen = zeros(), zeros(np.uint8)
        update(IDENTITY, best, seen, merged, merged_seen)
        assert with_seen(merged.tolist(), merged_seen) == expected
        present = [v for v in values if v is not None]
        assert single(int64s(values), valid_of(values)) == fold(present, default=None)


@given(rows(FLOAT64))
@QUICK
def test_float_extremes_put_nan_above_numbers(data: list[tuple[int, float | None]]) -> None:
    gids, values = split(data)
    present = [v for v in values if v is not None]
    for update, fold, single in (
        (grouped.min_float64, min, one.min_float64_one),
        (grouped.max_float64, max, one.max_float64_one),
    ):
        best, seen = zeros(np.float64), zeros(np.uint8)
        update(gids, float64s(values), valid_of(values), best, seen)
        expected = by_group(data, lambda group, fold=fold: fold(group, key=order, default=None))
        assert all(map(same_float, with_seen(best.tolist(), seen), expected))
        assert same_float(single(float64s(values), valid_of(values)), fold(present, key=order, default=None))


@given(rows(INT128))
@QUICK
def test_128_bit_extremes(data: list[tuple[int, int | None]]) -> None:
    gids, values = split(data)
    present = [v for v in values if v is not None]
    for update, fold, single in (
        (grouped.min_words, min, one.min_words_one),
        (grouped.max_words, max, one.max_words_one),
    ):
        best, seen = np.zeros((GROUPS, 2), dtype=np.int64), zeros(np.uint8)
        update(gids, words(values), valid_of(values), best, seen)
        expected = by_group(data, lambda group, fold=fold: fold(group, default=None))
        assert with_seen(from_words(best), seen) == expected
        assert single(words(values), valid_of(values)) == fold(present, default=None)


@given(rows(INT64), st.permutations(range(4)))
@QUICK
def test_first_and_last_by_position_over_batches_in_any_order(
    data: list[tuple[int, int | None]], batches: list[int]
) -> None:
    gids, values = split(data)
    size = len(data) // 4 + 1
    for update, start, pick in (
        (grouped.first_rows, grouped.FIRST_START, 0),
        (grouped.last_rows, grouped.LAST_START, -1),
    ):
        position, held = np.full(GROUPS, start, dtype=np.int64), [None] * GROUPS
        for batch in batches:
            part = slice(batch * size, (batch + 1) * size)
            found = np.full(GROUPS, -1, dtype=np.int32)
            update(gids[part], valid_of(values[part]), batch * size, position, found)
            for g, row in enumerate(found):
                if row >= 0:
                    held[g] = values[part][row]
        expected = by_group(data, lambda group, pick=pick: group[pick] if group else None)
        assert held == expected
        merged, found = np.full(GROUPS, start, dtype=np.int64), np.full(GROUPS, -1, dtype=np.int32)
        seen = np.array([value is not None for value in held], dtype=np.uint8)
        update(IDENTITY, seen, 0, merged, found, position)
        assert found.tolist() == [g if seen[g] else -1 for g in range(GROUPS)]


@given(rows(st.booleans()))
@QUICK
def test_booleans(data: list[tuple[int, bool | None]]) -> None:
    gids, values = split(data)
    for update, start, fold in ((grouped.bool_and, 1, all), (grouped.bool_or, 0, any)):
        acc, seen = np.full(GROUPS, start, dtype=np.uint8), zeros(np.uint8)
        update(gids, int64s(values).astype(np.uint8), valid_of(values), acc, seen)
        assert acc.tolist() == by_group(data, fold)
        assert seen.tolist() == by_group(data, bool)


@given(rows(INT64))
@QUICK
def test_bits(data: list[tuple[int, int | None]]) -> None:
    gids, values = split(data)

    def folded(operation: Callable[[int, int], int], start: int) -> list[int]:
        def fold(group: list[int]) -> int:
            result = start
            for value in group:
                result = operation(result, value)
            return result

        return by_group(data, fold)

    for update, start, operation in (
        (grouped.bit_and, -1, int.__and__),
        (grouped.bit_or, 0, int.__or__),
        (grouped.bit_xor, 0, int.__xor__),
    ):
        acc, seen = np.full(GROUPS, start, dtype=np.int64), zeros(np.uint8)
        update(gids, int64s(values), valid_of(values), acc, seen)
        assert acc.tolist() == folded(operation, start)
        assert seen.tolist() == by_group(data, bool)


@given(rows(st.floats(-1e6, 1e6)))
@QUICK
def test_variance_in_one_pass_merged_and_ungrouped(data: list[tuple[int, float | None]]) -> None:
    gids, values = split(data)
    count, mean, m2 = zeros(), zeros(np.float64), zeros(np.float64)
    half = len(values) // 3
    for part in (slice(0, half), slice(half, None)):
        state = zeros(), zeros(np.float64), zeros(np.float64)
        grouped.welford(gids[part], float64s(values[part]), valid_of(values[part]), *state)
        grouped.merge_welford(IDENTITY, *state, count, mean, m2)
    assert count.tolist() == by_group(data, len)
    for g, group in enumerate(by_group(data, list)):
        if group:
            assert mean[g] == pytest.approx(statistics.fmean(group), rel=1e-9, abs=1e-6)
            assert m2[g] / count[g] == pytest.approx(statistics.pvariance(group), rel=1e-9, abs=1e-4)
    present = [v for v in values if v is not None]
    n, average, deviations = one.welford_one(float64s(values), valid_of(values))
    assert n == len(present)
    if present:
        assert average == pytest.approx(statistics.fmean(present), rel=1e-9, abs=1e-6)
        assert deviations / n == pytest.approx(statistics.pvariance(present), rel=1e-9, abs=1e-4)


def test_grow_keeps_what_is_there_and_fills_the_rest() -> None:
    state = grouped.grow(np.array([5, 6], dtype=np.int64), 3, -1)
    assert state[:4].tolist() == [5, 6, -1, -1]
    assert grouped.grow(state, 4, 0) is state
    assert grouped.grow(np.zeros((0, 2), dtype=np.int64), 1, 0).shape[1] == 2
