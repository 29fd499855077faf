"""What a window call gives: a column and which of its rows each row of the window has."""

from __future__ import annotations

from dataclasses import dataclass

import pyarrow as pa

from ..kernels.arrays import I32
from ..kernels.gather import take_values
from .rows import take_array
from .window_order import WindowOrder


@dataclass(frozen=True)
class Result:
    """Row i of the window's input has the value column[rows[i]]; NULL where that is -1, column[i] where
    `rows` is None. `bounds` are those of a batch's columns."""

    column: pa.Array
    rows: I32 | None = None
    bounds: tuple[int, int] | None = None

    def part(self, start: int, stop: int) -> pa.Array:
        """The values of some rows."""
        if self.rows is None:
            return self.column.slice(start, stop - start)
        return take_array(self.column, self.rows[start:stop], nullable=True)


def of_frames(
    window: WindowOrder, values: pa.Array, of_rows: I32 | None, bounds: tuple[int, int] | None = None
) -> Result:
    """The result whose values are there for each frame; `of_rows` is the frame of each place, see Frames."""
    return Result(values, frames_of_rows(window, of_rows), bounds)


def picked(window: WindowOrder, column: pa.Array, places: I32, of_rows: I32 | None) -> Result:
    """The result that has for each frame the value of `column`, in input order, at a place (or -1)."""
    rows = places if window.rows is None else _at(window.rows, places)
    window.check()
    wanted = frames_of_rows(window, of_rows)
    window.check()
    return Result(column, rows if wanted is None else take_values(rows, wanted))


def frames_of_rows(window: WindowOrder, of_rows: I32 | None) -> I32 | None:
    """The frame of each row of the input."""
    if of_rows is None:
        return window.places
    return of_rows if window.places is None else take_values(of_rows, window.places)


def _at(rows: I32, places: I32) -> I32:
    """rows[places], and -1 where the place is."""
    found = take_values(rows, places)
    found[places < 0] = -1
    return found
