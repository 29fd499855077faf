"""Columns of numbers with Python's operators; each operator is one call of the library.

Integers are computed as INT64 and wrap there: what can leave that range is the caller's to know.
"""

from __future__ import annotations

from typing import Any

import pyarrow as pa

from .ops import Ops
from .storage import named_type

_ARROW = {
    "INT32": pa.int32(),
    "INT64": pa.int64(),
    "UINT64": pa.uint64(),
    "FLOAT64": pa.float64(),
}


class Number:
    """A column of numbers of one libcudf type; masks are plain BOOL8 columns, NULL where the number is."""

    __slots__ = ("column", "kind", "ops")

    def __init__(self, column: Any, ops: Ops, kind: str = "INT64") -> None:
        self.column = ops.cast(column, named_type(kind))
        self.ops = ops
        self.kind = kind

    def _operand(self, other: Number | float) -> Any:
        if isinstance(other, Number):
            return other.column
        return self.ops.scalar(pa.scalar(other, _ARROW[self.kind]))

    def _made(self, operator: str, other: Number | float) -> Number:
        made = self.ops.binary(operator, self.column, self._operand(other), named_type(self.kind))
        return Number(made, self.ops, self.kind)

    def _compared(self, operator: str, other: Number | float) -> Any:
        return self.ops.binary(operator, self.column, self._operand(other))

    def __add__(self, other: Number | float) -> Number:
        return self if _is(other, 0) and self.kind != "FLOAT64" else self._made("ADD", other)

    def __sub__(self, other: Number | float) -> Number:
        return self if _is(other, 0) and self.kind != "FLOAT64" else self._made("SUB", other)

    def __mul__(self, other: Number | float) -> Number:
        return self if _is(other, 1) else self._made("MUL", other)

    def __floordiv__(self, other: int) -> Number:
        """Rounded down, by a positive constant."""
        return self if other == 1 else self._made("FLOOR_DIV", other)

    def __mod__(self, other: int) -> Number:
        """What the division that is rounded down leaves."""
        return self - (self // other) * other

    def __neg__(self) -> Number:
        return Number(self.ops.unary("NEGATE", self.column), self.ops, self.kind)

    def over(self, other: Number | float) -> Number:
        """Integers divided towards zero; doubles divided."""
        return self if _is(other, 1) else self._made("DIV", other)

    def rest(self, other: Number | float) -> Number:
        """What `over` leaves, with the sign of the dividend; C's fmod of doubles."""
        return self._made("MOD", other)

    def bit(self, operator: str, other: Number | int) -> Number:
        """BITWISE_AND, BITWISE_OR, BITWISE_XOR, SHIFT_LEFT, SHIFT_RIGHT."""
        return self._made(operator, other)

    def size(self) -> Number:
        """The absolute value."""
        return Number(self.ops.unary("ABS", self.column), self.ops, self.kind)

    def of(self, operator: str) -> Number:
        """A unary operation that keeps the type."""
        return Number(self.ops.unary(operator, self.column), self.ops, self.kind)

    def to(self, kind: str) -> Number:
        """Cast to another type."""
        return Number(self.column, self.ops, kind)

    def bits(self, kind: str) -> Number:
        """The same bits under another type of the same width."""
        return Number(self.ops.bits_as(self.column, named_type(kind)), self.ops, kind)

    def below(self, other: Number | float) -> Any:
        return self._compared("LESS", other)

    def above(self, other: Number | float) -> Any:
        return self._compared("GREATER", other)

    def at_most(self, other: Number | float) -> Any:
        return self._compared("LESS_EQUAL", other)

    def at_least(self, other: Number | float) -> Any:
        return self._compared("GREATER_EQUAL", other)

    def equals(self, other: Number | float) -> Any:
        return self._compared("EQUAL", other)

    def differs(self, other: Number | float) -> Any:
        return self._compared("NOT_EQUAL", other)

    def outside(self, low: Number | float, high: Number | float) -> Any:
        """Where it is below `low` or above `high`."""
        return self.ops.either(self.below(low), self.above(high))

    def unless(self, mask: Any, other: Number | float) -> Number:
        """`other` where the mask is true, else this."""
        return Number(self.ops.choose(self._operand(other), self.column, mask), self.ops, self.kind)

    def least(self, other: Number | float) -> Number:
        """The smaller one; this where the other is NULL."""
        return self._made("NULL_MIN", other)

    def greatest(self, other: Number | float) -> Number:
        """The larger one; this where the other is NULL."""
        return self._made("NULL_MAX", other)

    def counted(self, mask: Any) -> Number:
        """This plus one where the mask is true."""
        return self + Number(mask, self.ops, self.kind)


def _is(value: Number | float, number: int) -> bool:
    return not isinstance(value, Number) and value == number


def constant(value: float, rows: int, ops: Ops, kind: str = "INT64") -> Number:
    """The same number in every row."""
    return Number(ops.repeated(ops.scalar(pa.scalar(value, _ARROW[kind])), rows), ops, kind)


def nulled(column: Any, mask: Any, ops: Ops) -> Any:
    """The column with NULL where a mask is true."""
    null = ops.plc.Column.all_null_like(column, column.size(), stream=ops.stream)
    return ops.choose(null, column, mask)
