"""The order of strings by bytes: ranks within an array, and fixed-width words comparable across arrays.

Ranks come from sorting eight bytes at a time: rows that tie on the bytes so far are sorted among themselves
by the next eight, until the ties are equal strings. Bytes that all strings share at their start are
skipped.

Measured on 1M strings, time of ``pyarrow.compute.sort_indices`` over ranking and sorting by the ranks: 4.8
for 18 bytes of which the first 9 are shared, 5.4 for random ones, 1.9 for three distinct ones.
"""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from . import arrays
from ._intrinsics import load_u64
from ._jit import IN_I32, IN_I64, IN_U8, INT, OUT_U64, kernel
from ._mix import byte_swapped, load_tail
from ._slots import PIECE, Check
from .arrays import I32, I64, U64, StringViews, kernel_mask
from .radix_sort import argsort


def string_ranks(arr: pa.Array, check: Check | None = None) -> I64:
    """For every row the number of distinct strings of the array that are less than it; 0 at NULL rows.

    Takes string-like arrays and dictionary arrays of them.
    """
    if pa.types.is_dictionary(arr.type):
        ranks = string_ranks(arr.dictionary, check)
        valid = arrays.validity_bytes(arr)
        if len(ranks) == 0:
            return np.zeros(len(arr), dtype=np.int64)
        indices = arrays.values_view(arr.indices)
        return ranks[indices] if valid is None else np.where(valid, ranks[np.where(valid, indices, 0)], 0)
    if pa.types.is_null(arr.type):
        return np.zeros(len(arr), dtype=np.int64)
    views, valid = arrays.string_views(arr), arrays.validity_bytes(arr)
    if valid is None:
        return _ranks(views, np.arange(len(arr), dtype=np.int32), check)
    ranks = np.zeros(len(arr), dtype=np.int64)
    rows = np.flatnonzero(valid).astype(np.int32)
    ranks[rows] = _ranks(views, rows, check)
    return ranks


def max_length(arr: pa.Array) -> int:
    """Bytes of the longest string of a string-like array (or of a dictionary's entries)."""
    views = arrays.string_views(arr.dictionary if pa.types.is_dictionary(arr.type) else arr)
    return int(np.diff(views.offsets).max(initial=0))


def string_words(arr: pa.Array, count: int) -> list[U64]:
    """``count`` words of eight bytes each and one of the length, ordered as the strings if none exceeds 8 *
    count.

    Longer strings tie when their first 8 * count bytes and their lengths are equal. Comparable across arrays.
    What stands at NULL rows is 0.
    """
    if pa.types.is_dictionary(arr.type):
        if len(arr.dictionary) == 0:
            return [np.zeros(len(arr), dtype=np.uint64)] * (count + 1)
        indices = arrays.values_view(arr.indices.fill_null(0))
        words = [word[indices] for word in string_words(arr.dictionary, count)]
        valid = arrays.validity_bytes(arr)
        return words if valid is None else [np.where(valid, word, np.uint64(0)) for word in words]
    views, mask = arrays.string_views(arr), kernel_mask(arrays.validity_bytes(arr))
    words = [np.empty(len(arr), dtype=np.uint64) for _ in range(count + 1)]
    rows = np.arange(len(arr), dtype=np.int32)
    for j in range(count):
        _next_word(views.offsets, views.data, rows, mask, 8 * j, words[j])
    lengths = np.diff(views.offsets).view(np.uint64)
    words[count] = lengths if mask.size == 0 else lengths * mask
    return words


def _ranks(views: StringViews, rows: I32, check: Check | None) -> I64:
    """Dense ranks of the strings of ``rows``."""
    n = len(rows)
    if n == 0:
        return np.empty(0, dtype=np.int64)
    depth = int(_common_prefix(views.offsets, views.data, rows))
    # ``order`` is sorted by the first ``depth`` bytes; ``run`` numbers, along it, the runs of rows equal so
    # far.
    order = np.arange(n, dtype=np.int32)
    run = np.zeros(n, dtype=np.int64)
    tied = np.arange(n)  # positions of ``order`` in runs that are not finished
    none = kernel_mask(None)
    while len(tied):
        if check is not None:
            check()
        members = order[tied]
        word, left = np.empty(len(tied), dtype=np.uint64), np.empty(len(tied), dtype=np.uint64)
        for start in range(0, len(tied), PIECE):
            if start and check is not None:
                check()
            part = rows[members[start : start + PIECE]]
            _next_word(views.offsets, views.data, part, none, depth, word[start : start + PIECE])
            _bytes_left(views.offsets, part, depth, left[start : start + PIECE])
        depth += 8
        here = argsort([run[tied].view(np.uint64), word, left], check)
        order[tied] = members[here]
        if check is not None:
            check()
        word, left, old = word[here], left[here], run[tied]
        new = np.ones(len(tied), dtype=np.bool_)
        new[1:] = (word[1:] != word[:-1]) | (left[1:] != left[:-1]) | (old[1:] != old[:-1])
        starts = np.flatnonzero(new)
        run[tied] = tied[starts][np.cumsum(new) - 1]  # a run's number: the position where it starts
        sizes = np.diff(np.append(starts, len(tied)))
        open_run = (sizes > 1) & (left[starts] > 8)
        tied = tied[np.repeat(open_run, sizes)]
    first = run == np.arange(n)
    ranks = np.empty(n, dtype=np.int64)
    ranks[order] = np.cumsum(first) - 1
    return ranks


@kernel(IN_I64, IN_U8, IN_I32)
def _common_prefix(offsets, data, rows):
    """Number of bytes that all strings share at their start."""
    begin = offsets[rows[0]]
    common = offsets[rows[0] + 1] - begin
    for i in range(1, len(rows)):
        start = offsets[rows[i]]
        common = min(common, offsets[rows[i] + 1] - start)
        j = 0
        while j < common and data[begin + j] == data[start + j]:
            j += 1
        common = j
        if common == 0:
            break
    return common


@kernel(IN_I64, IN_U8, IN_I32, IN_U8, INT, OUT_U64)
def _next_word(offsets, data, rows, valid, depth, out):
    """Bytes depth to depth + 8 of every row as a big-endian word, padded with zeros."""
    for i in range(len(rows)):
        row = rows[i]
        start = offsets[row] + depth
        left = offsets[row + 1] - start
        if left <= 0 or (valid.size != 0 and valid[i] == 0):
            out[i] = 0
        elif left >= 8:
            out[i] = byte_swapped(load_u64(data, start))
        else:
            out[i] = byte_swapped(load_tail(data, start, left))


@kernel(IN_I64, IN_I32, INT, OUT_U64)
def _bytes_left(offsets, rows, depth, out):
    """How many bytes of every row remain from ``depth`` on: 0 to 8, or 9 for more."""
    for i in range(len(rows)):
        row = rows[i]
        out[i] = min(max(offsets[row + 1] - offsets[row] - depth, 0), 9)
