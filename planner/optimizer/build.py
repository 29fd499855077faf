"""Small builders that keep plans free of empty filters and trivial projections."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from ..expr import Column, ColumnRef, Expr, Literal, conjunction, ref, references
from ..logical import Filter, Join, JoinKind, Plan, Project, Values
from ..types import BOOLEAN

TRUE = Literal(BOOLEAN, True)
FALSE = Literal(BOOLEAN, False)


def filtered(plan: Plan, terms: Iterable[Expr]) -> Plan:
    """Rows of `plan` for which all terms hold; the plan itself if there is none."""
    predicate = conjunction(terms)
    return plan if predicate is None else Filter(plan, predicate)


def empty(columns: Sequence[Column]) -> Plan:
    """No rows of these columns."""
    unique = tuple({c.id: c for c in columns}.values())
    values = Values(unique, ())
    if len(unique) == len(columns):
        return values
    return Project(values, tuple(columns), tuple(map(ref, columns)))


def is_empty(plan: Plan) -> bool:
    """Whether a plan is literally without rows."""
    if isinstance(plan, Project):
        plan = plan.input
    return isinstance(plan, Values) and not plan.rows


def one_row() -> Values:
    """One row of no columns."""
    return Values((), ((),))


def same_columns(left: Sequence[Column], right: Sequence[Column]) -> bool:
    """Whether two schemas have the same ids in the same order."""
    return len(left) == len(right) and all(a.id == b.id for a, b in zip(left, right, strict=True))


def with_schema(plan: Plan, columns: Sequence[Column]) -> Plan:
    """The plan with exactly these of its columns, in this order."""
    if same_columns(plan.schema, columns):
        return plan
    by_id = {c.id: c for c in plan.schema}
    # One column may stand twice, under two names.
    kept = tuple(
        known if (known := by_id[c.id]).name == c.name else replace(known, name=c.name) for c in columns
    )
    return Project(plan, kept, tuple(ref(by_id[c.id]) for c in columns))


def renaming(plan: Plan, sources: Sequence[Column], targets: Sequence[Column]) -> Plan:
    """A projection that gives column sources[i] the identity of targets[i]."""
    return Project(plan, tuple(targets), tuple(ref(c) for c in sources))


def is_renaming(plan: Plan) -> bool:
    """Whether a plan is a projection of plain references."""
    return isinstance(plan, Project) and all(isinstance(e, ColumnRef) for e in plan.exprs)


def inner_join(left: Plan, right: Plan, terms: Iterable[Expr] = ()) -> Join:
    """Inner join on the conjunction of `terms`."""
    return Join(JoinKind.INNER, left, right, conjunction(terms))


def split(terms: Iterable[Expr], ids: frozenset[int]) -> tuple[list[Expr], list[Expr]]:
    """Terms that read nothing of `ids`, and the others."""
    free: list[Expr] = []
    bound: list[Expr] = []
    for term in terms:
        (free if references(term).isdisjoint(ids) else bound).append(term)
    return free, bound
