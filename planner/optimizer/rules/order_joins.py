"""Orders inner joins by estimated cost and puts the smaller side of every hash join on the right, where the
table is built.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from ...estimation import Estimator
from ...expr import Column, Expr, conjunction, conjuncts, ref, references
from ...logical import Cte, Filter, Join, JoinKind, Plan, Project, SetOp, UnionAll, with_inputs
from ..context import OptimizerContext
from ..joins.enumerate import Tree, best_tree
from ..joins.graph import JoinGraph, build_graph

_SWAPPED = {
    JoinKind.LEFT: JoinKind.RIGHT,
    JoinKind.RIGHT: JoinKind.LEFT,
    JoinKind.SEMI: JoinKind.RIGHT_SEMI,
    JoinKind.ANTI: JoinKind.RIGHT_ANTI,
    JoinKind.FULL: JoinKind.FULL,
}
# Swapping costs something (matched rows are collected, or marks kept): only for a build side that is this
# much smaller.
_SWAP_FACTOR = {
    JoinKind.LEFT: 4.0,
    JoinKind.RIGHT: 1.0,
    JoinKind.SEMI: 1.5,
    JoinKind.ANTI: 1.5,
    JoinKind.FULL: 1.0,
}


@dataclass
class _Region:
    """A maximal tree of inner joins, with the semi and anti joins above them that can move down to one
    relation.
    """

    relations: list[Plan] = field(default_factory=list)
    terms: list[Expr] = field(default_factory=list)
    filters: list[Join] = field(default_factory=list)


def order_joins(plan: Plan, context: OptimizerContext) -> Plan:
    """Reorders every region of inner joins.

    before: SELECT count(*) FROM region, nation, supplier WHERE r_regionkey = n_regionkey AND n_nationkey =
    s_nationkey
    after:  joins the smaller relations first; supplier probes
    """
    ordered = _visit(plan, Estimator())
    return plan if ordered is plan else with_schema(ordered, plan.schema)


def with_schema(plan: Plan, columns: tuple[Column, ...]) -> Plan:
    """The plan with exactly these of its columns, in order."""
    if tuple(c.id for c in plan.schema) == tuple(c.id for c in columns):
        return plan
    return Project(plan, columns, tuple(ref(c) for c in columns))


def _visit(plan: Plan, estimator: Estimator) -> Plan:
    if isinstance(plan, Cte):
        definition = with_schema(_visit(plan.definition, estimator), plan.definition.schema)
        estimator.register_cte(plan.cte_id, definition)
        return with_inputs(plan, (definition, _visit(plan.body, estimator)))
    if isinstance(plan, Join) and _in_region(plan):
        region = _Region()
        _collect(plan, region, estimator)
        if len(region.relations) > 1 or region.filters:
            return _ordered(plan, region, estimator)
    inputs = tuple(_visit(child, estimator) for child in plan.inputs)
    if isinstance(plan, (UnionAll, SetOp)):
        # Their columns are matched by position.
        inputs = tuple(with_schema(new, old.schema) for new, old in zip(inputs, plan.inputs, strict=True))
    plan = with_inputs(plan, inputs)
    return _choose_build_side(plan, estimator) if isinstance(plan, Join) else plan


def _in_region(plan: Plan) -> bool:
    """Inner joins, and semi or anti joins over them."""
    if not isinstance(plan, Join) or plan.lateral:
        return False
    if plan.kind is JoinKind.INNER:
        return True
    return plan.kind in (JoinKind.SEMI, JoinKind.ANTI) and _in_region(plan.left)


def _collect(plan: Plan, region: _Region, estimator: Estimator) -> None:
    stack: list[Plan] = [plan]
    while stack:
        node = stack.pop()
        if isinstance(node, Filter) and _in_region(node.input):
            region.terms.extend(conjuncts(node.predicate))
            stack.append(node.input)
        elif isinstance(node, Join) and _in_region(node):
            if node.kind is JoinKind.INNER:
                region.terms.extend(conjuncts(node.condition))
                stack.extend((node.right, node.left))
            else:
                region.filters.append(replace(node, right=_visit(node.right, estimator)))
                stack.append(node.left)
        else:
            region.relations.append(_visit(node, estimator))


def _ordered(plan: Join, region: _Region, estimator: Estimator) -> Plan:
    relations, late = _filtered(region, estimator)
    own = [_single_owner(term, relations) for term in region.terms]
    for index in range(len(relations)):
        local = [t for t, o in zip(region.terms, own, strict=True) if o == index]
        if local:
            predicate = conjunction(local)
            assert predicate is not None
            relations[index] = Filter(relations[index], predicate)
    between = [t for t, o in zip(region.terms, own, strict=True) if o is None]
    ids = frozenset(i for r in relations for i in r.ids)
    constant = conjunction(t for t in between if references(t).isdisjoint(ids))
    graph = build_graph(relations, [t for t in between if not references(t).isdisjoint(ids)], estimator)
    result = _assemble(best_tree(graph), graph)
    if constant is not None:
        result = Filter(result, constant)
    for join in late:
        result = _choose_build_side(replace(join, left=result), estimator)
    return result if _differs(result, plan) else plan


def _filtered(region: _Region, estimator: Estimator) -> tuple[list[Plan], list[Join]]:
    """Moves each semi and anti join down to the one relation it reads; those that read several are returned
    for the top.
    """
    relations = list(region.relations)
    late: list[Join] = []
    for join in reversed(region.filters):
        outer = {i for e in join.expressions for i in references(e)} - join.right.ids
        home = [i for i, r in enumerate(relations) if not outer.isdisjoint(r.ids)]
        if len(home) == 1:
            moved = replace(join, left=relations[home[0]])
            relations[home[0]] = _choose_build_side(moved, estimator)
        else:
            late.append(join)
    return relations, late


def _single_owner(term: Expr, relations: Iterable[Plan]) -> int | None:
    """The relation that a term is a filter of; None when it reads several (or no column)."""
    used = references(term)
    home = [i for i, r in enumerate(relations) if not used.isdisjoint(r.ids)]
    return home[0] if len(home) == 1 else None


def _assemble(tree: Tree, graph: JoinGraph) -> Plan:
    if tree.left is None or tree.right is None:
        return graph.relations[tree.mask.bit_length() - 1]
    left, right = _assemble(tree.left, graph), _assemble(tree.right, graph)
    condition = conjunction(graph.conditions(tree.left.mask, tree.right.mask))
    return Join(JoinKind.INNER, left, right, condition)


def _differs(new: Plan, old: Plan) -> bool:
    """Whether the joins' shape or conditions changed: a rule must return the same object otherwise."""
    if new is old:
        return False
    if not isinstance(new, Join) or not isinstance(old, Join) or new.kind is not old.kind:
        return True
    if set(conjuncts(new.condition)) != set(conjuncts(old.condition)):
        return True
    return _differs(new.left, old.left) or _differs(new.right, old.right)


def _choose_build_side(join: Join, estimator: Estimator) -> Join:
    kind = join.kind
    if kind not in _SWAPPED or join.lateral:
        return join
    left, right = estimator.rows(join.left), estimator.rows(join.right)
    if left * _SWAP_FACTOR[kind] < right:
        return replace(join, kind=_SWAPPED[kind], left=join.right, right=join.left)
    return join
