"""abs, sign, factorial, greatest and least."""

from __future__ import annotations

import decimal
import math
from collections.abc import Sequence
from typing import Any

import pyarrow as pa

from ...planner import messages_values as messages
from ...planner.errors import SqlError
from ...planner.expr import Call
from ...planner.types import TINYINT
from ..expr_compare import compare
from ..integers import arithmetic
from ..number import Number
from ..storage import data_type
from ..values import Evaluation, Value, null_value
from .registry import scalar


@scalar("abs")
def absolute(node: Call, args: Sequence[Value], run: Evaluation) -> Value:
    """The absolute value; of the least integer it is an error."""
    arg = Value(args[0].type, run.column(args[0]), bounds=args[0].bounds)
    if node.type.is_float:
        return Value(node.type, run.ops.unary("ABS", arg.column))
    if arg.known_bounds()[0] >= 0:
        return arg
    zero = Value(arg.type, None, 0)

    def beyond(values: Sequence[Any]) -> SqlError:
        return messages.out_of_range(f"Overflow on abs({values[1]})")

    negative = arithmetic("-", zero, arg, node.type, run, beyond)
    below = run.ops.is_true(run.ops.binary("LESS", arg.column, run.operand(zero, wide=arg.is_wide)))
    wide = negative.is_wide or arg.is_wide
    made = run.ops.choose(run.operand(negative, wide=wide), run.operand(arg, wide=wide), below)
    low, high = arg.known_bounds()
    return Value(
        node.type,
        made,
        bounds=(0, max(abs(low), abs(high))),
        failures=run.only_where(negative.failures, below),
    )


@scalar("sign")
def sign(node: Call, args: Sequence[Value], run: Evaluation) -> Value:
    """-1, 0 or 1; 0 of NaN."""
    ops = run.ops
    arg = Value(args[0].type, run.column(args[0]))
    zero = run.operand(Value(arg.type, None, 0.0 if arg.type.is_float else 0), wide=arg.is_wide)
    above, below = (Number(ops.binary(op, arg.column, zero), ops) for op in ("GREATER", "LESS"))
    return Value(TINYINT, ops.cast((above - below).column, data_type(TINYINT)), bounds=(-1, 1))


_FACTORIALS = 33


@scalar("factorial")
def factorial(node: Call, args: Sequence[Value], run: Evaluation) -> Value:
    """1 * 2 * ... * n as HUGEINT, up to 33."""
    ops = run.ops
    n = Number(run.column(args[0]), ops, "INT32")
    negative = run.failure(
        n.below(0), lambda: messages.out_of_range("factorial of a negative number is undefined")
    )
    large = run.failure(n.above(_FACTORIALS), lambda: messages.out_of_range("Value out of range"))
    values = [decimal.Decimal(math.factorial(i)) for i in range(_FACTORIALS + 1)]
    table = ops.upload(pa.array(values, pa.decimal128(38, 0)))
    places = n.unless(n.outside(0, _FACTORIALS), 0).column
    (made,) = ops.gathered([table], ops.filled(places, ops.int32(-1)), outside_is_null=True)
    return Value(node.type, made, failures=(negative, large))


@scalar("greatest", "least")
def extreme(node: Call, args: Sequence[Value], run: Evaluation) -> Value:
    """The first of the largest or smallest arguments that are not NULL; NULL if all are."""
    ops, op = run.ops, ">" if node.function == "greatest" else "<"
    some = [arg for arg in args if not arg.is_null]
    if not some:
        return null_value(node.type)
    wide = any(arg.is_wide for arg in some)
    best = Value(node.type, run.column(some[0]), bounds=some[0].bounds)
    for arg in some[1:]:
        better = ops.is_true(compare(op, arg, best, run).column)
        if best.column.null_count():
            present = ops.repeated(ops.truth(True), run.rows) if arg.is_constant else ops.is_valid(arg.column)
            better = ops.either(better, ops.both(ops.is_null(best.column), present))
        made = ops.choose(run.operand(arg, wide=wide), run.operand(best, wide=wide), better)
        best = Value(node.type, made)
    if (node.type.is_numeric and not node.type.is_float) or node.type.is_temporal:
        lows, highs = zip(*(arg.known_bounds() for arg in some), strict=True)
        best = Value(node.type, best.column, bounds=(min(lows), max(highs)))
    return best
