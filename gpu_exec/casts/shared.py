"""What casts share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...physical.stored import cast_error, physical_name
from ...planner.expr import Cast
from ...planner.types import SQLType
from ..number import nulled
from ..values import Evaluation, Failure, Value

Build = Callable[[Cast, Value, Evaluation], Value]


def shown(type_: SQLType) -> str:
    """How messages call a type: by its width where that is a number's, else by its SQL name."""
    return str(type_) if type_.is_decimal or type_.is_temporal else physical_name(type_)


def unfit(arg: Value, rows: Any, target: SQLType, run: Evaluation) -> Failure:
    """The rows of numbers that the target cannot hold."""
    return run.failure_of(rows, (arg,), lambda values: cast_error(arg.type, values[0], target))


def settled(node: Cast, column: Any, failure: Failure, run: Evaluation, **known: Any) -> Value:
    """The result of CAST, which fails at the failure's rows, or of TRY_CAST, which is NULL there."""
    if node.safe:
        return Value(node.type, nulled(column, failure.rows, run.ops), **known)
    return Value(node.type, column, failures=(failure,), **known)
