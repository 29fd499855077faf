"""Variances over frames, of counts, means and squared deviations merged as Chan, Golub and LeVeque do."""

from __future__ import annotations

import numpy as np

from ._jit import IN_F64, IN_I64, IN_PLACES, INT, OUT_F64, OUT_I64, device, kernel
from ._slots import Check
from .arrays import F64, I32, I64
from .window_tree import FAN, SHIFT, level_starts, pieces, reductions


def moments(values: F64, begins: I32, ends: I32, check: Check) -> tuple[I64, F64]:
    """How many values frames of some parts ([parts, frames]) have, and their squared deviations' sum."""
    starts = level_starts(len(values))
    total = int(starts[-1])
    counts, means, squares = np.ones(total, dtype=np.int64), np.empty(total), np.zeros(total)
    means[: len(values)] = values
    for below, above, start, stop in reductions(starts, check):
        lower = counts[below:above], means[below:above], squares[below:above]
        _reduce(*lower, start, stop, counts[above:], means[above:], squares[above:])
    out_counts, out = np.empty(begins.shape[1], dtype=np.int64), np.empty(begins.shape[1])
    for start, stop in pieces(len(out), check):
        _moments(counts, means, squares, starts, begins, ends, start, stop, out_counts, out)
    return out_counts, out


@device
def _merged(counts, means, squares, begin, end, count, mean, square):
    """The state (count, mean, square) with those of begin .. end."""
    for j in range(begin, end):
        both = count + counts[j]
        apart = means[j] - mean
        if count == 0:
            mean, square = means[j], squares[j]
        else:
            mean += apart * (counts[j] / both)
            square += squares[j] + apart * apart * (count * (counts[j] / both))
            if not np.isfinite(mean):
                square = np.nan
        count = both
    return count, mean, square


@kernel(IN_I64, IN_F64, IN_F64, INT, INT, OUT_I64, OUT_F64, OUT_F64)
def _reduce(counts, means, squares, start, stop, above_counts, above_means, above_squares):
    for i in range(start, stop):
        first, last = i * FAN, min((i + 1) * FAN, len(counts))
        count, mean, square = _merged(counts, means, squares, first, last, np.int64(0), 0.0, 0.0)
        above_counts[i] = count
        above_means[i] = mean
        above_squares[i] = square


@kernel(IN_I64, IN_F64, IN_F64, IN_I64, IN_PLACES, IN_PLACES, INT, INT, OUT_I64, OUT_F64)
def _moments(counts, means, squares, starts, begins, ends, start, stop, out_counts, out):
    for i in range(start, stop):
        count, mean, square = np.int64(0), 0.0, 0.0
        for p in range(begins.shape[0]):
            begin, end, level = np.int64(begins[p, i]), np.int64(ends[p, i]), 0
            while begin < end:
                base = starts[level]
                next_begin, next_end = (begin + FAN - 1) >> SHIFT, end >> SHIFT
                if next_begin >= next_end:
                    count, mean, square = _merged(
                        counts, means, squares, base + begin, base + end, count, mean, square
                    )
                    break
                count, mean, square = _merged(
                    counts, means, squares, base + begin, base + next_begin * FAN, count, mean, square
                )
                count, mean, square = _merged(
                    counts, means, squares, base + next_end * FAN, base + end, count, mean, square
                )
                begin, end = next_begin, next_end
                level += 1
        out_counts[i] = count
        out[i] = square
