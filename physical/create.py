"""Logical plan to physical plan: operators are chosen here, devices later (placement.py).

Creation runs top-down with the set of columns the parent needs, so that scans read and joins gather no more
than that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from ..planner import logical as l
from ..planner.estimation import Estimator
from ..planner.expr import (
    AggregateCall,
    Column,
    Comparison,
    Expr,
    Literal,
    SortKey,
    conjunction,
    conjuncts,
    ref,
    references,
)
from ..planner.logical import ColumnIds, Plan
from ..planner.messages_runtime import limit_not_constant
from ..planner.types import BIGINT, TYPES
from . import nodes
from .cost import node_bytes
from .nodes import JoinKey, Node
from .runtime_filters import attach_runtime_filters
from .set_operations import create_set_op
from .windows import create_window


@dataclass
class CreateContext:
    """State of one creation: fresh ids, estimates, and which columns of each CTE are used."""

    ids: ColumnIds
    estimator: Estimator
    cte_positions: dict[int, tuple[int, ...]] = field(default_factory=dict)
    joins: int = 0


def create(
    plan: Plan, ids: ColumnIds, estimator: Estimator | None = None, *, runtime_filters: bool = True
) -> Node:
    """The physical plan of an optimised logical plan; its root has exactly the columns of `plan.schema`, in
    order. `runtime_filters`: whether hash joins hand filters to scans.
    """
    context = CreateContext(ids, estimator or Estimator())
    root = exactly(build(plan, plan.ids, context), plan.schema)
    return number(attach_runtime_filters(root) if runtime_filters else root)


def number(root: Node) -> Node:
    """Sets `op_id` to the preorder number, and `bytes` by the estimated rows."""
    order = {id(node): i for i, node in enumerate(nodes.walk_nodes(root))}

    def visit(node: Node) -> Node:
        new = nodes.with_inputs(node, tuple(visit(child) for child in node.inputs))
        return replace(new, op_id=order[id(node)], bytes=node_bytes(node))

    return visit(root)


def exactly(node: Node, columns: Iterable[Column]) -> Node:
    """`node` with exactly these of its columns, in order."""
    wanted = tuple(columns)
    if tuple(c.id for c in node.schema) == tuple(c.id for c in wanted):
        return node
    return nodes.Project(input=node, columns=wanted, exprs=tuple(ref(c) for c in wanted), rows=node.rows)


Required = frozenset[int]
_BUILDERS: dict[type[Plan], Callable[[Any, Required, CreateContext], Node]] = {}


def builds(kind: type[Plan]) -> Callable[[Any], Any]:
    """Registers the creation function of a logical node type."""

    def register(function: Any) -> Any:
        _BUILDERS[kind] = function
        return function

    return register


def build(plan: Plan, required: Required, context: CreateContext) -> Node:
    """A node that yields at least the `required` columns of `plan`."""
    node = _BUILDERS[type(plan)](plan, required, context)
    return replace(node, rows=context.estimator.rows(plan))


def refs_of(exprs: Iterable[Expr | None]) -> Required:
    """Columns that any of the expressions reads."""
    found: set[int] = set()
    for expr in exprs:
        if expr is not None:
            found |= references(expr)
    return frozenset(found)


@builds(l.Scan)
def _scan(plan: l.Scan, required: Required, context: CreateContext) -> Node:
    shown = [(c, n) for c, n in zip(plan.columns, plan.names, strict=True) if c.id in required]
    read = refs_of([plan.predicate])
    hidden = [
        (c, n) for c, n in zip(plan.columns, plan.names, strict=True) if c.id not in required and c.id in read
    ]
    return nodes.TableScan(
        table=plan.table,
        columns=tuple(c for c, _ in shown),
        names=tuple(n for _, n in shown),
        alias=plan.alias,
        predicate=plan.predicate,
        hidden=tuple(c for c, _ in hidden),
        hidden_names=tuple(n for _, n in hidden),
    )


@builds(l.Values)
def _values(plan: l.Values, required: Required, context: CreateContext) -> Node:
    keep = [i for i, c in enumerate(plan.columns) if c.id in required]
    return nodes.Values(
        columns=tuple(plan.columns[i] for i in keep),
        literals=tuple(tuple(row[i] for i in keep) for row in plan.rows),
    )


@builds(l.Filter)
def _filter(plan: l.Filter, required: Required, context: CreateContext) -> Node:
    below = build(plan.input, required | references(plan.predicate), context)
    return nodes.Filter(input=below, predicate=plan.predicate)


@builds(l.Project)
def _project(plan: l.Project, required: Required, context: CreateContext) -> Node:
    kept = [(c, e) for c, e in zip(plan.columns, plan.exprs, strict=True) if c.id in required]
    below = build(plan.input, refs_of(e for _, e in kept), context)
    return nodes.Project(input=below, columns=tuple(c for c, _ in kept), exprs=tuple(e for _, e in kept))


@builds(l.Join)
def _join(plan: l.Join, required: Required, context: CreateContext) -> Node:
    assert not plan.lateral, "unnesting removes lateral joins"
    terms = conjuncts(plan.condition)
    needed = required | refs_of((*terms, *plan.mark_terms))
    left = build(plan.left, needed & plan.left.ids, context)
    right = build(plan.right, needed & plan.right.ids, context)
    columns = tuple(c for c in plan.schema if c.id in required)
    keys, rest = split_keys(terms, plan.left.ids, plan.right.ids)
    mark_keys, mark_rest = split_keys(plan.mark_terms, plan.left.ids, plan.right.ids)
    if not keys and not mark_keys:
        return nodes.NestedLoopJoin(
            kind=plan.kind,
            left=left,
            right=right,
            condition=plan.condition,
            mark=plan.mark,
            mark_terms=plan.mark_terms,
            columns=columns,
        )
    context.joins += 1
    return nodes.HashJoin(
        kind=plan.kind,
        left=left,
        right=right,
        keys=tuple(keys),
        residual=conjunction(rest),
        mark=plan.mark,
        mark_keys=tuple(mark_keys),
        mark_rest=tuple(mark_rest),
        join_id=context.joins,
        columns=columns,
    )


def split_keys(
    terms: Iterable[Expr], left: frozenset[int], right: frozenset[int]
) -> tuple[list[JoinKey], list[Expr]]:
    """Separates hashable equalities between the sides from the other terms."""
    keys: list[JoinKey] = []
    rest: list[Expr] = []
    for term in terms:
        key = None
        if isinstance(term, Comparison) and term.op in ("=", "is not distinct from"):
            a, b = references(term.left), references(term.right)
            if a and b and TYPES[term.left.type.id].key != "none":
                null_equal = term.op != "="
                if a <= left and b <= right:
                    key = JoinKey(term.left, term.right, null_equal)
                elif a <= right and b <= left:
                    key = JoinKey(term.right, term.left, null_equal)
        if key is None:
            rest.append(term)
        elif key not in keys:
            keys.append(key)
    return keys, rest


@builds(l.Aggregate)
def _aggregate(plan: l.Aggregate, required: Required, context: CreateContext) -> Node:
    kept = [(c, e) for c, e in zip(plan.call_columns, plan.calls, strict=True) if c.id in required]
    calls = tuple(e for _, e in kept)
    below = build(plan.input, refs_of((*plan.groups, *calls)), context)
    return nodes.HashAggregate(
        input=below,
        group_columns=plan.group_columns,
        groups=plan.groups,
        call_columns=tuple(c for c, _ in kept),
        calls=calls,
    )


@builds(l.Distinct)
def _distinct(plan: l.Distinct, required: Required, context: CreateContext) -> Node:
    if not plan.on:
        below = build(plan.input, plan.input.ids, context)
        columns = plan.schema
        return nodes.HashAggregate(
            input=below,
            group_columns=columns,
            groups=tuple(ref(c) for c in columns),
            call_columns=(),
            calls=(),
        )
    # DISTINCT ON: of each group the first row by the order; `first` with that order picks all columns from
    # one row.
    kept = tuple(c for c in plan.schema if c.id in required)
    below = build(plan.input, refs_of(plan.expressions) | required, context)
    groups = tuple(context.ids.column(f"on{i}", e.type) for i, e in enumerate(plan.on))
    calls = tuple(AggregateCall(c.type, "first", (ref(c),), order_by=plan.order) for c in kept)
    return nodes.HashAggregate(
        input=below, group_columns=groups, groups=plan.on, call_columns=kept, calls=calls
    )


@builds(l.Sort)
def _sort(plan: l.Sort, required: Required, context: CreateContext) -> Node:
    below = build(plan.input, required | refs_of(plan.expressions), context)
    return nodes.Sort(input=below, keys=plan.keys)


@builds(l.Window)
def _window(plan: l.Window, required: Required, context: CreateContext) -> Node:
    wanted = required | refs_of(plan.expressions)
    if not plan.input.ids & wanted:
        wanted |= {c.id for c in plan.input.schema[:1]}
    below = build(plan.input, wanted & plan.input.ids, context)
    return create_window(plan, required, below, context.ids.column)


@builds(l.Unnest)
def _unnest(plan: l.Unnest, required: Required, context: CreateContext) -> Node:
    below = build(plan.input, (required | refs_of(plan.lists)) & plan.input.ids, context)
    return nodes.Unnest(
        input=below,
        kept=tuple(c for c in below.schema if c.id in required),
        lists=plan.lists,
        columns=plan.columns,
        ordinality=plan.ordinality,
        keep=plan.keep,
    )


@builds(l.Limit)
def _limit(plan: l.Limit, required: Required, context: CreateContext) -> Node:
    limit, offset = (_count(value) for value in (plan.limit, plan.offset))
    keys: tuple[SortKey, ...] = plan.keys
    below = build(plan.input, required | refs_of(k.expr for k in keys), context)
    if not keys:
        return nodes.Limit(input=below, limit=limit, offset=offset or 0)
    if limit is None:
        return nodes.Limit(
            input=nodes.Sort(input=below, keys=keys, rows=below.rows), limit=None, offset=offset or 0
        )
    return nodes.TopN(input=below, keys=keys, limit=limit, offset=offset or 0)


def _count(value: int | Expr | None) -> int | None:
    if value is None or isinstance(value, int):
        return value
    if isinstance(value, Literal):
        return value.value
    raise limit_not_constant(value.span)


@builds(l.UnionAll)
def _union(plan: l.UnionAll, required: Required, context: CreateContext) -> Node:
    keep = [i for i, c in enumerate(plan.columns) if c.id in required]
    branches = []
    for branch in plan.branches:
        wanted = [branch.schema[i] for i in keep]
        branches.append(exactly(build(branch, frozenset(c.id for c in wanted), context), wanted))
    return nodes.UnionAll(branches=tuple(branches), columns=tuple(plan.columns[i] for i in keep))


@builds(l.SetOp)
def _set_op(plan: l.SetOp, required: Required, context: CreateContext) -> Node:
    left = exactly(build(plan.left, plan.left.ids, context), plan.left.schema)
    right = exactly(build(plan.right, plan.right.ids, context), plan.right.schema)
    return create_set_op(plan, left, right, lambda name: context.ids.column(name, BIGINT, False))


@builds(l.Cte)
def _cte(plan: l.Cte, required: Required, context: CreateContext) -> Node:
    used: set[int] = set()
    for node in l.walk_plan(plan):
        if isinstance(node, l.CteRef) and node.cte_id == plan.cte_id:
            used.update(node.positions)
    keep = tuple(sorted(used))
    # The body's references are estimated before this node is.
    context.estimator.register_cte(plan.cte_id, plan.definition)
    context.cte_positions[plan.cte_id] = keep
    wanted = [plan.definition.schema[i] for i in keep]
    definition = exactly(build(plan.definition, frozenset(c.id for c in wanted), context), wanted)
    body = build(plan.body, required, context)
    return nodes.Cte(cte_id=plan.cte_id, name=plan.name, definition=definition, body=body)


@builds(l.CteRef)
def _cte_ref(plan: l.CteRef, required: Required, context: CreateContext) -> Node:
    place = {position: i for i, position in enumerate(context.cte_positions[plan.cte_id])}
    kept = [(c, place[p]) for c, p in zip(plan.columns, plan.positions, strict=True) if c.id in required]
    return nodes.CteScan(
        cte_id=plan.cte_id,
        name=plan.name,
        columns=tuple(c for c, _ in kept),
        positions=tuple(p for _, p in kept),
    )


@builds(l.Recursion)
def _recursion(plan: l.Recursion, required: Required, context: CreateContext) -> Node:
    parts = ((plan.anchor, plan.anchor_columns), (plan.step, plan.step_columns))
    anchor, step = (
        exactly(build(part, frozenset(c.id for c in read), context), read) for part, read in parts
    )
    references = [
        n for n in l.walk_plan(plan.step) if isinstance(n, l.WorkingRef) and n.cte_id == plan.cte_id
    ]
    return nodes.Recursion(
        cte_id=plan.cte_id,
        name=plan.name,
        anchor=anchor,
        step=step,
        columns=plan.columns,
        distinct=plan.distinct,
        key=plan.key,
        keeps_all=any(n.whole for n in references),
    )


@builds(l.WorkingRef)
def _working_ref(plan: l.WorkingRef, required: Required, context: CreateContext) -> Node:
    kept = [(c, p) for c, p in zip(plan.columns, plan.positions, strict=True) if c.id in required]
    return nodes.WorkingScan(
        cte_id=plan.cte_id,
        name=plan.name,
        columns=tuple(c for c, _ in kept),
        positions=tuple(p for _, p in kept),
        whole=plan.whole,
    )
