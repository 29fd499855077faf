"""How a dependent join is pushed into each kind of node, joins aside."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ...expr import (
    Column,
    ColumnRef,
    Comparison,
    Expr,
    IsNull,
    Literal,
    Not,
    SortKey,
    WindowCall,
    conjuncts,
    ref,
    references,
    substitute,
)
from ...functions import AGGREGATES
from ...logical import (
    Aggregate,
    Cte,
    CteRef,
    Distinct,
    Filter,
    Limit,
    Plan,
    Project,
    SetOp,
    Sort,
    UnionAll,
    Unnest,
    Values,
    Window,
    WorkingRef,
)
from ...messages import unsupported
from ...types import BIGINT, BOOLEAN
from ..build import empty, filtered, one_row, with_schema
from ..folding.predicates import simplify_predicate
from ..folding.simplify import simplify
from ..nullability import never_null
from .domain import StandIn
from .push import Pusher, pushes
from .pushed import STRICT, Mode, Pushed


@pushes(Filter)
def push_filter(pusher: Pusher, node: Filter, mode: Mode) -> Pushed:
    """Correlated predicates are handed up, turned into stand-ins, or evaluated over the domain."""
    child = pusher.push(node.input, replace(mode, existence=False))
    if child.absent is not None:
        # HAVING over a group that may have no row: what does it say about the row that stands for none?
        verdict = simplify_predicate(substitute(node.predicate, child.absent))
        if isinstance(verdict, Literal) and verdict.value is False:
            child = replace(child, absent=None)
        else:
            child = pusher.materialised(child)
    return pusher.select(child, conjuncts(node.predicate), mode)


@pushes(Project)
def push_project(pusher: Pusher, node: Project, mode: Mode) -> Pushed:
    """Correlated values are deferred to the join, or computed from stand-ins."""
    child = pusher.push(node.input, mode)
    exprs = [substitute(e, child.deferred) for e in node.exprs]
    absent = None
    if child.absent is not None:
        pairs = zip(node.columns, node.exprs, strict=True)
        absent = {c.id: simplify(substitute(e, child.absent)) for c, e in pairs}
    deferred: dict[int, Expr] = {}
    columns: list[Column] = []
    kept: list[Expr] = []
    if not mode.pull:
        child = pusher.bind(child, pusher.outer_of(exprs))
        exprs = [pusher.inner(e, child) for e in exprs]
    for column, expr in zip(node.columns, exprs, strict=True):
        if mode.pull and pusher.outer_of([expr]):
            deferred[column.id] = expr
        else:
            columns.append(column)
            kept.append(expr)
    # What the consumer evaluates later must get through.
    carried = {s.column.id for s in child.stand_ins.values()}
    for expr in (*child.pulled, *deferred.values()):
        carried |= references(expr)
    present = {c.id for c, e in zip(columns, kept, strict=True) if isinstance(e, ColumnRef) and e.id == c.id}
    for column in child.plan.schema:
        if column.id in carried and column.id not in present:
            present.add(column.id)
            columns.append(column)
            kept.append(ref(column))
    plan = Project(child.plan, tuple(columns), tuple(kept))
    return replace(child, plan=plan, deferred=deferred, absent=absent)


@pushes(Aggregate)
def push_aggregate(pusher: Pusher, node: Aggregate, mode: Mode) -> Pushed:
    """Groups by the stand-ins as well. Without groups of its own it has a row even where nothing matches:
    that is `absent`.
    """
    child = pusher.push_strict(node.input)
    child = pusher.bind(child, pusher.outer_of(node.expressions))
    groups = [pusher.inner(e, child) for e in node.groups]
    calls = tuple(pusher.inner(e, child) for e in node.calls)
    columns = list(node.group_columns)
    known = {e: c for c, e in zip(columns, groups, strict=True)}
    stand_ins: dict[int, StandIn] = {}
    schema = {c.id: c for c in child.plan.schema}
    for outer, stand_in in sorted(child.stand_ins.items()):
        column = known.get(stand_in.column)
        if column is None:
            column = known[stand_in.column] = schema[stand_in.column.id]
            columns.append(column)
            groups.append(stand_in.column)
        stand_ins[outer] = StandIn(ref(column), stand_in.strict)
    plan = replace(node, input=child.plan, group_columns=tuple(columns), groups=tuple(groups), calls=calls)
    if node.groups:
        return Pushed(plan, stand_ins)
    absent: dict[int, Expr] = {}
    for column, call in zip(node.call_columns, node.calls, strict=True):
        absent[column.id] = Literal(call.type, AGGREGATES[call.function].empty)
    return Pushed(plan, stand_ins, absent=absent)


@pushes(Distinct)
def push_distinct(pusher: Pusher, node: Distinct, mode: Mode) -> Pushed:
    """Rows are told apart by the stand-ins as well."""
    if not node.on and not mode.repeats:
        return pusher.push(node.input, mode)
    child = pusher.push(node.input, Mode(pull=False, repeats=bool(node.on)))
    if child.absent is not None:
        return child
    child = pusher.bind(child, pusher.outer_of(node.expressions))
    if not node.on:
        columns = {c.id: c for c in child.plan.schema}
        stand_ins = [columns[s.id] for s in _columns(child) if isinstance(s, ColumnRef)]
        return replace(child, plan=Distinct(with_schema(child.plan, [*node.schema, *stand_ins])))
    on = dict.fromkeys([*(pusher.inner(e, child) for e in node.on), *_columns(child)])
    return replace(child, plan=Distinct(child.plan, tuple(on), _keys(pusher, node.order, child)))


def _columns(pushed: Pushed) -> list[Expr]:
    """The stand-ins, each once."""
    return list(dict.fromkeys(s.column for _, s in sorted(pushed.stand_ins.items())))


def _keys(pusher: Pusher, keys: Sequence[SortKey], child: Pushed) -> tuple[SortKey, ...]:
    return tuple(replace(k, expr=pusher.inner(k.expr, child)) for k in keys)


@pushes(Sort)
def push_sort(pusher: Pusher, node: Sort, mode: Mode) -> Pushed:
    """A join does not see an order; below a LIMIT or an aggregate it stays."""
    if mode.pull:
        return pusher.push(node.input, mode)
    child = pusher.push(node.input, mode)
    if child.absent is not None:
        return child
    child = pusher.bind(child, pusher.outer_of(node.expressions))
    return replace(child, plan=Sort(child.plan, _keys(pusher, node.keys, child)))


@pushes(Window)
def push_window(pusher: Pusher, node: Window, mode: Mode) -> Pushed:
    """Rows of different outer values are in different partitions."""
    child = pusher.push_strict(node.input)
    child = pusher.bind(child, pusher.outer_of(node.expressions))
    partition = dict.fromkeys([*(pusher.inner(e, child) for e in node.partition), *_columns(child)])
    calls = tuple(pusher.inner(call, child) for call in node.calls)
    order = _keys(pusher, node.order, child)
    plan = replace(node, input=child.plan, partition=tuple(partition), order=order, calls=calls)
    return replace(child, plan=plan)


@pushes(Unnest)
def push_unnest(pusher: Pusher, node: Unnest, mode: Mode) -> Pushed:
    """Lists of outer columns are those of the stand-ins."""
    child = pusher.push_strict(node.input)
    child = pusher.bind(child, pusher.outer_of(node.lists))
    lists = tuple(pusher.inner(e, child) for e in node.lists)
    return replace(child, plan=replace(node, input=child.plan, lists=lists))


@pushes(Limit)
def push_limit(pusher: Pusher, node: Limit, mode: Mode) -> Pushed:
    """LIMIT for each outer row: no limit, no row, or the first rows for each value of the domain."""
    limit, offset = node.limit, node.offset
    if limit == 0:
        return Pushed(empty(node.schema))
    if offset == 0 and (limit is None or (mode.existence and isinstance(limit, int))):
        return pusher.push(node.input, mode)
    keys, source = node.keys, node.input
    if not keys and isinstance(source, Sort):
        keys, source = source.keys, source.input
    child = pusher.push(source, STRICT)
    if child.absent is not None and offset == 0 and isinstance(limit, int):
        return child
    if not isinstance(offset, int) or isinstance(limit, Expr):
        what = "LIMIT and OFFSET that are no constants in a correlated subquery are"
        raise unsupported(what, next((e.span for e in node.expressions if e.span), None))
    child = pusher.materialised(child)
    child = pusher.bind(child, pusher.outer_of(k.expr for k in keys))
    if not child.stand_ins:
        return replace(child, plan=Limit(child.plan, limit, offset, keys))
    on = tuple(_columns(child))
    inner = _keys(pusher, keys, child)
    if limit == 1 and offset == 0:
        return replace(child, plan=Distinct(child.plan, on, inner))
    number = pusher.ids.column("row_number", BIGINT, nullable=False)
    call = WindowCall(BIGINT, "row_number", ())
    numbered = Window(child.plan, on, inner, (number,), (call,))
    terms = [Comparison(BOOLEAN, ">", ref(number), Literal(BIGINT, offset))] if offset else []
    if limit is not None:
        terms.append(Comparison(BOOLEAN, "<=", ref(number), Literal(BIGINT, offset + limit)))
    return replace(child, plan=filtered(numbered, terms))


@pushes(Values)
def push_values(pusher: Pusher, node: Values, mode: Mode) -> Pushed:
    """Rows of outer values: one projection a row."""
    if len(node.rows) == 1:
        return pusher.push(Project(one_row(), node.columns, node.rows[0]), mode)
    branches = []
    for row in node.rows:
        columns = tuple(replace(c, id=pusher.ids.fresh()) for c in node.columns)
        branches.append(Project(one_row(), columns, row))
    return pusher.push(UnionAll(tuple(branches), node.columns), mode)


@pushes(UnionAll)
def push_union(pusher: Pusher, node: UnionAll, mode: Mode) -> Pushed:
    """Every branch gets the stand-ins of all as further columns."""
    parts = [pusher.push_strict(b, repeats=mode.repeats) for b in node.branches]
    branches, columns, stand_ins = aligned(pusher, parts, node.branches)
    return Pushed(UnionAll(tuple(branches), (*node.columns, *columns)), stand_ins)


@pushes(SetOp)
def push_set_operation(pusher: Pusher, node: SetOp, mode: Mode) -> Pushed:
    """As for UNION ALL: rows of different outer values never meet."""
    parts = [pusher.push_strict(side) for side in node.inputs]
    (left, right), columns, stand_ins = aligned(pusher, parts, node.inputs)
    plan = replace(node, left=left, right=right, columns=(*node.columns, *columns))
    return Pushed(plan, stand_ins)


def aligned(
    pusher: Pusher, parts: list[Pushed], originals: Sequence[Plan]
) -> tuple[list[Plan], list[Column], dict[int, StandIn]]:
    """The parts with equal stand-in columns after their own, the new columns, and the stand-ins they make."""
    outer = sorted(set().union(*(p.stand_ins for p in parts)))
    parts = [pusher.bind(p, outer) for p in parts]
    strict = {o: all(p.stand_ins[o].strict for p in parts) for o in outer}
    plans: list[Plan] = []
    for part, original in zip(parts, originals, strict=True):
        ignored = [o for o in outer if part.stand_ins[o].strict and not strict[o]]
        plan = filtered(part.plan, [not_null(part.stand_ins[o].column) for o in ignored])
        schema = {c.id: c for c in plan.schema}
        extra = [schema[part.stand_ins[o].column.id] for o in outer]
        plans.append(with_schema(plan, [*original.schema, *extra]))
    columns: list[Column] = []
    stand_ins: dict[int, StandIn] = {}
    for o in outer:
        first = parts[0].stand_ins[o].column
        nullable = not all(never_null(p.plan, p.stand_ins[o].column.id) for p in parts)
        columns.append(pusher.ids.column(first.name, first.type, nullable))
        stand_ins[o] = StandIn(ref(columns[-1]), strict[o])
    return plans, columns, stand_ins


def not_null(expr: Expr) -> Expr:
    """expr IS NOT NULL."""
    return Not(BOOLEAN, IsNull(BOOLEAN, expr))


@pushes(Cte)
def push_cte(pusher: Pusher, node: Cte, mode: Mode) -> Pushed:
    """A correlated definition gets its stand-ins as further columns, and every reference to it becomes
    correlated.
    """
    definition = node.definition
    if pusher.correlated(definition):
        part = pusher.push_strict(definition)
        schema = {c.id: c for c in part.plan.schema}
        outer = sorted(part.stand_ins)
        extra = [schema[part.stand_ins[o].column.id] for o in outer]
        start = len(definition.schema)
        pusher.ctes[node.cte_id] = {o: (start + i, part.stand_ins[o].strict) for i, o in enumerate(outer)}
        definition = with_schema(part.plan, [*definition.schema, *extra])
    body = pusher.push(node.body, mode)
    return replace(body, plan=replace(node, definition=definition, body=body.plan))


@pushes(CteRef, WorkingRef)
def push_cte_reference(pusher: Pusher, node: CteRef | WorkingRef, mode: Mode) -> Pushed:
    """Reads the stand-ins of a correlated definition as well."""
    columns = list(node.columns)
    positions = list(node.positions)
    stand_ins: dict[int, StandIn] = {}
    for outer, (position, strict) in sorted(pusher.ctes[node.cte_id].items()):
        entry = pusher.domain.entries[outer]
        name = entry.name if isinstance(entry, ColumnRef) else "key"
        column = pusher.ids.column(name, entry.type)
        columns.append(column)
        positions.append(position)
        stand_ins[outer] = StandIn(ref(column), strict)
    return Pushed(replace(node, columns=tuple(columns), positions=tuple(positions)), stand_ins)
