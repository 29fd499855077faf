"""Operators of two columns, or of a column and a scalar."""

from __future__ import annotations

from enum import IntEnum
from typing import Any

from ..arguments import library
from ..errors import data_type_error, expects, logic_error
from ..kernels import storage
from . import traits
from ._binary import compute
from ._operation_types import intermediate, reachable
from .column import Column, made
from .scalar import Scalar
from .types import DataType, TypeId


class BinaryOperator(IntEnum):
    ADD = 0
    SUB = 1
    MUL = 2
    DIV = 3
    TRUE_DIV = 4
    FLOOR_DIV = 5
    MOD = 6
    PMOD = 7
    PYMOD = 8
    POW = 9
    INT_POW = 10
    LOG_BASE = 11
    ATAN2 = 12
    SHIFT_LEFT = 13
    SHIFT_RIGHT = 14
    SHIFT_RIGHT_UNSIGNED = 15
    BITWISE_AND = 16
    BITWISE_OR = 17
    BITWISE_XOR = 18
    LOGICAL_AND = 19
    LOGICAL_OR = 20
    EQUAL = 21
    NOT_EQUAL = 22
    LESS = 23
    GREATER = 24
    LESS_EQUAL = 25
    GREATER_EQUAL = 26
    NULL_EQUALS = 27
    NULL_NOT_EQUALS = 28
    NULL_MAX = 29
    NULL_MIN = 30
    GENERIC_BINARY = 31
    NULL_LOGICAL_AND = 32
    NULL_LOGICAL_OR = 33
    INVALID_BINARY = 34


@library
def binary_operation(
    lhs: Column | Scalar,
    rhs: Column | Scalar,
    op: BinaryOperator,
    output_type: DataType,
    stream: Any = None,
    mr: Any = None,
) -> Column:
    """A column of the results; at least one side is a column."""
    if isinstance(lhs, Scalar) and isinstance(rhs, Scalar):
        raise ValueError(f"Invalid arguments {lhs} and {rhs}")
    left, right = lhs.type(), rhs.type()
    if isinstance(lhs, Column) and isinstance(rhs, Column):
        expects(lhs.size() == rhs.size(), logic_error("Column sizes don't match"))
    fixed = output_type.id() is TypeId.STRING or traits.is_fixed_width(output_type)
    expects(fixed, logic_error("Invalid/Unsupported output datatype"))
    if op.name in ("NULL_MAX", "NULL_MIN") and left.id() is right.id() is output_type.id() is TypeId.STRING:
        pass
    else:
        expects(
            is_supported_operation(output_type, left, right, op),
            data_type_error("Unsupported operator for these types"),
        )
    if traits.is_fixed_point(left) or traits.is_fixed_point(right):
        # Computed in one width: the library casts neither side.
        expects(left.id() is right.id(), data_type_error("Both inputs must be of the same decimal type"))
        if traits.is_fixed_point(output_type):
            expects(
                output_type.id() is left.id(), data_type_error("Output must be of the inputs' decimal type")
            )
    rows = lhs.size() if isinstance(lhs, Column) else rhs.size()  # type: ignore[union-attr]
    a, b = _rows(lhs, rows), _rows(rhs, rows)
    return made(output_type, compute(op.name, a, left, b, right, output_type))


def _rows(operand: Column | Scalar, count: int) -> Any:
    if isinstance(operand, Column):
        return operand._rows
    return storage.repeated(operand._row, count)


def is_supported_operation(out: DataType, lhs: DataType, rhs: DataType, op: BinaryOperator) -> bool:
    """Whether `binary_operation` has code for these types."""
    for name, value, kind in (("out", out, DataType), ("lhs", lhs, DataType), ("rhs", rhs, DataType)):
        if not isinstance(value, kind):
            raise TypeError(f"Argument '{name}' has incorrect type")
    if not isinstance(op, BinaryOperator):
        raise TypeError("an integer is required")
    found = intermediate(op.name, lhs.id(), rhs.id())
    return found is not None and out.id() in reachable(found)
