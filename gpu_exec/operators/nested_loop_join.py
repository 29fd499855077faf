"""Nested-loop join: tests a condition for every pair of rows, block by block."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Any

from ...physical.batch import Batch
from ...physical.context import Task
from ...physical.pipeline import LoopTransform
from ..ops import Ops
from . import join_pairs as join
from .base import BatchTransform, ops_of, sliced
from .build import BuiltRows
from .join_output import joined
from .registry import implements

# Pairs tested at once, at most.
BLOCK = 1 << 24
# Bytes that testing a pair takes beside the columns it reads.
_PAIR_BYTES = 32


@implements(LoopTransform)
class Loop(BatchTransform):
    """Joins left batches with all right rows; every kind but MARK."""

    def __init__(self, spec: LoopTransform, backend: Any) -> None:
        self.node = spec.node
        self.op_id = spec.node.op_id
        self.build = spec.build

    def __call__(self, rows: Iterator[Batch], task: Task) -> Iterator[Batch]:
        """The join's rows, without what LeftoverSource adds once all left rows have been seen."""
        return super().__call__(self._few(rows, task), task)

    def _few(self, rows: Iterator[Batch], task: Task) -> Iterator[Batch]:
        """So few left rows at once that one block holds all their pairs, if any number does."""
        ops = ops_of(task)
        built: BuiltRows = task.artifacts[self.build]
        step = max(1, _block(ops) // max(1, built.num_rows))
        for batch in rows:
            for start in range(0, batch.num_rows, step):
                stop = min(start + step, batch.num_rows)
                yield ops.memory.run(functools.partial(sliced, batch, start, stop, ops), task.check)

    def made(self, batch: Batch, task: Task, ops: Ops) -> Batch | None:
        """The join's rows for a few left rows."""

        def pairs_of(rows: Batch, keys: list[Any]) -> join.Pairs:
            parts: list[list[Any]] = []
            block = max(1, _block(ops) // batch.num_rows)
            for start in range(0, max(rows.num_rows, 1), block):
                task.check()
                pairs = join.all_pairs(batch.num_rows, start, min(start + block, rows.num_rows), ops)
                found = join.matching(pairs, self.node.condition, batch, rows, ops)
                parts.append([found.left, found.right])
            return join.Pairs(*ops.concatenated(parts))

        return joined(self.node, pairs_of, batch, task.artifacts[self.build], ops)


def _block(ops: Ops) -> int:
    return max(1024, min(BLOCK, ops.memory.work_bytes // _PAIR_BYTES))
