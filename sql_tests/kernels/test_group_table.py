"""Groups are numbered by first appearance whatever the representation, the growth and the hash."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from kernels.oracles import INT64, QUICK, columns, null_bits, numbered, optional
from tandemdb.cpu_fallback.kernels.group_table import GroupTable

SMALL = st.integers(0, 5)


def bad_hash(key_words, nulls=None) -> np.ndarray:
    """One hash for all keys."""
    return np.zeros(len(key_words[0]), dtype=np.uint64)


def rows_of(table: GroupTable) -> list[tuple[int | None, ...]]:
    words, nulls = table.keys()
    return [
        tuple(
            None if nulls is not None and int(nulls[i]) >> j & 1 else int(words[j][i]) for j in range(table.k)
        )
        for i in range(table.size)
    ]


@pytest.mark.parametrize("k", [1, 2, 3])
@pytest.mark.parametrize("hasher", [None, bad_hash])
@given(data=st.data())
@QUICK
def test_groups_lookups_and_keys(k: int, hasher, data: st.DataObject) -> None:
    values = data.draw(st.sampled_from([SMALL, INT64, optional(SMALL), optional(INT64)]))
    batches = data.draw(st.lists(st.lists(st.tuples(*[values] * k), max_size=30), max_size=4))
    table = GroupTable(k) if hasher is None else GroupTable(k, hasher=hasher)
    known: dict = {}
    for rows in batches:
        keys, nulls = columns(rows, k), null_bits(rows)
        assert table.lookup(keys, nulls).tolist() == [known.get(row, -1) for row in rows]
        before = len(known)
        gids, new_rows = table.insert_new(keys, nulls)
        assert gids.tolist() == numbered(rows, known)
        assert [rows[i] for i in new_rows] == list(known)[before:]
        assert table.lookup(keys, nulls).tolist() == gids.tolist()
    assert rows_of(table) == list(known)
    assert table.size == len(known)


@pytest.mark.parametrize("step", [1, 10**12])
@pytest.mark.parametrize("order", ["up", "down", "random"])
def test_growth_through_many_sizes(step: int, order: str) -> None:
    rng = np.random.default_rng(7)
    keys = np.arange(200_000) * step
    keys = {"up": keys, "down": keys[::-1].copy(), "random": rng.permutation(keys)}[order]
    keys = np.concatenate([keys, keys[:50_000]])
    table = GroupTable(1)
    gids = np.concatenate([table.insert([keys[i : i + 30_000]]) for i in range(0, len(keys), 30_000)])
    assert table.dense == (step == 1)
    assert gids.tolist() == [*range(200_000), *range(50_000)]
    assert table.keys()[0][0].tolist() == keys[:200_000].tolist()
    assert table.lookup([keys[::-1].copy()]).tolist() == gids[::-1].tolist()
    assert table.lookup([np.array([-1, 1 << 62, -(1 << 63)])]).tolist() == [-1, -1, -1]


def test_a_dense_table_that_meets_a_wide_key_keeps_its_groups() -> None:
    table = GroupTable(2)
    first = [np.arange(100) % 7, np.arange(100) % 3]
    gids = table.insert(first)
    assert table.dense
    wide = [np.array([1 << 40, 3]), np.array([-(1 << 50), 0])]
    assert table.insert(wide).tolist() == [21, gids[3]]
    assert not table.dense
    assert table.lookup(first).tolist() == gids.tolist()


def test_the_ends_of_int64_are_ordinary_keys() -> None:
    ends = np.array([-(1 << 63), (1 << 63) - 1, 0, -(1 << 63)])
    table = GroupTable(1)
    assert table.insert([ends[:1]]).tolist() == [0]
    assert table.insert([ends[1:2]]).tolist() == [1]
    assert table.insert([ends]).tolist() == [0, 1, 2, 0]


def test_nulls_that_come_late_are_groups_of_their_own_also_after_hashing() -> None:
    table = GroupTable(1)
    table.insert([np.array([0, 1 << 60])])
    assert not table.dense
    nulls = np.array([1, 0], dtype=np.uint64)
    assert table.lookup([np.array([0, 0])], nulls).tolist() == [-1, 0]
    assert table.insert([np.array([0, 0])], nulls).tolist() == [2, 0]
    assert table.lookup([np.array([5, 0])], nulls).tolist() == [2, 0]
    assert rows_of(table) == [(0,), (1 << 60,), (None,)]


def test_a_null_is_not_taken_for_the_zero_that_stands_for_it() -> None:
    table = GroupTable(1, hasher=bad_hash)
    table.insert([np.array([0, 1 << 60])])
    assert not table.dense
    assert table.lookup([np.array([5, 0])], np.array([1, 0], dtype=np.uint64)).tolist() == [-1, 0]


def test_merge_maps_the_groups_of_the_other_table() -> None:
    ours, theirs = GroupTable(1), GroupTable(1)
    ours.insert([np.array([5, 6])])
    theirs.insert([np.array([6, 0, 7])], np.array([0, 1, 0], dtype=np.uint64))
    assert ours.merge(theirs).tolist() == [1, 2, 3]
    assert rows_of(ours) == [(5,), (6,), (None,), (7,)]


def test_check_is_called_during_long_operations_and_may_stop_them() -> None:
    class Stop(Exception):
        pass

    def stop() -> None:
        raise Stop

    table = GroupTable(1, check=stop)
    table.insert([np.arange(100)])
    with pytest.raises(Stop):
        table.insert([np.zeros((1 << 20) + 1, dtype=np.int64)])
