"""Comparisons, IN lists, IS NULL and IS [NOT] DISTINCT FROM, in the order of values that SQL has.

libcudf compares doubles as IEEE does; in SQL NaN equals itself and is above everything.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from ..planner.types import BOOLEAN
from . import expr_logic
from .storage import arrow_values
from .values import Evaluation, Value, null_value

_OPERATORS = {
    "=": "EQUAL",
    "<>": "NOT_EQUAL",
    "<": "LESS",
    "<=": "LESS_EQUAL",
    ">": "GREATER",
    ">=": "GREATER_EQUAL",
}
_MIRRORED = {"=": "=", "<>": "<>", "<": ">", "<=": ">=", ">": "<", ">=": "<="}


def compare(op: str, left: Value, right: Value, run: Evaluation) -> Value:
    """`left op right` of one type; NULL where either is, but for the two NULL-safe operators."""
    if left.is_constant and right.is_constant:
        left = Value(left.type, run.column(left), bounds=left.bounds)
    if op.startswith("is"):
        same = _same(left, right, run)
        return run.boolean(same if "not" in op else run.ops.inverse(same), left, right)
    if left.is_null or right.is_null:
        return null_value(BOOLEAN).failing(left, right)
    if left.type.is_float:
        return run.boolean(_floats(op, left, right, run), left, right)
    wide = left.is_wide or right.is_wide
    a, b = run.operand(left, wide=wide), run.operand(right, wide=wide)
    return run.boolean(run.ops.binary(_OPERATORS[op], a, b), left, right)


def _floats(op: str, left: Value, right: Value, run: Evaluation) -> Any:
    ops = run.ops
    if left.is_constant:
        return _floats(_MIRRORED[op], right, left, run)
    match op:
        case "=":
            return _equal_floats(left, right, run)
        case "<>":
            return ops.inverse(_equal_floats(left, right, run))
        case ">":
            return _above(left, right, run)
        case "<=":
            return ops.inverse(_above(left, right, run))
    at_least = ops.either(_above(left, right, run), _equal_floats(left, right, run))
    return at_least if op == ">=" else ops.inverse(at_least)


def _equal_floats(left: Value, right: Value, run: Evaluation) -> Any:
    plain = run.ops.binary("EQUAL", left.column, run.operand(right))
    return run.ops.either(plain, _both_nan(left, right, run))


def _above(left: Value, right: Value, run: Evaluation) -> Any:
    """left > right: NaN is above all that is not NaN. NULL where either is."""
    ops = run.ops
    if right.is_constant and math.isnan(right.literal):
        return ops.binary("LESS", left.column, left.column)
    above = ops.binary("GREATER", left.column, run.operand(right))
    nan = _nan(left.column, run)
    if right.is_constant:
        return ops.either(above, nan)
    number = ops.binary("EQUAL", right.column, right.column)
    return ops.either(above, ops.binary("LOGICAL_AND", nan, number))


def _nan(column: Any, run: Evaluation) -> Any:
    """True at NaN, NULL at NULL."""
    return run.ops.binary("NOT_EQUAL", column, column)


def _both_nan(left: Value, right: Value, run: Evaluation) -> Any:
    nan = _nan(left.column, run)
    if right.is_constant:
        if math.isnan(right.literal):
            return nan
        return run.ops.binary("LESS", left.column, left.column)
    return run.ops.binary("LOGICAL_AND", nan, _nan(right.column, run))


def _same(left: Value, right: Value, run: Evaluation) -> Any:
    """IS NOT DISTINCT FROM, never NULL."""
    ops = run.ops
    if left.is_constant:
        left, right = right, left
    if right.is_null:
        return ops.is_null(left.column)
    equal = ops.is_true(compare("=", left, right, run).column)
    if right.is_constant:
        return equal
    return ops.either(equal, ops.both(ops.is_null(left.column), ops.is_null(right.column)))


def is_null(arg: Value, run: Evaluation) -> Value:
    """IS NULL."""
    if arg.is_constant:
        return Value(BOOLEAN, None, arg.literal is None)
    return run.boolean(run.ops.is_null(arg.column), arg)


def in_list(arg: Value, items: Sequence[Value], run: Evaluation) -> Value:
    """`arg IN (items)`: NULL where nothing equals and an item, or `arg`, is NULL."""
    constants = [item.literal for item in items if item.is_constant and item.literal is not None]
    plain = not arg.is_constant and not arg.type.is_float and not arg.is_wide
    if not plain or len(constants) + sum(item.is_null for item in items) < len(items):
        terms = [compare("=", arg, item, run) for item in items]
        return expr_logic.connective(terms, run, conjunction=False)
    haystack = run.ops.upload(arrow_values(arg.type, constants))
    found = run.ops.plc.search.contains(haystack, arg.column, stream=run.ops.stream)
    if any(item.is_null for item in items):
        found = run.ops.either(found, run.ops.truth(None))
    return run.boolean(found, arg)
