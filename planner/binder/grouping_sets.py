"""GROUPING SETS, ROLLUP and CUBE: the sets that GROUP BY means, and the plan that groups by each of them."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from sqlglot import exp

from .. import messages
from ..expr import AggregateCall, Column, Expr, Literal, ref, substitute
from ..frontend import span_of
from ..logical import Aggregate, ColumnIds, Cte, CteRef, Plan, Project, UnionAll
from .checks import refuse_unknown
from .merged_sets import merged_sets

# One set of group expressions.
Set = tuple[Expr, ...]
# The function GROUPING: an AggregateCall until the level's Aggregate is made.
GROUPING = "grouping"
# As many as DuckDB takes.
MOST_SETS = 65535
_KINDS = (exp.GroupingSets, exp.Rollup, exp.Cube)


@dataclass
class Groups:
    """Bound group expressions; `all_items`: also every SELECT item without aggregates (GROUP BY ALL). With
    `sets` rows are grouped by each of them, all made of `exprs`."""

    exprs: list[Expr] = field(default_factory=list)
    all_items: bool = False
    sets: list[Set] | None = None


def has_sets(term: exp.Expr) -> bool:
    """Whether a term of GROUP BY stands for several sets."""
    return isinstance(term, _KINDS)


def bind_sets(terms: Sequence[exp.Expr], bind: Callable[[exp.Expr], Expr]) -> list[Set]:
    """The sets that the terms mean together: every choice of one set of each. Raises BinderError where they
    are too many."""
    choices = [_sets(term, bind) for term in terms]
    count = 1
    for sets in choices:
        count *= len(sets)
    _check(count, terms[0])
    return [tuple(itertools.chain(*chosen)) for chosen in itertools.product(*choices)]


def _sets(term: Any, bind: Callable[[exp.Expr], Expr]) -> list[Set]:
    if not has_sets(term):
        return [_together(term, bind)]
    refuse_unknown(term, ("expressions",))
    if isinstance(term, exp.GroupingSets):
        return [found for part in term.expressions for found in _sets(part, bind)]
    parts = [_together(part, bind) for part in term.expressions]
    sizes = range(len(parts), -1, -1)
    if isinstance(term, exp.Rollup):
        return [tuple(itertools.chain(*parts[:size])) for size in sizes]
    _check(2 ** len(parts), term)
    return [
        tuple(itertools.chain(*chosen)) for size in sizes for chosen in itertools.combinations(parts, size)
    ]


def _together(term: exp.Expr, bind: Callable[[exp.Expr], Expr]) -> Set:
    terms = term.expressions if isinstance(term, exp.Tuple) else [term]
    return tuple(bind(part) for part in terms)


def _check(count: int, term: exp.Expr) -> None:
    if count > MOST_SETS:
        problem = f"these are {count} sets, {MOST_SETS} are the most"
        raise messages.bad_argument("GROUP BY", problem, span_of(term))


@dataclass(frozen=True)
class SetsPlan:
    """What a level with grouping sets computes. `groups` are the columns of all group expressions, `calls`
    those of the aggregates, `tests` those of GROUPING over some of the expressions."""

    ids: ColumnIds
    groups: Mapping[Expr, Column]
    calls: Mapping[AggregateCall, Column]
    tests: Mapping[tuple[Expr, ...], Column]

    def over(self, source: Plan, sets: Sequence[Set]) -> Plan:
        """The rows of one Aggregate a set, in the order of the sets, over the rows of `source`, which are
        made once. A group expression that is not in a set is NULL."""
        chosen = [frozenset(one) for one in sets]
        merged = merged_sets(self.ids, source, chosen, self.groups, self.calls, self.tests, _missing)
        if merged is not None:
            return merged
        number = self.ids.fresh()
        branches = tuple(self._branch(source, number, frozenset(chosen)) for chosen in sets)
        columns = (*self.groups.values(), *self.calls.values(), *self.tests.values())
        # Reading and filtering a table again for every set costs more than keeping what is read of it.
        union = UnionAll(branches, columns)
        return Cte(number, "grouping sets", source, union, materialized=len(sets) > 1 or None)

    def _branch(self, source: Plan, number: int, chosen: frozenset[Expr]) -> Plan:
        read = tuple(self._fresh(c) for c in source.schema)
        rows = CteRef(number, "grouping sets", read, tuple(range(len(read))))
        inside: dict[int, Expr] = {old.id: ref(new) for old, new in zip(source.schema, read, strict=True)}
        groups = {expr: self._fresh(column) for expr, column in self.groups.items() if expr in chosen}
        calls = [self._fresh(column) for column in self.calls.values()]
        aggregate = Aggregate(
            rows,
            tuple(groups.values()),
            tuple(substitute(expr, inside) for expr in groups),
            tuple(calls),
            tuple(substitute(call, inside) for call in self.calls),  # type: ignore[arg-type]
        )
        values: list[Expr] = [
            ref(groups[expr]) if expr in groups else Literal(column.type, None)
            for expr, column in self.groups.items()
        ]
        values += [ref(column) for column in calls]
        values += [Literal(column.type, _missing(tested, chosen)) for tested, column in self.tests.items()]
        columns = [*self.groups.values(), *self.calls.values(), *self.tests.values()]
        return Project(aggregate, tuple(map(self._fresh, columns)), tuple(values))

    def _fresh(self, column: Column) -> Column:
        return replace(column, id=self.ids.fresh())


def _missing(tested: Sequence[Expr], chosen: frozenset[Expr]) -> int:
    """A bit for each expression, the last one's the lowest, that is 1 where rows are not grouped by it."""
    bits = 0
    for expr in tested:
        bits = bits * 2 + (expr not in chosen)
    return bits
