"""Binary operators on numpy arrays of one type, as C++ computes them on the device: wrapping, truncating."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

_QUIET: dict[str, Any] = {"over": "ignore", "invalid": "ignore", "divide": "ignore"}


def _divided(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Towards zero; by zero the device gives all bits set, and no error."""
    if a.dtype.kind == "f":
        return a / b
    safe = np.where(b == 0, b.dtype.type(1), b)
    found = a // safe
    if a.dtype.kind == "i":
        found = found + ((found * safe != a) & ((a < 0) != (safe < 0))).astype(a.dtype)
        lowest = np.iinfo(a.dtype).min
        found = np.where((a == lowest) & (safe == -1), lowest, found)
    return np.where(b == 0, a.dtype.type(0) - a.dtype.type(1), found).astype(a.dtype)


def _remainder(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """With the sign of the dividend."""
    if a.dtype.kind == "f":
        return np.fmod(a, b)
    return np.where(b == 0, a.dtype.type(0) - a.dtype.type(1), a - _divided(a, b) * b).astype(a.dtype)


def _floored(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    if a.dtype.kind == "f":
        return np.floor(a / b)
    found = _divided(a, b)
    return np.where((b != 0) & (found * b != a) & ((a < 0) != (b < 0)), found - a.dtype.type(1), found)


def _positive_remainder(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    found = _remainder(a, b)
    return np.where(found < 0, _remainder(found + b, b), found)


def _python_remainder(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return _remainder(_remainder(a, b) + b, b)


def _integer_power(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """0 for a negative exponent, but 1 and -1 keep theirs."""
    found = np.ones_like(a)
    base, exponent = a.copy(), np.where(b < 0, 0, b).astype(np.uint64)
    while exponent.any():
        found = np.where(exponent & np.uint64(1), found * base, found).astype(a.dtype)
        base = base * base
        exponent = exponent >> np.uint64(1)
    if b.dtype.kind != "i":
        return found
    odd = np.where((b & b.dtype.type(1)) != 0, a, a.dtype.type(1))
    negative = np.where(a == 1, 1, np.where(a == -1, odd, 0)) if a.dtype.kind == "i" else (a == 1)
    return np.where(b < 0, negative, found).astype(a.dtype)


def _shifted(operator: Callable[[Any, Any], Any]) -> Callable[[np.ndarray, np.ndarray], np.ndarray]:
    return lambda a, b: operator(a, np.mod(b.astype(np.int64), a.dtype.itemsize * 8).astype(a.dtype))


def _shifted_unsigned(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    bare = a.view(np.dtype(f"u{a.dtype.itemsize}"))
    return (bare >> np.mod(b.astype(np.int64), a.dtype.itemsize * 8).astype(bare.dtype)).view(a.dtype)


# By the name of the BinaryOperator; comparisons and NULL-aware ones are built from these by the caller.
OPERATORS: dict[str, Callable[[Any, Any], Any]] = {
    "ADD": np.add,
    "SUB": np.subtract,
    "MUL": np.multiply,
    "DIV": _divided,
    "FLOOR_DIV": _floored,
    "MOD": _remainder,
    "PMOD": _positive_remainder,
    "PYMOD": _python_remainder,
    "TRUE_DIV": np.true_divide,
    "POW": np.power,
    "ATAN2": np.arctan2,
    "LOG_BASE": lambda a, b: np.log(a) / np.log(b),
    "INT_POW": _integer_power,
    "SHIFT_LEFT": _shifted(np.left_shift),
    "SHIFT_RIGHT": _shifted(np.right_shift),
    "SHIFT_RIGHT_UNSIGNED": _shifted_unsigned,
    "BITWISE_AND": np.bitwise_and,
    "BITWISE_OR": np.bitwise_or,
    "BITWISE_XOR": np.bitwise_xor,
    "EQUAL": np.equal,
    "NOT_EQUAL": np.not_equal,
    "LESS": np.less,
    "GREATER": np.greater,
    "LESS_EQUAL": np.less_equal,
    "GREATER_EQUAL": np.greater_equal,
    # As C++ writes them: of NaN and a number, the second operand comes out.
    "MAX": lambda a, b: np.where(a > b, a, b),
    "MIN": lambda a, b: np.where(a < b, a, b),
}


def applied(operator: str, a: np.ndarray, b: np.ndarray) -> np.ndarray:
    with np.errstate(**_QUIET):
        return OPERATORS[operator](a, b)


def converted(values: np.ndarray, to: np.dtype[Any]) -> np.ndarray:
    """As a C++ cast on the device: integers wrap; a float beyond the range becomes the nearest end, NaN 0."""
    if values.dtype == to:
        return values
    if to == np.bool_:
        return values != 0
    if values.dtype.kind != "f" or to.kind == "f":
        with np.errstate(**_QUIET):
            return values.astype(to)
    # Narrow integers go through 32 bits, whose low bits are kept.
    wide = to if to.itemsize >= 4 else np.dtype(np.int32 if to.kind == "i" else np.uint32)
    limits = np.iinfo(wide)
    cut = np.nan_to_num(np.trunc(values.astype(np.float64)), nan=0.0, posinf=np.inf, neginf=-np.inf)
    inside = (cut >= float(limits.min)) & (cut < float(limits.max) + (0 if wide.itemsize == 8 else 1))
    found = np.where(inside, cut, 0).astype(wide)
    found = np.where(cut < float(limits.min), limits.min, np.where(inside, found, limits.max))
    return found.astype(wide).astype(to)
