"""Aggregates over frames that have no kernel of their own: every frame's rows are gathered and grouped.

The work is that of all frames' rows together, so that it grows with the square of long running frames.
"""

from __future__ import annotations

import numpy as np

from ...planner.expr import AggregateCall
from ..kernels.window_tree import ROWS
from ..vector import Vector
from .aggregate_functions import bind_call
from .aggregate_pairs import PAIR_FUNCTIONS
from .aggregate_plan import AggregatePlan, start_states
from .aggregate_state import Rows
from .concat import concat_arrays
from .rows import take_array
from .window_call import Call, selection
from .window_functions import over
from .window_result import Result

NAMES = (
    *PAIR_FUNCTIONS,
    *("regr_count", "skewness", "kurtosis", "kurtosis_pop", "sem", "entropy", "mad", "approx_quantile"),
    *("arg_min_null", "arg_max_null"),
)


@over(*NAMES)
def gathered(call: Call) -> Result:
    """The aggregate over each frame, some frames at a time."""
    made, frames = call.call, call.frames
    plan = AggregatePlan(grouped=True)
    finish = bind_call(AggregateCall(made.type, made.function, made.args, made.distinct, made.filter), plan)
    columns = [call.window.ordered(call.inputs.values(expr)) for expr in plan.exprs]
    edges = np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(frames.sizes(call.check))])
    found, start = [], 0
    while start < frames.count or not found:
        call.check()
        stop = max(int(np.searchsorted(edges, edges[start] + ROWS, side="right")) - 1, start + 1)
        stop = min(stop, frames.count)
        states = start_states(plan, call.check)
        gids, places = _rows(frames.begins[:, start:stop], frames.ends[:, start:stop])
        parts = [take_array(column, places) for column in columns]
        vectors = [Vector.of_array(e.type, part) for e, part in zip(plan.exprs, parts, strict=True)]
        for slot, state in zip(plan.slots, states, strict=True):
            chosen = None if slot.filter is None else selection(parts[slot.filter])
            args = [vectors[i] for i in slot.args]
            state.update(Rows(args, gids, stop - start, len(gids), chosen, 0))
        found.append(finish(states, stop - start))
        start = stop
        if not frames.count:
            break
    return call.result(concat_arrays(call.type, found))


def _rows(begins: np.ndarray, ends: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The frame and the place of every row of some frames, frame by frame."""
    firsts, lasts = begins.T.reshape(-1).astype(np.int64), ends.T.reshape(-1).astype(np.int64)
    sizes = np.maximum(lasts - firsts, 0)
    of = np.repeat(np.arange(len(firsts)), sizes)
    before = np.cumsum(sizes) - sizes
    places = np.arange(int(sizes.sum())) - before[of] + firsts[of]
    return (of // len(begins)).astype(np.int32), places.astype(np.int32)
