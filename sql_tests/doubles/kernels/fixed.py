"""Decimals: unscaled integers of 32, 64 or 128 bits with a power of ten."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from . import i128, storage
from .i128 import I128


def wide(array: pa.Array) -> I128:
    """The unscaled values of any decimal column, or the values of an integer one."""
    found = storage.values(array)
    return found if isinstance(found, I128) else i128.of_int64(found)


def wrapped(values: I128, bits: int) -> I128:
    """As a register of that many bits keeps them."""
    if bits == 128:
        return values
    low = values.lo.view(np.int64)
    return i128.of_int64(low.astype(np.int32) if bits == 32 else low)


def narrow(values: I128, bits: int) -> np.ndarray | I128:
    """As a column of that width holds them."""
    if bits == 128:
        return values
    low = values.lo.view(np.int64)
    return low.astype(np.int32) if bits == 32 else low


def rescaled(values: I128, source: int, target: int, bits: int) -> I128:
    """From one power of ten to another: digits are cut off, new ones are zeros; the width wraps."""
    if source == target:
        return values
    factor = i128.power_of_ten(min(abs(source - target), 38), len(values))
    if source > target:
        return wrapped(i128.multiply(values, factor), bits)
    return wrapped(i128.divide(values, factor)[0], bits)


def compute(operator: str, a: I128, scale_a: int, b: I128, scale_b: int, bits: int) -> tuple[I128, int]:
    """The result of an operator and its power of ten."""
    if operator == "MUL":
        return wrapped(i128.multiply(a, b), bits), scale_a + scale_b
    if operator == "DIV":
        return wrapped(i128.divide(a, b)[0], bits), scale_a - scale_b
    scale = min(scale_a, scale_b)
    x, y = rescaled(a, scale_a, scale, bits), rescaled(b, scale_b, scale, bits)
    if operator == "ADD":
        return wrapped(i128.add(x, y), bits), scale
    if operator == "SUB":
        return wrapped(i128.subtract(x, y), bits), scale
    if operator in ("MAX", "MIN"):
        return i128.where(i128.less(x, y), *((y, x) if operator == "MAX" else (x, y))), scale
    rest = i128.divide(x, y)[1]
    if operator == "MOD":
        return rest, scale
    if operator == "PMOD":
        again = i128.divide(i128.add(rest, y), y)[1]
        return i128.where(rest.hi < 0, again, rest), scale
    if operator == "PYMOD":
        return i128.divide(i128.add(rest, y), y)[1], scale
    raise ValueError(operator)


def compared(operator: str, a: I128, scale_a: int, b: I128, scale_b: int, bits: int) -> np.ndarray:
    scale = min(scale_a, scale_b)
    x, y = rescaled(a, scale_a, scale, bits), rescaled(b, scale_b, scale, bits)
    match operator:
        case "EQUAL":
            return i128.equal(x, y)
        case "NOT_EQUAL":
            return ~i128.equal(x, y)
        case "LESS":
            return i128.less(x, y)
        case "GREATER":
            return i128.less(y, x)
        case "LESS_EQUAL":
            return ~i128.less(y, x)
        case "GREATER_EQUAL":
            return ~i128.less(x, y)
    raise ValueError(operator)
