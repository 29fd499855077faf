"""The place of the least word of each frame, the first one of equals; trees have places, not words."""

from __future__ import annotations

import numpy as np

from ._jit import IN_I32, IN_I64, IN_PLACES, IN_U64, INT, OUT_I32, OUT_I64, device, kernel
from ._slots import Check
from .arrays import I32, I64, U64
from .window_tree import FAN, SHIFT, level_starts, pieces, reductions


def least_places(words: U64, begins: I32, ends: I32, check: Check) -> I32:
    """The place of the least word in frames of some parts ([parts, frames]); -1 where a frame is empty."""
    frames = begins.shape[1]
    out = np.empty(frames, dtype=np.int32)
    starts = level_starts(len(words))
    nodes = _levels(words, starts, check)
    for start, stop in pieces(frames, check):
        _least(words, nodes, starts, begins, ends, start, stop, out)
    return out


def sliding_least(words: U64, begins: I32, ends: I32, check: Check) -> I32:
    """As `least_places`, for frames ([frames]) that each begin and end no earlier than the last."""
    out = np.empty(len(begins), dtype=np.int32)
    suffix = np.empty(len(words), dtype=np.int32)
    state = np.array([0, 0, -1], dtype=np.int64)
    for start, stop in pieces(len(begins), check):
        _slide(words, begins, ends, start, stop, suffix, state, out)
    return out


def _levels(words: U64, starts: I64, check: Check) -> I32:
    """The least place below each node of the levels above the words."""
    count = len(words)
    nodes = np.empty(int(starts[-1]) - count, dtype=np.int32)
    for below, above, start, stop in reductions(starts, check):
        place = below - count if below else -1  # the words themselves are no nodes
        _reduce(words, nodes, place, above - below, start, stop, nodes[above - count :])
    return nodes


@device
def _leaves(words, begin, end):
    """The first place with the least word of begin .. end, which is not empty."""
    best, least = begin, words[begin]
    for j in range(begin + 1, end):
        if words[j] < least:
            best, least = j, words[j]
    return np.int64(best)


@device
def _scanned(words, nodes, base, begin, end, best):
    """The better of `best` and the nodes begin .. end of the level at `base`; level 0, at -1, has none."""
    if begin >= end:
        return best
    if base < 0:
        return _better(words, _leaves(words, begin, end), best)
    for j in range(base + begin, base + end):
        best = _better(words, np.int64(nodes[j]), best)
    return best


@device
def _better(words, place, best):
    """The place with the lesser word; the first of equals. `best` may be none, -1."""
    if best < 0 or words[place] < words[best] or (words[place] == words[best] and place < best):
        return place
    return best


@kernel(IN_U64, IN_I32, INT, INT, INT, INT, OUT_I32)
def _reduce(words, nodes, below, size, start, stop, above):
    for i in range(start, stop):
        above[i] = _scanned(words, nodes, below, i * FAN, min((i + 1) * FAN, size), np.int64(-1))


@kernel(IN_U64, IN_I32, IN_I64, IN_PLACES, IN_PLACES, INT, INT, OUT_I32)
def _least(words, nodes, starts, begins, ends, start, stop, out):
    for i in range(start, stop):
        best = np.int64(-1)
        for p in range(begins.shape[0]):
            begin, end, level = np.int64(begins[p, i]), np.int64(ends[p, i]), 0
            while begin < end:
                base = starts[level] - len(words) if level else np.int64(-1)
                next_begin, next_end = (begin + FAN - 1) >> SHIFT, end >> SHIFT
                if next_begin >= next_end:
                    best = _scanned(words, nodes, base, begin, end, best)
                    break
                best = _scanned(words, nodes, base, begin, next_begin * FAN, best)
                best = _scanned(words, nodes, base, next_end * FAN, end, best)
                begin, end = next_begin, next_end
                level += 1
        out[i] = best


@kernel(IN_U64, IN_I32, IN_I32, INT, INT, OUT_I32, OUT_I64, OUT_I32)
def _slide(words, begins, ends, start, stop, suffix, state, out):
    """`suffix[j]` is the best of j .. middle, `best` that of middle .. position.

    When a frame begins behind the middle, this moves to its end: every place is passed once each way.
    """
    middle, position, best = state[0], state[1], state[2]
    for i in range(start, stop):
        begin, end = np.int64(begins[i]), np.int64(ends[i])
        if begin >= end:
            out[i] = -1
            continue
        if begin >= middle:
            least = np.int64(-1)
            for j in range(end - 1, begin - 1, -1):
                least = _better(words, j, least)
                suffix[j] = least
            middle = position = end
            best = np.int64(-1)
        while position < end:
            best = _better(words, position, best)
            position += 1
        out[i] = suffix[begin] if best < 0 else _better(words, best, np.int64(suffix[begin]))
    state[0], state[1], state[2] = middle, position, best
