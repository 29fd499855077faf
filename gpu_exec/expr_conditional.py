"""CASE and COALESCE: every branch is computed for all rows, and one is chosen for each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..planner.expr import Case, Coalesce
from .storage import data_type
from .values import Evaluation, Failure, Value, null_value


def case(node: Case, args: Sequence[Value], run: Evaluation) -> Value:
    """The value of the first branch whose condition is true; errors count in the rows that get there."""
    pairs = [(args[i], args[i + 1]) for i in range(0, len(args) - 1, 2)]
    chosen: list[tuple[Any, Value]] = []
    failures: list[Failure] = []
    left: Any = None  # rows no branch has taken yet; None: all
    for condition, value in pairs:
        failures += condition.failures if left is None else run.only_where(condition.failures, left)
        if condition.is_constant and not condition.literal:
            continue
        taken = run.truth(condition)
        if left is not None:
            taken = run.ops.both(taken, left)
        failures += run.only_where(value.failures, taken)
        chosen.append((taken, value))
        rest = run.ops.inverse(taken)
        left = rest if left is None else run.ops.both(left, rest)
    default = args[-1]
    failures += default.failures if left is None else run.only_where(default.failures, left)
    return _merged(node, chosen, default, failures, run)


def coalesce(node: Coalesce, args: Sequence[Value], run: Evaluation) -> Value:
    """The first argument that is not NULL."""
    chosen: list[tuple[Any, Value]] = []
    failures: list[Failure] = []
    left: Any = None
    for arg in args:
        failures += arg.failures if left is None else run.only_where(arg.failures, left)
        if arg.is_null:
            continue
        if arg.is_constant or not arg.column.null_count():
            return _merged(node, chosen, arg, failures, run)
        valid = run.ops.is_valid(arg.column)
        chosen.append((valid if left is None else run.ops.both(left, valid), arg))
        null = run.ops.inverse(valid)
        left = null if left is None else run.ops.both(left, null)
    return _merged(node, chosen, null_value(node.type), failures, run)


def _merged(
    node: Case | Coalesce,
    chosen: Sequence[tuple[Any, Value]],
    default: Value,
    failures: Sequence[Failure],
    run: Evaluation,
) -> Value:
    """For each row the value whose mask is true, else the default; masks exclude each other."""
    values = [default, *(value for _, value in chosen)]
    wide = any(value.is_wide for value in values)
    result: Any = None
    for mask, value in chosen[::-1]:
        other = run.operand(default, wide=wide) if result is None else result
        result = run.ops.choose(run.operand(value, wide=wide), other, mask)
    if result is None:
        return Value(node.type, default.column, default.literal, default.bounds, tuple(failures))
    known = [value for value in values if not value.is_null]
    bounds = None
    if all(value.bounds is not None or isinstance(value.literal, int) for value in known) and known:
        lows, highs = zip(*(value.known_bounds() for value in known), strict=True)
        bounds = min(lows), max(highs)
    assert result.type() == data_type(node.type, wide=wide), node
    return Value(node.type, result, bounds=bounds, failures=tuple(failures))
