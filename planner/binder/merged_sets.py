"""Grouping sets from the finest one: coarser groups are made of its groups where aggregates can be merged."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from ..expr import AggregateCall, Coalesce, Column, Expr, Literal, ref
from ..logical import Aggregate, ColumnIds, Cte, CteRef, Plan, Project, UnionAll
from ..types import BIGINT, DOUBLE, HUGEINT, TypeId
from .calls import call
from .casting import cast_to

# Merged by themselves: an aggregate of the groups' values is that of their rows.
_SAME = frozenset({"min", "max", "bool_and", "bool_or", "bit_and", "bit_or", "bit_xor"})
_COUNTS = frozenset({"count", "count_star"})
_WHOLE = frozenset({TypeId.TINYINT, TypeId.SMALLINT, TypeId.INTEGER, TypeId.BIGINT})

Test = Callable[[Sequence[Expr], frozenset[Expr]], int]


@dataclass(frozen=True)
class _Merge:
    """How a call is computed: the calls of the finest groups, and of them the merged value."""

    parts: tuple[AggregateCall, ...]
    value: Callable[[Sequence[Expr]], Expr]


def _merge(asked: AggregateCall) -> _Merge | None:
    """None for a call that cannot be merged."""
    if asked.distinct or asked.order_by:
        return None
    function = asked.function
    is_sum = asked.type.is_decimal or asked.type.id in (TypeId.HUGEINT, TypeId.DOUBLE)
    if function in _SAME or function in _COUNTS or (function in ("sum", "count_if") and is_sum):
        return _Merge((asked,), lambda values: values[0])
    if function == "avg" and asked.args[0].type.id in _WHOLE:
        total = replace(asked, function="sum", type=HUGEINT)
        count = replace(asked, function="count", type=BIGINT)
        return _Merge((total, count), lambda v: call("/", (cast_to(v[0], DOUBLE), cast_to(v[1], DOUBLE))))
    return None


def _again(part: AggregateCall, column: Column) -> tuple[AggregateCall, Callable[[Expr], Expr]]:
    """The call that merges the values of a part, and what is made of its result."""
    if part.function in _COUNTS:
        total = AggregateCall(HUGEINT, "sum", (ref(column),))
        return total, lambda value: Coalesce(part.type, (cast_to(value, part.type), Literal(part.type, 0)))
    function = "sum" if part.function == "count_if" else part.function
    return AggregateCall(part.type, function, (ref(column),)), lambda value: value


def merged_sets(
    ids: ColumnIds,
    source: Plan,
    sets: Sequence[frozenset[Expr]],
    groups: Mapping[Expr, Column],
    calls: Mapping[AggregateCall, Column],
    tests: Mapping[tuple[Expr, ...], Column],
    test: Test,
) -> Plan | None:
    """One Aggregate by the finest set, and one over its rows for every other; None where no set has all
    others in it, or a call cannot be merged."""
    finest = max(sets, key=len)
    merges = {asked: _merge(asked) for asked in calls}
    known = {asked: m for asked, m in merges.items() if m is not None}
    if len(sets) < 2 or len(known) < len(calls) or not all(chosen <= finest for chosen in sets):
        return None
    keys = [expr for expr in groups if expr in finest]
    parts = list(dict.fromkeys(part for m in known.values() for part in m.parts))
    key_columns = tuple(replace(groups[expr], id=ids.fresh()) for expr in keys)
    part_columns = tuple(ids.column("part", part.type) for part in parts)
    below = Aggregate(source, key_columns, tuple(keys), part_columns, tuple(parts))
    number = ids.fresh()

    def branch(chosen: frozenset[Expr]) -> Plan:
        read = tuple(replace(c, id=ids.fresh()) for c in below.schema)
        plan: Plan = CteRef(number, "grouping sets", read, tuple(range(len(read))))
        own = dict(zip(keys, read, strict=False))
        values: dict[AggregateCall, Expr] = {
            part: ref(column) for part, column in zip(parts, read[len(keys) :], strict=True)
        }
        shown = {expr: own[expr] for expr in keys if expr in chosen}
        if chosen != finest:
            again = [_again(part, column) for part, column in zip(parts, read[len(keys) :], strict=True)]
            outputs = tuple(ids.column("merged", asked.type) for asked, _ in again)
            shown = {expr: replace(column, id=ids.fresh()) for expr, column in shown.items()}
            plan = Aggregate(
                plan,
                tuple(shown.values()),
                tuple(ref(own[expr]) for expr in shown),
                outputs,
                tuple(asked for asked, _ in again),
            )
            values = {
                part: make(ref(column)) for part, column, (_, make) in zip(parts, outputs, again, strict=True)
            }
        exprs: list[Expr] = [
            ref(shown[expr]) if expr in shown else Literal(column.type, None)
            for expr, column in groups.items()
        ]
        exprs += [known[asked].value([values[p] for p in known[asked].parts]) for asked in calls]
        exprs += [Literal(column.type, test(tested, chosen)) for tested, column in tests.items()]
        columns = (*groups.values(), *calls.values(), *tests.values())
        return Project(plan, tuple(replace(c, id=ids.fresh()) for c in columns), tuple(exprs))

    union = UnionAll(tuple(map(branch, sets)), (*groups.values(), *calls.values(), *tests.values()))
    return Cte(number, "grouping sets", below, union, materialized=True)
