"""Operations on one column: mathematics, NULL and NaN tests, casts."""

from __future__ import annotations

from enum import IntEnum
from typing import Any

import numpy as np

from ..arguments import library
from ..errors import data_type_error, expects, logic_error
from ..kernels import arithmetic, fixed, i128, storage
from . import traits
from ._casts import cast_rows
from ._kinds import Kind, raw, storage_type
from ._spans import Bytes, array_of_spans
from .column import Column, made
from .types import DataType, TypeId, size_of


class UnaryOperator(IntEnum):
    SIN = 0
    COS = 1
    TAN = 2
    ARCSIN = 3
    ARCCOS = 4
    ARCTAN = 5
    SINH = 6
    COSH = 7
    TANH = 8
    ARCSINH = 9
    ARCCOSH = 10
    ARCTANH = 11
    EXP = 12
    LOG = 13
    SQRT = 14
    CBRT = 15
    CEIL = 16
    FLOOR = 17
    ABS = 18
    RINT = 19
    BIT_COUNT = 20
    BIT_INVERT = 21
    NOT = 22
    NEGATE = 23


_MATHEMATICS = {
    "SIN": np.sin,
    "COS": np.cos,
    "TAN": np.tan,
    "ARCSIN": np.arcsin,
    "ARCCOS": np.arccos,
    "ARCTAN": np.arctan,
    "SINH": np.sinh,
    "COSH": np.cosh,
    "TANH": np.tanh,
    "ARCSINH": np.arcsinh,
    "ARCCOSH": np.arccosh,
    "ARCTANH": np.arctanh,
    "EXP": np.exp,
    "LOG": np.log,
    "SQRT": np.sqrt,
    "CBRT": np.cbrt,
}
_ROUNDING = {"CEIL": np.ceil, "FLOOR": np.floor, "RINT": np.rint}


@library
def unary_operation(input: Column, op: UnaryOperator, stream: Any = None, mr: Any = None) -> Column:
    """The operator on each row; NULL stays NULL. The type stays, but NOT gives a boolean."""
    kind = input.type()
    if traits.is_fixed_point(kind):
        return made(kind, storage.build(_of_decimals(input, op), storage.valid(input._rows)))
    expects(
        traits.is_numeric(kind) or traits.is_duration(kind),
        data_type_error("Unsupported unary operator type"),
    )
    values, keep = storage.values(input._rows), storage.valid(input._rows)
    name = op.name
    if name == "NOT":
        expects(traits.is_numeric(kind), data_type_error("NOT of a type that is not numeric"))
        return made(DataType(TypeId.BOOL8), storage.build(values == 0, keep))
    if name == "BIT_COUNT":
        expects(traits.is_integral(kind), data_type_error("BIT_COUNT of a type that is not integral"))
        # The bits of a negative number are those of its two's complement, in its own width.
        bits = values.view(np.dtype(f"u{values.dtype.itemsize}"))
        return made(DataType(TypeId.INT32), storage.build(np.bitwise_count(bits).astype(np.int32), keep))
    with np.errstate(all="ignore"):
        return made(kind, storage.build(_of_numbers(name, kind, values), keep))


def _of_numbers(name: str, kind: DataType, values: np.ndarray) -> np.ndarray:
    if name in _MATHEMATICS:
        expects(traits.is_numeric(kind), data_type_error(f"{name} of a type that is not numeric"))
        # Integers are computed as doubles and cut to their own type.
        found = _MATHEMATICS[name](values if values.dtype.kind == "f" else values.astype(np.float64))
        return arithmetic.converted(found, values.dtype)
    if name in _ROUNDING:
        expects(
            traits.is_floating_point(kind), data_type_error(f"{name} of a type that is not floating point")
        )
        return _ROUNDING[name](values)
    if name == "BIT_INVERT":
        expects(
            traits.is_integral_not_bool(kind), data_type_error("BIT_INVERT of a type that is not integral")
        )
        return ~values
    signed = values.dtype.kind in "if"
    if name == "NEGATE":
        expects(signed, data_type_error("NEGATE of an unsigned type"))
        return -values
    return np.abs(values) if signed else values


