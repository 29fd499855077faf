"""Aggregates over all rows of a batch (one group, no group numbers), as Python values to be combined by the
caller.

Measured on 1M rows, time of pyarrow over ours: integer sum 1.1 (14 with NULLs, and ours is exact), integer
min 1.8, float min 2.5, float sum 0.2 (ours is compensated).
"""

from __future__ import annotations

import numpy as np

from ._jit import BOOL, IN_F64, IN_I64, IN_U8, IN_WORDS, INT, kernel
from .aggregates import add128, float_better, less128
from .arrays import F64, I64, Valid, Words, kernel_mask

_LOW32 = 0xFFFFFFFF
_LOW64 = (1 << 64) - 1


def count_valid_one(valid: Valid, n: int) -> int:
    """Number of valid rows among ``n``."""
    return n if valid is None else int(np.count_nonzero(valid))


def sum_int64_one(values: I64, valid: Valid) -> int:
    """The exact sum (a Python integer of any size); 0 for no rows."""
    high, low = _sum_int64(values, kernel_mask(valid))
    return (int(high) << 32) + int(low)


def sum_words_one(words: Words, valid: Valid) -> int:
    """The exact sum of 128-bit integers."""
    high, wraps, low = _sum_words(words, kernel_mask(valid))
    return ((int(high) + (int(wraps) << 64)) << 64) + (int(low) & _LOW64)


def sum_float64_one(values: F64, valid: Valid) -> tuple[float, float]:
    """(sum, compensation), each to be added to a state as ``aggregates.merge_sum_float64`` does."""
    return _sum_float64(values, kernel_mask(valid))


def min_int64_one(values: I64, valid: Valid) -> int | None:
    """The least valid value; None without one."""
    best, seen = _extreme_int64(values, kernel_mask(valid), 0)
    return int(best) if seen else None


def max_int64_one(values: I64, valid: Valid) -> int | None:
    """The greatest valid value; None without one."""
    best, seen = _extreme_int64(values, kernel_mask(valid), -1)
    return int(best) if seen else None


def min_float64_one(values: F64, valid: Valid) -> float | None:
    """The least valid float, NaN above all numbers; None without one."""
    best, seen = _extreme_float64(values, kernel_mask(valid), False)
    return float(best) if seen else None


def max_float64_one(values: F64, valid: Valid) -> float | None:
    """The greatest valid float, NaN above all numbers; None without one."""
    best, seen = _extreme_float64(values, kernel_mask(valid), True)
    return float(best) if seen else None


def min_words_one(words: Words, valid: Valid) -> int | None:
    """The least valid 128-bit integer; None without one."""
    return _words_to_int(*_extreme_words(words, kernel_mask(valid), 0))


def max_words_one(words: Words, valid: Valid) -> int | None:
    """The greatest valid 128-bit integer; None without one."""
    return _words_to_int(*_extreme_words(words, kernel_mask(valid), -1))


def welford_one(values: F64, valid: Valid) -> tuple[int, float, float]:
    """(count, mean, sum of squared deviations), to be merged by ``aggregates.merge_welford``."""
    count, mean, m2 = _welford(values, kernel_mask(valid))
    return int(count), float(mean), float(m2)


def _words_to_int(low: int, high: int, seen: bool) -> int | None:
    return (int(high) << 64) + (int(low) & _LOW64) if seen else None


@kernel(IN_I64, IN_U8)
def _sum_int64(values, valid):
    # Halves are summed apart: without carries the loop is vectorised, and 2**31 rows cannot overflow.
    high = np.int64(0)
    low = np.int64(0)
    if valid.size == 0:
        for i in range(len(values)):
            high += values[i] >> 32
            low += values[i] & _LOW32
    else:
        for i in range(len(values)):
            value = values[i] if valid[i] != 0 else 0
            high += value >> 32
            low += value & _LOW32
    return high, low


@kernel(IN_WORDS, IN_U8)
def _sum_words(words, valid):
    low = np.int64(0)
    high = np.int64(0)
    wraps = np.int64(0)
    for i in range(len(words)):
        if valid.size != 0 and valid[i] == 0:
            continue
        before = high
        low, high, overflow = add128(low, high, words[i, 0], words[i, 1])
        if overflow:
            wraps += 1 if before >= 0 else -1
    return high, wraps, low


@kernel(IN_F64, IN_U8)
def _sum_float64(values, valid):
    total = 0.0
    comp = 0.0
    for i in range(len(values)):
        if valid.size != 0 and valid[i] == 0:
            continue
        value = values[i]
        new = total + value
        part = new - total
        comp += (total - (new - part)) + (value - part)
        total = new
    return total, comp


@kernel(IN_I64, IN_U8, INT)
def _extreme_int64(values, valid, flip):
    best = np.int64(0x7FFFFFFFFFFFFFFF)
    if valid.size == 0:
        for i in range(len(values)):
            best = min(best, values[i] ^ flip)
        return best ^ flip, len(values) > 0
    seen = np.uint8(0)
    for i in range(len(values)):
        value = values[i] ^ flip if valid[i] != 0 else np.int64(0x7FFFFFFFFFFFFFFF)
        best = min(best, value)
        seen |= valid[i]
    return best ^ flip, seen != 0


@kernel(IN_F64, IN_U8, BOOL)
def _extreme_float64(values, valid, largest):
    best = 0.0
    seen = False
    for i in range(len(values)):
        if valid.size != 0 and valid[i] == 0:
            continue
        if not seen or float_better(values[i], best, largest):
            best = values[i]
            seen = True
    return best, seen


@kernel(IN_WORDS, IN_U8, INT)
def _extreme_words(words, valid, flip):
    low = np.int64(0)
    high = np.int64(0)
    seen = False
    for i in range(len(words)):
        if valid.size != 0 and valid[i] == 0:
            continue
        if not seen or less128(words[i, 0] ^ flip, words[i, 1] ^ flip, low ^ flip, high ^ flip):
            low = words[i, 0]
            high = words[i, 1]
            seen = True
    return low, high, seen


@kernel(IN_F64, IN_U8)
def _welford(values, valid):
    count = 0
    total = 0.0
    for i in range(len(values)):
        if valid.size == 0 or valid[i] != 0:
            count += 1
            total += values[i]
    if count == 0:
        return 0, 0.0, 0.0
    mean = total / count
    m2 = 0.0
    drift = 0.0  # what rounding of the mean leaves over: the corrected two-pass algorithm
    for i in range(len(values)):
        if valid.size == 0 or valid[i] != 0:
            delta = values[i] - mean
            m2 += delta * delta
            drift += delta
    return count, mean + drift / count, m2 - drift * drift / count
