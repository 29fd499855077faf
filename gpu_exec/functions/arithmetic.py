"""Operators on numbers, dates and intervals."""

from __future__ import annotations

from collections.abc import Sequence

import pyarrow as pa

from ...physical.stored import INT64_LOW, range_of, values_range
from ...planner import messages_values as messages
from ...planner.expr import Call
from ...planner.types import TypeId
from ..integers import arithmetic, stored
from ..storage import data_type, named_type
from ..values import Evaluation, Failure, Value
from .registry import scalar
from .temporal import plus_minus

_FLOATS = {"+": "ADD", "-": "SUB", "*": "MUL", "/": "DIV"}


def _operation(symbol: str, node: Call, args: Sequence[Value], run: Evaluation) -> Value:
    if len(args) == 1:
        return args[0]
    left, right = args
    if node.type.is_float:
        made = run.ops.binary(_FLOATS[symbol], run.operand(left), run.operand(right), data_type(node.type))
        return Value(node.type, made)
    if node.type.is_temporal or left.type.is_temporal or right.type.is_temporal:
        return plus_minus(symbol, node, left, right, run)
    return arithmetic(symbol, left, right, node.type, run)


@scalar("+")
def plus(node: Call, args: Sequence[Value], run: Evaluation) -> Value:
    """Sum; of one argument, itself."""
    return _operation("+", node, args, run)


@scalar("-")
def minus(node: Call, args: Sequence[Value], run: Evaluation) -> Value:
    """Difference."""
    return _operation("-", node, args, run)


@scalar("*")
def times(node: Call, args: Sequence[Value], run: Evaluation) -> Value:
    """Product."""
    return _operation("*", node, args, run)


@scalar("/")
def divide(node: Call, args: Sequence[Value], run: Evaluation) -> Value:
    """Division of doubles: by zero it gives an infinity or NaN."""
    return _operation("/", node, args, run)


@scalar("neg")
def negative(node: Call, args: Sequence[Value], run: Evaluation) -> Value:
    """Unary minus."""
    (arg,) = args
    if node.type.is_float:
        return Value(node.type, run.ops.unary("NEGATE", arg.column))
    zero = Value(arg.type, None, 0)
    return arithmetic("-", zero, arg, node.type, run, lambda values: messages.negation_overflow())


@scalar("//")
def integer_divide(node: Call, args: Sequence[Value], run: Evaluation) -> Value:
    """Division truncated toward zero; by zero it is an error."""
    return _division("//", "DIV", node, args, run)


@scalar("%")
def modulo(node: Call, args: Sequence[Value], run: Evaluation) -> Value:
    """What truncated division leaves, with the sign of the dividend; by zero it is an error."""
    return _division("%", "MOD", node, args, run)


def _division(symbol: str, operator: str, node: Call, args: Sequence[Value], run: Evaluation) -> Value:
    left, right = args
    ops = run.ops
    zero = Value(right.type, None, 0.0 if right.type.is_float else 0)
    failures: list[Failure] = []
    # What is left of a double over zero is NaN.
    raises = symbol == "//" or not node.type.is_float
    if raises and (not right.is_constant or right.literal == 0):
        divisor = run.column(right)
        is_zero = ops.is_true(ops.binary("EQUAL", divisor, run.operand(zero)))
        valid = is_zero if left.is_constant else ops.both(is_zero, ops.is_valid(left.column))
        failures.append(run.failure(valid, lambda: messages.division_by_zero(symbol)))
        one = Value(right.type, None, 1.0 if right.type.is_float else 1)
        right = Value(right.type, ops.choose(run.operand(one), divisor, is_zero), bounds=right.bounds)
    if node.type.is_float:
        made = ops.binary(operator, run.operand(left), run.operand(right), data_type(node.type))
        return Value(node.type, made, failures=tuple(failures))
    unsigned = node.type.id is TypeId.UBIGINT
    whole = named_type("UINT64" if unsigned else "INT64")
    form = pa.uint64() if unsigned else pa.int64()
    a, b = (
        ops.scalar(pa.scalar(v.literal, form)) if v.is_constant else ops.cast(v.column, whole)
        for v in (left, right)
    )
    low, high = values_range(node.type)
    bounds = left.known_bounds()
    if symbol == "//":
        failures += _least_by_minus_one(left, right, low, run)
        bounds = range_of("*", bounds, (-1, 1))
    made = ops.binary(operator, a, b, whole)
    bounds = max(low, min(bounds[0], 0)), min(high, max(bounds[1], 0))
    return Value(node.type, stored(made, node.type, bounds, run), bounds=bounds, failures=tuple(failures))


def _least_by_minus_one(left: Value, right: Value, low: int, run: Evaluation) -> list[Failure]:
    """The least integer over -1 has no result."""
    if left.known_bounds()[0] > low or not right.known_bounds()[0] <= -1 <= right.known_bounds()[1]:
        return []
    least = run.ops.scalar(pa.scalar(max(low, INT64_LOW), pa.int64()))
    minus_one = run.ops.scalar(pa.scalar(-1, pa.int64()))
    whole = named_type("INT64")
    a, b = (run.ops.cast(run.column(value), whole) for value in (left, right))
    both = run.ops.both(run.ops.binary("EQUAL", a, least), run.ops.binary("EQUAL", b, minus_one))
    return [run.failure(both, lambda: messages.division_overflow(low, -1))]
