"""min and max of strings per group."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from kernels.oracles import QUICK, TEXT, optional, sliced
from tandemdb.cpu_fallback.kernels.string_extremes import StringExtremes

BATCH = st.lists(st.tuples(st.integers(0, 3), optional(TEXT), st.booleans()), max_size=30)


@pytest.mark.parametrize("largest", [False, True])
@given(batches=st.lists(st.tuples(st.booleans(), BATCH), max_size=4))
@QUICK
def test_best_string_by_bytes_over_batches_and_merges(largest: bool, batches) -> None:
    state, fold = StringExtremes(largest), max if largest else min
    merged = StringExtremes(largest)
    seen: list[list[bytes]] = [[] for _ in range(4)]
    for as_dictionary, batch in batches:
        arr = sliced([value for _, value, _ in batch], pa.string())
        arr = arr.dictionary_encode() if as_dictionary else arr
        gids = np.array([gid for gid, _, _ in batch], dtype=np.int32)
        chosen = np.array([choice for _, _, choice in batch], dtype=np.uint8)
        state.update(gids, arr, 4, chosen)
        part = StringExtremes(largest)
        part.update(gids, arr, 4, chosen)
        merged.merge(np.arange(4, dtype=np.int32), part, 4)
        for gid, value, choice in batch:
            if value is not None and choice:
                seen[gid].append(value.encode())
    expected = [fold(group, default=None) for group in seen]
    if batches:
        assert state.result(pa.large_binary()).to_pylist() == expected
        assert merged.result(pa.binary()).to_pylist() == expected


def test_garbage_is_compacted() -> None:
    state = StringExtremes(largest=True)
    state.update(np.array([0, 11], dtype=np.int32), pa.array(["first", "last"]), 12)
    gids = np.arange(1, 11, dtype=np.int32)
    for round_ in range(2_000):
        state.update(gids, pa.array([f"{round_:08d}{g}" for g in gids]), 12)
    assert state.result(pa.string()).to_pylist() == ["first", *(f"00001999{g}" for g in gids), "last"]
    assert state.nbytes < 20_000


def test_groups_without_strings_are_null() -> None:
    state = StringExtremes(largest=False)
    state.update(np.zeros(2, dtype=np.int32), pa.nulls(2), 3)
    assert state.result(pa.string()).to_pylist() == [None, None, None]
