"""Exact arithmetic on 128-bit integers (words: int64[n, 2]), for HUGEINT and decimals of more than 18 digits.

Results come with the first row that has none, or -1. ``valid`` is None or uint8[n]: rows with 0, be they NULL
or not selected, hold arbitrary results and never count. An operand may be an array of one value.
Overflow means leaving 128 bits; whether a result fits its decimal type is ``check_digits``.
"""

from __future__ import annotations

import numpy as np

from ._intrinsics import mul_i64_wide
from ._jit import IN_I64, IN_U8, IN_WORDS, INT, OUT_WORDS, device, kernel
from ._wide import add_signed, magnitude, mul_unsigned, negated
from .arrays import I64, Valid, Words, kernel_mask, sign_extended

_ADD, _SUBTRACT, _MULTIPLY = 0, 1, 2

CheckedWords = tuple[Words, int]


def widen(values: I64) -> Words:
    """int64 as 128-bit words."""
    return sign_extended(values)


def mul_wide(a: I64, b: I64) -> Words:
    """The exact products as 128-bit words."""
    out = np.empty((result_length(a, b), 2), dtype=np.int64)
    _mul_wide(a, b, out)
    return out


def int_words(value: int) -> Words:
    """A constant as words."""
    assert -(1 << 127) <= value < 1 << 127
    return np.frombuffer(value.to_bytes(16, "little", signed=True), dtype=np.int64).reshape(1, 2)


def add_words(a: Words, b: Words, valid: Valid = None) -> CheckedWords:
    """a + b; fails where it overflows."""
    return _checked(_ADD, a, b, valid)


def sub_words(a: Words, b: Words, valid: Valid = None) -> CheckedWords:
    """a - b; fails where it overflows."""
    return _checked(_SUBTRACT, a, b, valid)


def mul_words(a: Words, b: Words, valid: Valid = None) -> CheckedWords:
    """a * b; fails where it overflows."""
    return _checked(_MULTIPLY, a, b, valid)


def check_digits(words: Words, precision: int, valid: Valid = None) -> int:
    """The first row whose value needs more than ``precision`` decimal digits, or -1."""
    bound = int_words(10**precision)[0]
    return int(_too_large(words, bound[0], bound[1], kernel_mask(valid)))


def result_length(a: np.ndarray, b: np.ndarray) -> int:
    """Rows of the result of a binary operation whose operands may be constants (arrays of one value)."""
    n = len(b) if len(a) == 1 else len(a)
    assert len(a) in (1, n)
    assert len(b) in (1, n)
    return n


def _checked(operation: int, a: Words, b: Words, valid: Valid) -> CheckedWords:
    out = np.empty((result_length(a, b), 2), dtype=np.int64)
    return out, int(_arithmetic(operation, a, b, kernel_mask(valid), out))


@device
def _multiply(a_low, a_high, b_low, b_high):
    """(low, high, overflowed) of a product of signed 128-bit integers."""
    a0, a1 = magnitude(a_low, a_high)
    b0, b1 = magnitude(b_low, b_high)
    low, high, overflow = mul_unsigned(a0, a1, b0, b1)
    negative = (a_high < 0) != (b_high < 0)
    if negative:
        low, high = negated(low, high)
    # A magnitude of 2**127 is a negative number alone.
    signed = np.int64(high)
    if (low != 0 or high != 0) and (signed < 0) != negative:
        overflow = True
    return np.int64(low), signed, overflow


@kernel(INT, IN_WORDS, IN_WORDS, IN_U8, OUT_WORDS)
def _arithmetic(operation, a, b, valid, out):
    a_step, b_step = np.int64(len(a) > 1), np.int64(len(b) > 1)
    row = np.int64(-1)
    for i in range(len(out)):
        x_low, x_high = a[i * a_step, 0], a[i * a_step, 1]
        y_low, y_high = b[i * b_step, 0], b[i * b_step, 1]
        if operation == _ADD:
            low, high, overflow = add_signed(x_low, x_high, y_low, y_high)
        elif operation == _SUBTRACT:
            low = np.int64(np.uint64(x_low) - np.uint64(y_low))
            high = x_high - y_high - np.int64(np.uint64(x_low) < np.uint64(y_low))
            overflow = ((x_high ^ y_high) & (x_high ^ high)) < 0
        else:
            low, high, overflow = _multiply(x_low, x_high, y_low, y_high)
        out[i, 0] = low
        out[i, 1] = high
        if overflow and row < 0 and (valid.size == 0 or valid[i] != 0):
            row = i
    return row


@kernel(IN_WORDS, INT, INT, IN_U8)
def _too_large(words, bound_low, bound_high, valid):
    """The first valid row whose magnitude is not below the bound."""
    for i in range(len(words)):
        if valid.size != 0 and valid[i] == 0:
            continue
        low, high = magnitude(words[i, 0], words[i, 1])
        if high > np.uint64(bound_high) or (high == np.uint64(bound_high) and low >= np.uint64(bound_low)):
            return i
    return -1


@kernel(IN_I64, IN_I64, OUT_WORDS)
def _mul_wide(a, b, out):
    a_one, b_one = len(a) == 1, len(b) == 1
    for i in range(len(out)):
        high, low = mul_i64_wide(a[0] if a_one else a[i], b[0] if b_one else b[i])
        out[i, 0] = low
        out[i, 1] = high
