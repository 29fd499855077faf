"""Checked arithmetic against Python's integers: results, the first failing row, rows that must not fail."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from kernels.oracles import INT64, INT128, QUICK, from_words, int64s, words
from tandemdb.cpu_fallback.kernels import arith, arith128


def truncated(a: int, b: int) -> int | None:
    if b == 0:
        return None
    quotient = abs(a) // abs(b)
    return quotient if (a < 0) == (b < 0) else -quotient


def rest(a: int, b: int) -> int | None:
    return None if b == 0 else a - b * (truncated(a, b) or 0)


def rounded(a: int, b: int) -> int | None:
    """a / b half away from zero."""
    if b == 0:
        return None
    quotient = (2 * abs(a) + abs(b)) // (2 * abs(b))
    return quotient if (a < 0) == (b < 0) else -quotient


def scaled(value: int, by: int) -> int | None:
    return value * 10**by if by >= 0 else rounded(value, 10**-by)


def agrees(
    kernel: Callable[..., tuple[np.ndarray, int]],
    arguments: tuple[Any, ...],
    expected: list[int | None],
    chosen: list[bool],
    bits: int,
) -> None:
    """The kernel gives ``expected`` where it exists and names the first chosen row where it does not."""
    limit = 1 << (bits - 1)
    good = [value is not None and -limit <= value < limit for value in expected]
    read = (lambda out: out.tolist()) if bits == 64 else from_words

    def first(mask: list[bool]) -> int:
        return next((i for i, (ok, use) in enumerate(zip(good, mask, strict=True)) if use and not ok), -1)

    assert kernel(*arguments)[1] == first([True] * len(good))
    assert kernel(*arguments, np.array(chosen, dtype=np.uint8))[1] == first(chosen)
    found, row = kernel(*arguments, np.array(good, dtype=np.uint8))
    assert row == -1
    assert [v for v, ok in zip(read(found), good, strict=True) if ok] == [
        v for v, ok in zip(expected, good, strict=True) if ok
    ]


def pairs(values: st.SearchStrategy[int]) -> st.SearchStrategy[list[tuple[int, int, bool]]]:
    return st.lists(st.tuples(values, values, st.booleans()), max_size=20)


BINARY_64 = [
    (arith.add, lambda a, b: a + b),
    (arith.sub, lambda a, b: a - b),
    (arith.mul, lambda a, b: a * b),
    (arith.divide, truncated),
    (arith.modulo, rest),
]
BINARY_128 = [
    (arith128.add_words, lambda a, b: a + b),
    (arith128.sub_words, lambda a, b: a - b),
    (arith128.mul_words, lambda a, b: a * b),
    (arith128.divide_words, truncated),
    (arith128.modulo_words, rest),
    (arith128.div_words, rounded),
]


@pytest.mark.parametrize(("kernel", "exact"), BINARY_64, ids=[k.__name__ for k, _ in BINARY_64])
@given(rows=pairs(INT64), constant=INT64)
@QUICK
def test_int64(kernel: Any, exact: Any, rows: list[tuple[int, int, bool]], constant: int) -> None:
    a, b, chosen = int64s([r[0] for r in rows]), int64s([r[1] for r in rows]), [r[2] for r in rows]
    agrees(kernel, (a, b), [exact(r[0], r[1]) for r in rows], chosen, 64)
    one = int64s([constant])
    agrees(kernel, (a, one), [exact(r[0], constant) for r in rows], chosen, 64)
    agrees(kernel, (one, b), [exact(constant, r[1]) for r in rows], chosen, 64)


@pytest.mark.parametrize(("kernel", "exact"), BINARY_128, ids=[k.__name__ for k, _ in BINARY_128])
@given(rows=pairs(INT128), constant=INT128)
@QUICK
def test_int128(kernel: Any, exact: Any, rows: list[tuple[int, int, bool]], constant: int) -> None:
    a, b, chosen = words([r[0] for r in rows]), words([r[1] for r in rows]), [r[2] for r in rows]
    agrees(kernel, (a, b), [exact(r[0], r[1]) for r in rows], chosen, 128)
    one = arith128.int_words(constant)
    agrees(kernel, (a, one), [exact(r[0], constant) for r in rows], chosen, 128)
    agrees(kernel, (one, b), [exact(constant, r[1]) for r in rows], chosen, 128)


def test_many_random_divisions() -> None:
    rng = np.random.default_rng(1)

    def numbers() -> list[int]:
        shifts = rng.integers(0, 127, 20_000).tolist()
        return [int.from_bytes(rng.bytes(16), "little", signed=True) >> shift for shift in shifts]

    a, b = numbers(), numbers()
    for kernel, exact in BINARY_128[3:]:
        expected = [exact(x, y) for x, y in zip(a, b, strict=True)]
        good = np.array([v is not None and v < 1 << 127 for v in expected], dtype=np.uint8)
        found, row = kernel(words(a), words(b), good)
        assert row == -1
        assert all(f == e for f, e, ok in zip(from_words(found), expected, good, strict=True) if ok)


@given(st.lists(st.tuples(INT64, st.booleans()), max_size=20), st.integers(-21, 20))
@QUICK
def test_rescale(rows: list[tuple[int, bool]], by: int) -> None:
    values, chosen = [r[0] for r in rows], [r[1] for r in rows]
    agrees(
        lambda a, *rest: arith.rescale(a, by, *rest),
        (int64s(values),),
        [scaled(v, by) for v in values],
        chosen,
        64,
    )


@given(st.lists(st.tuples(INT128, st.booleans()), max_size=20), st.integers(-40, 40))
@QUICK
def test_rescale_words(rows: list[tuple[int, bool]], by: int) -> None:
    values, chosen = [r[0] for r in rows], [r[1] for r in rows]
    agrees(
        lambda a, *rest: arith128.rescale_words(a, by, *rest),
        (words(values),),
        [scaled(v, by) for v in values],
        chosen,
        128,
    )


@given(st.lists(st.tuples(INT64, st.booleans()), max_size=20))
@QUICK
def test_negate_and_absolute(rows: list[tuple[int, bool]]) -> None:
    values, chosen = [r[0] for r in rows], [r[1] for r in rows]
    agrees(arith.negate, (int64s(values),), [-v for v in values], chosen, 64)
    agrees(arith.absolute, (int64s(values),), [abs(v) for v in values], chosen, 64)
    agrees(arith128.negate_words, (words(values),), [-v for v in values], chosen, 128)


@given(pairs(INT64))
@QUICK
def test_widening(rows: list[tuple[int, int, bool]]) -> None:
    a, b = int64s([r[0] for r in rows]), int64s([r[1] for r in rows])
    assert from_words(arith.mul_wide(a, b)) == [r[0] * r[1] for r in rows]
    assert from_words(arith128.widen(a)) == a.tolist()


@given(pairs(INT128))
@QUICK
def test_narrowing_comparing_and_converting(rows: list[tuple[int, int, bool]]) -> None:
    a, b, chosen = [r[0] for r in rows], [r[1] for r in rows], [r[2] for r in rows]
    agrees(arith128.narrow, (words(a),), a, chosen, 64)
    assert arith128.compare_words(words(a), words(b)).tolist() == [
        (x > y) - (x < y) for x, y in zip(a, b, strict=True)
    ]
    for value, found in zip(a, arith128.words_to_float64(words(a)), strict=True):
        assert found == pytest.approx(float(value), rel=4e-16)
        if abs(value) < 1 << 63:
            assert found == float(value)


@given(st.lists(st.tuples(INT128, st.booleans()), max_size=20), st.integers(1, 38))
@QUICK
def test_digits(rows: list[tuple[int, bool]], precision: int) -> None:
    values, chosen = [r[0] for r in rows], [r[1] for r in rows]
    bad = [abs(v) >= 10**precision for v in values]
    assert arith128.check_digits(words(values), precision) == (bad.index(True) if any(bad) else -1)
    bad = [b and c for b, c in zip(bad, chosen, strict=True)]
    mask = np.array(chosen, dtype=np.uint8)
    assert arith128.check_digits(words(values), precision, mask) == (bad.index(True) if any(bad) else -1)


@given(st.lists(st.tuples(INT64, st.booleans()), max_size=20), INT128, INT128)
@QUICK
def test_ranges(rows: list[tuple[int, bool]], low: int, high: int) -> None:
    values, chosen = [r[0] for r in rows], [r[1] for r in rows]
    bad = [c and not low <= v <= high for v, c in rows]
    mask = np.array(chosen, dtype=np.uint8)
    assert arith.check_range(int64s(values), low, high, mask) == (bad.index(True) if any(bad) else -1)
