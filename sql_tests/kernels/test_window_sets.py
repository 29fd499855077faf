"""Kernels of the sets in frames against plain sets, whatever pieces the steps come in."""

from __future__ import annotations

import collections
import random
from typing import Any

import numpy as np
import pytest
from tandemdb.cpu_fallback.kernels import window_sets


def unchecked() -> None:
    """No query to be cancelled."""


def frames(rng: random.Random, places: int, count: int, parts: int, sliding: bool) -> list[list[range]]:
    """Frames of some parts, one after the other, that only move on if they are `sliding`."""
    found = []
    for _ in range(count):
        edges = sorted(rng.randrange(places + 1) for _ in range(2 * parts))
        found.append([range(*edges[2 * p : 2 * p + 2]) for p in range(parts)])
    if sliding:
        starts = sorted(frame[0].start for frame in found)
        stops = sorted(frame[0].stop for frame in found)
        found = [[range(*pair)] for pair in zip(starts, stops, strict=True)]
    return found


@pytest.mark.parametrize(("parts", "sliding"), [(1, True), (1, False), (3, False)])
def test_sets(parts: int, sliding: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Counts, sums, order statistics, moments and modes."""
    rng = random.Random(parts)
    for round_ in range(40):
        monkeypatch.setattr(window_sets, "_STEPS", rng.choice([3, 7, 1000]))
        monkeypatch.setattr(window_sets, "FRAMES", rng.choice([1, 4, 1000]))
        kinds = rng.randrange(1, 12)
        drawn = [rng.randrange(kinds) for _ in range(rng.randrange(1, 30))]
        ranks = {kind: i for i, kind in enumerate(sorted(set(drawn)))}
        codes = np.array([ranks[kind] for kind in drawn], dtype=np.int32)
        asked = frames(rng, len(codes), rng.randrange(1, 12), parts, sliding)
        begins = np.array([[f[p].start for f in asked] for p in range(parts)], dtype=np.int32)
        ends = np.array([[f[p].stop for f in asked] for p in range(parts)], dtype=np.int32)
        check_all(codes, begins, ends, [[i for part in f for i in part] for f in asked], round_)


def check_all(codes: Any, begins: Any, ends: Any, members: list[list[int]], round_: int) -> None:
    """All functions over some frames."""
    edges = (begins, ends, unchecked)
    sets = [sorted({int(codes[i]) for i in places}) for places in members]
    assert window_sets.distinct_counts(codes, *edges).tolist() == [len(s) for s in sets]
    # Every value is three times its code, with a high word.
    words = np.stack([3 * codes.astype(np.int64), codes.astype(np.int64)], axis=1)
    sums, bad = window_sets.distinct_words(codes, words, False, *edges)
    assert bad == -1
    assert sums.tolist() == [[3 * sum(s), sum(s)] for s in sets]
    doubles = codes * 0.5 + 1
    moments = window_sets.distinct_moments(codes, doubles, *edges)
    values = [np.array([c * 0.5 + 1 for c in s]) for s in sets]
    assert np.allclose(moments.sums, [v.sum() for v in values])
    assert np.allclose(moments.products, [v.prod() for v in values])
    assert np.allclose(moments.squares, [((v - v.mean()) ** 2).sum() if len(v) else 0.0 for v in values])
    for distinct in (False, True):
        ordered = sets if distinct else [sorted(int(codes[i]) for i in places) for places in members]
        wanted = [round_ % len(o) if o else -1 for o in ordered]
        found = window_sets.nth_codes(
            codes, begins, ends, distinct, np.array([wanted], dtype=np.int32), unchecked
        )
        assert found[0].tolist() == [o[n] if o else -1 for o, n in zip(ordered, wanted, strict=True)]
    modes = []
    for places in members:
        counts = collections.Counter(int(codes[i]) for i in places)
        most = max(counts.values(), default=0)
        modes.append(next((i for i in places if counts[int(codes[i])] == most), -1))
    assert window_sets.mode_places(codes, *edges).tolist() == modes
