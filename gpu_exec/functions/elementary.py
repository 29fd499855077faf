"""Functions of doubles, and abs."""

from __future__ import annotations

from collections.abc import Sequence

from ...planner.expr import Call
from ...planner.types import SQLType, TypeId
from ..integers import arithmetic
from ..storage import data_type
from ..values import Evaluation, Value
from .registry import Function, scalar

_UNARY = {
    "sin": "SIN",
    "cos": "COS",
    "tan": "TAN",
    "asin": "ARCSIN",
    "acos": "ARCCOS",
    "atan": "ARCTAN",
    "sinh": "SINH",
    "cosh": "COSH",
    "tanh": "TANH",
    "exp": "EXP",
    "ln": "LOG",
    "sqrt": "SQRT",
    "cbrt": "CBRT",
}


def _on_doubles(operator: str) -> Function:
    def evaluate(node: Call, args: Sequence[Value], run: Evaluation) -> Value:
        return Value(node.type, run.ops.unary(operator, args[0].column))

    return evaluate


for _name, _operator in _UNARY.items():
    scalar(_name)(_on_doubles(_operator))


@scalar("abs")
def absolute(node: Call, args: Sequence[Value], run: Evaluation) -> Value:
    """The absolute value; of the least integer it is an error."""
    (arg,) = args
    if node.type.is_float:
        return Value(node.type, run.ops.unary("ABS", arg.column))
    negative = arithmetic("-", Value(arg.type, None, 0), arg, node.type, run)
    zero = run.operand(Value(arg.type, None, 0), wide=arg.is_wide)
    below = run.ops.is_true(run.ops.binary("LESS", arg.column, zero))
    wide = negative.is_wide or arg.is_wide
    made = run.ops.choose(run.operand(negative, wide=wide), run.operand(arg, wide=wide), below)
    low, high = arg.known_bounds()
    return Value(
        node.type,
        made,
        bounds=(0, max(abs(low), abs(high))),
        failures=run.only_where(negative.failures, below),
    )


@scalar("isnan")
def is_nan(node: Call, args: Sequence[Value], run: Evaluation) -> Value:
    """Whether a double is NaN."""
    return Value(SQLType(TypeId.BOOLEAN), run.ops.binary("NOT_EQUAL", args[0].column, args[0].column))


@scalar("pow")
def power(node: Call, args: Sequence[Value], run: Evaluation) -> Value:
    """x to the power of y."""
    left, right = (run.operand(arg) for arg in args)
    return Value(node.type, run.ops.binary("POW", left, right, data_type(node.type)))
