"""A window call with all that its function may ask for: its arguments, its frames, and which rows count."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import pyarrow as pa

from ...planner.expr import Expr, Frame, SortKey, WindowCall
from ..kernels import arrays
from ..kernels.arrays import I32, U8, Valid
from ..kernels.gather import take_values
from .window_frames import Frames, frames_of
from .window_order import WindowOrder
from .window_result import Result, of_frames, picked


@dataclass(frozen=True)
class Inputs:
    """What the calls of a window share. `values` gives the column, in input order, of a column or literal."""

    window: WindowOrder
    keys: tuple[SortKey, ...]
    values: Callable[[Expr], pa.Array]
    _frames: dict[Frame, Frames] = field(default_factory=dict)

    def frames(self, frame: Frame) -> Frames:
        """The frames of all rows; made once."""
        found = self._frames.get(frame)
        if found is None:
            found = self._frames[frame] = frames_of(frame, self.window, self.keys, self.values)
        return found


@dataclass(frozen=True)
class Counting:
    """The places that count for a call: NULLs and what FILTER leaves out may not. `places` are their numbers
    and before[i] how many are below place i; None where all count."""

    places: I32 | None = None
    before: I32 | None = None

    def frames(self, frames: Frames) -> Frames:
        """The same frames over the numbers of the places that count."""
        if self.before is None:
            return frames
        begins, ends = (
            take_values(self.before, edges.ravel()).reshape(edges.shape)
            for edges in (frames.begins, frames.ends)
        )
        return Frames(begins, ends, frames.of_rows)

    def place(self, numbers: I32) -> I32:
        """The places with these numbers; -1 stays."""
        if self.places is None:
            return numbers
        found = take_values(self.places, numbers)
        found[numbers < 0] = -1
        return found


def selection(condition: pa.Array) -> U8:
    """The rows at which a FILTER condition is true, as a byte mask."""
    if pa.types.is_null(condition.type):
        return np.zeros(len(condition), dtype=np.uint8)
    return arrays.bool_bytes(condition) & arrays.all_valid(arrays.validity_bytes(condition), len(condition))


class Call:
    """One call over the rows of a window."""

    def __init__(self, call: WindowCall, inputs: Inputs) -> None:
        self.call = call
        self.type = call.type
        self.inputs = inputs
        self.window = inputs.window
        self.check = inputs.window.check

    @cached_property
    def frames(self) -> Frames:
        """The frames over all places."""
        return self.inputs.frames(self.call.frame)

    def argument(self, number: int) -> pa.Array:
        """The values of an argument in input order."""
        return self.inputs.values(self.call.args[number])

    def counting(self, *not_null: int) -> Counting:
        """The places that FILTER selects and at which these arguments are not NULL."""
        valid: Valid = None
        if self.call.filter is not None:
            valid = selection(self.inputs.values(self.call.filter))
        valid = arrays.and_valid(valid, *(arrays.validity_bytes(self.argument(i)) for i in not_null))
        if valid is None or valid.all():
            return Counting()
        if self.window.rows is not None:
            valid = valid[self.window.rows]
        self.check()
        before = np.zeros(len(valid) + 1, dtype=np.int32)
        np.cumsum(valid, out=before[1:])
        return Counting(np.flatnonzero(valid).astype(np.int32), before)

    def counted(self, number: int, counting: Counting) -> pa.Array:
        """The values of an argument in order, at the places that count."""
        return self.window.ordered(self.argument(number), counting.places)

    def result(self, values: pa.Array, bounds: tuple[int, int] | None = None) -> Result:
        """The result of one value a frame."""
        return of_frames(self.window, values, self.frames.of_rows, bounds)

    def picked(self, number: int, places: I32, *, a_frame: bool = True) -> Result:
        """The result of the argument's value at one place a frame, or one a row; -1 is NULL."""
        return picked(self.window, self.argument(number), places, self.frames.of_rows if a_frame else None)
