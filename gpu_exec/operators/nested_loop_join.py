"""Nested-loop join: tests a condition for every pair of rows, block by block."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...physical.batch import Batch
from ...physical.context import Task
from ...physical.pipeline import LoopTransform
from ..ops import Ops
from . import join_pairs as join
from .base import ops_of, sliced
from .build import BuiltRows
from .join_output import joined
from .registry import implements

# Pairs tested at once.
BLOCK = 1 << 24


@implements(LoopTransform)
class Loop:
    """Joins left batches with all right rows; every kind but MARK."""

    def __init__(self, spec: LoopTransform, backend: Any) -> None:
        self.node = spec.node
        self.op_id = spec.node.op_id
        self.build = spec.build

    def __call__(self, rows: Iterator[Batch], task: Task) -> Iterator[Batch]:
        """The join's rows, without what LeftoverSource adds once all left rows have been seen."""
        ops = ops_of(task)
        built: BuiltRows = task.artifacts[self.build]
        for batch in rows:
            # Few enough left rows at once that one block holds all their pairs, if any number does.
            step = max(1, BLOCK // max(1, built.rows.num_rows))
            for start in range(0, batch.num_rows, step):
                task.check()
                part = sliced(batch, start, min(start + step, batch.num_rows), ops)
                found = self._joined(part, built, task, ops)
                if found is not None and found.num_rows:
                    yield found

    def _joined(self, batch: Batch, built: BuiltRows, task: Task, ops: Ops) -> Batch | None:
        return joined(self.node, self._pairs(batch, built, task, ops), batch, built, ops)

    def _pairs(self, batch: Batch, built: BuiltRows, task: Task, ops: Ops) -> join.Pairs:
        """The matching pairs, in order."""
        right = built.rows.num_rows
        parts: list[list[Any]] = []
        for start in range(0, max(right, 1), BLOCK):
            task.check()
            pairs = join.all_pairs(batch.num_rows, start, min(start + BLOCK, right), ops)
            found = join.matching(pairs, self.node.condition, batch, built.rows, ops)
            parts.append([found.left, found.right])
        pairs = join.Pairs(*ops.concatenated(parts))
        return join.in_order(pairs, ops) if len(parts) > 1 else pairs
