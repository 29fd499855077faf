"""Exact arithmetic on 128-bit integers (words: int64[n, 2]), for HUGEINT and decimals of more than 18 digits.

``valid``, the returned row and constants (arrays of one value) work as in ``arith``. Overflow means leaving
128 bits; whether a result fits its decimal type is ``check_digits``.
"""

from __future__ import annotations

import numpy as np

from ._jit import IN_U8, IN_WORDS, INT, OUT_F64, OUT_I8, OUT_WORDS, device, kernel
from ._wide import add_signed, divmod_unsigned, magnitude, mul_unsigned, negated, signed_less
from .arith import first_row, result_length
from .arrays import F64, I64, Valid, Words, kernel_mask, sign_extended

_ADD, _SUBTRACT, _MULTIPLY = 0, 1, 2
_DIVIDE, _MODULO, _DIVIDE_ROUNDED = 0, 1, 2

CheckedWords = tuple[Words, int]


def widen(values: I64) -> Words:
    """int64 as 128-bit words."""
    return sign_extended(values)


def narrow(words: Words, valid: Valid = None) -> tuple[I64, int]:
    """128-bit words as int64; fails where the value does not fit."""
    low = np.ascontiguousarray(words[:, 0])
    return low, first_row(words[:, 1] != low >> 63, valid)


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


def negate_words(a: Words, valid: Valid = None) -> CheckedWords:
    """-a; fails at -2**127."""
    return _checked(_SUBTRACT, np.zeros((1, 2), dtype=np.int64), a, valid)


def divide_words(a: Words, b: Words, valid: Valid = None) -> CheckedWords:
    """a / b rounded towards zero; fails where b is 0, and at -2**127 / -1."""
    return _divided(_DIVIDE, a, b, valid)


def modulo_words(a: Words, b: Words, valid: Valid = None) -> CheckedWords:
    """The remainder of ``divide_words``, with the sign of a; fails where b is 0."""
    return _divided(_MODULO, a, b, valid)


def div_words(a: Words, b: Words, valid: Valid = None) -> CheckedWords:
    """a / b rounded half away from zero; fails where b is 0, and at -2**127 / -1."""
    return _divided(_DIVIDE_ROUNDED, a, b, valid)


def rescale_words(words: Words, by: int, valid: Valid = None) -> CheckedWords:
    """words * 10**by; for by < 0 rounded half away from zero. Fails where it overflows."""
    if by == 0:
        return words, -1
    if by > 38:
        return np.zeros_like(words), first_row((words != 0).any(axis=1), valid)
    if by > 0:
        return mul_words(words, int_words(10**by), valid)
    if by >= -38:
        return div_words(words, int_words(10**-by), valid)
    return np.zeros_like(words), -1  # 2**127 is less than half of 10**39


def check_digits(words: Words, precision: int, valid: Valid = None) -> int:
    """The first row whose value needs more than ``precision`` decimal digits, or -1."""
    bound = int_words(10**precision)[0]
    return int(_too_large(words, bound[0], bound[1], kernel_mask(valid)))


def compare_words(a: Words, b: Words) -> np.ndarray:
    """-1, 0 or 1 (int8) as a is less than, equal to or greater than b."""
    out = np.empty(result_length(a, b), dtype=np.int8)
    _compare(a, b, out)
    return out


def words_to_float64(words: Words) -> F64:
    """The nearest floats, up to one rounding of each word; exact where the value fits 53 bits."""
    out = np.empty(len(words), dtype=np.float64)
    _to_float(words, out)
    return out


def _checked(operation: int, a: Words, b: Words, valid: Valid) -> CheckedWords:
    out = np.empty((result_length(a, b), 2), dtype=np.int64)
    return out, int(_arithmetic(operation, a, b, kernel_mask(valid), out))


def _divided(operation: int, a: Words, b: Words, valid: Valid) -> CheckedWords:
    out = np.empty((result_length(a, b), 2), dtype=np.int64)
    return out, int(_division(operation, a, b, kernel_mask(valid), out))


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


@kernel(INT, IN_WORDS, IN_WORDS, IN_U8, OUT_WORDS)
def _division(operation, a, b, valid, out):
    a_step, b_step = np.int64(len(a) > 1), np.int64(len(b) > 1)
    one = np.uint64(1)
    row = np.int64(-1)
    for i in range(len(out)):
        x_low, x_high = a[i * a_step, 0], a[i * a_step, 1]
        y_low, y_high = b[i * b_step, 0], b[i * b_step, 1]
        failed = y_low == 0 and y_high == 0
        out[i, 0] = 0
        out[i, 1] = 0
        if not failed:
            x0, x1 = magnitude(x_low, x_high)
            y0, y1 = magnitude(y_low, y_high)
            low, high, rest_low, rest_high = divmod_unsigned(x0, x1, y0, y1)
            negative = (x_high < 0) != (y_high < 0)
            if operation == _MODULO:
                low, high = rest_low, rest_high
                negative = x_high < 0
            elif operation == _DIVIDE_ROUNDED:
                # rest >= y - rest, that is 2 * rest >= y, without leaving 128 bits
                half_low = y0 - rest_low
                half_high = y1 - rest_high - np.uint64(y0 < rest_low)
                if rest_high > half_high or (rest_high == half_high and rest_low >= half_low):
                    low += one
                    high += np.uint64(low == 0)
            if negative:
                low, high = negated(low, high)
            elif np.int64(high) < 0:
                failed = True
            out[i, 0] = np.int64(low)
            out[i, 1] = np.int64(high)
        if failed and row < 0 and (valid.size == 0 or valid[i] != 0):
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


@kernel(IN_WORDS, IN_WORDS, OUT_I8)
def _compare(a, b, out):
    a_step, b_step = np.int64(len(a) > 1), np.int64(len(b) > 1)
    for i in range(len(out)):
        x_low, x_high = a[i * a_step, 0], a[i * a_step, 1]
        y_low, y_high = b[i * b_step, 0], b[i * b_step, 1]
        if signed_less(x_low, x_high, y_low, y_high):
            out[i] = -1
        else:
            out[i] = x_low != y_low or x_high != y_high


@kernel(IN_WORDS, OUT_F64)
def _to_float(words, out):
    for i in range(len(words)):
        low, high = words[i, 0], words[i, 1]
        if high == low >> 63:
            out[i] = float(low)
        else:
            m_low, m_high = magnitude(low, high)
            value = float(m_high) * 18446744073709551616.0 + float(m_low)
            out[i] = -value if high < 0 else value
