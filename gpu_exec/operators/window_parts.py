"""Windows over more rows than fit on the device: divided by the hash of the partition keys.

Every part has whole partitions and is worked on by itself; its rows are then put back where they were. One
partition is never divided: where it is too large, there is not enough memory.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ...physical import nodes
from ...physical.backend import DeviceMemoryShort
from ...physical.batch import Batch
from ...physical.context import Task
from ...planner.expr import Column, ColumnRef
from ...planner.types import BIGINT
from ..held import HeldBatch
from ..ops import Ops
from ..storage import is_wide
from .base import device_batch, in_pieces, sliced
from .concat import concat_batches
from .hash_parts import HashParts, Opened, total_bytes
from .in_place import in_place

_PLACE = Column(-1, "", BIGINT)


class HeldWindow(HeldBatch):
    """A batch that is held. `wide_keys`: which partition keys are stored 128 bits wide."""

    def __init__(self, batch: Batch, partition: Sequence[ColumnRef], ops: Ops) -> None:
        self.wide_keys = tuple(is_wide(batch.column(key.id)) for key in partition)
        super().__init__(batch, ops)


# Rows with the values of the calls: (node, rows, calls of the library, check, place of each row) -> rows
Compute = Callable[..., Batch]


class WindowParts:
    """The window functions of one node."""

    def __init__(self, node: nodes.Window, compute: Compute, ops: Ops, task: Task) -> None:
        self._node = node
        self._compute = compute
        self._ops = ops
        self._task = task

    def rows(self, batches: Sequence[HeldWindow]) -> list[HeldBatch]:
        """The rows of all batches with the values of the calls, as they are."""
        if not batches:
            return []
        ops, task = self._ops, self._task
        if not self._node.partition or total_bytes(batches) <= ops.memory.work_bytes:
            try:
                return in_pieces(self._run(lambda: self._whole(batches)), ops.memory.batch_bytes, ops, task)
            except DeviceMemoryShort:
                if not self._node.partition:
                    raise
        parts = HashParts(self._opened, self._part, ops, task)
        # All at once was too much.
        found = parts.results(self._placed(batches), divide=True)
        return in_place(found, _PLACE, self._node.schema, lambda: parts.made, ops, task)

    def _run(self, step: Callable[[], HeldBatch]) -> HeldBatch:
        return self._ops.memory.run(step, self._task.check)

    def _together(self, batches: Sequence[HeldWindow]) -> Batch:
        return concat_batches(batches[0].schema, [batch.batch(self._ops) for batch in batches], self._ops)

    def _whole(self, batches: Sequence[HeldWindow]) -> HeldBatch:
        return HeldBatch(
            self._compute(self._node, self._together(batches), self._ops, self._task.check), self._ops
        )

    def _part(self, batches: Sequence[HeldWindow]) -> HeldBatch:
        """The rows of some partitions, each with its place, ascending."""
        ops, rows = self._ops, self._together(batches)
        place = rows.column(_PLACE.id)
        order = ops.order([place], [False], [True])
        found = self._compute(self._node, rows, ops, self._task.check, place)
        columns = ops.gathered([place, *found.columns], order)
        return HeldBatch(device_batch((_PLACE, *found.schema), columns, found.num_rows, found.bounds), ops)

    def _placed(self, batches: Sequence[HeldWindow]) -> list[HeldWindow]:
        """The batches with their rows numbered."""
        first, placed = 0, []
        for held in batches:

            def step(held: HeldWindow = held, first: int = first) -> HeldWindow:
                ops, rows = self._ops, held.batch(self._ops)
                columns = [ops.numbers(range(first, first + rows.num_rows)), *rows.columns]
                made = device_batch((_PLACE, *rows.schema), columns, rows.num_rows, rows.bounds)
                return HeldWindow(made, self._node.partition, ops)

            placed.append(self._ops.memory.run(step, self._task.check))
            first += held.num_rows
        return placed

    def _opened(self, held: HeldWindow, start: int, stop: int) -> Opened[HeldWindow]:
        rows = sliced(held.batch(self._ops), start, stop, self._ops)
        partition = self._node.partition

        def kept(columns: list[Any], count: int) -> HeldWindow:
            return HeldWindow(device_batch(rows.schema, columns, count, rows.bounds), partition, self._ops)

        return rows.columns, [rows.column(key.id) for key in partition], kept
