"""Hash join: finds the pairs of left batches and the finished right side."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ...physical.batch import Batch
from ...physical.context import Task
from ...physical.nodes import HashJoin
from ...physical.pipeline import ProbeTransform
from ...planner.logical import JoinKind
from ..expressions import columns
from ..ops import Ops
from ..storage import is_wide
from . import join_pairs as join
from .base import device_batch, ops_of
from .build import BuiltRows
from .join_keys import key_table
from .join_output import joined
from .registry import implements


@implements(ProbeTransform)
class Probe:
    """Joins left batches with the build side, as logical.Join defines each kind."""

    def __init__(self, spec: ProbeTransform, backend: Any) -> None:
        self.node = spec.node
        self.op_id = spec.node.op_id
        self.build = spec.build

    def __call__(self, rows: Iterator[Batch], task: Task) -> Iterator[Batch]:
        """The join's rows, without what LeftoverSource adds once all left rows have been seen."""
        ops = ops_of(task)
        built: BuiltRows = task.artifacts[self.build]
        for batch in rows:
            found = self._joined(batch, built, ops)
            if found is not None and found.num_rows:
                yield found

    def _joined(self, batch: Batch, built: BuiltRows, ops: Ops) -> Batch | None:
        node = self.node
        left_keys = columns([key.left for key in (*node.keys, *node.mark_keys)], batch, ops)
        if node.kind is JoinKind.MARK:
            return _marked(node, batch, left_keys, built, ops)
        pairs = self._pairs(batch, left_keys, built, ops)
        return joined(node, pairs, batch, built, ops)

    def _pairs(self, batch: Batch, left_keys: Sequence[Any], built: BuiltRows, ops: Ops) -> join.Pairs:
        left, right = both_keys(self.node, left_keys, built.keys, ops)
        pairs = join.equal_pairs(left, right, ops)
        return join.matching(pairs, self.node.residual, batch, built.rows, ops)


def both_keys(
    node: HashJoin, left: Sequence[Any], right: Sequence[Any], ops: Ops
) -> tuple[list[Any], list[Any]]:
    """The key columns of both sides in one form; as many of the node's keys as there are columns."""
    keys = (*node.keys, *node.mark_keys)[: len(left)]
    wide = [is_wide(a) or is_wide(b) for a, b in zip(left, right, strict=False)]
    return key_table(keys, left, wide, ops), key_table(keys, right[: len(left)], wide, ops)


def _marked(node: HashJoin, batch: Batch, left_keys: Sequence[Any], built: BuiltRows, ops: Ops) -> Batch:
    """The left rows with their mark: TRUE where all keys find a row; else NULL where a NULL on either side of
    the one mark key, among the rows that the other keys find, leaves it open; else FALSE.
    """
    assert len(node.mark_keys) == 1, "placement leaves other marks to the CPU"
    assert node.mark is not None
    rows, right_rows = batch.num_rows, built.rows.num_rows
    left, right = both_keys(node, left_keys, built.keys, ops)
    true = join.matched(join.equal_pairs(left, right, ops).left, rows, ops)
    left_null, right_null = ops.is_null(left_keys[-1]), ops.is_null(built.keys[-1])
    if node.keys:
        group_left, group_right = both_keys(node, left_keys[:-1], built.keys, ops)
        with_any = join.matched(join.equal_pairs(group_left, group_right, ops).left, rows, ops)
        null_right = ops.kept(group_right, right_null)
        with_null = join.matched(join.equal_pairs(group_left, null_right, ops).left, rows, ops)
    else:
        with_any = ops.repeated(ops.truth(bool(right_rows)), rows)
        with_null = ops.repeated(ops.truth(bool(built.keys[-1].null_count())), rows)
    unknown = ops.both(ops.inverse(true), ops.either(ops.both(left_null, with_any), with_null))
    mark = ops.choose(ops.truth(None), true, unknown)
    made = [mark if c.id == node.mark.id else batch.column(c.id) for c in node.columns]
    return device_batch(node.columns, made, rows, batch.bounds)
