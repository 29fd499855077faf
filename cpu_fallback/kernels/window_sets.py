"""What is in a frame, kept as frames move on: distinct values, order statistics, the most frequent value.

Values are codes: their ranks, equal ones alike. `steps_of` says which places enter and leave from one frame
to the next; what they change is kept in arrays by code. Frames that only move on are followed as they come,
and every place enters and leaves once for each part. Others are visited in blocks of their begins and, in a
block, by their ends, so that about the square root of all places is passed from one to the next (Mo's order).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from ._jit import (
    BOOL,
    IN_F64,
    IN_I32,
    IN_I64,
    IN_PLACES,
    IN_WORDS,
    OUT_I32,
    OUT_I64,
    OUT_PLACES,
    OUT_TABLE,
    OUT_U8,
    OUT_WORDS,
    device,
    kernel,
)
from ._slots import Check
from .arrays import F64, I32, I64, Words
from .window_sums import plus_words
from .window_tree import FRAMES

_STEPS = 1 << 20  # places that enter or leave between two calls of a `check`


class Steps(NamedTuple):
    """places[j] - 1 enters, or -places[j] - 1 leaves; frame frames[k] is reached after the first stops[k]."""

    places: I32
    stops: I64
    frames: I32


def steps_of(codes: I32, begins: I32, ends: I32, distinct: bool, check: Check) -> Iterator[Steps]:
    """The steps from frame to frame ([parts, frames]), in pieces. `distinct`: of equal codes only the first
    that enters and the last that leaves."""
    parts, frames = begins.shape
    sequence = _sequence(begins[0], ends[-1], len(codes))
    state = np.zeros(1 + 2 * parts, dtype=np.int64)
    counts = np.zeros(int(codes.max(initial=0)) + 1, dtype=np.int32)
    while state[0] < frames:
        check()
        places, stops = np.empty(_STEPS, dtype=np.int32), np.empty(FRAMES, dtype=np.int64)
        first = int(state[0])
        count, done = _steps(codes, begins, ends, sequence, distinct, state, counts, places, stops)
        yield Steps(places[:count], stops[:done], sequence[first : first + done])


def _sequence(begins: I32, ends: I32, places: int) -> I32:
    """The frames in the order in which they are visited."""
    if (begins[1:] >= begins[:-1]).all() and (ends[1:] >= ends[:-1]).all():
        return np.arange(len(begins), dtype=np.int32)
    blocks = begins // max(int(places / max(len(begins), 1) ** 0.5), 1)
    return np.lexsort((np.where(blocks % 2, -ends, ends), blocks)).astype(np.int32)


@kernel(IN_I32, IN_PLACES, IN_PLACES, IN_I32, BOOL, OUT_I64, OUT_I32, OUT_I32, OUT_I64)
def _steps(codes, begins, ends, sequence, distinct, state, counts, places, stops):
    """`state` is the number of the next frame, and where each part now begins and ends. Ends where `places`
    might be full, or `stops` is."""
    count, moves, done = 0, 0, 0
    number = state[0]
    while number < len(sequence) and done < len(stops):
        frame = sequence[number]
        for p in range(begins.shape[0]):
            begin, end = np.int64(begins[p, frame]), np.int64(ends[p, frame])
            first, last = state[1 + 2 * p], state[2 + 2 * p]
            if begin >= end:
                begin = end = first
            while moves < len(places):
                # First what lies apart leaves, then the part grows, then it shrinks.
                if first < last and (begin >= last or end <= first):
                    last -= 1
                    place, enters = last, False
                elif first == last and first != begin:
                    first = last = begin
                    continue
                elif first > begin:
                    first -= 1
                    place, enters = first, True
                elif last < end:
                    place, enters = last, True
                    last += 1
                elif first < begin:
                    place, enters = first, False
                    first += 1
                elif last > end:
                    last -= 1
                    place, enters = last, False
                else:
                    break
                moves += 1
                code = codes[place]
                before = counts[code]
                counts[code] = before + 1 if enters else before - 1
                if not distinct or before == (0 if enters else 1):
                    places[count] = place + 1 if enters else -place - 1
                    count += 1
            state[1 + 2 * p] = first
            state[2 + 2 * p] = last
            if moves >= len(places):
                state[0] = number
                return count, done
        stops[done] = count
        done += 1
        number += 1
    state[0] = number
    return count, done


def distinct_counts(codes: I32, begins: I32, ends: I32, check: Check) -> I64:
    """How many different codes each frame has."""
    out, total = np.empty(begins.shape[1], dtype=np.int64), np.zeros(1, dtype=np.int64)
    for steps in steps_of(codes, begins, ends, True, check):
        _distinct(*steps, total, out)
    return out


@kernel(IN_I32, IN_I64, IN_I32, OUT_I64, OUT_I64)
def _distinct(places, stops, frames, total, out):
    at, count = 0, total[0]
    for k in range(len(stops) + 1):
        stop = stops[k] if k < len(stops) else len(places)
        while at < stop:
            count += 1 if places[at] > 0 else -1
            at += 1
        if k < len(stops):
            out[frames[k]] = count
    total[0] = count


def nth_codes(codes: I32, begins: I32, ends: I32, distinct: bool, wanted: I32, check: Check) -> I32:
    """The wanted[q, i]-th smallest code, from 0, of frame i for all q; -1 where that is below 0."""
    out = np.full(wanted.shape, -1, dtype=np.int32)
    size = 1 << int(codes.max(initial=0) + 1).bit_length()
    below = np.zeros(size + 1, dtype=np.int32)
    for steps in steps_of(codes, begins, ends, distinct, check):
        _nth(*steps, codes, below, wanted, out)
    return out


@kernel(IN_I32, IN_I64, IN_I32, IN_I32, OUT_I32, IN_PLACES, OUT_PLACES)
def _nth(places, stops, frames, codes, below, wanted, out):
    """`below` is a Fenwick tree of how many places have each code."""
    size = len(below) - 1
    at = 0
    for k in range(len(stops) + 1):
        stop = stops[k] if k < len(stops) else len(places)
        while at < stop:
            step = 1 if places[at] > 0 else -1
            code = codes[abs(places[at]) - 1] + 1
            while code <= size:
                below[code] += step
                code += code & -code
            at += 1
        if k == len(stops):
            break
        for q in range(wanted.shape[0]):
            left = wanted[q, frames[k]]
            if left < 0:
                continue
            code, bit = 0, size
            while bit > 0:
                if code + bit <= size and below[code + bit] <= left:
                    code += bit
                    left -= below[code]
                bit >>= 1
            out[q, frames[k]] = code


def distinct_words(
    codes: I32, words: Words, xor: bool, begins: I32, ends: I32, check: Check
) -> tuple[Words, int]:
    """The sum, or exclusive OR, of the different values of each frame; words[i] is the value of place i.
    And the first frame whose sum leaves 128 bits, or -1."""
    out, total = np.empty((begins.shape[1], 2), dtype=np.int64), np.zeros(3, dtype=np.int64)
    bad = -1
    for steps in steps_of(codes, begins, ends, True, check):
        found = int(_words(*steps, words, xor, total, out))
        bad = found if bad < 0 else bad
    return out, bad


@kernel(IN_I32, IN_I64, IN_I32, IN_WORDS, BOOL, OUT_I64, OUT_WORDS)
def _words(places, stops, frames, words, xor, total, out):
    low, middle, high = total[0], total[1], total[2]
    at, bad = 0, np.int64(-1)
    for k in range(len(stops) + 1):
        stop = stops[k] if k < len(stops) else len(places)
        while at < stop:
            place = abs(places[at]) - 1
            a, b = words[place, 0], words[place, 1]
            if xor:
                low ^= a
                middle ^= b
            elif places[at] > 0:
                low, middle, high = plus_words(low, middle, high, a, b, b >> 63)
            else:
                low, middle, high = plus_words(low, middle, high, ~a, ~b, ~(b >> 63))
                low, middle, high = plus_words(low, middle, high, np.int64(1), np.int64(0), np.int64(0))
            at += 1
        if k < len(stops):
            out[frames[k], 0] = low
            out[frames[k], 1] = middle
            if not xor and high != middle >> 63 and bad < 0:
                bad = np.int64(frames[k])
    total[0], total[1], total[2] = low, middle, high
    return bad


class Moments(NamedTuple):
    """Of the different values of each frame: how many, sum, product, sum of squared deviations."""

    counts: I64
    sums: F64
    products: F64
    squares: F64


def distinct_moments(codes: I32, values: F64, begins: I32, ends: I32, check: Check) -> Moments:
    """What is known of the different doubles of each frame; values[i] is that of place i."""
    size = 1 << int(codes.max(initial=0)).bit_length()
    # A tree over the codes with its root at 1: count, sum, product, mean, squares. Nothing is subtracted.
    nodes = np.zeros((2 * size, 5))
    nodes[:, 2] = 1.0
    out = np.empty((begins.shape[1], 5))
    for steps in steps_of(codes, begins, ends, True, check):
        _moments(*steps, codes, values, nodes, out)
    columns = (np.ascontiguousarray(out[:, i]) for i in (0, 1, 2, 4))
    counts, sums, products, squares = columns
    return Moments(counts.astype(np.int64), sums, products, squares)


@kernel(IN_I32, IN_I64, IN_I32, IN_I32, IN_F64, OUT_TABLE, OUT_TABLE)
def _moments(places, stops, frames, codes, values, nodes, out):
    size = len(nodes) // 2
    at = 0
    for k in range(len(stops) + 1):
        stop = stops[k] if k < len(stops) else len(places)
        while at < stop:
            place = abs(places[at]) - 1
            node = size + codes[place]
            enters = places[at] > 0
            nodes[node, 0] = 1.0 if enters else 0.0
            nodes[node, 1] = values[place] if enters else 0.0
            nodes[node, 2] = values[place] if enters else 1.0
            nodes[node, 3] = values[place] if enters else 0.0
            nodes[node, 4] = 0.0
            node >>= 1
            while node:
                _join(nodes, node)
                node >>= 1
            at += 1
        if k < len(stops):
            for j in range(5):
                out[frames[k], j] = nodes[1, j]


@device
def _join(nodes, node):
    """A node of what its children have (Chan, Golub and LeVeque)."""
    left, right = 2 * node, 2 * node + 1
    count = nodes[left, 0] + nodes[right, 0]
    nodes[node, 0] = count
    nodes[node, 1] = nodes[left, 1] + nodes[right, 1]
    nodes[node, 2] = nodes[left, 2] * nodes[right, 2]
    if nodes[left, 0] == 0.0 or nodes[right, 0] == 0.0:
        only = right if nodes[left, 0] == 0.0 else left
        nodes[node, 3] = nodes[only, 3]
        nodes[node, 4] = nodes[only, 4]
        return
    apart = nodes[right, 3] - nodes[left, 3]
    share = nodes[right, 0] / count
    mean = nodes[left, 3] + apart * share
    square = nodes[left, 4] + nodes[right, 4] + apart * apart * (nodes[left, 0] * share)
    nodes[node, 3] = mean
    nodes[node, 4] = square if np.isfinite(mean) else np.nan


def mode_places(codes: I32, begins: I32, ends: I32, check: Check) -> I32:
    """The first place of the most frequent code of each frame, of the code that comes first of equally
    frequent ones; -1 where a frame is empty."""
    out = np.empty(begins.shape[1], dtype=np.int32)
    size = 1 << int(codes.max(initial=0)).bit_length()
    order = np.argsort(codes, kind="stable")
    following = np.full(len(codes), -1, dtype=np.int32)
    same = codes[order[1:]] == codes[order[:-1]]
    following[order[:-1][same]] = order[1:][same]
    counts, firsts = np.zeros(size, dtype=np.int32), np.zeros(size, dtype=np.int32)
    inside = np.zeros(len(codes), dtype=np.uint8)
    # A tree over the codes with its root at 1: the best code below each node.
    best = np.zeros(2 * size, dtype=np.int32)
    best[size:] = np.arange(size)
    level = size
    while level > 1:
        best[level // 2 : level] = best[level : 2 * level : 2]
        level //= 2
    for steps in steps_of(codes, begins, ends, False, check):
        _mode(*steps, codes, following, counts, firsts, inside, best, out)
    return out


@kernel(IN_I32, IN_I64, IN_I32, IN_I32, IN_I32, OUT_I32, OUT_I32, OUT_U8, OUT_I32, OUT_I32)
def _mode(places, stops, frames, codes, following, counts, firsts, inside, best, out):
    size = len(best) // 2
    at = 0
    for k in range(len(stops) + 1):
        stop = stops[k] if k < len(stops) else len(places)
        while at < stop:
            place = abs(places[at]) - 1
            code = codes[place]
            if places[at] > 0:
                # Between two frames a place may be in two parts: it enters one before it leaves the other.
                inside[place] += 1
                if counts[code] == 0 or place < firsts[code]:
                    firsts[code] = place
                counts[code] += 1
            else:
                inside[place] -= 1
                counts[code] -= 1
                if counts[code] > 0 and firsts[code] == place and inside[place] == 0:
                    place = following[place]
                    while inside[place] == 0:
                        place = following[place]
                    firsts[code] = place
            node = (size + code) >> 1
            while node:
                left, right = best[2 * node], best[2 * node + 1]
                more = counts[right] - counts[left]
                best[node] = right if more > 0 or (more == 0 and firsts[right] < firsts[left]) else left
                node >>= 1
            at += 1
        if k < len(stops):
            code = best[1]
            out[frames[k]] = firsts[code] if counts[code] > 0 else -1
