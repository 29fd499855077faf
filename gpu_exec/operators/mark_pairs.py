"""Which pairs decide the marks of a hash join: those whose mark keys are equal, or have a NULL among them."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from ...physical.batch import Batch
from ...physical.context import Task
from ...physical.nodes import HashJoin
from ...planner.expr import Comparison
from ...planner.types import BOOLEAN
from ..ops import Ops
from . import join_pairs as join
from .build import BuiltRows
from .join_keys import both_keys
from .mark_join import marked, with_mark


def hash_marked(
    node: HashJoin, batch: Batch, left_keys: Sequence[Any], built: BuiltRows, task: Task, ops: Ops
) -> Batch:
    """The left rows with their mark. `left_keys` are those of the join, then the mark keys."""
    if len(node.mark_keys) == 1 and node.residual is None and not node.mark_rest:
        return _of_one_key(node, batch, left_keys, built, ops)

    def parts(rows: Batch, keys: list[Any]) -> Iterator[join.Pairs]:
        for pairs in _pairs(node, left_keys, keys, task, ops):
            yield join.matching(pairs, node.residual, batch, rows, ops)

    equal = (Comparison(BOOLEAN, "=", key.left, key.right) for key in node.mark_keys)
    return marked(node, parts, [*equal, *node.mark_rest], batch, built, ops)


def _pairs(
    node: HashJoin, left_keys: Sequence[Any], right_keys: Sequence[Any], task: Task, ops: Ops
) -> Iterator[join.Pairs]:
    """All pairs that no mark key makes false, and perhaps others: a pair may come twice."""
    keys = len(node.keys)
    groups = left_keys[:keys], right_keys[:keys]
    sizes = _size(left_keys), _size(right_keys)
    if not node.mark_keys:
        assert keys, "a join without keys is a nested loop"
        yield join.equal_pairs(*both_keys(node, *groups, ops), ops)
        return
    yield join.equal_pairs(*both_keys(node, left_keys, right_keys, ops), ops)
    # With NULL in a mark key, a row is paired with all of the other side, or all with its other keys.
    for side in (0, 1):
        some = _with_null((left_keys, right_keys)[side][keys:], ops)
        if some is None:
            continue
        chosen = [list(columns) for columns in groups]
        chosen[side] = ops.gathered(chosen[side], some)
        found: Iterable[join.Pairs]
        if keys:
            found = (join.equal_pairs(*both_keys(node, chosen[0], chosen[1], ops), ops),)
        else:
            left, right = (some.size() if i == side else sizes[i] for i in (0, 1))
            found = join.all_blocks(left, right, join.block(ops), task.check, ops)
        for pairs in found:
            (rows,) = ops.gathered([some], (pairs.left, pairs.right)[side])
            yield join.Pairs(pairs.left, rows) if side else join.Pairs(rows, pairs.right)


def _size(columns: Sequence[Any]) -> int:
    return columns[0].size()


def _with_null(columns: Sequence[Any], ops: Ops) -> Any:
    """The numbers of the rows at which a column is NULL; None for none."""
    masks = [ops.is_null(column) for column in columns if column.null_count()]
    return join.numbers_where(functools.reduce(ops.either, masks), ops) if masks else None


def _of_one_key(node: HashJoin, batch: Batch, left_keys: Sequence[Any], built: BuiltRows, ops: Ops) -> Batch:
    """The left rows with the mark of one mark key: TRUE where all keys find a row; else NULL where a NULL on
    either side of the mark key, among the rows that the other keys find, leaves it open; else FALSE. No pair
    is looked at.
    """
    parts = [_marks(node, batch.num_rows, left_keys, keys, ops) for _, _, keys in built.each(ops)]
    true, with_any, with_null = (functools.reduce(ops.either, some) for some in zip(*parts, strict=True))
    open_ = ops.either(ops.both(ops.is_null(left_keys[-1]), with_any), with_null)
    return with_mark(node, batch, true, open_, ops)


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
