"""Sums over frames: of integers exactly, as differences of running totals; of doubles by a tree or on the go.

Running totals of integers wrap around: their differences are right all the same where the sum of a frame
fits. Doubles are never taken back out of a total, which would leave the rounding of what is no longer in it.
"""

from __future__ import annotations

import numpy as np

from ._jit import (
    IN_F64,
    IN_I32,
    IN_I64,
    IN_PLACES,
    IN_WORDS,
    INT,
    OUT_F64,
    OUT_I64,
    OUT_WORDS,
    device,
    kernel,
)
from ._slots import Check
from ._wide import divide_narrow, magnitude
from .arrays import F64, I32, I64, Words
from .window_tree import FAN, SHIFT, level_starts, pieces, reductions


# Integers
# ----------------------------------------------------------------------------------------------------
def sums_int64(values: I64, begins: I32, ends: I32, check: Check) -> I64:
    """The sums of frames of some parts ([parts, frames]), which fit 64 bits."""
    totals = np.zeros(len(values) + 1, dtype=np.int64)
    np.cumsum(values, out=totals[1:])
    out = np.empty(begins.shape[1], dtype=np.int64)
    for start, stop in pieces(len(out), check):
        _differences(totals, begins, ends, start, stop, out)
    return out


def xors_int64(values: I64, begins: I32, ends: I32, check: Check) -> I64:
    """The exclusive OR of the values of frames."""
    totals = np.zeros(len(values) + 1, dtype=np.int64)
    np.bitwise_xor.accumulate(values, out=totals[1:])
    out = np.empty(begins.shape[1], dtype=np.int64)
    for start, stop in pieces(len(out), check):
        _xors(totals, begins, ends, start, stop, out)
    return out


def sums_words(words: Words, begins: I32, ends: I32, check: Check) -> tuple[Words, int]:
    """The sums of 128-bit integers over frames, and the first frame whose sum leaves 128 bits, or -1."""
    totals = np.zeros((len(words) + 1, 3), dtype=np.int64)
    for start, stop in pieces(len(words), check):
        _running_words(words, start, stop, totals)
    out = np.empty((begins.shape[1], 2), dtype=np.int64)
    bad = -1
    for start, stop in pieces(len(out), check):
        found = int(_word_differences(totals, begins, ends, start, stop, out))
        bad = found if bad < 0 else bad
    return out, bad


def quotients(words: Words, counts: I64, check: Check) -> I64:
    """words[i] over counts[i], cut off towards zero; the quotients fit 64 bits. 0 where the count is 0."""
    out = np.empty(len(words), dtype=np.int64)
    for start, stop in pieces(len(out), check):
        _quotients(words, counts, start, stop, out)
    return out


@kernel(IN_I64, IN_PLACES, IN_PLACES, INT, INT, OUT_I64)
def _differences(totals, begins, ends, start, stop, out):
    for i in range(start, stop):
        total = np.int64(0)
        for p in range(begins.shape[0]):
            if begins[p, i] < ends[p, i]:
                total += totals[ends[p, i]] - totals[begins[p, i]]
        out[i] = total


@kernel(IN_I64, IN_PLACES, IN_PLACES, INT, INT, OUT_I64)
def _xors(totals, begins, ends, start, stop, out):
    for i in range(start, stop):
        total = np.int64(0)
        for p in range(begins.shape[0]):
            if begins[p, i] < ends[p, i]:
                total ^= totals[ends[p, i]] ^ totals[begins[p, i]]
        out[i] = total


@device
def plus_words(low, middle, high, a, b, c):
    """The sum of two 192-bit integers."""
    first = np.uint64(low) + np.uint64(a)
    carry = np.uint64(first < np.uint64(a))
    second = np.uint64(middle) + np.uint64(b)
    carry_on = np.int64(second < np.uint64(b))
    third = second + carry
    carry_on += np.int64(third < second)
    return np.int64(first), np.int64(third), high + c + carry_on


@kernel(IN_WORDS, INT, INT, OUT_WORDS)
def _running_words(words, start, stop, totals):
    """totals[i + 1] = totals[i] + words[i], in 192 bits."""
    for i in range(start, stop):
        low, middle, high = plus_words(
            totals[i, 0], totals[i, 1], totals[i, 2], words[i, 0], words[i, 1], words[i, 1] >> 63
        )
        totals[i + 1, 0] = low
        totals[i + 1, 1] = middle
        totals[i + 1, 2] = high


@kernel(IN_WORDS, IN_PLACES, IN_PLACES, INT, INT, OUT_WORDS)
def _word_differences(totals, begins, ends, start, stop, out):
    bad = np.int64(-1)
    for i in range(start, stop):
        low, middle, high = np.int64(0), np.int64(0), np.int64(0)
        for p in range(begins.shape[0]):
            b, e = begins[p, i], ends[p, i]
            if b < e:
                low, middle, high = plus_words(low, middle, high, totals[e, 0], totals[e, 1], totals[e, 2])
                # Minus: the complement, and one more.
                low, middle, high = plus_words(low, middle, high, ~totals[b, 0], ~totals[b, 1], ~totals[b, 2])
                low, middle, high = plus_words(low, middle, high, np.int64(1), np.int64(0), np.int64(0))
        out[i, 0] = low
        out[i, 1] = middle
        if high != middle >> 63 and bad < 0:
            bad = i
    return bad


