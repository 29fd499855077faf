"""Where partitions, peers and frames begin and end, as places among the rows in their order."""

from __future__ import annotations

import numpy as np

from ._jit import (
    BOOL,
    IN_I32,
    IN_I64,
    IN_PLACES,
    IN_U8,
    IN_U64,
    INT,
    OUT_I32,
    OUT_I64,
    OUT_U8,
    device,
    kernel,
)


@kernel(IN_U64, IN_I32, INT, INT, OUT_U8)
def mark_changes(word, rows, start, stop, changed):
    """changed[i] = 1 where the word of row rows[i] is not that of the row before (no `rows`: row i)."""
    first = max(start, 1)
    if first >= stop:
        return
    last = word[rows[first - 1]] if rows.size else word[first - 1]
    for i in range(first, stop):
        here = word[rows[i]] if rows.size else word[i]
        if here != last:
            changed[i] = 1
        last = here


@kernel(IN_U64, INT, INT, INT, OUT_U8)
def mark_key_changes(keys, shift, start, stop, changed):
    """changed[i] = 1 where keys[i], less its lowest `shift` (at most 63) bits, is not the one before."""
    by = np.uint64(shift)
    for i in range(max(start, 1), stop):
        if keys[i] >> by != keys[i - 1] >> by:
            changed[i] = 1


@kernel(IN_I64, BOOL, BOOL, IN_I32, IN_I32, INT, INT, OUT_I32)
def rows_edges(offsets, preceding, is_end, firsts, lasts, start, stop, out):
    """The edge of a ROWS frame `offsets` rows (one, or one a row) before or after each row.

    A frame that begins there begins with that row, one that ends there ends behind it; within the partition
    firsts[i] .. lasts[i].
    """
    one = len(offsets) == 1
    for i in range(start, stop):
        offset = offsets[0] if one else offsets[i]
        first, last = np.int64(firsts[i]), np.int64(lasts[i])
        if preceding:
            place = i - offset if offset <= i - first else first - 1
        else:
            place = i + offset if offset < last - i else last
        out[i] = min(max(place + is_end, first), last)


@kernel(IN_I64, IN_U8, BOOL, BOOL, IN_I32, IN_I32, IN_I32, IN_I32, IN_I32, INT, INT, OUT_I32)
def group_edges(
    offsets, valid, preceding, is_end, groups, numbers, firsts, lasts, peer_edges, start, stop, out
):
    """As `rows_edges`, for GROUPS: groups[g] is the first row of group g, numbers[i] the group of row i.

    Rows whose offset is NULL get peer_edges[i].
    """
    one = len(offsets) == 1
    for i in range(start, stop):
        at = 0 if one else i
        if valid.size and valid[at] == 0:
            out[i] = peer_edges[i]
            continue
        offset = offsets[at]
        number = np.int64(numbers[i])
        if preceding:
            if offset > number - numbers[firsts[i]]:
                out[i] = firsts[i]
                continue
            number -= offset
        else:
            if offset > numbers[lasts[i] - 1] - number:
                out[i] = lasts[i]
                continue
            number += offset
        out[i] = groups[number + is_end]


@kernel(IN_U64, IN_U64, IN_U64, IN_U64, IN_U8, BOOL, BOOL, IN_I32, IN_I32, IN_I32, INT, INT, OUT_I32)
def range_edges(
    high, low, edge_high, edge_low, usable, preceding, is_end, firsts, lasts, peer_edges, start, stop, out
):
    """The edge of a RANGE frame: where the keys reach the row's edge, among those that are not NULL.

    Keys and edges are words that compare as the keys are ordered (no `high`: one word each); keys that are
    not NULL lie at firsts[i] .. lasts[i]. Rows that are not `usable` (all are if it is empty) have no edge
    and get peer_edges[i]. The result is the first row whose edge is on the wrong side of its key, or -1.
    """
    wide = high.size != 0
    at = np.int64(0)
    for i in range(start, stop):
        if usable.size and usable[i] == 0:
            out[i] = peer_edges[i]
            continue
        top = edge_high[i] if wide else edge_low[i]
        rest = edge_low[i]
        key_top = high[i] if wide else low[i]
        if preceding:
            if top > key_top or (top == key_top and rest > low[i]):
                return i
        elif top < key_top or (top == key_top and rest < low[i]):
            return i
        first, last = np.int64(firsts[i]), np.int64(lasts[i])
        # Edges mostly move on with the rows: the search starts from the last one, in growing steps.
        at = min(max(at, first), last)
        step = np.int64(1)
        if at < last and _before(high, low, wide, at, top, rest, is_end):
            begin, end = at + 1, last
            while begin < last:
                probe = min(begin + step, last) - 1
                if not _before(high, low, wide, probe, top, rest, is_end):
                    end = probe
                    break
                begin = probe + 1
                step *= 2
        else:
            begin, end = first, at
            while end > first:
                probe = max(end - step, first)
                if _before(high, low, wide, probe, top, rest, is_end):
                    begin = probe + 1
                    break
                end = probe
                step *= 2
        while begin < end:
            middle = (begin + end) // 2
            if _before(high, low, wide, middle, top, rest, is_end):
                begin = middle + 1
            else:
                end = middle
        at = begin
        out[i] = begin
    return -1


@device
def _before(high, low, wide, place, top, rest, is_end):
    """Whether the key at a place comes before the edge; with `is_end` a key that equals it does."""
    key_top = high[place] if wide else low[place]
    if key_top != top:
        return key_top < top
    return low[place] < rest or (is_end and low[place] == rest)


@kernel(IN_PLACES, IN_PLACES, INT, INT, OUT_I64)
def frame_sizes(begins, ends, start, stop, out):
    """out[i] is how many places the parts of frame i have together."""
    for i in range(start, stop):
        size = np.int64(0)
        for p in range(begins.shape[0]):
            size += max(ends[p, i] - begins[p, i], 0)
        out[i] = size


@kernel(IN_I32, IN_I32, INT, INT)
def is_sliding(begins, ends, start, stop):
    """Whether no frame begins, or ends, before the one ahead of it."""
    back = False
    for i in range(max(start, 1), stop):
        back |= begins[i] < begins[i - 1] or ends[i] < ends[i - 1]
    return not back
