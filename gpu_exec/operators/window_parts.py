"""Windows over more rows than fit on the device: divided by the hash of the partition keys.

Every part has whole partitions and is worked on by itself; its rows are then put back where they were. One
partition is never divided: where it is too large, there is not enough memory.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

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
from .concat import as_wide, concat_batches
from .divide import by_hash
from .in_place import in_place
from .join_keys import comparable

# How often a part is divided again, by another hash.
_MOST_DEPTH = 4
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
        self._parts_made = 0

    def rows(self, batches: Sequence[HeldWindow]) -> list[HeldBatch]:
        """The rows of all batches with the values of the calls, as they are."""
        if not batches:
            return []
        ops, task = self._ops, self._task
        if not self._node.partition or _size(batches) <= ops.memory.work_bytes:
            try:
                return in_pieces(self._run(lambda: self._whole(batches)), ops.memory.batch_bytes, ops, task)
            except DeviceMemoryShort:
                if not self._node.partition:
                    raise
        found = self._parts(self._placed(batches), 0)
        return in_place(found, _PLACE, self._node.schema, lambda: self._parts_made, ops, task)

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

    def _parts(self, batches: Sequence[HeldWindow], depth: int) -> Iterator[HeldBatch]:
        """The rows of every part, with their places."""
        if not batches:
            return
        size, work = _size(batches), self._ops.memory.work_bytes
        # The first division is made in any case: all at once was too much.
        if depth and (size <= work or depth == _MOST_DEPTH):
            try:
                yield self._run(lambda: self._part(batches))
                return
            except DeviceMemoryShort:
                if depth == _MOST_DEPTH:
                    raise
        wide = [any(flags) for flags in zip(*(batch.wide_keys for batch in batches), strict=True)]
        count = 2 + size // max(1, work // 2)
        self._parts_made = max(self._parts_made, count)
        parts: list[list[HeldWindow]] = [[] for _ in range(count)]
        for held in batches:
            for split in self._ops.memory.each(
                held.num_rows,
                lambda start, stop, held=held: self._split(held, start, stop, wide, count, depth),
                self._task.check,
            ):
                for part, rows in zip(parts, split, strict=True):
                    if rows is not None:
                        part.append(rows)
        for part in parts:
            yield from self._parts(part, depth + 1)

    def _split(
        self, held: HeldWindow, start: int, stop: int, wide: Sequence[bool], count: int, seed: int
    ) -> list[HeldWindow | None]:
        """Some rows by the hash of their partition keys, which are as wide as those of other batches."""
        ops = self._ops
        rows = sliced(held.batch(ops), start, stop, ops)
        keys = [comparable(rows.column(key.id), ops) for key in self._node.partition]
        keys = [as_wide(key, ops) if flag else key for key, flag in zip(keys, wide, strict=True)]
        return [
            None
            if part is None
            else HeldWindow(device_batch(rows.schema, *part, rows.bounds), self._node.partition, ops)
            for part in by_hash(rows.columns, keys, count, seed, ops)
        ]


def _size(batches: Sequence[HeldBatch]) -> int:
    return sum(batch.nbytes for batch in batches)
