"""Sort keys order as ORDER BY does; sorts, selections and merges are stable."""

from __future__ import annotations

import datetime as dt
import functools
import itertools
import math
from decimal import Decimal
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from kernels.oracles import FLOAT64, INT64, INT128, QUICK, TEXT, optional, sliced
from tandemdb.cpu_fallback.kernels import sorting
from tandemdb.cpu_fallback.kernels.sorting import RunMerger, SortKey

UINT64 = st.one_of(
    st.integers(0, 3), st.integers(0, (1 << 64) - 1), st.sampled_from([0, (1 << 64) - 1, 1 << 63])
)
WORDS = st.integers(1, 3).flatmap(lambda k: st.lists(st.tuples(*[UINT64] * k), max_size=40))
KEYS = st.builds(SortKey, st.booleans(), st.booleans())
DECIMALS = INT128.filter(lambda v: abs(v) < 10**38).map(lambda v: Decimal(f"{v}E-2"))
TYPES: list[tuple[pa.DataType, st.SearchStrategy[Any]]] = [
    (pa.int64(), INT64),
    (pa.uint64(), UINT64),
    (pa.int8(), st.integers(-128, 127)),
    (pa.bool_(), st.booleans()),
    (pa.float64(), FLOAT64),
    (pa.float32(), st.sampled_from([0.0, -0.0, 1.5, math.nan, math.inf, -math.inf, -2.5])),
    (pa.date32(), st.dates(dt.date(1900, 1, 1), dt.date(2100, 1, 1))),
    (pa.decimal128(38, 2), DECIMALS),
    (pa.string(), TEXT),
    (pa.large_binary(), st.binary(max_size=20)),
    (pa.dictionary(pa.int32(), pa.string()), TEXT),
    (pa.dictionary(pa.int32(), pa.int64()), INT64),
    (pa.null(), st.none()),
]


def word_columns(rows: list[tuple[int, ...]], k: int) -> list[np.ndarray]:
    return [np.array([row[j] for row in rows], dtype=np.uint64) for j in range(k)]


def comparable(value: Any) -> Any:
    """A value that Python orders as SQL does."""
    if isinstance(value, float):
        return (math.isnan(value), 0.0 if math.isnan(value) else value)
    return value.encode() if isinstance(value, str) else value


def sorted_rows(values: list[Any], key: SortKey) -> list[int]:
    """Rows in the order that the key asks for, found by comparisons."""

    def compare(a: int, b: int) -> int:
        x, y = values[a], values[b]
        if x is None or y is None:
            order = (x is None) - (y is None)
            return -order if key.nulls_first else order
        p, q = comparable(x), comparable(y)
        order = (p > q) - (p < q)
        return -order if key.descending else order

    return sorted(range(len(values)), key=functools.cmp_to_key(compare))


@given(WORDS)
@QUICK
def test_argsort_and_top_n(rows: list[tuple[int, ...]]) -> None:
    k = len(rows[0]) if rows else 1
    words = word_columns(rows, k)
    expected = sorted(range(len(rows)), key=rows.__getitem__)
    assert sorting.argsort(words).tolist() == expected
    for n in (0, 1, 3, len(rows), len(rows) + 1):
        assert sorting.top_n(words, n).tolist() == expected[:n]


@pytest.mark.parametrize("bits", [[1], [12], [40], [64], [64, 64], [1, 20, 60, 3]])
def test_large_sorts(bits: list[int]) -> None:
    rng = np.random.default_rng(5)
    words = [rng.integers(0, 1 << 63, 50_000).astype(np.uint64) >> np.uint64(64 - b) for b in bits]
    words = [
        word * np.uint64(2) + np.uint64(1) if b == 64 else word for word, b in zip(words, bits, strict=True)
    ]
    expected = np.lexsort(words[::-1])
    assert (sorting.argsort(words) == expected).all()
    for n in (1, 100, 20_000):
        assert (sorting.top_n(words, n) == expected[:n]).all()


