"""Walks a plan from the inside out and turns every subquery and lateral join into a join."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from ...expr import (
    SUBQUERIES,
    Comparison,
    Exists,
    Expr,
    Literal,
    Not,
    Or,
    Quantified,
    ScalarSubquery,
    conjunction,
    conjuncts,
    has_subquery,
    ref,
    references,
    transform,
)
from ...logical import (
    ColumnIds,
    Filter,
    Join,
    JoinKind,
    Limit,
    Plan,
    Project,
    UnionAll,
    Values,
    map_expressions,
    with_inputs,
)
from ...messages import unsupported
from ...types import BOOLEAN
from ..build import TRUE, filtered, one_row, with_schema
from ..folding.predicates import simplify_predicate
from ..nullability import expression_never_null, never_null
from ..properties import may_fail
from ..rename import freshen
from ..uniqueness import exactly_one_row
from .dependent import DependentJoins


class Flattener:
    """Unnests one statement's plan."""

    def __init__(self, ids: ColumnIds) -> None:
        self.ids = ids
        self.joins = DependentJoins(ids)
        self.seen: set[Plan] = set()

    def flatten(self, plan: Plan) -> Plan:
        """The plan without subqueries in expressions and without lateral joins; the same object if there was
        none.
        """
        plan = with_inputs(plan, tuple(self.flatten(child) for child in plan.inputs))
        if isinstance(plan, Join) and plan.lateral:
            plan = self._lateral(plan)
        if not any(has_subquery(e) for e in plan.expressions):
            return plan
        match plan:
            case Filter():
                return with_schema(self._filter(plan.input, plan.predicate), plan.schema)
            case Join():
                return self._join(plan)
            case Values():
                return self._values(plan)
            case Limit():
                return self._limit(plan)
            case _:
                (source,) = plan.inputs
                current, exprs = self._extend(source, plan.expressions)
                pending = iter(exprs)
                changed = map_expressions(with_inputs(plan, (current,)), lambda _: next(pending))
                return with_schema(changed, plan.schema)

    def _subplan(self, plan: Plan) -> Plan:
        """The plan of a subquery, flattened; a copy with ids of its own where the same subquery stands in
        several places (BETWEEN has its argument twice)."""
        flat = self.flatten(plan)
        if plan in self.seen:
            flat, _ = freshen(flat, self.ids)
        self.seen.add(plan)
        return flat

    # Filters -----------------------------------------------------------------------------------------------
    def _filter(self, source: Plan, predicate: Expr) -> Plan:
        """Conjuncts that are subqueries become semi and anti joins; what needs their value follows above
        them.
        """
        terms = conjuncts(simplify_predicate(predicate))
        first = next((i for i, t in enumerate(terms) if has_subquery(t)), len(terms))
        early = [t for i, t in enumerate(terms) if not has_subquery(t) and (i < first or not may_fail(t))]
        current = filtered(source, early)
        done: dict[Expr, Expr] = {}
        for term in terms:
            if not has_subquery(term):
                if all(term is not e for e in early):
                    current = Filter(current, term)
                continue
            current = self._restrict(current, term, done)
        return current

    def _restrict(self, current: Plan, term: Expr, done: dict[Expr, Expr]) -> Plan:
        """Rows of `current` for which a term with a subquery holds. `done` are subqueries whose value is a
        column already.
        """
        negated = isinstance(term, Not)
        subquery = term.arg if isinstance(term, Not) else term
        kind = JoinKind.ANTI if negated else JoinKind.SEMI
        if isinstance(subquery, Exists):
            plan = self._subplan(subquery.plan)
            if exactly_one_row(plan):
                return filtered(current, [Literal(BOOLEAN, not negated)])
            return self.joins.filtering(kind, current, plan, (), existence=True)
        if isinstance(subquery, Quantified):
            current, args = self._extend(current, subquery.args, done)
            plan = self._subplan(subquery.plan)
            if not negated or _two_valued(current, plan, args):
                return self.joins.filtering(
                    kind, current, plan, _terms(subquery.op, args, plan), existence=False
                )
            mark = self.ids.column("found", BOOLEAN)
            terms = _terms(subquery.op, args, plan)
            current = self.joins.marking(current, plan, terms, mark, existence=False)
            return Filter(current, Not(BOOLEAN, ref(mark)))
        current, (value,) = self._extend(current, (term,), done)
        return Filter(current, value)

    # Values ------------------------------------------------------------------------------------------------
    def _extend(
        self, source: Plan, exprs: Iterable[Expr], known: dict[Expr, Expr] | None = None
    ) -> tuple[Plan, tuple[Expr, ...]]:
        """Joins every subquery of the expressions to `source`; and the expressions with their values instead.
        `known` are subqueries that are columns already; new ones are added."""
        current = source
        done = {} if known is None else known

        def visit(node: Expr) -> Expr:
            nonlocal current
            if not isinstance(node, SUBQUERIES):
                return node
            value = done.get(node)
            if value is None:
                current, value = self._value(current, node)
                done[node] = value
            return value

        values = tuple(transform(e, visit) for e in exprs)
        return current, values

    def _value(self, current: Plan, node: Expr) -> tuple[Plan, Expr]:
        """One subquery joined to `current`, and its value."""
        if isinstance(node, ScalarSubquery):
            return self.joins.scalar(current, self._subplan(node.plan))
        if isinstance(node, Exists):
            plan = self._subplan(node.plan)
            if exactly_one_row(plan):
                return current, TRUE
            mark = self.ids.column("exists", BOOLEAN, nullable=False)
            return self.joins.marking(current, plan, (), mark, existence=True), ref(mark)
        assert isinstance(node, Quantified)
        plan = self._subplan(node.plan)
        mark = self.ids.column("found", BOOLEAN, nullable=not _two_valued(current, plan, node.args))
        terms = _terms(node.op, node.args, plan)
        return self.joins.marking(current, plan, terms, mark, existence=False), ref(mark)

    def _values(self, plan: Values) -> Plan:
        """VALUES with subqueries: one projection a row."""
        branches = []
        for row in plan.rows:
            columns = plan.columns
            if len(plan.rows) > 1:
                columns = tuple(replace(c, id=self.ids.fresh()) for c in columns)
            branches.append(self.flatten(Project(one_row(), columns, row)))
        return branches[0] if len(branches) == 1 else UnionAll(tuple(branches), plan.columns)

    def _limit(self, plan: Limit) -> Plan:
        """A subquery as LIMIT or OFFSET is run first; it only loses its own subqueries here."""

        def inside(expr: Expr) -> Expr:
            if isinstance(expr, SUBQUERIES):
                return replace(expr, plan=self.flatten(expr.plan))
            return expr

        return map_expressions(plan, lambda e: transform(e, inside))

    # Joins -------------------------------------------------------------------------------------------------
    def _lateral(self, join: Join) -> Plan:
        if join.condition is not None and has_subquery(join.condition):
            if join.kind is JoinKind.INNER:
                plain = self.joins.lateral(replace(join, condition=None))
                return self._filter(plain, join.condition)
            join = replace(join, right=self._filter(join.right, join.condition), condition=None)
        return self.joins.lateral(join)

    def _join(self, join: Join) -> Plan:
        """Subqueries in ON: above an inner join, on the side they read, or as a lateral join where they read
        both.
        """
        assert join.condition is not None
        if join.kind is JoinKind.INNER:
            return self._filter(replace(join, condition=None), join.condition)
        schema = join.schema
        kept: list[Expr] = []
        sides = [join.left, join.right]
        for term in conjuncts(join.condition):
            if not has_subquery(term):
                kept.append(term)
                continue
            reads = references(term)
            for index in (0, 1):
                if reads.isdisjoint(sides[1 - index].ids):
                    sides[index], (value,) = self._extend(sides[index], (term,))
                    kept.append(value)
                    break
            else:
                return self._both_sides(join)
        plan = replace(join, left=sides[0], right=sides[1], condition=conjunction(kept))
        return with_schema(plan, schema)

    def _both_sides(self, join: Join) -> Plan:
        """ON with a subquery over both sides: the right side is filtered anew for every left row."""
        schema, condition = join.schema, join.condition
        assert condition is not None
        if join.kind is JoinKind.RIGHT:
            join = replace(join, kind=JoinKind.LEFT, left=join.right, right=join.left)
        if join.kind is JoinKind.FULL:
            span = next((t.span for t in conjuncts(condition) if t.span), None)
            raise unsupported("FULL JOIN on a subquery that reads both sides is", span)
        right = with_schema(self._filter(join.right, condition), join.right.schema)
        lateral = replace(join, right=right, condition=None, lateral=True)
        return with_schema(self.joins.lateral(lateral), schema)


def _terms(op: str, args: Sequence[Expr], plan: Plan) -> tuple[Expr, ...]:
    """What a row of the subquery must satisfy in `args op ANY (plan)`."""
    compared = tuple(
        Comparison(BOOLEAN, op, arg, ref(column)) for arg, column in zip(args, plan.schema, strict=True)
    )
    # (a, b) <> (x, y) holds where one of the columns differs.
    return (Or(BOOLEAN, compared),) if op == "<>" and len(compared) > 1 else compared


def _two_valued(current: Plan, plan: Plan, args: Sequence[Expr]) -> bool:
    """Whether no comparison of a quantified subquery can be NULL."""
    return all(expression_never_null(a, current) for a in args) and all(
        never_null(plan, c.id) for c in plan.schema
    )
