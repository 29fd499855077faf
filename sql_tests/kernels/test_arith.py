"""Checked arithmetic against Python's integers: results, the first failing row, rows that must not fail."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from kernels.oracles import INT64, INT128, QUICK, from_words, int64s, words
from tandemdb.cpu_fallback.kernels import arith128


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


BINARY_128 = [
    (arith128.add_words, lambda a, b: a + b),
    (arith128.sub_words, lambda a, b: a - b),
    (arith128.mul_words, lambda a, b: a * b),
]


@pytest.mark.parametrize(("kernel", "exact"), BINARY_128, ids=[k.__name__ for k, _ in BINARY_128])
@given(rows=pairs(INT128), constant=INT128)
@QUICK
def test_int128(kernel: Any, exact: Any, rows: list[tuple[int, int, bool]], constant: int) -> None:
    a, b, chosen = words([r[0] for r in rows]), words([r[1] for r in rows]), [r[2] for r in rows]
    agrees(kernel, (a, b), [exact(r[0], r[1]) for r in rows], chosen, 128)
    one = arith128.int_words(constant)
    agrees(kernel, (a, one), [exact(r[0], constant) for r in rows], chosen, 128)
    agrees(kernel, (one, b), [exact(constant, r[1]) for r in rows], chosen, 128)


@given(pairs(INT64))
@QUICK
def test_widening(rows: list[tuple[int, int, bool]]) -> None:
    a, b = int64s([r[0] for r in rows]), int64s([r[1] for r in rows])
    assert from_words(arith128.mul_wide(a, b)) == [r[0] * r[1] for r in rows]
    assert from_words(arith128.widen(a)) == a.tolist()


@given(st.lists(st.tuples(INT128, st.booleans()), max_size=20), st.integers(1, 38))
@QUICK
def test_digits(rows: list[tuple[int, bool]], precision: int) -> None:
    values, chosen = [r[0] for r in rows], [r[1] for r in rows]
    bad = [abs(v) >= 10**precision for v in values]
    assert arith128.check_digits(words(values), precision) == (bad.index(True) if any(bad) else -1)
    bad = [b and c for b, c in zip(bad, chosen, strict=True)]
    mask = np.array(chosen, dtype=np.uint8)
    assert arith128.check_digits(words(values), precision, mask) == (bad.index(True) if any(bad) else -1)
