"""Where a condition may go at a join, by the join's kind."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from ...expr import Expr, conjunction, conjuncts, references
from ...logical import Join, JoinKind, Plan
from ..build import filtered

Terms = list[Expr]
Push = Callable[[Plan, Terms], Plan]
Movable = Callable[[Terms, Callable[[Expr], bool]], tuple[Terms, Terms]]

# Sides to which a condition on the join's output may go, if it reads that side only.
_OUTPUT = {
    JoinKind.INNER: (True, True),
    JoinKind.LEFT: (True, False),
    JoinKind.RIGHT: (False, True),
    JoinKind.FULL: (False, False),
    JoinKind.SEMI: (True, False),
    JoinKind.ANTI: (True, False),
    JoinKind.RIGHT_SEMI: (False, True),
    JoinKind.RIGHT_ANTI: (False, True),
    JoinKind.MARK: (True, False),
    JoinKind.SINGLE: (True, False),
}
# The same for the join's own condition: a side whose unmatched rows stay keeps its terms in the join.
_CONDITION = {
    JoinKind.INNER: (True, True),
    JoinKind.LEFT: (False, True),
    JoinKind.RIGHT: (True, False),
    JoinKind.FULL: (False, False),
    JoinKind.SEMI: (True, True),
    JoinKind.ANTI: (False, True),
    JoinKind.RIGHT_SEMI: (True, True),
    JoinKind.RIGHT_ANTI: (True, False),
    JoinKind.MARK: (False, True),
    JoinKind.SINGLE: (False, True),
}


def push_into_join(join: Join, terms: Terms, push: Push, movable: Movable) -> Plan:
    """`join` filtered by `terms`; see the tables above."""
    if join.lateral:
        return filtered(join, terms)
    own = list(conjuncts(join.condition))
    if join.kind is JoinKind.INNER:
        # Above an inner join and in it mean the same; the join's own terms come first.
        sides, kept = _divide([*own, *terms], join, _CONDITION[join.kind], movable)
        kept, above = movable(kept, lambda t: bool(references(t)))
    else:
        sides, kept = _divide(own, join, _CONDITION[join.kind], movable)
        more, above = _divide(terms, join, _OUTPUT[join.kind], movable)
        sides = (sides[0] + more[0], sides[1] + more[1])
    left, right = push(join.left, sides[0]), push(join.right, sides[1])
    kept = list(dict.fromkeys(kept))
    if len(kept) != len(own) or any(a is not b for a, b in zip(kept, own, strict=True)):
        return filtered(replace(join, left=left, right=right, condition=conjunction(kept)), above)
    if left is not join.left or right is not join.right:
        join = replace(join, left=left, right=right)
    return filtered(join, above)


def _divide(
    terms: Terms, join: Join, allowed: tuple[bool, bool], movable: Movable
) -> tuple[tuple[Terms, Terms], Terms]:
    """Terms for the left side, for the right side, and those that stay."""
    left_ids, right_ids = join.left.ids, join.right.ids

    def reads_left(term: Expr) -> bool:
        return allowed[0] and bool(references(term)) and references(term) <= left_ids

    def reads_right(term: Expr) -> bool:
        return allowed[1] and bool(references(term)) and references(term) <= right_ids

    down, stay = movable(terms, lambda t: reads_left(t) or reads_right(t))
    return ([t for t in down if reads_left(t)], [t for t in down if not reads_left(t)]), stay
