"""Functions over windows that the GPU runs: pure data, importable with no GPU library installed.

Frames of every kind run there, with EXCLUDE, FILTER and IGNORE NULLS, whatever the function; what depends on
it, and on the types of its arguments, is said here.
"""

from __future__ import annotations

from ..planner import expr as e
from ..planner.functions import AGGREGATES
from .support_aggregates import AGGREGATES as SUPPORTED
from .support_aggregates import argument_reasons

Reason = str | None

_SETS = "its value over a frame needs the set of the frame's values, which is not built for the GPU"
# Of equal values they take the first one, as without DISTINCT.
_FIRST = frozenset({"first", "any_value"})
# They ask which of equal values it is.
_PAIRED = frozenset({"last", "arg_min", "arg_max"})
_OF_SETS: tuple[str, ...] = (
    "median",
    "quantile_disc",
    "quantile_cont",
    "mode",
    "string_agg",
    "list",
    "histogram",
)
_BUILT: tuple[str, ...] = (
    *("row_number", "rank", "dense_rank", "percent_rank", "cume_dist", "ntile"),
    *("lag", "lead", "first_value", "last_value", "nth_value"),
    *("count_star", "count", "count_if", "sum", "avg", "product", "min", "max"),
    *("bool_and", "bool_or", "bit_and", "bit_or", "bit_xor"),
    *("stddev_samp", "stddev_pop", "var_samp", "var_pop"),
    *("first", "last", "any_value", "arg_min", "arg_max"),
)
_GATHERED = "its rows are gathered frame by frame, on the CPU"
_ON_THE_CPU = {name: _GATHERED for name, reason in SUPPORTED.items() if reason is not None}
WINDOWS: dict[str, Reason] = {**_ON_THE_CPU, **dict.fromkeys(_OF_SETS, _SETS), **dict.fromkeys(_BUILT)}


def window_reasons(call: e.WindowCall) -> list[str]:
    """Why a call of a function that there is cannot run with these arguments and this frame."""
    reasons = argument_reasons(call.function, call.args)
    if call.distinct and AGGREGATES[call.function].distinct_matters and call.function not in _FIRST:
        what = f"{call.function}(DISTINCT ...)"
        if call.function in _PAIRED:
            reasons.append(f"{what} over a window is not built for the GPU")
        elif call.frame.start.kind != "unbounded preceding" or call.frame.exclude != "no others":
            reasons.append(
                f"{what} over a frame with another start than the partition's is not built for the GPU"
            )
    return reasons
