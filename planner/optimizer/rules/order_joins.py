"""Orders joins by estimated cost, and puts the smaller side of every hash join on the right, where the table
is built.

Semi, anti, left and mark joins take part: each comes where it is cheapest, early if it drops many rows of a
small relation, late if the rows that it would look up are dropped by other joins.

    sql: SELECT count(*) FROM lineitem, nation, supplier
            WHERE l_suppkey = s_suppkey AND s_nationkey = n_nationkey
    given: push_filters, prune_columns
    before:
        Project count_star
          Aggregate: count(*) AS count_star
            Join INNER on ((l_suppkey = s_suppkey) AND (s_nationkey = n_nationkey))
              Join INNER
                Scan lineitem [l_suppkey]
                Scan nation [n_nationkey]
              Scan supplier [s_suppkey, s_nationkey]
    after:
        Project count_star
          Aggregate: count(*) AS count_star
            Join INNER on (l_suppkey = s_suppkey)
              Scan lineitem [l_suppkey]
              Join INNER on (s_nationkey = n_nationkey)
                Scan supplier [s_suppkey, s_nationkey]
                Scan nation [n_nationkey]
"""

from __future__ import annotations

from dataclasses import replace

from ...estimation import Estimator
from ...expr import conjunction, conjuncts, ref
from ...logical import Cte, Join, JoinKind, Plan, Project, SetOp, UnionAll, with_inputs
from ..build import filtered, with_schema
from ..context import OptimizerContext
from ..joins.enumerate import Tree, best_tree
from ..joins.graph import JoinGraph, build_graph
from ..joins.region import Region, collect, is_region

_SWAPPED = {
    JoinKind.LEFT: JoinKind.RIGHT,
    JoinKind.RIGHT: JoinKind.LEFT,
    JoinKind.SEMI: JoinKind.RIGHT_SEMI,
    JoinKind.ANTI: JoinKind.RIGHT_ANTI,
    JoinKind.FULL: JoinKind.FULL,
    JoinKind.INNER: JoinKind.INNER,
}
# Swapping costs something (matched rows are collected, or marks kept): only for a build side that is this
# much smaller.
_SWAP_FACTOR = {
    JoinKind.LEFT: 4.0,
    JoinKind.RIGHT: 1.0,
    JoinKind.SEMI: 1.5,
    JoinKind.ANTI: 1.5,
    JoinKind.FULL: 1.0,
    JoinKind.INNER: 1.0,
}


def order_joins(plan: Plan, context: OptimizerContext) -> Plan:
    """Reorders every region of joins; the same object where the order is right already."""
    return with_schema(_Order(context).visit(plan), plan.schema)


class _Order:
    def __init__(self, context: OptimizerContext) -> None:
        self.context = context
        self.estimator = Estimator()

    def visit(self, plan: Plan) -> Plan:
        """The plan with ordered joins; its columns may come in another order."""
        if isinstance(plan, Cte):
            definition = with_schema(self.visit(plan.definition), plan.definition.schema)
            self.estimator.register_cte(plan.cte_id, definition)
            return with_inputs(plan, (definition, self.visit(plan.body)))
        if is_region(plan):
            self.context.check()
            assert isinstance(plan, Join)
            return self._ordered(plan, collect(plan, self.visit))
        inputs = tuple(self.visit(child) for child in plan.inputs)
        if isinstance(plan, (UnionAll, SetOp)):
            # Their columns are matched by position.
            inputs = tuple(with_schema(new, old.schema) for new, old in zip(inputs, plan.inputs, strict=True))
        plan = with_inputs(plan, inputs)
        return self._sides(plan) if isinstance(plan, Join) else plan

    def _ordered(self, plan: Join, region: Region) -> Plan:
        graph = build_graph(region.relations, region.attachments, region.terms, self.estimator)
        result = self._assemble(best_tree(graph), graph)
        # Conditions that read no column at all.
        result = filtered(result, graph.local_terms(0))
        if region.renamed:
            exprs = tuple(region.renamed.get(c.id) or ref(c) for c in plan.schema)
            return Project(result, plan.schema, exprs)
        return result if _differs(result, plan) else plan

    def _assemble(self, tree: Tree, graph: JoinGraph) -> Plan:
        if tree.left is None or tree.right is None:
            return graph.relations[tree.mask.bit_length() - 1]
        left, right = self._assemble(tree.left, graph), self._assemble(tree.right, graph)
        equalities, ready = graph.conditions(tree.left.mask, tree.right.mask)
        attached = graph.attachment(tree.right.mask)
        if attached is None:
            return Join(JoinKind.INNER, left, right, conjunction([*equalities, *ready]))
        join = self._sides(replace(attached.join, left=left, right=right))
        return filtered(join, [*ready, *graph.local_terms(tree.right.mask)])

    def _sides(self, join: Join) -> Join:
        """The join with the side on the right that should be built."""
        kind = join.kind
        if kind not in _SWAPPED or join.lateral:
            return join
        left, right = self.estimator.rows(join.left), self.estimator.rows(join.right)
        if left * _SWAP_FACTOR[kind] < right:
            return replace(join, kind=_SWAPPED[kind], left=join.right, right=join.left)
        return join


def _differs(new: Plan, old: Plan) -> bool:
    """Whether the joins' shape or conditions changed."""
    if new is old:
        return False
    if not isinstance(new, Join) or not isinstance(old, Join) or new.kind is not old.kind:
        return True
    if set(conjuncts(new.condition)) != set(conjuncts(old.condition)) or new.mark_terms != old.mark_terms:
        return True
    return _differs(new.left, old.left) or _differs(new.right, old.right)
