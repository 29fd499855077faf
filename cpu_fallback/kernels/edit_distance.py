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


def transposed_distance(left: str, right: str, check: Callable[[], None]) -> int:
    """The same where two neighbours may also change places, and be changed further (the distance of
    Damerau and Levenshtein without restrictions, by Lowrance and Wagner, J. ACM 22, 1975).

    >>> transposed_distance("ca", "abc", lambda: None)
    2
    """
    numbers = {letter: at for at, letter in enumerate(dict.fromkeys(left + right))}
    a, b = [numbers[letter] for letter in left], [numbers[letter] for letter in right]
    if not a or not b:
        return len(a) + len(b)
    most = len(a) + len(b)
    # Row and column 0 stand before the empty prefix, with a distance that nothing reaches.
    table = np.zeros((len(a) + 2, len(b) + 2), dtype=np.int64)
    table[0, :], table[:, 0] = most, most
    table[1, 1:], table[1:, 1] = np.arange(len(b) + 1), np.arange(len(a) + 1)
    rows, columns = np.array(a, dtype=np.int32), np.array(b, dtype=np.int32)
    last = np.zeros(len(numbers), dtype=np.int64)
    step = max(1, _BLOCK // len(b))
    for start in range(0, len(a), step):
        check()
        _fill_transposed(rows[start : start + step], columns, start, last, table.reshape(-1))
    return int(table[-1, -1])


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


@kernel(IN_I32, IN_I32, INT, OUT_I64, OUT_I64)
def _fill_transposed(rows, columns, first, last, table):
    """Fills the rows of the table from ``first`` on; ``last`` is the last row in which a letter was seen."""
    width = len(columns) + 2
    for k in range(len(rows)):
        i = first + k + 1
        same = 0
        for j in range(1, len(columns) + 1):
            row, column = last[columns[j - 1]], same
            cost = 1
            if rows[k] == columns[j - 1]:
                cost, same = 0, j
            best = table[i * width + j] + cost
            best = min(best, table[(i + 1) * width + j] + 1)
            best = min(best, table[i * width + j + 1] + 1)
            swapped = table[row * width + column] + (i - row - 1) + 1 + (j - column - 1)
            table[(i + 1) * width + j + 1] = min(best, swapped)
        last[rows[k]] = i
