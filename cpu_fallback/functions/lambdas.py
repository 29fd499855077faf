"""Functions of lists with a lambda: its body is computed over the elements of all lists at once, what it
reads of the rows around is repeated for each element.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ...physical.batch import Batch
from ...planner import messages_values as messages
from ...planner.expr import Call, Column, LambdaCall
from ...planner.types import BIGINT
from ..nested import Lists, concatenated, list_vector, lists_of
from ..vector import Vector, null_constant
from .registry import Check, Evaluate, Interruptible, scalar


class _Body:
    """The compiled body: a function of its parameters and of what it reads outside, by row."""

    def __init__(self, call: Call) -> None:
        from ..expressions import compile_expression

        assert isinstance(call, LambdaCall)
        assert call.body is not None
        self.own = call.own
        self.params = call.params
        outside = [arg.type for arg in call.args[call.own :]]
        self.columns = tuple(Column(-1 - i, "", kind) for i, kind in enumerate((*call.params, *outside)))
        self.compute = compile_expression(call.body)
        self.type = call.body.type

    def __call__(
        self, params: Sequence[Vector], outside: Sequence[Vector], rows: Any, check: Check
    ) -> Vector:
        """The body's value for each entry of `rows`, which are rows of `outside`; as many parameters."""
        n = len(rows)
        if n == 0:
            return null_constant(self.type).expand(0)
        taken = [vector.take(rows) for vector in outside]
        arrays = [vector.to_array(n) for vector in (*params, *taken)]
        batch = Batch(self.columns[: len(arrays)], arrays, n)
        return self.compute(batch, check).expand(n)


def _elements(body: _Body, lists: Lists, rows: Any) -> list[Vector]:
    """The parameters: the elements and, if wanted, their positions."""
    params = [lists.dense()]
    if len(body.params) == 2:
        before = np.cumsum(lists.lengths) - lists.lengths
        params.append(Vector.of_values(BIGINT, np.arange(len(rows)) - before[rows] + 1))
    return params


def _made(call: Call, use: Callable[[_Body, Lists, Any, Vector], Vector]) -> Evaluate:
    body = _Body(call)

    def evaluate(args: Sequence[Vector], n: int, check: Check) -> Vector:
        lists = lists_of(args[0], n)
        rows = lists.rows
        values = body(_elements(body, lists, rows), args[body.own :], rows, check)
        return use(body, lists, rows, values)

    return Interruptible(evaluate)


@scalar("list_transform")
def list_transform(call: Call) -> Evaluate:
    """The body's values."""

    def use(body: _Body, lists: Lists, rows: Any, values: Vector) -> Vector:
        return list_vector(call.type, lists.lengths, values, lists.valid)

    return _made(call, use)


@scalar("list_filter")
def list_filter(call: Call) -> Evaluate:
    """The elements for which the body is true."""

    def use(body: _Body, lists: Lists, rows: Any, values: Vector) -> Vector:
        kept = np.flatnonzero(values.values) if len(rows) else np.zeros(0, dtype=np.int64)
        lengths = np.bincount(rows[kept], minlength=len(lists.lengths)).astype(np.int64)
        return list_vector(call.type, lengths, lists.dense().take(kept), lists.valid)

    return _made(call, use)


@scalar("list_reduce")
def list_reduce(call: Call) -> Evaluate:
    """The first two elements put together, then the result and the third, and so on: each step for all lists
    that are long enough.
    """
    body = _Body(call)

    def evaluate(args: Sequence[Vector], n: int, check: Check) -> Vector:
        lists = lists_of(args[0], n)
        valid = np.ones(n, dtype=np.bool_) if lists.valid is None else lists.valid
        if body.own == 2:
            state, at = args[1].expand(n), 0
        else:
            if (valid & (lists.lengths == 0)).any():
                raise messages.invalid_input("Cannot perform list_reduce on an empty input list")
            state = (
                lists.elements.take(np.where(valid, lists.starts, 0))
                if valid.any()
                else null_constant(call.type).expand(n)
            )
            at = 1
        for place in range(at, int(lists.lengths.max(initial=0))):
            check()
            rows = np.flatnonzero(lists.lengths > place)
            params = [state.take(rows), lists.elements.take(lists.starts[rows] + place)]
            if len(body.params) == 3:
                params.append(Vector.of_values(BIGINT, np.full(len(rows), place + 1)))
            made = body(params, args[body.own :], rows, check)
            both = concatenated(call.type, [(state, n), (made, len(rows))])
            places = np.arange(n)
            places[rows] = n + np.arange(len(rows))
            state = both.take(places)
        from ..nested import masked

        return state if lists.valid is None else masked(state, valid)

    return Interruptible(evaluate)
