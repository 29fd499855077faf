"""Turns dependent joins (the right side reads columns of the left one) into plain joins."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ...expr import Column, Expr, Literal, conjunction, conjuncts, ref, substitute
from ...logical import ColumnIds, Filter, Join, JoinKind, Plan, Project
from ..build import with_schema
from ..rename import freshen
from ..uniqueness import at_most_one_row, exactly_one_row, matches_at_most_one
from . import joins, operators, recursion  # noqa: F401 - they register how joins are pushed
from .domain import Domain
from .push import Pusher, where_matched
from .pushed import Mode, Pushed


class DependentJoins:
    """Joins a plan with a subquery that may refer to it. Subqueries are free of subqueries and lateral joins
    themselves.
    """

    def __init__(self, ids: ColumnIds) -> None:
        self.ids = ids

    def _push(self, left: Plan, right: Plan, mode: Mode) -> tuple[Pusher, Pushed]:
        pusher = Pusher(Domain(left, right.outer_references & left.ids, self.ids), self.ids)
        return pusher, pusher.push(right, mode)

    def filtering(
        self, kind: JoinKind, left: Plan, right: Plan, terms: Sequence[Expr], *, existence: bool
    ) -> Plan:
        """SEMI or ANTI join on `terms` over both sides; without terms (`existence`) only whether there is a
        row counts.
        """
        pusher, pushed = self._push(left, right, Mode(True, repeats=False, existence=existence))
        pushed = pusher.materialised(pushed)
        condition = [*_conditions(pusher, pushed), *(substitute(t, pushed.deferred) for t in terms)]
        return pusher.domain.wrapped(Join(kind, pusher.domain.left, pushed.plan, conjunction(condition)))

    def marking(
        self, left: Plan, right: Plan, terms: Sequence[Expr], mark: Column, *, existence: bool
    ) -> Plan:
        """MARK join; `terms` are what makes the mark NULL where they are (see logical.Join)."""
        pusher, pushed = self._push(left, right, Mode(True, repeats=False, existence=existence))
        pushed = pusher.materialised(pushed)
        marks = tuple(substitute(t, pushed.deferred) for t in terms)
        condition = conjunction(_conditions(pusher, pushed))
        joined = Join(JoinKind.MARK, pusher.domain.left, pushed.plan, condition, mark, marks)
        return pusher.domain.wrapped(joined)

    def scalar(self, left: Plan, right: Plan) -> tuple[Plan, Expr]:
        """The plan with the subquery's value beside every row, and that value."""
        (column,) = right.schema
        if right.outer_references.isdisjoint(left.ids):
            return Join(_uncorrelated_kind(right), left, right), ref(column)
        pusher, pushed = self._push(left, right, Mode(True, repeats=True))
        condition = conjunction(_conditions(pusher, pushed))
        plan = pushed.plan
        value = pushed.deferred.get(column.id) or ref(column)
        single = pushed.absent is None and not matches_at_most_one(plan, condition, pusher.domain.left)
        absent = pushed.absent[column.id] if pushed.absent is not None else Literal(column.type, None)
        plan, matched = pusher.marked(plan)
        value = where_matched(matched, value, absent, plan.ids)
        kind = JoinKind.SINGLE if single else JoinKind.LEFT
        return pusher.domain.wrapped(Join(kind, pusher.domain.left, plan, condition)), value

    def lateral(self, join: Join) -> Plan:
        """A join whose right side reads columns of the left one, as a join that does not, with the same
        columns.
        """
        return with_schema(self._lateral(join), join.schema)

    def _lateral(self, join: Join) -> Plan:
        left, right, kind = join.left, join.right, join.kind
        if right.outer_references.isdisjoint(left.ids):
            return replace(join, lateral=False)
        if kind in (JoinKind.SEMI, JoinKind.ANTI):
            terms = conjuncts(join.condition)
            return self.filtering(kind, left, right, terms, existence=not terms)
        if kind is JoinKind.MARK:
            return self._lateral_mark(join)
        assert kind in (JoinKind.INNER, JoinKind.LEFT, JoinKind.SINGLE), kind
        pusher, pushed = self._push(left, right, Mode(True, repeats=True))
        if kind is not JoinKind.INNER and join.condition is not None:
            pushed = pusher.materialised(pushed)
        terms = [substitute(t, pushed.deferred) for t in conjuncts(join.condition)]
        if kind is JoinKind.INNER and pushed.absent is None:
            plan: Plan = Join(
                kind, pusher.domain.left, pushed.plan, conjunction([*_conditions(pusher, pushed), *terms])
            )
            plan = _with_deferred(plan, join.schema, pushed.deferred)
            return pusher.domain.wrapped(plan)
        plan = self._lateral_outer(join, pusher, pushed, terms)
        if kind is JoinKind.INNER and join.condition is not None:
            plan = Filter(plan, join.condition)
        return plan

    def _lateral_mark(self, join: Join) -> Plan:
        assert join.mark is not None
        pusher, pushed = self._push(join.left, join.right, Mode(True, repeats=False))
        pushed = pusher.materialised(pushed)
        terms = [substitute(t, pushed.deferred) for t in conjuncts(join.condition)]
        condition = conjunction([*_conditions(pusher, pushed), *terms])
        marks = tuple(substitute(t, pushed.deferred) for t in join.mark_terms)
        joined = Join(JoinKind.MARK, pusher.domain.left, pushed.plan, condition, join.mark, marks)
        return pusher.domain.wrapped(joined)

    def _lateral_outer(self, join: Join, pusher: Pusher, pushed: Pushed, terms: Sequence[Expr]) -> Plan:
        """Every left row with its rows or, where there is none, NULLs or the `absent` values."""
        right = join.right.schema
        plan, renamed = freshen(pushed.plan, self.ids)
        inside: dict[int, Expr] = {old: ref(new) for old, new in renamed.items()}
        conditions = [*_conditions(pusher, pushed), *terms]
        condition = conjunction(substitute(t, inside) for t in conditions)
        columns = list(join.left.schema)
        exprs: list[Expr] = [ref(c) for c in columns]
        plan, matched = pusher.marked(plan)
        for column in right:
            value = substitute(pushed.deferred.get(column.id) or ref(column), inside)
            absent: Expr = Literal(column.type, None)
            if pushed.absent is not None:
                absent = pushed.absent[column.id]
            columns.append(replace(column, nullable=True))
            exprs.append(where_matched(matched, value, absent, plan.ids))
        kind = JoinKind.SINGLE if join.kind is JoinKind.SINGLE else JoinKind.LEFT
        joined = Join(kind, pusher.domain.left, plan, condition)
        return pusher.domain.wrapped(Project(joined, tuple(columns), tuple(exprs)))


def _conditions(pusher: Pusher, pushed: Pushed) -> list[Expr]:
    return [*pusher.domain.conditions(pushed.stand_ins), *pushed.pulled]


def _uncorrelated_kind(right: Plan) -> JoinKind:
    """How the one value of an uncorrelated subquery is joined."""
    if exactly_one_row(right):
        return JoinKind.INNER
    return JoinKind.LEFT if at_most_one_row(right) else JoinKind.SINGLE


def _with_deferred(plan: Plan, schema: Sequence[Column], deferred: dict[int, Expr]) -> Plan:
    """The columns of `schema`, deferred ones computed."""
    if not deferred:
        return plan
    return Project(plan, tuple(schema), tuple(deferred.get(c.id) or ref(c) for c in schema))
