"""Aggregates whose frames are whole partitions: those of GROUP BY, and every row gets its group's value."""

from __future__ import annotations

from ...planner.expr import AggregateCall
from ...planner.functions import AGGREGATES
from ..kernels.window_tree import ROWS, pieces
from ..vector import Vector
from .aggregate_functions import bind_call
from .aggregate_plan import AggregatePlan, start_states
from .aggregate_state import Rows
from .comparable import is_one_way
from .window_call import Call, selection
from .window_order import numbered
from .window_result import Result, of_frames


def is_whole(call: Call) -> bool:
    """Whether the call is an aggregate, and every row's frame its partition."""
    frame = call.call.frame
    if call.call.function not in AGGREGATES or frame.exclude != "no others":
        return False
    if not call.window.ordered_by and frame.unit != "rows" and not frame.offsets:
        return True
    return (frame.start.kind, frame.end.kind) == ("unbounded preceding", "unbounded following")


def whole(call: Call) -> Result:
    """The aggregate over each partition. Rows come in the window's order where that can tell."""
    made, window = call.call, call.window
    plan = AggregatePlan(grouped=True)
    finish = bind_call(AggregateCall(made.type, made.function, made.args, made.distinct, made.filter), plan)
    columns = [call.inputs.values(expr) for expr in plan.exprs]
    # Equal values that differ (30 days, a month) are told apart by who comes first.
    tells = AGGREGATES[made.function].order_sensitive or any(is_one_way(e.type) for e in made.args)
    sorted_ = tells and window.ordered_by
    if sorted_:
        columns = [window.ordered(column) for column in columns]
        gids, groups = numbered(window.partitions), len(window.partitions) - 1
    else:
        gids, groups = window.groups
    states = start_states(plan, call.check)
    for start, stop in pieces(window.count, call.check, ROWS):
        count = stop - start
        parts = [column.slice(start, count) for column in columns]
        vectors = [Vector.of_array(e.type, part) for e, part in zip(plan.exprs, parts, strict=True)]
        for slot, state in zip(plan.slots, states, strict=True):
            chosen = None if slot.filter is None else selection(parts[slot.filter])
            args = [vectors[i] for i in slot.args]
            state.update(Rows(args, gids[start : start + count], groups, count, chosen, start))
    column = finish(states, groups)
    return of_frames(window, column, gids) if sorted_ else Result(column, gids)
