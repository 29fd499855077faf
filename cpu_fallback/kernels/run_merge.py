"""Stable k-way merge of sorted runs of key words, in bounded pieces, with a binary heap of the runs' heads.

Source: Knuth, TAOCP vol. 3, 5.4.1. Measured on 1M rows of one random word: 24 ms for 2 runs, 50 ms for 16;
sorting them anew with ``argsort`` takes 30 ms, so merging pays only where the rows do not lie in memory
together.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from ._jit import IN_I64, IN_KEYS, IN_U8, INT, OUT_I32, OUT_I64, device, kernel
from ._slots import PIECE, Check
from .arrays import I32, I64, U8, U64


class RunMerger:
    """Merges runs whose rows arrive window by window.

    A run is fed windows of its rows, in order; ``close`` says that no more follow. ``step`` merges until a
    run that is not closed is used up (``starved`` names it: feed or close it, then go on), the limit is
    reached, or all is merged (``done``). Equal rows come in the order of the runs.
    """

    def __init__(self, runs: int) -> None:
        self._windows: list[Sequence[U64]] = [()] * runs
        self._heads: I64 = np.zeros(runs, dtype=np.int64)
        self._sizes: I64 = np.zeros(runs, dtype=np.int64)
        self._closed: U8 = np.zeros(runs, dtype=np.uint8)
        self._rows: np.ndarray = np.empty((0, 1), dtype=np.uint64)
        self._bases: I64 = np.zeros(runs, dtype=np.int64)
        self._stale = True

    def feed(self, run: int, words: Sequence[U64]) -> None:
        """The next window of a run that is used up; row numbers count from 0 in each window."""
        assert not self._closed[run]
        assert self._heads[run] == self._sizes[run], "the run's last window is not merged yet"
        self._windows[run] = words
        self._heads[run], self._sizes[run] = 0, len(words[0])
        self._stale = True

    def close(self, run: int) -> None:
        """No window follows for this run."""
        self._closed[run] = 1

    @property
    def starved(self) -> int | None:
        """A run that must be fed or closed before ``step`` can go on."""
        waiting = np.flatnonzero((self._heads == self._sizes) & (self._closed == 0))
        return int(waiting[0]) if len(waiting) else None

    @property
    def done(self) -> bool:
        """Whether every run is closed and merged."""
        return bool((self._closed == 1).all() and (self._heads == self._sizes).all())

    def step(self, limit: int = PIECE) -> tuple[I32, I32]:
        """The next rows of the merge, at most ``limit``: (runs, rows in the run's present window)."""
        assert self.starved is None
        if self._stale:
            self._gather_windows()
        out_run = np.empty(limit, dtype=np.int32)
        out_row = np.empty(limit, dtype=np.int32)
        count = _merge(
            self._rows, self._bases, self._heads, self._sizes, self._closed, limit, out_run, out_row
        )
        return out_run[:count], out_row[:count]

    def _gather_windows(self) -> None:
        """Lay what is left of all windows row by row into one matrix, for comparisons in one place."""
        parts = []
        start = 0
        for run, words in enumerate(self._windows):
            head, size = int(self._heads[run]), int(self._sizes[run])
            self._bases[run] = start - head
            if size > head:
                parts.append(np.stack([word[head:] for word in words], axis=1))
                start += size - head
        self._rows = np.concatenate(parts) if parts else np.empty((0, 1), dtype=np.uint64)
        self._stale = False


def merge_runs(
    runs: Sequence[Sequence[U64]], limit: int = PIECE, check: Check | None = None
) -> Iterator[tuple[I32, I32]]:
    """Merge sorted runs held in memory: pieces of (run, row in the run), at most ``limit`` rows each."""
    merger = RunMerger(len(runs))
    for run, words in enumerate(runs):
        merger.feed(run, words)
        merger.close(run)
    while not merger.done:
        if check is not None:
            check()
        yield merger.step(limit)


@device
def _before(rows, a_row, a_run, b_row, b_run):
    """Whether row a of run ``a_run`` comes before row b; equal rows come in the order of their runs."""
    for j in range(rows.shape[1]):
        x, y = rows[a_row, j], rows[b_row, j]
        if x != y:
            return x < y
    return a_run < b_run


@device
def _sift_down(heap, size, at, rows, bases, heads):
    run = heap[at]
    while True:
        child = 2 * at + 1
        if child >= size:
            break
        right = child + 1
        if right < size and _before(
            rows, bases[heap[right]] + heads[heap[right]], heap[right],
            bases[heap[child]] + heads[heap[child]], heap[child],
        ):  # fmt: skip
            child = right
        other = heap[child]
        if not _before(rows, bases[other] + heads[other], other, bases[run] + heads[run], run):
            break
        heap[at] = other
        at = child
    heap[at] = run


@kernel(IN_KEYS, IN_I64, OUT_I64, IN_I64, IN_U8, INT, OUT_I32, OUT_I32)
def _merge(rows, bases, heads, sizes, closed, limit, out_run, out_row):
    heap = np.empty(len(heads), dtype=np.int64)
    size = 0
    for run in range(len(heads)):
        if heads[run] < sizes[run]:
            heap[size] = run
            size += 1
    for at in range(size // 2 - 1, -1, -1):
        _sift_down(heap, size, at, rows, bases, heads)
    count = 0
    while size > 0 and count < limit:
        run = heap[0]
        out_run[count] = run
        out_row[count] = heads[run]
        count += 1
        heads[run] += 1
        if heads[run] == sizes[run]:
            if closed[run] == 0:
                break
            size -= 1
            if size == 0:
                break
            heap[0] = heap[size]
        _sift_down(heap, size, 0, rows, bases, heads)
    return count
