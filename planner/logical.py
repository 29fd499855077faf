"""Logical plan nodes: frozen dataclasses over column ids.

Every node has `schema`, the tuple of its output columns. `outer_references` are ids it reads but does not
produce: they make a plan correlated. Behaviour (rules, costs, physical creation) lives in functions
elsewhere, dispatched on the node's type.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import cached_property
from typing import Any

from .catalog import Table
from .expr import AggregateCall, Column, Expr, Literal, SortKey, references, substitute


class JoinKind(Enum):
    """What a join returns. Schemas: INNER/LEFT/RIGHT/FULL/SINGLE: left then right columns; SEMI/ANTI: left
    columns; RIGHT_SEMI/RIGHT_ANTI: right columns; MARK: left columns and the mark."""

    INNER = "INNER"
    LEFT = "LEFT"
    RIGHT = "RIGHT"
    FULL = "FULL"
    SEMI = "SEMI"
    ANTI = "ANTI"
    RIGHT_SEMI = "RIGHT_SEMI"
    RIGHT_ANTI = "RIGHT_ANTI"
    MARK = "MARK"
    SINGLE = "SINGLE"


@dataclass(frozen=True, eq=False)
class Plan:
    """Base of all logical nodes. Compared by identity: rules return the same object when nothing changed."""

    @property
    def schema(self) -> tuple[Column, ...]:
        raise AssertionError(type(self))

    @property
    def inputs(self) -> tuple[Plan, ...]:
        return ()

    @property
    def expressions(self) -> tuple[Expr, ...]:
        """All expressions of this node itself."""
        return ()

    @cached_property
    def ids(self) -> frozenset[int]:
        """Ids of the output columns."""
        return frozenset(c.id for c in self.schema)

    @cached_property
    def outer_references(self) -> frozenset[int]:
        """Ids read somewhere in this plan and produced nowhere in it below the reader."""
        below: set[int] = set()
        free: set[int] = set()
        for child in self.inputs:
            below |= child.ids
            free |= child.outer_references
        if isinstance(self, Join) and self.lateral:
            free -= self.left.ids
        for expr in self.expressions:
            free |= references(expr) - below
        return frozenset(free)


@dataclass(frozen=True, eq=False)
class Scan(Plan):
    """Rows of a stored table. `columns[i]` is the table's column called `names[i]`. `predicate` is a
    conjunction every returned row satisfies.
    """

    table: Table
    columns: tuple[Column, ...]
    names: tuple[str, ...]
    alias: str = ""
    predicate: Expr | None = None

    @property
    def schema(self) -> tuple[Column, ...]:
        return self.columns

    @property
    def expressions(self) -> tuple[Expr, ...]:
        return () if self.predicate is None else (self.predicate,)

    @cached_property
    def outer_references(self) -> frozenset[int]:
        return frozenset() if self.predicate is None else references(self.predicate) - self.ids


@dataclass(frozen=True, eq=False)
class Values(Plan):
    """Literal rows; each row has one expression a column. One row of no columns is `SELECT` without FROM; no
    rows is an empty result.
    """

    columns: tuple[Column, ...]
    rows: tuple[tuple[Expr, ...], ...]

    @property
    def schema(self) -> tuple[Column, ...]:
        return self.columns

    @cached_property
    def expressions(self) -> tuple[Expr, ...]:  # type: ignore[override]
        """The cells that are no literals: a pass over a hundred thousand constants would find nothing."""
        return tuple([e for row in self.rows for e in row if not isinstance(e, Literal)])


@dataclass(frozen=True, eq=False)
class Filter(Plan):
    """Rows of `input` for which `predicate` is true."""

    input: Plan
    predicate: Expr

    @property
    def schema(self) -> tuple[Column, ...]:
        return self.input.schema

    @property
    def inputs(self) -> tuple[Plan, ...]:
        return (self.input,)

    @property
    def expressions(self) -> tuple[Expr, ...]:
        return (self.predicate,)


@dataclass(frozen=True, eq=False)
class Project(Plan):
    """Computes `exprs[i]` as output column `columns[i]`. A plain reference keeps its id: columns[i].id ==
    exprs[i].id.
    """

    input: Plan
    columns: tuple[Column, ...]
    exprs: tuple[Expr, ...]

    @property
    def schema(self) -> tuple[Column, ...]:
        return self.columns

    @property
    def inputs(self) -> tuple[Plan, ...]:
        return (self.input,)

    @property
    def expressions(self) -> tuple[Expr, ...]:
        return self.exprs


@dataclass(frozen=True, eq=False)
class Join(Plan):
    """Join of two plans with disjoint ids.

    `condition` (None: every pair) keeps pairs for which it is true. MARK: the output column `mark` is, for
    each left row, the three-valued OR over the right rows for which `condition` is true (a NULL condition
    excludes the right row) of the three-valued AND of `mark_terms`; FALSE over no row. So `x IN (correlated
    subquery)` has the correlation in `condition` and `x = y` in `mark_terms`; EXISTS has no mark_terms and
    never NULL. SINGLE: like LEFT, but a second match is the error 'More than one row returned by a subquery
    used as an expression'. `lateral`: the right side may refer to columns of the left one (removed by
    unnesting).
    """

    kind: JoinKind
    left: Plan
    right: Plan
    condition: Expr | None = None
    mark: Column | None = None
    mark_terms: tuple[Expr, ...] = ()
    lateral: bool = False

    @cached_property
    def schema(self) -> tuple[Column, ...]:  # type: ignore[override]
        left, right = self.left.schema, self.right.schema
        match self.kind:
            case JoinKind.SEMI | JoinKind.ANTI:
                return left
            case JoinKind.RIGHT_SEMI | JoinKind.RIGHT_ANTI:
                return right
            case JoinKind.MARK:
                assert self.mark is not None
                return (*left, self.mark)
            case JoinKind.LEFT | JoinKind.SINGLE:
                return (*left, *(replace(c, nullable=True) for c in right))
            case JoinKind.RIGHT:
                return (*(replace(c, nullable=True) for c in left), *right)
            case JoinKind.FULL:
                return tuple(replace(c, nullable=True) for c in (*left, *right))
            case _:
                return (*left, *right)

    @property
    def inputs(self) -> tuple[Plan, ...]:
        return (self.left, self.right)

    @property
    def expressions(self) -> tuple[Expr, ...]:
        return (*(() if self.condition is None else (self.condition,)), *self.mark_terms)


@dataclass(frozen=True, eq=False)
class Aggregate(Plan):
    """Groups by `groups` and computes `calls`; no groups means exactly one output row. Output: group columns,
    then aggregate columns. NULLs group together, -0.0 with 0.0, NaN with NaN."""

    input: Plan
    group_columns: tuple[Column, ...]
    groups: tuple[Expr, ...]
    call_columns: tuple[Column, ...]
    calls: tuple[AggregateCall, ...]

    @cached_property
    def schema(self) -> tuple[Column, ...]:  # type: ignore[override]
        return (*self.group_columns, *self.call_columns)

    @property
    def inputs(self) -> tuple[Plan, ...]:
        return (self.input,)

    @property
    def expressions(self) -> tuple[Expr, ...]:
        return (*self.groups, *self.calls)


@dataclass(frozen=True, eq=False)
class Distinct(Plan):
    """One of each group of equal rows (the first). With `on`, rows are equal when those expressions are, and
    the first by `order` is kept.
    """

    input: Plan
    on: tuple[Expr, ...] = ()
    order: tuple[SortKey, ...] = ()

    @property
    def schema(self) -> tuple[Column, ...]:
        return self.input.schema

    @property
    def inputs(self) -> tuple[Plan, ...]:
        return (self.input,)

    @property
    def expressions(self) -> tuple[Expr, ...]:
        return (*self.on, *(k.expr for k in self.order))


@dataclass(frozen=True, eq=False)
class Sort(Plan):
    """Stable sort by `keys`."""

    input: Plan
    keys: tuple[SortKey, ...]

    @property
    def schema(self) -> tuple[Column, ...]:
        return self.input.schema

    @property
    def inputs(self) -> tuple[Plan, ...]:
        return (self.input,)

    @property
    def expressions(self) -> tuple[Expr, ...]:
        return tuple(k.expr for k in self.keys)


@dataclass(frozen=True, eq=False)
class Limit(Plan):
    """Rows offset .. offset+limit in order; `limit` None means all. With `keys` this is top-N: the rows in
    the order of `keys`. A scalar subquery in LIMIT/OFFSET stands as an Expr of no outer references until it
    is folded or run first.
    """

    input: Plan
    limit: int | Expr | None
    offset: int | Expr = 0
    keys: tuple[SortKey, ...] = ()

    @property
    def schema(self) -> tuple[Column, ...]:
        return self.input.schema

    @property
    def inputs(self) -> tuple[Plan, ...]:
        return (self.input,)

    @property
    def expressions(self) -> tuple[Expr, ...]:
        dynamic = tuple(e for e in (self.limit, self.offset) if isinstance(e, Expr))
        return (*(k.expr for k in self.keys), *dynamic)


@dataclass(frozen=True, eq=False)
class UnionAll(Plan):
    """Rows of each branch in turn. Output column i is column i of every branch (same types; the binder has
    inserted casts).
    """

    branches: tuple[Plan, ...]
    columns: tuple[Column, ...]

    @property
    def schema(self) -> tuple[Column, ...]:
        return self.columns

    @property
    def inputs(self) -> tuple[Plan, ...]:
        return self.branches


@dataclass(frozen=True, eq=False)
class SetOp(Plan):
    """INTERSECT or EXCEPT, with or without ALL (`all`); NULLs count as equal. UNION is Distinct over
    UnionAll.
    """

    kind: str
    all: bool
    left: Plan
    right: Plan
    columns: tuple[Column, ...]

    @property
    def schema(self) -> tuple[Column, ...]:
        return self.columns

    @property
    def inputs(self) -> tuple[Plan, ...]:
        return (self.left, self.right)


@dataclass(frozen=True, eq=False)
class Cte(Plan):
    """WITH name AS (definition) body: `definition` is computed once and read by the CteRefs of `cte_id` in
    `body`. `materialized` is the user's word (None: the optimizer decides).
    """

    cte_id: int
    name: str
    definition: Plan
    body: Plan
    materialized: bool | None = None

    @property
    def schema(self) -> tuple[Column, ...]:
        return self.body.schema

    @property
    def inputs(self) -> tuple[Plan, ...]:
        return (self.definition, self.body)


@dataclass(frozen=True, eq=False)
class CteRef(Plan):
    """One use of a Cte: `columns[i]` (fresh ids) is column `positions[i]` of the definition's schema."""

    cte_id: int
    name: str
    columns: tuple[Column, ...]
    positions: tuple[int, ...]

    @property
    def schema(self) -> tuple[Column, ...]:
        return self.columns


