"""Series of numbers and times, vectors of numbers, and aggregates of the elements of a list."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ...planner import messages_values as messages
from ...planner.expr import AggregateCall, Call, ColumnRef, Literal
from ...planner.types import BIGINT, TypeId
from ..kernels.arrays import I64
from ..nested import Lists, list_vector, lists_of
from ..vector import Vector
from .lists import numbers, valid_rows
from .registry import Evaluate, Interruptible, scalar

# What one list of a series may hold.
_MOST = 2**31 - 1


@scalar("range", "generate_series")
def series(call: Call) -> Evaluate:
    """Numbers, or times by an interval."""
    closed = call.function == "generate_series"
    if call.type.element.id is not TypeId.BIGINT:
        from .list_times import time_series

        return time_series(call, closed)

    def evaluate(args: Sequence[Vector], n: int) -> Vector:
        valid = valid_rows(n, *args)
        values = [numbers(arg, n) for arg in args]
        one = np.ones(n, dtype=np.int64)
        if len(values) == 1:
            start, stop, step = 0 * one, values[0], one
        else:
            start, stop, step = (*values, one)[:3]
        lengths = _steps(start, stop, step, closed)
        if valid is not None:
            lengths = np.where(valid, lengths, 0)
        if int(lengths.max(initial=0)) > _MOST:
            raise messages.invalid_input("Lists larger than 2^32 elements are not supported")
        walk = Lists(np.zeros(n, dtype=np.int64), lengths, None, Vector.constant(BIGINT, 0))
        rows = walk.rows
        elements = start[rows] + walk.places * step[rows]
        return list_vector(call.type, lengths, Vector.of_values(BIGINT, elements), valid)

    return evaluate


def _steps(start: I64, stop: I64, step: I64, closed: bool) -> I64:
    """How many numbers there are."""
    size = np.where(step == 0, 1, np.abs(step))
    distance = np.where(step > 0, stop - start, start - stop)
    count = distance // size + 1 if closed else -(-distance // size)
    return np.where((step == 0) | (distance < 0), 0, np.maximum(count, 0))


def _pairs(call: Call, combine: Callable[[Any, Any, I64, int], Any]) -> Evaluate:
    """A number of two vectors of one length. `combine` takes all elements of both, their rows and the number
    of rows."""
    name = call.function

    def evaluate(args: Sequence[Vector], n: int) -> Vector:
        left, right = lists_of(args[0], n), lists_of(args[1], n)
        valid = valid_rows(n, *args)
        differ = left.lengths != right.lengths
        if valid is not None:
            differ &= valid
            left = left._replace(lengths=np.where(valid, left.lengths, 0))
            right = right._replace(lengths=np.where(valid, right.lengths, 0))
        if differ.any():
            row = int(np.argmax(differ))
            raise messages.invalid_input(
                f"{name}: list dimensions must be equal, got left length '{left.lengths[row]}' and right "
                f"length '{right.lengths[row]}'"
            )
        sides = []
        for side, lists in (("left", left), ("right", right)):
            elements = lists.dense().expand(int(lists.lengths.sum()))
            if elements.valid is not None and not elements.valid.all():
                raise messages.invalid_input(f"{name}: {side} argument can not contain NULL values")
            sides.append(elements.values.astype(np.float64))
        values = combine(sides[0], sides[1], left.rows, n)
        return Vector.of_values(
            call.type, values.astype(np.float32 if call.type.id is TypeId.FLOAT else np.float64), valid
        )

    return evaluate


def _total(values: Any, rows: I64, n: int) -> Any:
    return np.bincount(rows, weights=values, minlength=n)


@scalar("list_distance")
def list_distance(call: Call) -> Evaluate:
    """The root of the sum of squared differences."""
    return _pairs(call, lambda a, b, rows, n: np.sqrt(_total((a - b) ** 2, rows, n)))


@scalar("list_inner_product", "list_negative_inner_product")
def list_inner_product(call: Call) -> Evaluate:
    """The sum of products."""
    sign = -1.0 if "negative" in call.function else 1.0
    return _pairs(call, lambda a, b, rows, n: sign * _total(a * b, rows, n))


@scalar("list_cosine_similarity", "list_cosine_distance")
def list_cosine(call: Call) -> Evaluate:
    """The inner product of the vectors made as long as 1."""

    def cosine(a: Any, b: Any, rows: I64, n: int) -> Any:
        with np.errstate(invalid="ignore", divide="ignore"):
            found = _total(a * b, rows, n) / np.sqrt(_total(a * a, rows, n) * _total(b * b, rows, n))
        found = np.clip(found, -1.0, 1.0)
        return 1.0 - found if call.function.endswith("distance") else found

    return _pairs(call, cosine)


@scalar("list_aggregate")
def list_aggregate(call: Call) -> Evaluate:
    """The aggregate of the second argument over the elements of each list."""
    name = call.args[1]
    assert isinstance(name, Literal)
    from ..operators.aggregate_functions import bind_call
    from ..operators.aggregate_plan import AggregatePlan, start_states
    from ..operators.aggregate_state import Rows

    element = call.args[0].type.element
    value = ColumnRef(element, 0, "element")
    aggregate = AggregateCall(call.type, str(name.value), (value, *call.args[2:]))
    if aggregate.function == "count_star":
        aggregate = replace(aggregate, args=())
    plan = AggregatePlan(grouped=True)
    finish = bind_call(aggregate, plan)

    def evaluate(args: Sequence[Vector], n: int, check: Callable[[], None]) -> Vector:
        from ...physical.batch import Batch
        from ...planner.expr import Column
        from ..expressions import compile_many

        lists = lists_of(args[0], n)
        rows = lists.rows
        states = start_states(plan, check)
        if len(rows):
            column = Column(0, "element", element)
            batch = Batch((column,), (lists.dense().to_array(len(rows)),), len(rows))
            vectors = [vector.expand(len(rows)) for vector in compile_many(plan.exprs)(batch, check)]
            for slot, state in zip(plan.slots, states, strict=True):
                held = [vectors[i] for i in slot.args]
                state.update(Rows(held, rows.astype(np.int32), n, len(rows)))
        result = Vector.of_array(call.type, finish(states, n))
        if lists.valid is None:
            return result
        from ..nested import masked

        return masked(result, lists.valid)

    return Interruptible(evaluate)
