"""How an aggregate call is computed: partial results of a batch, how they merge, and what they end in."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from ...planner.expr import AggregateCall, Case, ColumnRef, Expr, Literal
from ..ops import Ops
from ..values import Evaluation, Value
from .grouping import Groups

Columns = list[Any]
# (arguments, groups, evaluation) -> partial columns, one row a group
Partial = Callable[[Sequence[Value], Groups, Evaluation], Columns]
# (partial columns of all batches, groups) -> partial columns
Merge = Callable[[Columns, Groups], Columns]
# (partial columns, calls) -> the result
Finish = Callable[[Columns, Ops], Any]


@dataclass(frozen=True)
class CallPlan:
    """One aggregate call: what it reads and its three steps.

    A plan that is not `mergeable` has no partial results: its rows are kept, and it is computed over all of
    them.
    """

    exprs: tuple[Expr, ...]
    partial: Partial
    merge: Merge
    finish: Finish
    mergeable: bool = True


def guarded(arg: Expr, call: AggregateCall) -> Expr:
    """An argument, NULL in rows that FILTER leaves out: it might fail there."""
    if call.filter is None:
        return arg
    return Case(arg.type, ((call.filter, arg),), Literal(arg.type, None))


@dataclass(frozen=True)
class Rows:
    """The rows that an aggregate counts: its arguments, the columns it is ordered by, and the groups."""

    args: list[Any]
    keys: list[Any]
    groups: Groups


def of_rows(
    call: AggregateCall, compute: Callable[[Rows], Any], required: Sequence[int], count: int = 1
) -> CallPlan:
    """A plan that computes over rows: those that FILTER takes, where the `required` ones of the first `count`
    arguments are not NULL, and with DISTINCT the first of equal ones.
    """
    args = call.args[:count]
    parts = [*args, *(key.expr for key in call.order_by)]
    exprs = [guarded(part, call) if not isinstance(part, (ColumnRef, Literal)) else part for part in parts]
    if call.filter is not None:
        exprs.append(call.filter)

    def partial(values: Sequence[Value], groups: Groups, run: Evaluation) -> Columns:
        ops = run.ops
        columns = [run.column(value) for value in values[: len(parts)]]
        masks = [run.truth(values[-1])] if call.filter is not None else []
        masks += [ops.is_valid(columns[i]) for i in required if columns[i].null_count()]
        if masks:
            mask = masks[0]
            for other in masks[1:]:
                mask = ops.both(mask, other)
            *columns, rows = ops.kept([*columns, ops.row_numbers(run.rows)], mask)
            groups = groups.of(rows)
        if call.distinct:
            rows = groups.distinct(columns)
            columns, groups = ops.gathered(columns, rows), groups.of(rows)
        return [compute(Rows(columns[: len(args)], columns[len(args) :], groups))]

    # Rows are kept, so nothing is merged.
    return CallPlan(tuple(exprs), partial, lambda columns, groups: columns, lambda c, ops: c[0], False)
