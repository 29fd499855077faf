"""The place of the least word of each frame, the first one of equals."""

from __future__ import annotations

import numpy as np

from ._jit import IN_I32, IN_I64, IN_PLACES, IN_U64, INT, OUT_I32, OUT_I64, device, kernel
from ._slots import Check
from .arrays import I32, I64, U64
from .window_tree import FAN, SHIFT, level_starts, pieces


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
    """The least place below each node; level 0 is its own."""
    nodes = np.empty(int(starts[-1]), dtype=np.int32)
    nodes[: len(words)] = np.arange(len(words), dtype=np.int32)
    for level in range(1, len(starts) - 1):
        below, above = int(starts[level - 1]), int(starts[level])
        for start, stop in pieces(int(starts[level + 1]) - above, check):
            _reduce(words, nodes[below:above], start, stop, nodes[above:])
    return nodes


@device
def _better(words, place, best):
    """The place with the lesser word; the first of equals. `best` may be none, -1."""
    if best < 0 or words[place] < words[best] or (words[place] == words[best] and place < best):
        return place
    return best


@kernel(IN_U64, IN_I32, INT, INT, OUT_I32)
def _reduce(words, below, start, stop, above):
    for i in range(start, stop):
        best = np.int64(-1)
        for j in range(i * FAN, min((i + 1) * FAN, len(below))):
            best = _better(words, np.int64(below[j]), best)
        above[i] = best


@kernel(IN_U64, IN_I32, IN_I64, IN_PLACES, IN_PLACES, INT, INT, OUT_I32)
def _least(words, nodes, starts, begins, ends, start, stop, out):
    for i in range(start, stop):
        best = np.int64(-1)
        for p in range(begins.shape[0]):
            begin, end, level = np.int64(begins[p, i]), np.int64(ends[p, i]), 0
            while begin < end:
                base = starts[level]
                next_begin, next_end = (begin + FAN - 1) >> SHIFT, end >> SHIFT
                if next_begin >= next_end:
                    for j in range(base + begin, base + end):
                        best = _better(words, np.int64(nodes[j]), best)
                    break
                for j in range(base + begin, base + next_begin * FAN):
                    best = _better(words, np.int64(nodes[j]), best)
                for j in range(base + next_end * FAN, base + end):
                    best = _better(words, np.int64(nodes[j]), best)
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
