"""Trees over the values of a column, for what cannot be taken back out of a running total.

A node holds the value of an aggregate over sixteen neighbours of the level below, so a frame of any size is
put together of at most thirty parts a level. All levels lie in one array, the values themselves first where
a tree holds them: level `l` is ``nodes[starts[l]:starts[l + 1]]``. (Leis et al., Efficient Processing of
Window Functions in Analytical SQL Queries, VLDB 2015, with a fan-out as DuckDB's.)
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ._slots import Check
from .arrays import I64

SHIFT = 4
FAN = 1 << SHIFT
# Frames that are answered, or nodes that are made, between two calls of a `check`.
FRAMES = 1 << 18
# The same for rows that numpy works on, and for rows that Python works on one by one.
ROWS = 1 << 20
SLOW_ROWS = 1 << 16


def level_starts(n: int) -> I64:
    """Where each level starts in the array of all nodes, and how many there are; the last level is one node.

    >>> level_starts(20).tolist()
    [0, 20, 22, 23]
    """
    starts = [0]
    size = n
    while True:
        starts.append(starts[-1] + size)
        if size <= 1:
            return np.array(starts, dtype=np.int64)
        size = -(-size // FAN)


def reductions(starts: I64, check: Check) -> Iterator[tuple[int, int, int, int]]:
    """How the levels above the values are made, each from the one below: (where the level below starts, where
    this one does, its nodes start .. stop of one kernel call)."""
    for level in range(1, len(starts) - 1):
        below, above = int(starts[level - 1]), int(starts[level])
        for start, stop in pieces(int(starts[level + 1]) - above, check):
            yield below, above, start, stop


def pieces(n: int, check: Check, size: int = FRAMES) -> Iterator[tuple[int, int]]:
    """The numbers below n as ranges that one kernel call may work on, with `check` before each."""
    for start in range(0, n, size):
        check()
        yield start, min(start + size, n)
