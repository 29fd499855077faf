"""The values of binary operations: widths, NULLs, decimals, times."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ..kernels import arithmetic, fixed, i128, storage
from ..kernels.i128 import I128
from . import traits
from ._kinds import Kind, storage_type
from ._operation_types import COMPARISONS, LOGICAL, UNITS, finer, unit
from .types import DataType, TypeId, size_of

_PER_DAY = {
    "DAYS": 1,
    "SECONDS": 86_400,
    "MILLISECONDS": 86_400_000,
    "MICROSECONDS": 86_400_000_000,
    "NANOSECONDS": 86_400_000_000_000,
}


def compute(
    operator: str, a: pa.Array, left: DataType, b: pa.Array, right: DataType, out: DataType
) -> pa.Array:
    """The rows of the result, in storage form."""
    keep_a, keep_b = storage.valid(a), storage.valid(b)
    both = storage.both(keep_a, keep_b)
    if operator in LOGICAL:
        return _logic(operator, a, b, both)
    if operator in ("NULL_EQUALS", "NULL_NOT_EQUALS"):
        found = _compared("EQUAL", a, left, b, right)
        if both is not None:
            va, vb = storage.validity(a), storage.validity(b)
            found = np.where(va & vb, found, va == vb)
        return storage.build(found if operator == "NULL_EQUALS" else ~found)
    if operator in COMPARISONS:
        return storage.build(_compared(operator, a, left, b, right), both)
    if operator in ("NULL_MAX", "NULL_MIN"):
        return _extreme(operator.removeprefix("NULL_"), a, left, b, right, out)
    return storage.build(_values(operator, a, left, b, right, out), both)


def _logic(operator: str, a: pa.Array, b: pa.Array, both: np.ndarray | None) -> pa.Array:
    x, y = _truth(a), _truth(b)
    conjunction = operator.endswith("AND")
    found = x & y if conjunction else x | y
    if not operator.startswith("NULL_"):
        return storage.build(found, both)
    va, vb = storage.validity(a), storage.validity(b)
    decided = (va & ~x) | (vb & ~y) if conjunction else (va & x) | (vb & y)
    return storage.build(np.where(decided, not conjunction, found), (va & vb) | decided)


def _truth(array: pa.Array) -> np.ndarray:
    found = storage.values(array)
    return (found.hi != 0) | (found.lo != 0) if isinstance(found, I128) else found != 0


def _compared(operator: str, a: pa.Array, left: DataType, b: pa.Array, right: DataType) -> np.ndarray:
    if left.id() is TypeId.STRING:
        names = {"GREATER": "greater", "LESS": "less", "EQUAL": "equal", "NOT_EQUAL": "not_equal"}
        name = names.get(operator, operator.lower())
        return storage.values(pc.call_function(name, [a, b]).fill_null(False))
    if traits.is_fixed_point(left):
        bits = 8 * size_of(left)
        x, y = fixed.wide(a), fixed.wide(b)
        return fixed.compared(operator, x, left.scale(), y, right.scale(), bits)
    x, y = _common(a, left, b, right)
    return arithmetic.applied(operator, x, y)


def _extreme(name: str, a: pa.Array, left: DataType, b: pa.Array, right: DataType, out: DataType) -> pa.Array:
    va, vb = storage.validity(a), storage.validity(b)
    if left.id() is TypeId.STRING:
        function = pc.max_element_wise if name == "MAX" else pc.min_element_wise
        return function(a, b, skip_nulls=True)
    # The other operand stands in for a NULL one, so that each result is one of the operands.
    both = va & vb
    found = _values(name, a, left, b, right, out)
    alone_a = _values(name, a, left, a, left, out)
    alone_b = _values(name, b, right, b, right, out)
    if isinstance(found, I128):
        chosen: Any = i128.where(both, found, i128.where(va, alone_a, alone_b))
    else:
        chosen = np.where(both, found, np.where(va, alone_a, alone_b)).astype(found.dtype)
    return storage.build(chosen, va | vb)


def _values(operator: str, a: pa.Array, left: DataType, b: pa.Array, right: DataType, out: DataType) -> Any:
    target = storage.NUMPY_TYPES.get(storage_type(Kind(out)))
    if traits.is_fixed_point(left):
        return _fixed(operator, a, left, b, right, out, target)
    if traits.is_chrono(left) or traits.is_chrono(right):
        return _times(operator, a, left, b, right, out)
    x, y = _common(a, left, b, right)
    if operator in ("TRUE_DIV", "POW", "ATAN2", "LOG_BASE"):
        x, y = x.astype(np.float64), y.astype(np.float64)
    found = arithmetic.applied(operator, x, y)
    if traits.is_fixed_point(out):
        scaled = fixed.rescaled(i128.of_int64(found), 0, out.scale(), 8 * size_of(out))
        return fixed.narrow(scaled, 8 * size_of(out))
    assert target is not None
    return arithmetic.converted(np.asarray(found), target)


def _fixed(
    operator: str, a: pa.Array, left: DataType, b: pa.Array, right: DataType, out: DataType, target: Any
) -> Any:
    bits = 8 * size_of(left)
    found, scale = fixed.compute(operator, fixed.wide(a), left.scale(), fixed.wide(b), right.scale(), bits)
    if traits.is_fixed_point(out):
        width = 8 * size_of(out)
        return fixed.narrow(fixed.rescaled(found, scale, out.scale(), width), width)
    whole = fixed.rescaled(found, scale, 0, bits)
    return arithmetic.converted(whole.lo.view(np.int64), target)


def common_type(left: np.dtype[Any], right: np.dtype[Any]) -> np.dtype[Any]:
    """What C++ converts two numbers of these types to.

    >>> str(common_type(np.dtype("i8"), np.dtype("u8"))), str(common_type(np.dtype("f4"), np.dtype("i8")))
    ('uint64', 'float32')
    """
    if left == right:
        return left
    floats = [t for t in (left, right) if t.kind == "f"]
    if floats:
        return max(floats, key=lambda t: t.itemsize)
    wide = [t if t.itemsize >= 4 else np.dtype(np.int32) for t in (left, right)]
    first, second = sorted(wide, key=lambda t: (t.itemsize, t.kind == "u"))
    return second if second.itemsize > first.itemsize or second.kind == "u" else first


def promoted(kind: np.dtype[Any]) -> np.dtype[Any]:
    """What an operand of this type is computed in: nothing is narrower than 32 bits."""
    return np.dtype(np.int32) if kind.itemsize < 4 else kind


def _common(a: pa.Array, left: DataType, b: pa.Array, right: DataType) -> tuple[np.ndarray, np.ndarray]:
    x, y = storage.values(a), storage.values(b)
    if traits.is_chrono(left):
        fine = finer(left.id(), right.id())
        return _in_unit(x, left, fine), _in_unit(y, right, fine)
    target = promoted(common_type(x.dtype, y.dtype))
    return arithmetic.converted(x, target), arithmetic.converted(y, target)


def _in_unit(values: np.ndarray, kind: DataType, fine: str) -> np.ndarray:
    with np.errstate(over="ignore"):
        return values.astype(np.int64) * np.int64(_PER_DAY[fine] // _PER_DAY[unit(kind.id())])


def _times(operator: str, a: pa.Array, left: DataType, b: pa.Array, right: DataType, out: DataType) -> Any:
    x, y = storage.values(a), storage.values(b)
    if traits.is_chrono(left) and traits.is_chrono(right):
        fine = finer(left.id(), right.id())
        x, y = _in_unit(x, left, fine), _in_unit(y, right, fine)
    else:
        fine = unit((left if traits.is_chrono(left) else right).id())
        x, y = x.astype(np.int64), y.astype(np.int64)
    found = arithmetic.applied(operator, x, y)
    if traits.is_chrono(out) and not (operator == "DIV" and traits.is_chrono(right)):
        found = in_unit_of(found, fine, unit(out.id()))
    target = storage.NUMPY_TYPES[storage_type(Kind(out))]
    return arithmetic.converted(found, target)


def in_unit_of(values: np.ndarray, source: str, target: str) -> np.ndarray:
    """Times of one unit in another: finer by multiplying, coarser cut towards zero."""
    if UNITS.index(target) >= UNITS.index(source):
        with np.errstate(over="ignore"):
            return values.astype(np.int64) * np.int64(_PER_DAY[target] // _PER_DAY[source])
    factor = np.full(len(values), _PER_DAY[source] // _PER_DAY[target], np.int64)
    return arithmetic.applied("DIV", values.astype(np.int64), factor)
