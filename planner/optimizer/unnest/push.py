"""The tools with which a dependent join is pushed down a plan until nothing refers to the outer side any
more.

Where an outer column is needed, it is taken from a column of the right side that equals it (its stand-in);
where there is none, the domain is joined in. What happens at each kind of node is in `operators.py` and
`joins.py`; see `domain.py` for the sources.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from ...expr import (
    Case,
    Column,
    ColumnRef,
    Comparison,
    Expr,
    IsNull,
    Not,
    conjunction,
    is_constant,
    ref,
    references,
    substitute,
)
from ...logical import ColumnIds, CteRef, Join, JoinKind, Plan, Project, WorkingRef, walk_plan
from ...types import BOOLEAN
from ..build import TRUE, filtered, inner_join
from ..properties import is_volatile, may_fail, strict_references
from ..rename import freshen
from .domain import Domain, StandIn, is_exact, reads_only, same
from .pushed import Mode, Pushed

Push = Callable[["Pusher", Any, Mode], Pushed]
_PUSH: dict[type[Plan], Push] = {}


def pushes(*kinds: type[Plan]) -> Callable[[Push], Push]:
    """Registers how a dependent join is pushed into nodes of these types."""

    def register(function: Push) -> Push:
        for kind in kinds:
            _PUSH[kind] = function
        return function

    return register


class Pusher:
    """Pushes one dependent join; `domain` describes its outer side."""

    def __init__(self, domain: Domain, ids: ColumnIds) -> None:
        self.domain = domain
        self.ids = ids
        self.outer = frozenset(domain.entries)
        # CTEs whose definition was correlated: where its stand-ins are in the definition's schema, and
        # whether they are strict.
        self.ctes: dict[int, dict[int, tuple[int, bool]]] = {}

    def correlated(self, plan: Plan) -> bool:
        """Whether a plan depends on the outer side."""
        if not plan.outer_references.isdisjoint(self.outer):
            return True
        return bool(self.ctes) and any(
            isinstance(node, (CteRef, WorkingRef)) and node.cte_id in self.ctes for node in walk_plan(plan)
        )

    def through_ctes(self, plan: Plan) -> set[int]:
        """Outer columns on which a plan depends by the CTEs that it reads."""
        found: set[int] = set()
        for node in walk_plan(plan) if self.ctes else ():
            if isinstance(node, (CteRef, WorkingRef)):
                found |= self.ctes.get(node.cte_id, {}).keys()
        return found

    def outer_of(self, exprs: Iterable[Expr]) -> set[int]:
        """Outer columns that expressions read."""
        found: set[int] = set()
        for expr in exprs:
            found |= references(expr) & self.outer
        return found

    def push(self, plan: Plan, mode: Mode) -> Pushed:
        """The plan without the outer side; see Pushed."""
        return _PUSH[type(plan)](self, plan, mode) if self.correlated(plan) else Pushed(plan)

    def push_strict(self, plan: Plan, *, repeats: bool = True) -> Pushed:
        """As `push`, with nothing handed up: no pulled predicates, no deferred columns, no absent rows."""
        return self.materialised(self.push(plan, Mode(pull=False, repeats=repeats)))

    def bind(self, pushed: Pushed, wanted: Iterable[int]) -> Pushed:
        """Joins the domain in where `wanted` columns have no stand-in yet."""
        missing = set(wanted) - pushed.stand_ins.keys()
        return self.restrict(pushed, missing) if missing else pushed

    def restrict(self, pushed: Pushed, extra: Iterable[int] = ()) -> Pushed:
        """Joins the domain in, so that only rows for values that some outer row has remain."""
        domain, found = self.domain.plan({*pushed.stand_ins, *extra})
        terms = [same(found[c].column, stand_in) for c, stand_in in sorted(pushed.stand_ins.items())]
        plan = inner_join(pushed.plan, domain, terms)
        return replace(pushed, plan=plan, stand_ins={**found, **pushed.stand_ins})

    def materialised(self, pushed: Pushed) -> Pushed:
        """Makes the rows that `absent` speaks of: the domain, LEFT joined with the plan."""
        if pushed.absent is None:
            return pushed
        assert not pushed.pulled, "an aggregate without groups hands no predicate up"
        values = [*pushed.absent.values(), *pushed.deferred.values()]
        domain, found = self.domain.plan({*pushed.stand_ins, *self.outer_of(values)})
        outer: dict[int, Expr] = {column: stand_in.column for column, stand_in in found.items()}
        columns = {c.id: c for c in pushed.plan.schema}
        plan, renamed = freshen(pushed.plan, self.ids)
        inside: dict[int, Expr] = {old: ref(new) for old, new in renamed.items()} | outer
        plan, matched = self.marked(plan)
        terms = []
        for column, stand_in in sorted(pushed.stand_ins.items()):
            inner = ref(renamed[stand_in.column.id])
            terms.append(same(found[column].column, StandIn(inner, stand_in.strict)))
        joined = Join(JoinKind.LEFT, domain, plan, conjunction(terms))
        outputs = list(domain.schema)
        exprs: list[Expr] = [ref(c) for c in domain.schema]
        for column, value in pushed.absent.items():
            outputs.append(columns.get(column) or Column(column, "value", value.type))
            present = pushed.deferred.get(column) or ref(outputs[-1])
            exprs.append(
                where_matched(matched, substitute(present, inside), substitute(value, outer), plan.ids)
            )
        return Pushed(Project(joined, tuple(outputs), tuple(exprs)), found)

    def marked(self, plan: Plan) -> tuple[Plan, ColumnRef]:
        """The plan with a column that is TRUE, so that a LEFT join shows which rows found a partner."""
        matched = self.ids.column("matched", BOOLEAN)
        return Project(plan, (*plan.schema, matched), (*map(ref, plan.schema), TRUE)), ref(matched)

    def select(self, pushed: Pushed, terms: Iterable[Expr], mode: Mode) -> Pushed:
        """Rows for which all terms hold. Correlated terms are handed up, become stand-ins, or are evaluated
        over the domain.
        """
        terms = [substitute(t, pushed.deferred) for t in terms]
        bound = [t for t in terms if self.outer_of([t])]
        local = [t for t in terms if not self.outer_of([t])]
        pushed = replace(pushed, plan=filtered(pushed.plan, local))
        if mode.pull:
            return replace(pushed, pulled=[*pushed.pulled, *bound])
        rest = []
        for term in bound:
            after = self._with_stand_in(pushed, term)
            if after is None:
                rest.append(term)
            else:
                pushed = after
        pushed = self.bind(pushed, self.outer_of(rest))
        return replace(pushed, plan=filtered(pushed.plan, [self.inner(t, pushed) for t in rest]))

    def inner(self, expr: Expr, pushed: Pushed) -> Expr:
        """An expression with outer columns replaced by their stand-ins."""
        return substitute(expr, {column: s.column for column, s in pushed.stand_ins.items()})

    def _with_stand_in(self, pushed: Pushed, term: Expr) -> Pushed | None:
        """Takes `inner = outer` as the definition of a stand-in; None where it is no such thing."""
        if not isinstance(term, Comparison) or term.op not in ("=", "is not distinct from"):
            return None
        for outer, inner in ((term.left, term.right), (term.right, term.left)):
            if not reads_only(outer, self.outer) or self.outer_of([inner]) or not is_exact(outer.type):
                continue
            if isinstance(outer, ColumnRef):
                column = outer.id
            elif may_fail(outer) or is_volatile(outer) or is_volatile(inner):
                return None
            else:
                column = self.domain.computed(outer)
            if column in pushed.stand_ins:
                return None
            plan = pushed.plan
            # A column of a still farther outer query becomes one of this plan first.
            if not isinstance(inner, ColumnRef) or inner.id not in plan.ids:
                key = self.ids.column("key", inner.type)
                plan = Project(plan, (*plan.schema, key), (*map(ref, plan.schema), inner))
                inner = ref(key)
            found = {**pushed.stand_ins, column: StandIn(inner, strict=term.op == "=")}
            return replace(pushed, plan=plan, stand_ins=found)
        return None


def where_matched(matched: Expr, value: Expr, absent: Expr, inner: frozenset[int]) -> Expr:
    """`value` in rows that found a partner of a LEFT join, `absent` in the others. `inner` are columns of the
    joined side, which are NULL without a partner.
    """
    if is_constant(absent, None) and not strict_references(value).isdisjoint(inner):
        return value
    found = Not(BOOLEAN, IsNull(BOOLEAN, matched))
    return Case(value.type, ((found, value),), absent)
