"""From the pairs that a join matches to its rows, by its kind."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ...physical.batch import Batch
from ...physical.nodes import Join
from ...planner.expr import Column
from ...planner.logical import JoinKind
from ..ops import Ops
from ..storage import named_type
from . import join_pairs
from .base import device_batch, gathered
from .build import BuiltRows
from .concat import common_bounds, together
from .join_pairs import NO_ROW, Pairs

_KEEPS_LEFT = (JoinKind.LEFT, JoinKind.FULL, JoinKind.SINGLE)
_MARKS_RIGHT = (JoinKind.RIGHT, JoinKind.FULL)
# (right rows, their keys) -> the pairs of left rows with these right rows, in any order
PairsOf = Callable[[Batch, list[Any]], Pairs]


def joined(node: Join, pairs_of: PairsOf, batch: Batch, built: BuiltRows, ops: Ops) -> Batch | None:
    """The rows for a left batch; None where they come later. Part of a step: to mark a row again changes
    nothing.
    """
    match node.kind:
        case JoinKind.SEMI | JoinKind.ANTI:
            found = None
            for _, rows, keys in built.each(ops):
                here = join_pairs.matched(pairs_of(rows, keys).left, batch.num_rows, ops)
                found = here if found is None else ops.either(found, here)
            assert found is not None, "there is a piece at least, if an empty one"
            mask = found if node.kind is JoinKind.SEMI else ops.inverse(found)
            return gathered(batch, join_pairs.numbers_where(mask, ops), ops).select(node.columns)
        case JoinKind.RIGHT_SEMI | JoinKind.RIGHT_ANTI:
            for offset, rows, keys in built.each(ops):
                built.mark(_shifted(pairs_of(rows, keys).right, offset, ops), ops)
            return None
        case _:
            return _pairwise(node, pairs_of, batch, built, ops)


def _pairwise(node: Join, pairs_of: PairsOf, batch: Batch, built: BuiltRows, ops: Ops) -> Batch:
    """One row a pair; for outer joins also one for every left row without a pair."""
    right_ids = {c.id for c in built.schema}
    here = [c for c in node.columns if c.id not in right_ids]
    there = [c for c in node.columns if c.id in right_ids]
    single = len(built.chunks) == 1
    found = 0
    width = _row_bytes(batch, here) + _row_bytes(built, there)
    parts = []
    for offset, rows, keys in built.each(ops):
        pairs = pairs_of(rows, keys)
        found += len(pairs)
        ops.memory.expect(found * width, batch.num_rows)
        right = _shifted(pairs.right, offset, ops)
        if node.kind in _MARKS_RIGHT:
            built.mark(right, ops)
        columns = [rows.column(c.id) for c in there]
        parts.append((pairs.left, right, columns if single else ops.gathered(columns, pairs.right)))
    pairs = Pairs(*(together([part[i] for part in parts], ops) for i in (0, 1)))
    # Where the right columns of each pair are: in the one chunk, or among the rows taken from several.
    taken = [together([part[2][i] for part in parts], ops) for i in range(len(there))]
    places = pairs.right if single else ops.row_numbers(len(pairs))
    if node.kind is JoinKind.SINGLE:
        join_pairs.refuse_second(join_pairs.in_order(pairs, ops), ops)
    outer = node.kind in _KEEPS_LEFT
    if outer:
        matches = len(pairs)
        pairs = join_pairs.with_unmatched(pairs, batch.num_rows, ops)
        missing = ops.repeated(ops.int32(NO_ROW), len(pairs) - matches)
        places = together([places, missing], ops)
    if len(pairs) > 1:
        order = ops.order([pairs.left, pairs.right], [False, False], [True, True])
        lefts, places = ops.gathered([pairs.left, places], order)
    else:
        lefts = pairs.left
    columns = dict(
        zip((c.id for c in here), ops.gathered([batch.column(c.id) for c in here], lefts), strict=True)
    )
    taken = ops.gathered(taken, places, outside_is_null=outer)
    columns |= dict(zip((c.id for c in there), taken, strict=True))
    bounds = common_bounds(here, [batch]) | common_bounds(there, built.chunks)
    return device_batch(node.columns, [columns[c.id] for c in node.columns], len(pairs), bounds)


def _row_bytes(rows: Batch | BuiltRows, columns: Sequence[Column]) -> int:
    """About how many bytes a row of some of the columns has."""
    share = len(columns) / max(1, len(rows.schema))
    return int(share * rows.nbytes / max(1, rows.num_rows)) + 1


def _shifted(rows: Any, offset: int, ops: Ops) -> Any:
    """Row numbers of a chunk as those of the whole right side."""
    return ops.binary("ADD", rows, ops.int32(offset), named_type("INT32")) if offset else rows