# Walking
_INPUT_FIELDS: dict[type, tuple[str, ...]] = {
    Filter: ("input",),
    Project: ("input",),
    Aggregate: ("input",),
    Distinct: ("input",),
    Sort: ("input",),
    Limit: ("input",),
    Join: ("left", "right"),
    SetOp: ("left", "right"),
    Cte: ("definition", "body"),
}


def with_inputs(plan: Plan, new: tuple[Plan, ...]) -> Plan:
    """The same node over new inputs; the same object if they are the same."""
    if all(a is b for a, b in zip(plan.inputs, new, strict=True)):
        return plan
    if isinstance(plan, UnionAll):
        return replace(plan, branches=new)
    return replace(plan, **dict(zip(_INPUT_FIELDS[type(plan)], new, strict=True)))


def map_expressions(plan: Plan, change: Callable[[Expr], Expr]) -> Plan:
    """Applies `change` to every expression of this node; the same object if none changed."""
    old = plan.expressions
    new = [change(e) for e in old]
    if all(a is b for a, b in zip(old, new, strict=True)):
        return plan
    it = iter(new)

    def keys(old_keys: tuple[SortKey, ...]) -> tuple[SortKey, ...]:
        return tuple(replace(k, expr=next(it)) for k in old_keys)

    updates: dict[str, Any]
    match plan:
        case Scan() | Filter():
            updates = {"predicate": next(it)}
        case Values():
            rows = [tuple([e if isinstance(e, Literal) else next(it) for e in row]) for row in plan.rows]
            updates = {"rows": tuple(rows)}
        case Project():
            updates = {"exprs": tuple(it)}
        case Join():
            condition = None if plan.condition is None else next(it)
            updates = {"condition": condition, "mark_terms": tuple(it)}
        case Aggregate():
            groups = tuple(next(it) for _ in plan.groups)
            updates = {"groups": groups, "calls": tuple(it)}
        case Distinct():
            updates = {"on": tuple(next(it) for _ in plan.on), "order": keys(plan.order)}
        case Sort():
            updates = {"keys": keys(plan.keys)}
        case Limit():
            updates = {"keys": keys(plan.keys)}
            if isinstance(plan.limit, Expr):
                updates["limit"] = next(it)
            if isinstance(plan.offset, Expr):
                updates["offset"] = next(it)
        case _:
            raise AssertionError(type(plan))
    return replace(plan, **updates)


