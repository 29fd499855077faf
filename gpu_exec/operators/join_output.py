"""From the pairs that a join matches to its rows, by its kind."""

from __future__ import annotations

from ...physical.batch import Batch
from ...physical.nodes import Join
from ...planner.logical import JoinKind
from ..ops import Ops
from . import join_pairs
from .base import gathered
from .build import BuiltRows
from .join_pairs import Pairs

_KEEPS_LEFT = (JoinKind.LEFT, JoinKind.FULL, JoinKind.SINGLE)


def joined(node: Join, pairs: Pairs, batch: Batch, built: BuiltRows, ops: Ops) -> Batch | None:
    """The rows for a left batch whose matches are `pairs`, in any order; None where they come later."""
    match node.kind:
        case JoinKind.SEMI | JoinKind.ANTI:
            found = join_pairs.matched(pairs.left, batch.num_rows, ops)
            mask = found if node.kind is JoinKind.SEMI else ops.inverse(found)
            return gathered(batch, join_pairs.numbers_where(mask, ops), ops).select(node.columns)
        case JoinKind.RIGHT_SEMI | JoinKind.RIGHT_ANTI:
            built.mark(pairs.right, ops)
            return None
        case JoinKind.RIGHT | JoinKind.FULL:
            built.mark(pairs.right, ops)
        case JoinKind.SINGLE:
            pairs = join_pairs.in_order(pairs, ops)
            join_pairs.refuse_second(pairs, ops)
        case _:
            pass
    outer = node.kind in _KEEPS_LEFT
    if outer:
        pairs = join_pairs.with_unmatched(pairs, batch.num_rows, ops)
    pairs = join_pairs.in_order(pairs, ops)
    return join_pairs.output(pairs, node.columns, batch, built.rows, ops, nullable=outer)