@kernel(IN_WORDS, IN_I64, INT, INT, OUT_I64)
def _quotients(words, counts, start, stop, out):
    for i in range(start, stop):
        if counts[i] == 0:
            out[i] = 0
            continue
        low, high = magnitude(words[i, 0], words[i, 1])
        quotient, _ = divide_narrow(high, low, np.uint64(counts[i]))
        out[i] = -np.int64(quotient) if words[i, 1] < 0 else np.int64(quotient)


# Doubles
# ----------------------------------------------------------------------------------------------------
def sums_float64(values: F64, begins: I32, ends: I32, check: Check) -> F64:
    """The compensated sums of frames of some parts ([parts, frames])."""
    starts = level_starts(len(values))
    nodes, lost = np.empty(int(starts[-1])), np.zeros(int(starts[-1]))
    nodes[: len(values)] = values
    for below, above, start, stop in reductions(starts, check):
        _reduce(nodes[below:above], lost[below:above], start, stop, nodes[above:], lost[above:])
    out = np.empty(begins.shape[1])
    for start, stop in pieces(len(out), check):
        _sums(nodes, lost, starts, begins, ends, start, stop, out)
    return out


def sliding_sums_float64(values: F64, begins: I32, ends: I32, check: Check) -> F64:
    """As `sums_float64`, for frames that move on ([frames])."""
    suffix, lost, out = np.empty(len(values)), np.empty(len(values)), np.empty(len(begins))
    places, state = np.zeros(2, dtype=np.int64), np.zeros(2)
    for start, stop in pieces(len(out), check):
        _slide(values, begins, ends, start, stop, suffix, lost, places, state, out)
    return out


@device
def _added(total, lost, value):
    """A compensated sum with one more value (the two-sum of Knuth, TAOCP vol. 2, 4.2.2, theorem B)."""
    new = total + value
    part = new - total
    return new, lost + ((total - (new - part)) + (value - part))


@device
def _result(total, lost):
    """The value of a compensated sum; infinities and NaN come from the plain one."""
    return total + lost if np.isfinite(total) else total


@kernel(IN_F64, IN_F64, INT, INT, OUT_F64, OUT_F64)
def _reduce(below, below_lost, start, stop, above, above_lost):
    for i in range(start, stop):
        total, lost = 0.0, 0.0
        for j in range(i * FAN, min((i + 1) * FAN, len(below))):
            total, lost = _added(total, lost + below_lost[j], below[j])
        above[i] = total
        above_lost[i] = lost


@device
def _span(nodes, below, begin, end, total, lost):
    for j in range(begin, end):
        total, lost = _added(total, lost + below[j], nodes[j])
    return total, lost


@kernel(IN_F64, IN_F64, IN_I64, IN_PLACES, IN_PLACES, INT, INT, OUT_F64)
def _sums(nodes, below, starts, begins, ends, start, stop, out):
    for i in range(start, stop):
        total, lost = 0.0, 0.0
        for p in range(begins.shape[0]):
            begin, end, level = np.int64(begins[p, i]), np.int64(ends[p, i]), 0
            while begin < end:
                base = starts[level]
                next_begin, next_end = (begin + FAN - 1) >> SHIFT, end >> SHIFT
                if next_begin >= next_end:
                    total, lost = _span(nodes, below, base + begin, base + end, total, lost)
                    break
                total, lost = _span(nodes, below, base + begin, base + next_begin * FAN, total, lost)
                total, lost = _span(nodes, below, base + next_end * FAN, base + end, total, lost)
                begin, end = next_begin, next_end
                level += 1
        out[i] = _result(total, lost)


@kernel(IN_F64, IN_I32, IN_I32, INT, INT, OUT_F64, OUT_F64, OUT_I64, OUT_F64, OUT_F64)
def _slide(values, begins, ends, start, stop, suffix, suffix_lost, places, state, out):
    """suffix[j] is the sum of j .. middle, `total` that of middle .. position; see window_extremes."""
    middle, position, total, lost = places[0], places[1], state[0], state[1]
    for i in range(start, stop):
        begin, end = np.int64(begins[i]), np.int64(ends[i])
        if begin >= end:
            out[i] = 0.0
            continue
        if begin >= middle:
            total, lost = 0.0, 0.0
            for j in range(end - 1, begin - 1, -1):
                total, lost = _added(total, lost, values[j])
                suffix[j] = total
                suffix_lost[j] = lost
            middle = position = end
            total, lost = 0.0, 0.0
        while position < end:
            total, lost = _added(total, lost, values[position])
            position += 1
        out[i] = _result(*_added(total, lost + suffix_lost[begin], suffix[begin]))
    places[0], places[1], state[0], state[1] = middle, position, total, lost
