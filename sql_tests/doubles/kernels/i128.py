"""128-bit integers in two numpy arrays, with the wrap-around of the hardware."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
import pyarrow as pa

_LOW32 = np.uint64(0xFFFF_FFFF)
_32 = np.uint64(32)


class I128(NamedTuple):
    """Signed high and unsigned low halves of equal length."""

    hi: np.ndarray
    lo: np.ndarray

    def __len__(self) -> int:  # type: ignore[override]
        return len(self.hi)

    def take(self, at: np.ndarray) -> I128:  # type: ignore[override]
        return I128(self.hi[at], self.lo[at])


def of_int64(values: np.ndarray) -> I128:
    """64-bit or smaller integers, signed or not, widened."""
    if values.dtype.kind == "u" or values.dtype.kind == "b":
        return I128(np.zeros(len(values), np.int64), values.astype(np.uint64))
    wide = values.astype(np.int64)
    return I128(wide >> 63, wide.view(np.uint64))


def of_ints(values: Iterable[int]) -> I128:
    """Python integers, wrapped to 128 bits."""
    found = [v & ((1 << 128) - 1) for v in values]
    hi = np.array([v >> 64 for v in found], np.uint64)
    return I128(hi.view(np.int64), np.array([v & ((1 << 64) - 1) for v in found], np.uint64))


def to_ints(values: I128) -> list[int]:
    return [(h << 64) | low for h, low in zip(values.hi.tolist(), values.lo.tolist(), strict=True)]


def of_array(array: pa.Array) -> I128:
    """The values of an Arrow decimal128 array; those of NULLs are whatever lies there."""
    raw = np.frombuffer(array.buffers()[1] or b"", np.uint64, count=2 * len(array), offset=16 * array.offset)
    return I128(raw[1::2].view(np.int64), raw[0::2])


def to_buffer(values: I128) -> pa.Buffer:
    raw = np.empty(2 * len(values), np.uint64)
    raw[0::2], raw[1::2] = values.lo, values.hi.view(np.uint64)
    return pa.py_buffer(raw)


def fits_int64(values: I128) -> bool:
    return bool((values.hi == (values.lo.view(np.int64) >> 63)).all())


def add(a: I128, b: I128) -> I128:
    with np.errstate(over="ignore"):
        lo = a.lo + b.lo
        return I128(a.hi + b.hi + (lo < a.lo), lo)


def negate(a: I128) -> I128:
    with np.errstate(over="ignore"):
        lo = ~a.lo + np.uint64(1)
        return I128(~a.hi + (lo == 0), lo)


def subtract(a: I128, b: I128) -> I128:
    return add(a, negate(b))


def _multiply_64(a: np.ndarray, b: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """High and low halves of the product of unsigned 64-bit integers."""
    with np.errstate(over="ignore"):
        a0, a1, b0, b1 = a & _LOW32, a >> _32, b & _LOW32, b >> _32
        low, mid1, mid2, high = a0 * b0, a1 * b0, a0 * b1, a1 * b1
        middle = (low >> _32) + (mid1 & _LOW32) + (mid2 & _LOW32)
        lo = (low & _LOW32) | (middle << _32)
        return high + (mid1 >> _32) + (mid2 >> _32) + (middle >> _32), lo


def multiply(a: I128, b: I128) -> I128:
    with np.errstate(over="ignore"):
        hi, lo = _multiply_64(a.lo, b.lo)
        cross = a.hi.view(np.uint64) * b.lo + b.hi.view(np.uint64) * a.lo
        return I128((hi + cross).view(np.int64), lo)


def divide(a: I128, b: I128) -> tuple[I128, I128]:
    """Quotient cut towards zero, and remainder; by zero the quotient is -1, the remainder the dividend."""
    if fits_int64(a) and fits_int64(b) and not (a.lo == np.uint64(1 << 63)).any():
        x, y = a.lo.view(np.int64), b.lo.view(np.int64)
        safe = np.where(y == 0, 1, y)
        quotient = np.abs(x) // np.abs(safe) * (np.sign(x) * np.sign(safe))
        remainder = x - quotient * safe
        return of_int64(np.where(y == 0, -1, quotient)), of_int64(np.where(y == 0, x, remainder))
    quotients, remainders = [], []
    for x, y in zip(to_ints(a), to_ints(b), strict=True):
        if y == 0:
            quotients.append(-1)
            remainders.append(x)
            continue
        quotient = abs(x) // abs(y) * (1 if (x < 0) == (y < 0) else -1)
        quotients.append(quotient)
        remainders.append(x - quotient * y)
    return of_ints(quotients), of_ints(remainders)


def equal(a: I128, b: I128) -> np.ndarray:
    return (a.hi == b.hi) & (a.lo == b.lo)


def less(a: I128, b: I128) -> np.ndarray:
    return (a.hi < b.hi) | ((a.hi == b.hi) & (a.lo < b.lo))


def where(choose: np.ndarray, a: I128, b: I128) -> I128:
    return I128(np.where(choose, a.hi, b.hi), np.where(choose, a.lo, b.lo))


def power_of_ten(exponent: int, count: int) -> I128:
    one = of_ints([10**exponent])
    return I128(np.repeat(one.hi, count), np.repeat(one.lo, count))


def to_float64(values: I128) -> np.ndarray:
    if fits_int64(values):
        return values.lo.view(np.int64).astype(np.float64)
    return np.array([float(v) for v in to_ints(values)], np.float64)


def sums(values: I128, starts: np.ndarray) -> I128:
    """The sum of each run of values; a run begins at each of `starts`, none is empty."""
    with np.errstate(over="ignore"):
        low = np.add.reduceat(values.lo & _LOW32, starts)
        middle = np.add.reduceat(values.lo >> _32, starts)
        high = np.add.reduceat(values.hi, starts)
        middle = middle + (low >> _32)
        lo = (low & _LOW32) | (middle << _32)
        return I128(high + (middle >> _32).view(np.int64), lo)
