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


def pieces(n: int, check: Check, size: int = FRAMES) -> Iterator[tuple[int, int]]:
    """The numbers below n as ranges that one kernel call may work on, with `check` before each."""
    for start in range(0, n, size):
        check()
        yield start, min(start + size, n)
