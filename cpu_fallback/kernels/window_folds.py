"""Products and bitwise AND and OR over frames: what is in such a value cannot be taken back out of it."""

from __future__ import annotations

import numpy as np

from ._jit import BOOL, IN_F64, IN_I64, IN_PLACES, INT, OUT_F64, OUT_I64, device, kernel
from ._slots import Check
from .arrays import F64, I32, I64
from .window_tree import FAN, SHIFT, level_starts, pieces, reductions


def products(values: F64, begins: I32, ends: I32, check: Check) -> F64:
    """The products over frames of some parts ([parts, frames]); 1 over none."""
    starts = level_starts(len(values))
    nodes = np.empty(int(starts[-1]))
    nodes[: len(values)] = values
    for below, above, start, stop in reductions(starts, check):
        _reduce_products(nodes[below:above], start, stop, nodes[above:])
    out = np.empty(begins.shape[1])
    for start, stop in pieces(len(out), check):
        _products(nodes, starts, begins, ends, start, stop, out)
    return out


def bits(values: I64, every: bool, begins: I32, ends: I32, check: Check) -> I64:
    """AND (`every`) or OR of the values of frames; -1 or 0 over none."""
    starts = level_starts(len(values))
    nodes = np.empty(int(starts[-1]), dtype=np.int64)
    nodes[: len(values)] = values
    for below, above, start, stop in reductions(starts, check):
        _reduce_bits(nodes[below:above], every, start, stop, nodes[above:])
    out = np.empty(begins.shape[1], dtype=np.int64)
    for start, stop in pieces(len(out), check):
        _bits(nodes, starts, every, begins, ends, start, stop, out)
    return out


@device
def _multiplied(nodes, begin, end, product):
    for j in range(begin, end):
        product *= nodes[j]
    return product


@kernel(IN_F64, INT, INT, OUT_F64)
def _reduce_products(below, start, stop, above):
    for i in range(start, stop):
        above[i] = _multiplied(below, i * FAN, min((i + 1) * FAN, len(below)), 1.0)


@kernel(IN_F64, IN_I64, IN_PLACES, IN_PLACES, INT, INT, OUT_F64)
def _products(nodes, starts, begins, ends, start, stop, out):
    for i in range(start, stop):
        product = 1.0
        for p in range(begins.shape[0]):
            begin, end, level = np.int64(begins[p, i]), np.int64(ends[p, i]), 0
            while begin < end:
                base = starts[level]
                next_begin, next_end = (begin + FAN - 1) >> SHIFT, end >> SHIFT
                if next_begin >= next_end:
                    product = _multiplied(nodes, base + begin, base + end, product)
                    break
                product = _multiplied(nodes, base + begin, base + next_begin * FAN, product)
                product = _multiplied(nodes, base + next_end * FAN, base + end, product)
                begin, end = next_begin, next_end
                level += 1
        out[i] = product


@device
def _combined(nodes, every, begin, end, value):
    for j in range(begin, end):
        value = value & nodes[j] if every else value | nodes[j]
    return value


@kernel(IN_I64, BOOL, INT, INT, OUT_I64)
def _reduce_bits(below, every, start, stop, above):
    for i in range(start, stop):
        none = np.int64(-1) if every else np.int64(0)
        above[i] = _combined(below, every, i * FAN, min((i + 1) * FAN, len(below)), none)


@kernel(IN_I64, IN_I64, BOOL, IN_PLACES, IN_PLACES, INT, INT, OUT_I64)
def _bits(nodes, starts, every, begins, ends, start, stop, out):
    for i in range(start, stop):
        value = np.int64(-1) if every else np.int64(0)
        for p in range(begins.shape[0]):
            begin, end, level = np.int64(begins[p, i]), np.int64(ends[p, i]), 0
            while begin < end:
                base = starts[level]
                next_begin, next_end = (begin + FAN - 1) >> SHIFT, end >> SHIFT
                if next_begin >= next_end:
                    value = _combined(nodes, every, base + begin, base + end, value)
                    break
                value = _combined(nodes, every, base + begin, base + next_begin * FAN, value)
                value = _combined(nodes, every, base + next_end * FAN, base + end, value)
                begin, end = next_begin, next_end
                level += 1
        out[i] = value
