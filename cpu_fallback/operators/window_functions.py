"""Functions that exist only over windows: ranks, parts, and values of other rows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...planner.expr import Literal
from ...planner.messages_runtime import ntile_not_positive
from ...planner.types import BIGINT, DOUBLE
from ..kernels import arrays
from ..kernels.arrays import I32, I64
from ..kernels.radix_sort import MAX_ROWS
from ..kernels.window_picks import nth_place, shifted_place
from ..kernels.window_tree import ROWS, pieces
from ..storage import arrow_type
from .concat import concat_arrays
from .values import literal_column
from .window_call import Call, Counting
from .window_frames import Frames, ordered_integers
from .window_result import Result, of_frames

Function = Callable[[Call], Any]
FUNCTIONS: dict[str, Function] = {}
_NONE: I32 = np.empty(0, dtype=np.int32)


def over(*names: str) -> Callable[[Function], Function]:
    """Registers a function of windows."""

    def register(function: Function) -> Function:
        for name in names:
            assert name not in FUNCTIONS, name
            FUNCTIONS[name] = function
        return function

    return register


# Ranks: one value for equal rows
@over("row_number")
def _row_number(call: Call) -> Result:
    window = call.window
    here = np.arange(1, window.count + 1, dtype=np.int64)
    return _number(call, here - window.partition_begins, None)


@over("rank")
def _rank(call: Call) -> Result:
    first, _ = _ranked(call)
    return _number(call, first + 1, call.window.peer_numbers)


@over("dense_rank")
def _dense_rank(call: Call) -> Result:
    window = call.window
    firsts = window.peers[:-1]
    before = window.peer_numbers[window.partition_begins[firsts]]
    return _number(call, np.arange(1, len(firsts) + 1, dtype=np.int64) - before, window.peer_numbers)


@over("percent_rank")
def _percent_rank(call: Call) -> Result:
    first, rows = _ranked(call)
    return _share(call, first / np.maximum(rows - 1, 1))


@over("cume_dist")
def _cume_dist(call: Call) -> Result:
    window = call.window
    _, rows = _ranked(call)
    begins = window.partition_begins[window.peers[:-1]]
    return _share(call, (window.peers[1:] - begins) / rows)


def _ranked(call: Call) -> tuple[I64, I64]:
    """For each group of equal rows how many of its partition come before it, and the partition's rows."""
    window = call.window
    firsts = window.peers[:-1]
    begins, ends = window.partition_begins[firsts], window.partition_ends[firsts]
    return (firsts - begins).astype(np.int64), (ends - begins).astype(np.int64)


def _number(call: Call, values: I64, of_rows: I32 | None) -> Result:
    column = arrays.make_array(values, None, arrow_type(BIGINT))
    return of_frames(call.window, column, of_rows, (1, max(call.window.count, 1)))


def _share(call: Call, values: np.ndarray) -> Result:
    column = arrays.make_array(values, None, arrow_type(DOUBLE))
    return of_frames(call.window, column, call.window.peer_numbers)


@over("ntile")
def _ntile(call: Call) -> Result:
    """The first parts of a partition have one row more than the others."""
    window = call.window
    asked, valid = ordered_integers(call.call.args[0], window, call.inputs.values)
    if (asked <= 0 if valid is None else (asked <= 0) & (valid != 0)).any() and window.count:
        raise ntile_not_positive()
    out = np.empty(window.count, dtype=np.int64)
    for start, stop in pieces(window.count, call.check, ROWS):
        begins = window.partition_begins[start:stop].astype(np.int64)
        rows = window.partition_ends[start:stop] - begins
        here = np.arange(start, stop) - begins
        parts = np.clip(asked if len(asked) == 1 else asked[start:stop], 1, rows)
        size = rows // parts
        larger = (rows - parts * size) * (size + 1)
        behind = rows - parts * size + (here - larger) // size
        out[start:stop] = np.where(here < larger, here // (size + 1), behind) + 1
    known = None if valid is None else np.broadcast_to(valid, (window.count,))
    column = arrays.make_array(out, known, arrow_type(BIGINT))
    return of_frames(window, column, None, (1, max(window.count, 1)))


# Values of other rows of the partition
@over("lag", "lead")
def _shift(call: Call) -> Result:
    window, args = call.window, call.call.args
    offsets, valid = np.ones(1, dtype=np.int64), None
    if len(args) > 1:
        offsets, valid = ordered_integers(args[1], window, call.inputs.values)
    if call.call.function == "lag":
        # There is no row so far away that one more or less would matter.
        offsets = -np.maximum(offsets, -(2**62))
    counting = call.counting(0) if call.call.ignore_nulls else Counting()
    found = np.empty(window.count, dtype=np.int32)
    before = _NONE if counting.before is None else counting.before
    around = window.partition_begins, window.partition_ends
    for start, stop in pieces(window.count, call.check, ROWS):
        shifted_place(np.ascontiguousarray(offsets), before, *around, start, stop, found)
    places = counting.place(found)
    if counting.before is not None:
        # A row itself counts also where it is NULL.
        own = np.flatnonzero(np.broadcast_to(offsets == 0, (window.count,)))
        places[own] = own
    if valid is not None:
        places = np.where(np.broadcast_to(valid != 0, places.shape), places, np.int32(-2))
    if len(args) < 3 or (isinstance(args[2], Literal) and args[2].value is None):
        return call.picked(0, np.maximum(places, -1), a_frame=False)
    return _or_default(call, places)


def _or_default(call: Call, places: I32) -> Result:
    """The first argument at the places; the third one of the row where there is none; NULL for -2."""
    window = call.window
    rows = places.copy() if window.rows is None else window.rows[np.maximum(places, 0)]
    rows = np.where(places < 0, places, rows)
    if window.places is not None:
        rows = rows[window.places]
    values, last = call.argument(0), call.call.args[2]
    missing = np.flatnonzero(rows == -1)
    if isinstance(last, Literal):
        default = literal_column(last.type, [last.value])
        rows[missing] = len(values)
    else:
        default = call.argument(2)
        rows[missing] = (missing + len(values)).astype(np.int32)
    both = concat_arrays(call.type, [values, default])
    if len(both) > MAX_ROWS:
        raise OverflowError("more rows than 32 bits number")
    return Result(both, np.maximum(rows, -1))


# Values of the frame
@over("first_value", "last_value", "nth_value", "first", "last", "any_value")
def _nth(call: Call) -> Result:
    function = call.call.function
    skips = call.call.ignore_nulls or function == "any_value"
    counting = call.counting(0) if skips else call.counting()
    frames = counting.frames(call.frames)
    if function != "nth_value":
        numbers = np.ones(1, dtype=np.int64)
        places = _nth_places(call, frames, numbers, function in ("last_value", "last"))
        return call.picked(0, counting.place(places))
    numbers, valid = ordered_integers(call.call.args[1], call.window, call.inputs.values)
    if valid is not None:
        numbers = np.where(valid != 0, numbers, 0)
    if len(numbers) != 1 and frames.of_rows is not None:
        frames = Frames(
            np.ascontiguousarray(frames.begins[:, frames.of_rows]),
            np.ascontiguousarray(frames.ends[:, frames.of_rows]),
        )
    places = counting.place(_nth_places(call, frames, numbers, False))
    return call.picked(0, places, a_frame=len(numbers) == 1)


def _nth_places(call: Call, frames: Frames, numbers: I64, from_end: bool) -> I32:
    places = np.empty(frames.count, dtype=np.int32)
    for start, stop in pieces(frames.count, call.check, ROWS):
        nth_place(frames.begins, frames.ends, numbers, from_end, start, stop, places)
    return places
