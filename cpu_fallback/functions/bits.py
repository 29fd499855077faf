"""Bits of integers: & | xor ~ << >> and bit_count. HUGEINT counts as 128 bits in two's complement."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ...physical.stored import values_range
from ...planner import messages_values as messages
from ...planner.expr import Call
from ...planner.types import SQLType, TypeId
from ..storage import numpy_dtype
from ..vector import Vector, combined_valid
from .registry import Evaluate, scalar
from .rowwise import rowwise
from .wide import narrowed, wide_function

_BITWISE: dict[str, tuple[Callable[[Any, Any], Any], Callable[[int, int], int]]] = {
    "&": (np.bitwise_and, operator.and_),
    "|": (np.bitwise_or, operator.or_),
    "xor": (np.bitwise_xor, operator.xor),
}


@scalar("&", "|", "xor")
def bitwise(call: Call) -> Evaluate:
    """Bit by bit."""
    (vectorised, exact), type_ = _BITWISE[call.function], call.type

    def evaluate(args: Sequence[Vector], n: int) -> Vector:
        left, right = narrowed(args[0]), narrowed(args[1])
        if left is None or right is None:
            return wide_function(type_, _ranged(exact, type_), list(args), n)
        values = vectorised(left.values, right.values)
        return Vector.of_values(type_, values, combined_valid(left, right))

    return evaluate


def _ranged(function: Callable[..., int], type_: SQLType) -> Callable[..., int]:
    low, high = values_range(type_)

    def exact(*args: int) -> int:
        result = function(*args)
        if not low <= result <= high:
            raise messages.out_of_range(f"The result does not fit {type_}")
        return result

    return exact


@scalar("~")
def complement(call: Call) -> Evaluate:
    """Every bit the other way."""
    type_ = call.type

    def evaluate(args: Sequence[Vector], n: int) -> Vector:
        narrow = narrowed(args[0])
        if narrow is None:
            return wide_function(type_, _ranged(lambda v: ~v, type_), list(args), n)
        return Vector.of_values(type_, ~narrow.values, narrow.valid)

    return evaluate


def _bits(type_: SQLType) -> int:
    return 128 if type_.id is TypeId.HUGEINT else numpy_dtype(type_).itemsize * 8


@scalar("<<")
def shift_left(call: Call) -> Evaluate:
    """Only of numbers that are not negative, and only where no bit is lost."""
    type_ = call.type
    bits, high = _bits(type_), values_range(type_)[1]

    def one(value: int, count: int) -> int:
        if value < 0:
            raise messages.out_of_range(f"Cannot left-shift negative number {value}")
        if count < 0:
            raise messages.out_of_range(f"Cannot left-shift by negative number {count}")
        if count >= bits and value:
            if numpy_dtype(type_).kind == "u" and count == bits:
                raise messages.out_of_range(f"Overflow in left shift ({value} << {count})")
            raise messages.out_of_range(f"Left-shift value {count} is out of range")
        result = value << count if value else 0
        if result > high:
            raise messages.out_of_range(f"Overflow in left shift ({value} << {count})")
        return result

    return rowwise(one, type_)


@scalar(">>")
def shift_right(call: Call) -> Evaluate:
    """Keeps the sign; 0 for a count that is negative or leaves no bit."""
    type_ = call.type
    bits = _bits(type_)

    def evaluate(args: Sequence[Vector], n: int) -> Vector:
        left, right = narrowed(args[0]), narrowed(args[1])
        if left is None or right is None:
            return wide_function(type_, lambda v, c: v >> c if 0 <= c < bits else 0, list(args), n)
        values, counts = left.values, right.values
        inside = (counts >= 0) & (counts < bits)
        # numpy leaves shifts by the width or more undefined.
        own_bits = numpy_dtype(type_).itemsize * 8
        shifted = values >> np.where(inside, np.minimum(counts, own_bits - 1), 0).astype(values.dtype)
        result = np.where(inside, shifted, np.zeros_like(shifted))
        return Vector.of_values(type_, result, combined_valid(left, right))

    return evaluate


@scalar("bit_count")
def bit_count(call: Call) -> Evaluate:
    """Bits that are set, of the number in two's complement."""
    kind = call.args[0].type
    bits = _bits(kind)
    if bits == 128:
        mask = (1 << 128) - 1
        return rowwise(lambda value: (value & mask).bit_count(), call.type)
    unsigned = np.dtype(f"uint{bits}")
    dtype = numpy_dtype(call.type)

    def evaluate(args: Sequence[Vector], n: int) -> Vector:
        counts = np.bitwise_count(args[0].values.view(unsigned))
        return Vector.of_values(call.type, counts.astype(dtype), args[0].valid)

    return evaluate
