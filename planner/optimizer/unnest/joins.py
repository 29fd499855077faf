"""How a dependent join is pushed into a join."""

from __future__ import annotations

from dataclasses import replace

from ...expr import Coalesce, Expr, conjunction, conjuncts, ref, substitute
from ...logical import Join, JoinKind, Project
from ..build import filtered
from .domain import StandIn, same
from .operators import not_null
from .push import Pusher, pushes
from .pushed import Mode, Pushed

_FLIPPED = {
    JoinKind.RIGHT: JoinKind.LEFT,
    JoinKind.RIGHT_SEMI: JoinKind.SEMI,
    JoinKind.RIGHT_ANTI: JoinKind.ANTI,
}


@pushes(Join)
def push_join(pusher: Pusher, node: Join, mode: Mode) -> Pushed:
    """By kind: inner joins keep both sides' predicates free; the others are driven by their preserved
    side.
    """
    assert not node.lateral, "lateral joins are unnested from the inside out"
    if node.kind in _FLIPPED:
        node = replace(node, kind=_FLIPPED[node.kind], left=node.right, right=node.left)
    if node.kind is JoinKind.FULL:
        return _push_full(pusher, node)
    if node.kind is JoinKind.INNER:
        return _push_inner(pusher, node, mode)
    if node.kind is JoinKind.SEMI and mode.pull and not mode.repeats:
        # Who only asks whether there is a row does not mind it twice.
        return _push_inner(pusher, node, mode)
    outside = [*node.expressions]
    if mode.pull and not pusher.correlated(node.right) and not pusher.outer_of(outside):
        left = pusher.materialised(pusher.push(node.left, replace(mode, existence=False)))
        if not pusher.outer_of(substitute(e, left.deferred) for e in outside):
            return replace(left, plan=replace(node, left=left.plan))
    return _push_preserving(pusher, node, mode)


def _push_inner(pusher: Pusher, node: Join, mode: Mode) -> Pushed:
    inside = replace(mode, existence=False)
    left = pusher.materialised(pusher.push(node.left, inside))
    right = pusher.materialised(pusher.push(node.right, inside))
    terms = [substitute(t, {**left.deferred, **right.deferred}) for t in conjuncts(node.condition)]
    local = [t for t in terms if not pusher.outer_of([t])]
    stand_ins = dict(left.stand_ins)
    for outer, stand_in in sorted(right.stand_ins.items()):
        other = left.stand_ins.get(outer)
        strict = stand_in.strict or (other is not None and other.strict)
        stand_ins[outer] = StandIn((other or stand_in).column, strict)
        if other is not None:
            local.append(same(other.column, StandIn(stand_in.column, strict)))
    joined = Pushed(
        Join(JoinKind.INNER, left.plan, right.plan, conjunction(local)),
        stand_ins,
        [*left.pulled, *right.pulled],
        {**left.deferred, **right.deferred},
    )
    return pusher.select(joined, [t for t in terms if pusher.outer_of([t])], mode)


def _push_preserving(pusher: Pusher, node: Join, mode: Mode) -> Pushed:
    """LEFT, SINGLE, SEMI, ANTI, MARK: the left side gets a stand-in for everything the join needs."""
    keeps_right = node.kind in (JoinKind.LEFT, JoinKind.SINGLE)
    left = pusher.push_strict(node.left, repeats=mode.repeats or node.kind is JoinKind.SINGLE)
    # The join itself can evaluate what its right side hands up.
    right = pusher.materialised(pusher.push(node.right, Mode(pull=not keeps_right, repeats=keeps_right)))
    terms = [substitute(t, right.deferred) for t in (*conjuncts(node.condition), *right.pulled)]
    marks = [substitute(t, right.deferred) for t in node.mark_terms]
    wanted = {*right.stand_ins, *pusher.outer_of([*terms, *marks])}
    left = pusher.bind(left, wanted)
    if node.kind is JoinKind.SINGLE:
        # A second match is an error: only for rows that the query really has.
        left = pusher.restrict(left)
    terms = [pusher.inner(t, left) for t in terms]
    for outer, stand_in in sorted(right.stand_ins.items()):
        other = left.stand_ins[outer]
        terms.append(same(other.column, StandIn(stand_in.column, stand_in.strict or other.strict)))
    plan = replace(
        node,
        left=left.plan,
        right=right.plan,
        condition=conjunction(terms),
        mark_terms=tuple(pusher.inner(t, left) for t in marks),
    )
    return Pushed(plan, left.stand_ins)


def _push_full(pusher: Pusher, node: Join) -> Pushed:
    """Both sides get all stand-ins; a row that only one side has takes that side's."""
    sides = [pusher.push_strict(side) for side in node.inputs]
    wanted = {*sides[0].stand_ins, *sides[1].stand_ins, *pusher.outer_of(node.expressions)}
    sides = [pusher.bind(side, wanted) for side in sides]
    plans = [
        filtered(side.plan, [not_null(s.column) for s in side.stand_ins.values() if s.strict])
        for side in sides
    ]
    left, right = sides
    terms: list[Expr] = [pusher.inner(t, left) for t in conjuncts(node.condition)]
    columns = []
    exprs: list[Expr] = []
    stand_ins: dict[int, StandIn] = {}
    for outer in sorted(wanted):
        one, other = left.stand_ins[outer], right.stand_ins[outer]
        terms.append(same(one.column, StandIn(other.column, one.strict or other.strict)))
        columns.append(pusher.ids.column(one.column.name, one.column.type))
        exprs.append(Coalesce(one.column.type, (one.column, other.column)))
        stand_ins[outer] = StandIn(ref(columns[-1]), strict=False)
    joined = replace(node, left=plans[0], right=plans[1], condition=conjunction(terms))
    plan = Project(joined, (*joined.schema, *columns), (*map(ref, joined.schema), *exprs))
    return Pushed(plan, stand_ins)