def transform_plan(plan: Plan, visit: Callable[[Plan], Plan]) -> Plan:
    """Rebuilds bottom-up; `visit` sees each node after its inputs. Subquery plans inside expressions are not
    entered.
    """
    inputs = plan.inputs
    if inputs:
        plan = with_inputs(plan, tuple(transform_plan(child, visit) for child in inputs))
    return visit(plan)


def walk_plan(plan: Plan) -> Iterator[Plan]:
    """Every node, parents first, without recursion; subquery plans are not entered."""
    stack = [plan]
    while stack:
        node = stack.pop()
        yield node
        stack.extend(reversed(node.inputs))


def substitute_plan(plan: Plan, mapping: dict[int, Expr]) -> Plan:
    """Replaces outer references of a plan by expressions (used when an outer column is renamed)."""
    if plan.outer_references.isdisjoint(mapping):
        return plan
    new = tuple(substitute_plan(child, mapping) for child in plan.inputs)
    return map_expressions(with_inputs(plan, new), lambda e: substitute(e, mapping))


@dataclass
class ColumnIds:
    """Hands out column ids and CTE ids; one per statement, so plans are deterministic."""

    next_id: int = field(default=0)

    def fresh(self) -> int:
        """A new id."""
        self.next_id += 1
        return self.next_id

    def column(self, name: str, type_: Any, nullable: bool = True) -> Column:
        """A new column."""
        return Column(self.fresh(), name, type_, nullable)
