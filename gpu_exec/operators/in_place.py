"""Rows that were worked on in parts, put back in the order of a column of places."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from ...physical.context import Task
from ...planner.expr import Column
from ..held import HeldBatch
from ..ops import Ops
from .base import gathered
from .concat import concat_batches
from .divide import by_number


def in_place(
    parts: Iterator[HeldBatch],
    place: Column,
    schema: Sequence[Column],
    count: Callable[[], int],
    ops: Ops,
    task: Task,
) -> list[HeldBatch]:
    """The rows of all parts by place (INT64), ascending within a part; `schema` of them is kept.

    They are divided by ranges of places, `count` or fewer, for which the first part is the sample: rows are
    spread over parts by a hash. `count` is asked when there is a first part.
    """

    def splitters_of(held: HeldBatch) -> Any:
        """Some places of the part, ascending, at even distances."""
        rows = held.batch(ops).column(place.id)
        number = min(count(), rows.size())
        (found,) = ops.gathered([rows], ops.row_numbers(number, step=max(1, rows.size() // number)))
        return found

    def divided(held: HeldBatch, ends: Any) -> list[HeldBatch | None]:
        rows = held.batch(ops)
        numbers = ops.places([ends], [rows.column(place.id)], [False], [True], after=True)
        return by_number(rows, numbers, ends.size() + 1, ops)

    def ordered(some: Sequence[HeldBatch]) -> HeldBatch:
        rows = concat_batches(some[0].schema, [held.batch(ops) for held in some], ops)
        order = ops.order([rows.column(place.id)], [False], [True])
        return HeldBatch(gathered(rows, order, ops).select(schema), ops)

    def run(step: Any) -> Any:
        return ops.memory.run(step, task.check)

    ranges: list[list[HeldBatch]] = []
    splitters: Any = None
    for held in parts:
        if splitters is None:
            splitters = run(lambda held=held: splitters_of(held))
            ranges = [[] for _ in range(splitters.size() + 1)]
        found = run(lambda held=held, ends=splitters: divided(held, ends))
        for some, rows in zip(ranges, found, strict=True):
            if rows is not None:
                some.append(rows)
    return [run(lambda some=some: ordered(some)) for some in ranges if some]
