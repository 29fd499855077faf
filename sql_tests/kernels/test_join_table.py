"""Matches of a hash join against nested loops, in pieces and in order."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from kernels.oracles import INT64, QUICK, columns, null_bits, optional
from tandemdb.cpu_fallback.kernels.join_table import JoinTable, mark_matched

KEYS = st.sampled_from([st.integers(0, 4), st.sampled_from([0, 1, -(1 << 63), (1 << 63) - 1, 10**15]), INT64])


def bad_hash(key_words, nulls=None) -> np.ndarray:
    return np.zeros(len(key_words[0]), dtype=np.uint64)


def nested_loops(build, probe, null_safe: bool) -> list[list[int]]:
    def equal(a, b) -> bool:
        return a == b if null_safe else a == b and None not in a

    return [[j for j, b in enumerate(build) if equal(b, p)] for p in probe]


@pytest.mark.parametrize("k", [1, 2])
@pytest.mark.parametrize("null_safe", [False, True])
@given(data=st.data())
@QUICK
def test_matches_in_probe_order_then_build_order(k: int, null_safe: bool, data: st.DataObject) -> None:
    rows = st.lists(st.tuples(*[optional(data.draw(KEYS))] * k), max_size=25)
    build, probe = data.draw(rows), data.draw(rows)
    probe += data.draw(st.lists(st.sampled_from(build), max_size=10)) if build else []
    hasher = {"hasher": bad_hash} if data.draw(st.booleans()) else {}

    def masks(side) -> dict:
        if null_safe:
            return {"nulls": null_bits(side)}
        valid = np.array([None not in row for row in side], dtype=np.uint8)
        return {"valid": None if valid.all() else valid}

    table = JoinTable(columns(build, k), **masks(build), **hasher)
    handles = table.lookup(columns(probe, k), **masks(probe))
    matches = nested_loops(build, probe, null_safe)
    assert table.counts(handles).tolist() == [len(m) for m in matches]
    assert table.exists(handles).tolist() == [bool(m) for m in matches]
    assert table.first(handles).tolist() == [m[0] if m else -1 for m in matches]
    inner = [(i, j) for i, m in enumerate(matches) for j in m]
    outer = [(i, j) for i, m in enumerate(matches) for j in m or [-1]]
    found = table.probe(columns(probe, k), **masks(probe))
    assert list(zip(*(side.tolist() for side in found), strict=True)) == inner
    for limit in (1, 2, 7):
        for is_outer, expected in ((False, inner), (True, outer)):
            pieces, cursor = [], (0, 0)
            while cursor is not None:
                p, b, cursor = table.pairs(handles, cursor, limit, is_outer)
                assert len(p) <= limit
                pieces += zip(p.tolist(), b.tolist(), strict=True)
            assert pieces == expected


def test_unique_keys_are_noticed() -> None:
    assert JoinTable([np.array([3, 1, 2])]).unique
    assert not JoinTable([np.array([3, 1, 3])]).unique
    assert JoinTable([np.array([3, 1, 3])], np.array([0, 1, 1], dtype=np.uint8)).unique
    table = JoinTable([np.empty(0, dtype=np.int64)])
    assert table.unique
    assert table.lookup([np.array([0])]).tolist() == [-1]


@pytest.mark.parametrize("factor", [1, 10**10])
def test_a_large_build_side_with_duplicates(factor: int) -> None:
    rng = np.random.default_rng(3)
    keys = rng.integers(0, 30_000, 100_000) * factor
    table = JoinTable([keys])
    probe, build = table.probe([np.arange(-5, 30_005) * factor])
    order = np.argsort(keys, kind="stable")
    assert (build == order).all()
    assert (probe == keys[order] // factor + 5).all()
    assert table.distinct == len(np.unique(keys))


def test_a_skewed_key_comes_in_bounded_pieces() -> None:
    table = JoinTable([np.zeros(1000, dtype=np.int64)])
    handles = table.lookup([np.zeros(50, dtype=np.int64)])
    cursor, total = (0, 0), 0
    while cursor is not None:
        probe, build, cursor = table.pairs(handles, cursor, 333)
        assert (build == (np.arange(total, total + len(build)) % 1000)).all()
        assert (probe == np.arange(total, total + len(build)) // 1000).all()
        total += len(build)
    assert total == 50_000


def test_several_threads_probe_at_once() -> None:
    keys = np.random.default_rng(0).permutation(50_000) * 7_000_000_001
    table = JoinTable([keys])
    with ThreadPoolExecutor(4) as pool:
        for handles in pool.map(lambda _: table.lookup([keys]), range(8)):
            assert (table.first(handles) == np.arange(len(keys))).all()


def test_matched_rows_are_marked() -> None:
    matched = np.zeros(4, dtype=np.uint8)
    mark_matched(np.array([2, -1, 2, 0], dtype=np.int32), matched)
    assert matched.tolist() == [1, 0, 1, 0]


def test_check_may_stop_a_build() -> None:
    class Stop(Exception):
        pass

    def stop() -> None:
        raise Stop

    with pytest.raises(Stop):
        JoinTable([np.arange((1 << 20) + 1)], check=stop)
