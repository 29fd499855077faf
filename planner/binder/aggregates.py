"""To which query an aggregate belongs, and the Aggregate node of a query level."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from .. import messages, messages_query
from ..errors import Span
from ..expr import (
    SUBQUERIES,
    AggregateCall,
    Column,
    ColumnRef,
    Expr,
    Literal,
    children,
    ref,
    transform,
    walk,
    with_children,
)
from ..logical import Aggregate, ColumnIds, Plan, substitute_plan, walk_plan
from .grouping_sets import GROUPING, Groups, SetsPlan
from .plans import is_nullable, not_null_ids
from .scope import Scope


@dataclass
class AggregateCalls:
    """The different aggregates of one query level and the columns that hold their values."""

    ids: ColumnIds
    columns: dict[AggregateCall, Column] = field(default_factory=dict)

    def add(self, call: AggregateCall) -> ColumnRef:
        """The reference that stands for `call`; equal calls share one column."""
        column = self.columns.get(call)
        if column is None:
            column = self.ids.column(call.function, call.type, is_nullable(call, frozenset()))
            self.columns[call] = column
        return ref(column, call.span)


def settle(expr: Expr, scope: Scope) -> Expr:
    """Gives every aggregate in a bound expression to the query level it belongs to: the innermost one whose
    columns it reads, or the
    own level if it reads none. Aggregates of the own level stay; those of outer levels become references
    there.

    Raises BinderError where the clause of that level takes no aggregates.
    """
    if not any(isinstance(node, AggregateCall) for node in walk(expr)):
        return expr

    def place(node: Expr) -> Expr:
        if not isinstance(node, AggregateCall):
            return node
        level = _level(node, scope)
        if level.calls is None:
            raise messages.aggregate_not_allowed(node.function, level.clause, node.span)
        if level is scope:
            return node
        if node.function == GROUPING:
            raise messages.unsupported("GROUPING of an outer query's groups is", node.span)
        return level.calls.add(node)

    return transform(expr, place)


def _level(call: AggregateCall, scope: Scope) -> Scope:
    """Columns inside subqueries of the argument do not count, as in DuckDB."""
    read = frozenset(node.id for node in walk(call) if isinstance(node, ColumnRef))
    level: Scope | None = scope
    while read and level is not None:
        if not read.isdisjoint(level.column_ids):
            return level
        level = level.outer
    return scope


def accepts_aggregates(scope: Scope) -> bool:
    """Whether an aggregate may stand in this scope or belong to one around it."""
    level: Scope | None = scope
    while level is not None:
        if level.calls is not None:
            return True
        level = level.outer
    return False


class Grouping:
    """Rewrites a level's expressions to what is left after its Aggregate: groups and aggregate values."""

    def __init__(self, input_: Plan, groups: Groups, calls: AggregateCalls) -> None:
        self._input = input_
        self._calls = calls
        self._local = input_.ids
        self._sets = groups.sets
        self._groups: dict[Expr, Column] = {}
        self._tests: dict[tuple[Expr, ...], Column] = {}
        never = not_null_ids(input_)
        for expr in groups.exprs:
            if expr not in self._groups:
                self._groups[expr] = self._group_column(expr, never)
        self._rewritten: dict[int, tuple[Expr, Expr]] = {}  # by id of the part, which is kept alive beside it
        self._kept = frozenset(e.id for e in self._groups if isinstance(e, ColumnRef))
        # What subqueries read of the groups, where it is not called what it was.
        self._inside: dict[int, Expr] = {
            e.id: ref(c) for e, c in self._groups.items() if isinstance(e, ColumnRef) and e.id != c.id
        }

    def _group_column(self, expr: Expr, never: frozenset[int]) -> Column:
        # In rows of a set without the expression it is NULL, so that it is another column than the input's.
        in_all = self._sets is None or all(expr in chosen for chosen in self._sets)
        nullable = not in_all or is_nullable(expr, never)
        if isinstance(expr, ColumnRef) and expr.id in self._local and self._sets is None:
            return Column(expr.id, expr.name, expr.type, nullable)
        return self._calls.ids.column(
            expr.name if isinstance(expr, ColumnRef) else "group", expr.type, nullable
        )

    def rewrite(self, expr: Expr) -> Expr:
        """`expr` over the Aggregate's output. Raises BinderError for a column that is neither grouped nor
        aggregated."""
        known = self._rewritten.get(id(expr))
        if known is None:
            known = self._rewritten[id(expr)] = (expr, self._rewrite(expr))
        return known[1]

    def _rewrite(self, expr: Expr) -> Expr:
        group = self._groups.get(expr)
        if group is not None:
            return ColumnRef(group.type, group.id, _name(expr, group), span=expr.span)
        if isinstance(expr, AggregateCall):
            return self._test(expr) if expr.function == GROUPING else self._calls.add(expr)
        if isinstance(expr, ColumnRef):
            if expr.id in self._local:
                raise messages_query.must_be_grouped(expr.name, expr.span)
            return expr
        if isinstance(expr, SUBQUERIES):
            loose = (expr.plan.outer_references & self._local) - self._kept
            if loose:
                name, span = _use_of(expr.plan, loose)
                raise messages_query.must_be_grouped(name, span or expr.span)
            expr = _reading(expr, self._inside)
        old = children(expr)
        new = tuple(self.rewrite(child) for child in old)
        return expr if all(a is b for a, b in zip(old, new, strict=True)) else with_children(expr, new)

    def _test(self, call: AggregateCall) -> Expr:
        """GROUPING: which of some group expressions the row is not grouped by."""
        if not self._groups and self._sets is None:
            raise messages_query.grouping_without_groups(call.span)
        for arg in call.args:
            if arg not in self._groups:
                raise messages_query.not_a_group(arg.span or call.span)
        if self._sets is None:
            return Literal(call.type, 0, span=call.span)
        column = self._tests.get(call.args)
        if column is None:
            column = self._tests[call.args] = self._calls.ids.column(GROUPING, call.type, nullable=False)
        return ref(column, call.span)

    def loose_columns(self, expr: Expr) -> Iterator[ColumnRef]:
        """The columns in `expr` for which `rewrite` would raise (those inside subqueries excepted)."""
        stack, seen = [expr], set[int]()
        while stack:
            part = stack.pop()
            if id(part) in seen or part in self._groups or isinstance(part, AggregateCall):
                continue
            seen.add(id(part))
            if isinstance(part, ColumnRef) and part.id in self._local:
                yield part
            stack.extend(reversed(children(part)))

    def plan(self) -> Plan:
        """The Aggregate node, or those of all sets, once every expression of the level is rewritten."""
        if self._sets is not None:
            parts = SetsPlan(self._calls.ids, self._groups, self._calls.columns, self._tests)
            return parts.over(self._input, self._sets)
        groups = tuple(self._groups)
        calls = tuple(self._calls.columns)
        columns = tuple(self._calls.columns.values())
        return Aggregate(self._input, tuple(self._groups.values()), groups, columns, calls)


def _reading(expr: Expr, columns: dict[int, Expr]) -> Expr:
    """A subquery whose plan reads other columns; its arguments stay."""
    assert isinstance(expr, SUBQUERIES)
    if not columns or expr.plan.outer_references.isdisjoint(columns):
        return expr
    return replace(expr, plan=substitute_plan(expr.plan, columns))


def _name(expr: Expr, column: Column) -> str:
    return expr.name if isinstance(expr, ColumnRef) else column.name


def _use_of(plan: Plan, ids: frozenset[int]) -> tuple[str, Span | None]:
    """Name and place of the first reference to one of `ids` in a plan, subqueries included."""
    for node in walk_plan(plan):
        for top in node.expressions:
            for expr in walk(top):
                if isinstance(expr, ColumnRef) and expr.id in ids:
                    return expr.name, expr.span
                if isinstance(expr, SUBQUERIES) and not expr.plan.outer_references.isdisjoint(ids):
                    return _use_of(expr.plan, ids)
    raise AssertionError(ids)
