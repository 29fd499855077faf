"""Hash join: finds the pairs of left batches and the finished right side."""

from __future__ import annotations

from typing import Any

from ...physical.batch import Batch
from ...physical.context import Task
from ...physical.pipeline import ProbeTransform
from ...planner.logical import JoinKind
from ..expressions import columns
from ..ops import Ops
from . import join_pairs as join
from .base import BatchTransform
from .build import BuiltRows
from .join_keys import both_keys
from .join_output import joined
from .mark_pairs import hash_marked
from .registry import implements


@implements(ProbeTransform)
class Probe(BatchTransform):
    """Joins left batches with the build side, as logical.Join defines each kind."""

    def __init__(self, spec: ProbeTransform, backend: Any) -> None:
        self.node = spec.node
        self.op_id = spec.node.op_id
        self.build = spec.build

    def made(self, batch: Batch, task: Task, ops: Ops) -> Batch | None:
        """The join's rows for a left batch, without what LeftoverSource adds once all have been seen."""
        node = self.node
        built: BuiltRows = task.artifacts[self.build]
        left_keys = columns([key.left for key in (*node.keys, *node.mark_keys)], batch, ops)
        if node.kind is JoinKind.MARK:
            return hash_marked(node, batch, left_keys, built, task, ops)

        def pairs_of(rows: Batch, keys: list[Any]) -> join.Pairs:
            left, right = both_keys(node, left_keys, keys, ops)
            return join.matching(join.equal_pairs(left, right, ops), node.residual, batch, rows, ops)

        return joined(node, pairs_of, batch, built, ops)
