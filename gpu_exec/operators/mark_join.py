"""Mark join: every left row with TRUE, FALSE or NULL, as IN, ANY, ALL and EXISTS over its matches give it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from ...physical.batch import Batch
from ...physical.nodes import Join
from ...planner.expr import Expr, conjunction
from ..expressions import checked
from ..ops import Ops
from ..values import Evaluation
from . import join_pairs as join
from .base import device_batch
from .build import BuiltRows

# (right rows, their keys) -> the pairs of left rows with these right rows, in parts
PairParts = Callable[[Batch, list[Any]], Iterable[join.Pairs]]


def marked(
    node: Join, pair_parts: PairParts, terms: Sequence[Expr], batch: Batch, built: BuiltRows, ops: Ops
) -> Batch:
    """The mark is TRUE where one of a row's pairs makes all terms true; else NULL where one makes none of the
    terms false; else FALSE. A pair may come twice, and one that makes a term false may be left out.
    """
    condition = conjunction(terms)
    true = unknown = ops.repeated(ops.truth(False), batch.num_rows)
    for _, rows, keys in built.each(ops):
        for pairs in pair_parts(rows, keys):
            if condition is None:
                true = ops.either(true, join.matched(pairs.left, batch.num_rows, ops))
            elif len(pairs):
                found = _condition(condition, pairs, batch, rows, ops)
                true = ops.either(true, _matched(pairs, ops.is_true(found), batch, ops))
                unknown = ops.either(unknown, _matched(pairs, ops.is_null(found), batch, ops))
    return with_mark(node, batch, true, unknown, ops)


def with_mark(node: Join, batch: Batch, true: Any, unknown: Any, ops: Ops) -> Batch:
    """The left rows with their mark: TRUE, else NULL where it is unknown, else FALSE."""
    assert node.mark is not None
    mark = ops.choose(ops.truth(None), true, ops.both(ops.inverse(true), unknown))
    made = [mark if c.id == node.mark.id else batch.column(c.id) for c in node.columns]
    return device_batch(node.columns, made, batch.num_rows, batch.bounds)


def _condition(condition: Expr, pairs: join.Pairs, left: Batch, right: Batch, ops: Ops) -> Any:
    """TRUE, FALSE or NULL for each pair; raises errors."""
    (value,) = checked([condition], join.pair_batch(pairs, [condition], left, right, ops), ops)
    return Evaluation(ops, len(pairs)).column(value)


def _matched(pairs: join.Pairs, mask: Any, batch: Batch, ops: Ops) -> Any:
    """Which left rows have a pair at which a mask is true."""
    (rows,) = ops.kept([pairs.left], mask)
    return join.matched(rows, batch.num_rows, ops)