def _of_decimals(input: Column, op: UnaryOperator) -> Any:
    kind = input.type()
    bits, scale = 8 * size_of(kind), kind.scale()
    values = fixed.wide(input._rows)
    if op is UnaryOperator.NEGATE:
        return fixed.narrow(i128.negate(values), bits)
    if op is UnaryOperator.ABS:
        return fixed.narrow(i128.where(values.hi < 0, i128.negate(values), values), bits)
    expects(
        op in (UnaryOperator.CEIL, UnaryOperator.FLOOR),
        data_type_error("Unsupported fixed_point unary operation"),
    )
    if scale >= 0:
        return fixed.narrow(values, bits)
    factor = i128.power_of_ten(min(-scale, 38), len(values))
    quotient, rest = i128.divide(values, factor)
    some = (rest.hi != 0) | (rest.lo != 0)
    up = op is UnaryOperator.CEIL
    step = some & ((rest.hi >= 0) if up else (rest.hi < 0))
    moved = i128.add(quotient, i128.of_int64(step.astype(np.int64) * (1 if up else -1)))
    return fixed.narrow(i128.multiply(moved, factor), bits)


@library
def is_null(input: Column, stream: Any = None, mr: Any = None) -> Column:
    return made(DataType(TypeId.BOOL8), storage.build(~storage.validity(input._rows)))


@library
def is_valid(input: Column, stream: Any = None, mr: Any = None) -> Column:
    return made(DataType(TypeId.BOOL8), storage.build(storage.validity(input._rows)))


def _nans(input: Column) -> np.ndarray:
    expects(
        traits.is_floating_point(input.type()), logic_error("NAN is supported only for floating point types")
    )
    return np.isnan(storage.values(input._rows)) & storage.validity(input._rows)


@library
def is_nan(input: Column, stream: Any = None, mr: Any = None) -> Column:
    """Never NULL: a NULL is no NaN."""
    return made(DataType(TypeId.BOOL8), storage.build(_nans(input)))


@library
def is_not_nan(input: Column, stream: Any = None, mr: Any = None) -> Column:
    return made(DataType(TypeId.BOOL8), storage.build(~_nans(input)))


@library
def cast(input: Column, data_type: DataType, stream: Any = None, mr: Any = None) -> Column:
    """Another type by C++ conversion: values out of range are not errors."""
    expects(traits.is_fixed_width(input.type()), logic_error("Unary cast type must be fixed-width."))
    expects(traits.is_fixed_width(data_type), logic_error("Unary cast type must be fixed-width."))
    expects(is_supported_cast(input.type(), data_type), logic_error("Column type must be convertible"))
    return made(data_type, cast_rows(input._rows, input.type(), data_type))


@library
def bit_cast(input: Column, data_type: DataType, stream: Any = None, mr: Any = None) -> Column:
    """The same bits under another type of the same width."""
    expects(
        traits.is_bit_castable(input.type(), data_type),
        logic_error("types are not bit-castable"),
    )
    rows = array_of_spans(
        storage_type(Kind(data_type)), input.size(), 0, Bytes(lambda: raw(input._rows), 0, ()), None, []
    )
    return made(data_type, storage.with_validity(rows, storage.valid(input._rows)))


def is_supported_cast(from_: DataType, to: DataType) -> bool:
    """Whether `cast` knows how to."""
    for value in (from_, to):
        if not isinstance(value, DataType):
            raise TypeError("Argument has incorrect type (expected pylibcudf.types.DataType)")
    if traits.is_timestamp(from_):
        return traits.is_chrono(to)
    if traits.is_duration(from_):
        return traits.is_chrono(to) or traits.is_numeric(to)
    if traits.is_fixed_point(from_):
        return traits.is_fixed_point(to) or traits.is_numeric(to)
    if traits.is_numeric(from_):
        return traits.is_numeric(to) or traits.is_fixed_point(to) or traits.is_duration(to)
    return False
