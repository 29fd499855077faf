"""128-bit integers inside kernels, as pairs of words: int64 (low bits, high) if signed, uint64 if magnitudes.

numba has no 128-bit type, and LLVM's division of i128 needs a runtime library that the process may not have
loaded.
"""

from __future__ import annotations

import numpy as np

from ._intrinsics import mul_u64_wide
from ._jit import device

_ZERO = np.uint64(0)
_ONE = np.uint64(1)
_32 = np.uint64(32)
_LOW32 = np.uint64(0xFFFFFFFF)
_BASE = np.uint64(1 << 32)


@device
def add_signed(a_low, a_high, b_low, b_high):
    """(low, high, overflowed) of a sum."""
    low = np.uint64(a_low) + np.uint64(b_low)
    high = a_high + b_high + np.int64(low < np.uint64(b_low))
    # Both terms of one sign and the sum of the other; the carry does not change this test.
    return np.int64(low), high, ((a_high ^ high) & (b_high ^ high)) < 0


@device
def negated(low, high):
    """Two's complement of a pair of uint64."""
    low = ~low + _ONE
    return low, ~high + np.uint64(low == _ZERO)


@device
def magnitude(low, high):
    """The absolute value of a signed pair as (low, high) uint64."""
    if high < 0:
        return negated(np.uint64(low), np.uint64(high))
    return np.uint64(low), np.uint64(high)


@device
def mul_unsigned(a_low, a_high, b_low, b_high):
    """(low, high, overflowed) of a product of magnitudes."""
    high, low = mul_u64_wide(a_low, b_low)
    cross_a_high, cross_a = mul_u64_wide(a_low, b_high)
    cross_b_high, cross_b = mul_u64_wide(a_high, b_low)
    overflow = (a_high != _ZERO and b_high != _ZERO) or cross_a_high != _ZERO or cross_b_high != _ZERO
    total = high + cross_a
    overflow = overflow or total < high
    result = total + cross_b
    return low, result, overflow or result < total


@device
def _leading_zeros(x):
    count = np.int64(0)
    for step in (32, 16, 8, 4, 2, 1):
        if x >> np.uint64(64 - step) == _ZERO:
            x <<= np.uint64(step)
            count += step
    return count


@device
def divide_narrow(high, low, y):
    """(quotient, rest) of high:low by y, high < y, in digits of 32 bits (Warren, Hacker's Delight, 9-4)."""
    shift = np.uint64(_leading_zeros(y))
    y <<= shift
    y1, y0 = y >> _32, y & _LOW32
    top = high << shift
    if shift != _ZERO:
        top |= low >> (np.uint64(64) - shift)
    low <<= shift
    x1, x0 = low >> _32, low & _LOW32
    q1 = top // y1
    rest = top - q1 * y1
    while q1 >= _BASE or q1 * y0 > (rest << _32) + x1:
        q1 -= _ONE
        rest += y1
        if rest >= _BASE:
            break
    middle = (top << _32) + x1 - q1 * y
    q0 = middle // y1
    rest = middle - q0 * y1
    while q0 >= _BASE or q0 * y0 > (rest << _32) + x0:
        q0 -= _ONE
        rest += y1
        if rest >= _BASE:
            break
    return (q1 << _32) + q0, ((middle << _32) + x0 - q0 * y) >> shift
