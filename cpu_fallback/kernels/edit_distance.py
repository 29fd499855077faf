"""Levenshtein's distance of two strings, by Wagner and Fischer's dynamic programme (J. ACM 21, 1974)."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ._jit import IN_I32, INT, OUT_I64, kernel

# Cells of the table filled at once: about 30 ms.
_BLOCK = 1 << 24


def edit_distance(left: str, right: str, check: Callable[[], None]) -> int:
    """Least number of characters to insert, delete or replace to turn one string into the other.

    `check` is called between blocks of the table and may raise.

    >>> edit_distance("kitten", "sitting", lambda: None)
    3
    """
    if len(left) < len(right):
        left, right = right, left
    if not right:
        return len(left)
    rows, columns = _codes(left), _codes(right)
    distances = np.arange(len(columns) + 1, dtype=np.int64)
    step = max(1, _BLOCK // len(columns))
    for start in range(0, len(rows), step):
        if start:
            check()
        _fill(rows[start : start + step], columns, start, distances)
    return int(distances[-1])


def _codes(text: str) -> np.ndarray:
    return np.frombuffer(text.encode("utf-32-le"), dtype=np.int32)


@kernel(IN_I32, IN_I32, INT, OUT_I64)
def _fill(rows, columns, first, distances):
    """Turns the table's row ``first`` into the row after ``rows``; the first cell is that of no column."""
    for i in range(len(rows)):
        corner, left = distances[0], first + i + 1
        distances[0] = left
        for j in range(len(columns)):
            above = distances[j + 1]
            left = min(min(above, left) + 1, corner + (rows[i] != columns[j]))
            distances[j + 1] = left
            corner = above
