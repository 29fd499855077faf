"""Bits of integers: & | xor ~ << >> and bit_count."""

from __future__ import annotations

from collections.abc import Sequence

from ...physical.stored import values_range
from ...planner import messages_values as messages
from ...planner.expr import Call
from ...planner.types import TypeId
from ..number import Number
from ..storage import data_type, named_type
from ..values import Evaluation, Value
from .registry import scalar

_BITWISE = {"&": "BITWISE_AND", "|": "BITWISE_OR", "xor": "BITWISE_XOR"}
_WIDTHS = {
    TypeId.TINYINT: 8,
    TypeId.SMALLINT: 16,
    TypeId.INTEGER: 32,
    TypeId.BIGINT: 64,
    TypeId.UTINYINT: 8,
    TypeId.USMALLINT: 16,
    TypeId.UINTEGER: 32,
    TypeId.UBIGINT: 64,
}


@scalar("&", "|", "xor")
def bitwise(node: Call, args: Sequence[Value], run: Evaluation) -> Value:
    """Bit by bit."""
    left, right = (run.operand(arg) for arg in args)
    return Value(node.type, run.ops.binary(_BITWISE[node.function], left, right, data_type(node.type)))


@scalar("~")
def complement(node: Call, args: Sequence[Value], run: Evaluation) -> Value:
    """Every bit the other way."""
    return Value(node.type, run.ops.unary("BIT_INVERT", run.column(args[0])))


def _kind(node: Call) -> str:
    return "UINT64" if node.type.id is TypeId.UBIGINT else "INT64"


@scalar("<<")
def shift_left(node: Call, args: Sequence[Value], run: Evaluation) -> Value:
    """Only of numbers that are not negative, and only where no bit is lost."""
    ops, kind = run.ops, _kind(node)
    value, count = (Number(run.column(arg), ops, kind) for arg in args)
    bits, high = _WIDTHS[node.type.id], values_range(node.type)[1]
    some = value.differs(0)
    far = ops.both(count.at_least(bits), some)
    # Shifted back to the right, the highest value shows how large a number may be.
    inside = count.unless(count.outside(0, bits - 1), 0)
    room = (inside * 0 + high).bit("SHIFT_RIGHT", inside)
    lost = ops.both(value.above(room), some)
    failures = [
        run.failure(
            ops.either(far, lost),
            lambda: messages.out_of_range("Overflow in left shift: bits would be lost"),
        )
    ]
    if node.type.id.value[0] != "U":
        negative = lambda what: lambda: messages.out_of_range(f"Cannot left-shift {what}")  # noqa: E731
        failures = [
            run.failure(value.below(0), negative("negative numbers")),
            run.failure(count.below(0), negative("by a negative number")),
            *failures,
        ]
    made = ops.cast(value.bit("SHIFT_LEFT", inside).column, data_type(node.type))
    return Value(node.type, made, failures=tuple(failures))


@scalar(">>")
def shift_right(node: Call, args: Sequence[Value], run: Evaluation) -> Value:
    """Keeps the sign; 0 for a count that is negative or leaves no bit."""
    ops, kind = run.ops, _kind(node)
    value, count = (Number(run.column(arg), ops, kind) for arg in args)
    beyond = count.outside(0, _WIDTHS[node.type.id] - 1)
    made = value.bit("SHIFT_RIGHT", count.unless(beyond, 0))
    made = made.unless(ops.both(beyond, ops.is_valid(made.column)), 0)
    return Value(node.type, ops.cast(made.column, data_type(node.type)))


@scalar("bit_count")
def bit_count(node: Call, args: Sequence[Value], run: Evaluation) -> Value:
    """Bits that are set, of the number in two's complement."""
    (arg,) = args
    # Unsigned bits of the same width: what a negative number counts is then beyond doubt.
    bits = named_type(f"UINT{_WIDTHS[arg.type.id]}")
    counts = run.ops.unary("BIT_COUNT", run.ops.bits_as(run.column(arg), bits))
    return Value(node.type, run.ops.cast(counts, data_type(node.type)))
