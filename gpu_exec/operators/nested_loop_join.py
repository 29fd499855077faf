"""Nested-loop join: tests a condition for every pair of rows, block by block."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Any

from ...physical.batch import Batch
from ...physical.context import Task
from ...physical.pipeline import LoopTransform
from ...planner.logical import JoinKind
from ..ops import Ops
from . import join_pairs as join
from .base import BatchTransform, ops_of, sliced
from .build import BuiltRows
from .join_output import joined
from .mark_join import marked
from .registry import implements


@implements(LoopTransform)
class Loop(BatchTransform):
    """Joins left batches with all right rows."""

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
        step = max(1, join.block(ops) // max(1, built.num_rows))
        for batch in rows:
            for start in range(0, batch.num_rows, step):
                stop = min(start + step, batch.num_rows)
                yield ops.memory.run(functools.partial(sliced, batch, start, stop, ops), task.check)
            del batch  # the next is made without this one in memory

    def made(self, batch: Batch, task: Task, ops: Ops) -> Batch | None:
        """The join's rows for a few left rows."""

        node, built = self.node, task.artifacts[self.build]

        def parts(rows: Batch, keys: list[Any]) -> Iterator[join.Pairs]:
            return join.blocks(batch, rows, node.condition, join.block(ops), task.check, ops)

        def pairs_of(rows: Batch, keys: list[Any]) -> join.Pairs:
            found = ops.concatenated([[pairs.left, pairs.right] for pairs in parts(rows, keys)])
            return join.Pairs(*found)

        if node.kind is JoinKind.MARK:
            return marked(node, parts, node.mark_terms, batch, built, ops)
        return joined(node, pairs_of, batch, built, ops)
