"""Hash join: finds the pairs of left batches and the finished right side."""

from __future__ import annotations

import functools
from collections.abc import Sequence
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
from .base import BatchTransform, device_batch
from .build import BuiltRows
from .join_keys import key_table
from .join_output import joined
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
            return _marked(node, batch, left_keys, built, ops)

        def pairs_of(rows: Batch, keys: list[Any]) -> join.Pairs:
            left, right = both_keys(node, left_keys, keys, ops)
            return join.matching(join.equal_pairs(left, right, ops), node.residual, batch, rows, ops)

        return joined(node, pairs_of, batch, built, ops)


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
    parts = [_marks(node, batch.num_rows, left_keys, keys, ops) for _, _, keys in built.each(ops)]
    true, with_any, with_null = (functools.reduce(ops.either, some) for some in zip(*parts, strict=True))
    open_ = ops.either(ops.both(ops.is_null(left_keys[-1]), with_any), with_null)
    mark = ops.choose(ops.truth(None), true, ops.both(ops.inverse(true), open_))
    made = [mark if c.id == node.mark.id else batch.column(c.id) for c in node.columns]
    return device_batch(node.columns, made, batch.num_rows, batch.bounds)


def _marks(
    node: HashJoin, rows: int, left_keys: Sequence[Any], right_keys: Sequence[Any], ops: Ops
) -> tuple[Any, Any, Any]:
    """Of every left row: whether all keys find one of the right rows; whether those before the mark key do;
    whether these find one whose mark key is NULL.
    """
    left, right = both_keys(node, left_keys, right_keys, ops)
    true = join.matched(join.equal_pairs(left, right, ops).left, rows, ops)
    mark_key = right_keys[-1]
    if not node.keys:
        with_any = ops.repeated(ops.truth(bool(mark_key.size())), rows)
        return true, with_any, ops.repeated(ops.truth(bool(mark_key.null_count())), rows)
    group_left, group_right = both_keys(node, left_keys[:-1], right_keys, ops)
    with_any = join.matched(join.equal_pairs(group_left, group_right, ops).left, rows, ops)
    null_right = ops.kept(group_right, ops.is_null(mark_key))
    with_null = join.matched(join.equal_pairs(group_left, null_right, ops).left, rows, ops)
    return true, with_any, with_null
