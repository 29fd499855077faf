"""CAST and TRY_CAST on the device. Which there are `support.py` says; the rest run on the CPU.

A value that its target cannot hold is a failure, or NULL with TRY_CAST.
"""

from __future__ import annotations

from ...planner.expr import Cast
from ...planner.types import SQLType, TypeId
from ..values import Evaluation, Value, null_value
from .floats import float_to_decimal, float_to_float, float_to_integer, to_float
from .from_text import text_to_value
from .numbers import exact_to_exact, to_boolean
from .shared import Build
from .temporal import between_moments
from .to_text import value_to_text

__all__ = ["cast"]


def cast(node: Cast, arg: Value, run: Evaluation) -> Value:
    """A value as another type."""
    if arg.is_null or arg.type.id is TypeId.NULL:
        return null_value(node.type).failing(arg)
    if arg.type == node.type:
        return arg
    if arg.is_constant:
        arg = Value(arg.type, run.column(arg), bounds=arg.bounds)
    return _builder(arg.type, node.type)(node, arg, run).failing(arg)


def _builder(source: SQLType, target: SQLType) -> Build:
    if source.is_string:
        return text_to_value
    if target.is_string:
        return value_to_text
    if target.id is TypeId.BOOLEAN:
        return to_boolean
    if source.is_float:
        if target.is_float:
            return float_to_float
        return float_to_decimal if target.is_decimal or target.id is TypeId.HUGEINT else float_to_integer
    if source.is_temporal:
        assert target.is_temporal, target
        return between_moments
    return to_float if target.is_float else exact_to_exact