@pytest.mark.parametrize(("type_", "strategy"), TYPES, ids=[str(type_) for type_, _ in TYPES])
@given(data=st.data())
@QUICK
def test_columns_sort_as_order_by(
    type_: pa.DataType, strategy: st.SearchStrategy, data: st.DataObject
) -> None:
    values, key = data.draw(st.lists(optional(strategy), max_size=30)), data.draw(KEYS)
    arr = sliced(values, type_)
    expected = sorted_rows(values, key)
    assert sorting.argsort(sorting.sort_words(arr, key)).tolist() == expected
    if None not in values:
        assert sorting.argsort(sorting.sort_words(arr, key, nullable=False)).tolist() == expected


@given(st.lists(optional(TEXT), max_size=30), st.lists(optional(TEXT), max_size=30), KEYS, st.booleans())
@QUICK
def test_string_words_compare_across_arrays(
    first: list[str | None], second: list[str | None], key: SortKey, as_dictionary: bool
) -> None:
    parts = [pa.array(values, pa.string()) for values in (first, second)]
    bound = max(sorting.max_length(part) for part in parts)
    if as_dictionary:
        parts[1] = parts[1].dictionary_encode()
    words = [sorting.sort_words(part, key, string_bytes=bound) for part in parts]
    both = [np.concatenate(pair) for pair in zip(*words, strict=True)]
    assert sorting.argsort(both).tolist() == sorted_rows(first + second, key)


@given(st.lists(optional(TEXT), max_size=30), st.sampled_from(["", "shared prefix of some length "]))
@QUICK
def test_string_ranks_are_dense(values: list[str | None], prefix: str) -> None:
    texts = [None if value is None else prefix + value for value in values]
    distinct = sorted({text.encode() for text in texts if text is not None})
    expected = [0 if text is None else distinct.index(text.encode()) for text in texts]
    for arr in (sliced(texts, pa.string()), sliced(texts, pa.string()).dictionary_encode()):
        assert sorting.string_ranks(arr).tolist() == expected


@given(WORDS, st.lists(st.integers(0, 40), max_size=4), st.integers(1, 9))
@QUICK
def test_merged_runs_are_the_stable_sort_of_all(
    rows: list[tuple[int, ...]], cuts: list[int], limit: int
) -> None:
    k = len(rows[0]) if rows else 1
    edges = [0, *sorted(min(cut, len(rows)) for cut in cuts), len(rows)]
    parts = [sorted(range(a, b), key=rows.__getitem__) for a, b in itertools.pairwise(edges)]
    runs = [word_columns([rows[i] for i in part], k) for part in parts]
    merged: list[int] = []
    for run, row in sorting.merge_runs(runs, limit):
        assert 0 < len(run) <= limit
        merged += [parts[r][i] for r, i in zip(run, row, strict=True)]
    assert merged == sorted(range(len(rows)), key=rows.__getitem__)


@given(st.lists(st.lists(st.lists(st.integers(0, 9), max_size=4), max_size=4), min_size=1, max_size=4))
@QUICK
def test_runs_may_arrive_window_by_window(runs: list[list[list[int]]]) -> None:
    ordered = []
    for windows in runs:
        flat = iter(sorted(value for window in windows for value in window))
        ordered.append([[next(flat) for _ in window] for window in windows])
    merger, waiting, current = RunMerger(len(runs)), [iter(w) for w in ordered], [[] for _ in runs]
    merged: list[tuple[int, int]] = []
    while not merger.done:
        while (run := merger.starved) is not None:
            window = next(waiting[run], None)
            if window is None:
                merger.close(run)
            else:
                current[run] = window
                merger.feed(run, [np.array(window, dtype=np.uint64)])
        if not merger.done:
            for run, row in zip(*merger.step(5), strict=True):
                merged.append((current[run][row], int(run)))
    assert merged == sorted((v, run) for run, windows in enumerate(ordered) for w in windows for v in w)


def test_check_may_stop_a_long_sort() -> None:
    class Stop(Exception):
        pass

    def stop() -> None:
        raise Stop

    with pytest.raises(Stop):
        sorting.argsort([np.arange((1 << 20) + 1, dtype=np.uint64)], stop)
