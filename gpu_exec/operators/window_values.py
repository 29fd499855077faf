"""Window functions that take the value of another row."""

from __future__ import annotations

from typing import Any

from ...planner.expr import Expr, WindowCall
from ..number import Number, nulled
from ..storage import named_type
from .concat import evenly
from .window_frames import Framed, Frames, Span, compacted
from .window_rows import WindowRows, running, zero_first

# Further away than any row.
_FAR = 1 << 32


class Counted:
    """The rows that count: all, or those of a mask. `before` has how many of them are before each row, and
    one more row."""

    def __init__(self, mask: Any, rows: WindowRows) -> None:
        """`mask`: a BOOL8 column without NULLs, or None for all rows."""
        self._rows = rows
        self._numbers: Any = None
        self._before: Any = None
        if mask is not None:
            ops = rows.ops
            self._before = zero_first(running(ops.cast(mask, named_type("INT32")), ops), ops)
            (self._numbers,) = ops.kept([rows.here.column], mask)

    def before(self, place: Number) -> Number:
        """How many of them are before a row."""
        if self._before is None:
            return place
        (found,) = self._rows.ops.gathered([self._before], place.column)
        return Number(found, self._rows.ops, "INT32")

    def framed(self, framed: Framed) -> Framed:
        """The frames, in which these rows are numbered by themselves."""
        return framed if self._before is None else compacted(framed, self._before, self._rows)

    def values(self, column: Any, number: Number, there: Any) -> Any:
        """The value at the counted row of each number; NULL where `there` (no NULLs) is false."""
        ops = self._rows.ops
        # Row numbers beyond the last one give NULL.
        nowhere = self._rows.count
        if self._numbers is None:
            at = number.unless(ops.inverse(there), nowhere).to("INT32").column
        else:
            count = self._numbers.size()
            inside = number.unless(ops.inverse(there), count).to("INT32").column
            (at,) = ops.gathered([self._numbers], inside, outside_is_null=True)
            at = ops.filled(at, ops.int32(nowhere)) if at.null_count() else at
        return ops.gathered([column], at, outside_is_null=True)[0]


def counted_rows(call: WindowCall, arg: Expr | None, rows: WindowRows, *, valid: bool) -> Counted:
    """The rows that FILTER takes and, with `valid`, whose argument is not NULL."""
    mask = None if call.filter is None else rows.run.truth(rows.value(call.filter))
    if valid and arg is not None:
        column = rows.column(arg)
        if column.null_count():
            known = rows.ops.is_valid(column)
            mask = known if mask is None else rows.ops.both(mask, known)
    return Counted(mask, rows)


# Rows of the frame ------------------------------------------------------------------------------------------
def first_value(call: WindowCall, rows: WindowRows, frames: Frames) -> Any:
    """The value in the first row of the frame."""
    return at_edge(call, rows, frames, last=False, valid=call.ignore_nulls)


def last_value(call: WindowCall, rows: WindowRows, frames: Frames) -> Any:
    """The value in the last row of the frame."""
    return at_edge(call, rows, frames, last=True, valid=call.ignore_nulls)


def at_edge(call: WindowCall, rows: WindowRows, frames: Frames, *, last: bool, valid: bool) -> Any:
    """The argument in the first or last row of the frame that counts; NULL without such rows."""
    counted = counted_rows(call, call.args[0], rows, valid=valid)
    spans = counted.framed(frames.of(call.frame)).spans
    at: Number | None = None
    # Of the spans that have rows the first one counts, or the last one.
    for span in spans if last else reversed(spans):
        edge = span.end - 1 if last else span.begin
        at = edge if at is None else at.unless(_has_rows(span), edge)
    assert at is not None
    there = _has_rows(spans[0])
    for span in spans[1:]:
        there = rows.ops.either(there, _has_rows(span))
    return counted.values(rows.column(call.args[0]), at, there)


def _has_rows(span: Span) -> Any:
    return span.begin.below(span.end)


def nth_value(call: WindowCall, rows: WindowRows, frames: Frames) -> Any:
    """The value in the row of the frame with a number, from 1; NULL where there is none."""
    ops, argument = rows.ops, call.args[0]
    counted = counted_rows(call, argument, rows, valid=call.ignore_nulls)
    number = Number(rows.column(call.args[1]), ops)
    wanted = ops.is_true(number.at_least(1))
    # NULL is wanted nowhere; far away is as good as any number beyond the frame.
    left = number.unless(ops.inverse(wanted), _FAR).least(_FAR) - 1
    at: Number | None = None
    there: Any = None
    for span in counted.framed(frames.of(call.frame)).spans:
        size = span.size.to("INT64")
        inside = ops.both(left.at_least(0), left.below(size))
        here = span.begin.to("INT64") + left
        at = here if at is None else at.unless(inside, here)
        there = inside if there is None else ops.either(there, inside)
        left = left - size
    assert at is not None
    return counted.values(rows.column(argument), at, there)


# Rows of the partition --------------------------------------------------------------------------------------
def lag(call: WindowCall, rows: WindowRows, frames: Frames) -> Any:
    """The value so many rows before, by default one."""
    return _shifted(call, rows, -1)


def lead(call: WindowCall, rows: WindowRows, frames: Frames) -> Any:
    """The value so many rows after, by default one."""
    return _shifted(call, rows, 1)


def _shifted(call: WindowCall, rows: WindowRows, direction: int) -> Any:
    ops = rows.ops
    column = rows.column(call.args[0])
    counted = counted_rows(call, call.args[0], rows, valid=call.ignore_nulls)
    first, end = (counted.before(of).to("INT64") for of in (rows.parts.begin, rows.parts.end))
    offset = rows.value(call.args[1]) if len(call.args) > 1 else None
    unknown: Any = None
    if offset is None or (offset.is_constant and offset.literal is not None):
        steps = direction * (1 if offset is None else offset.literal)
        steps = max(-_FAR, min(steps, _FAR))
        if steps == 0:
            return column
        start = counted.before(rows.here + 1) - 1 if steps > 0 else counted.before(rows.here)
        at = start.to("INT64") + steps
        there = ops.both(at.at_least(first), at.below(end))
        found = counted.values(column, at, there)
    else:
        distance = Number(rows.run.column(offset), ops)
        if distance.column.null_count():
            unknown = ops.is_null(distance.column)
            distance = distance.unless(unknown, 0)
        # The least BIGINT has no negative.
        distance = distance.greatest(-_FAR).least(_FAR)
        steps = -distance if direction < 0 else distance
        after = counted.before(rows.here + 1).to("INT64") - 1 + steps
        before = counted.before(rows.here).to("INT64") + steps
        at = before.unless(steps.above(0), after)
        there = ops.both(at.at_least(first), at.below(end))
        found = counted.values(column, at, there)
        own = steps.equals(0)
        found, there = ops.choose(column, found, own), ops.either(there, own)
    if len(call.args) > 2:
        found, other = evenly([found, rows.column(call.args[2])], ops)
        found = ops.choose(found, other, there)
    return found if unknown is None else nulled(found, unknown, ops)
