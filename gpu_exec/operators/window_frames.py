"""The rows around each row that its frame holds: one span of rows or, with EXCLUDE, some of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from ...planner.expr import Expr, Frame, FrameBound
from ...planner.messages_runtime import frame_offset_invalid, frame_offset_negative, frame_offset_null
from ..number import Number
from ..values import Failure, raise_failures
from .concat import evenly
from .join_keys import even
from .window_rows import WindowRows


@dataclass(frozen=True)
class Span:
    """Rows from `begin` to before `end`, not before it (INT32)."""

    begin: Number
    end: Number

    @property
    def size(self) -> Number:
        """How many rows they are."""
        return self.end - self.begin


@dataclass(frozen=True)
class Framed:
    """The frame of every row: `spans` one after the other. `from_start` and `to_end`: it is one span that
    starts or ends with the partition, unless it has no rows."""

    spans: tuple[Span, ...]
    from_start: bool = False
    to_end: bool = False

    @property
    def size(self) -> Number:
        """How many rows the frames have."""
        first, *more = (span.size for span in self.spans)
        for size in more:
            first = first + size
        return first


class Frames:
    """The frames of one window; equal ones are made once."""

    def __init__(self, rows: WindowRows) -> None:
        self._rows = rows
        self._made: dict[Frame, Framed] = {}

    def of(self, frame: Frame) -> Framed:
        """The rows of a frame. Raises InvalidInputError and OutOfRangeError for bad offsets."""
        found = self._made.get(frame)
        if found is None:
            found = self._made[frame] = self._framed(frame)
        return found

    def _framed(self, frame: Frame) -> Framed:
        failures: list[Failure] = []
        begin = self._edge(frame, frame.start, failures, last=False)
        end = self._edge(frame, frame.end, failures, last=True)
        raise_failures(self._rows.ops, failures, lambda: failures)
        whole = Span(begin, end.greatest(begin))
        if frame.exclude != "no others":
            return Framed(self._without(whole, frame.exclude))
        starts = frame.start.kind == "unbounded preceding"
        return Framed((whole,), starts, frame.end.kind == "unbounded following")

    def _edge(self, frame: Frame, bound: FrameBound, failures: list[Failure], *, last: bool) -> Number:
        """The first row of the frame, or the row after its `last` one."""
        parts = self._rows.parts
        if bound.kind == "unbounded preceding":
            return parts.begin
        if bound.kind == "unbounded following":
            return parts.end
        if bound.offset is None:
            if frame.unit == "rows":
                return self._rows.here + 1 if last else self._rows.here
            return self._rows.peers.end if last else self._rows.peers.begin
        of_unit = {"rows": self._by_rows, "groups": self._by_groups, "range": self._by_range}[frame.unit]
        return of_unit(bound, bound.offset, failures, last=last)

    def _distance(self, offset: Expr) -> Number:
        """Rows or groups, as INT64."""
        return Number(self._rows.column(offset), self._rows.ops)

    def _by_rows(self, bound: FrameBound, offset: Expr, failures: list[Failure], *, last: bool) -> Number:
        rows, distance = self._rows, self._distance(offset)
        unknown = rows.ops.is_null(distance.column)
        failures.append(Failure(unknown, lambda: frame_offset_null(bound.kind)))
        below = rows.ops.is_true(distance.below(0))
        failures.append(Failure(below, lambda: frame_offset_negative(bound.kind)))
        after = 1 if last else 0
        if bound.kind == "preceding":
            most = rows.here - rows.parts.begin + after
            return rows.here - _capped(distance, most) + after
        most = rows.parts.end - rows.here - after
        return rows.here + _capped(distance, most) + after

    def _by_groups(self, bound: FrameBound, offset: Expr, failures: list[Failure], *, last: bool) -> Number:
        rows, distance = self._rows, self._distance(offset)
        below = rows.ops.is_true(distance.below(0))
        failures.append(Failure(below, lambda: frame_offset_invalid("groups", bound.kind)))
        distance = Number(
            rows.ops.filled(distance.column, rows.ops.scalar(pa.scalar(0, pa.int64()))), rows.ops
        )
        peers = rows.peers
        (first,) = rows.ops.gathered([peers.number.column], rows.parts.begin.column)
        (final,) = rows.ops.gathered([peers.number.column], (rows.parts.end - 1).column)
        first, final = Number(first, rows.ops, "INT32"), Number(final, rows.ops, "INT32")
        # One group further than there are stands for before the partition, or after it.
        if bound.kind == "preceding":
            group = peers.number - _capped(distance, peers.number - first + 1)
        else:
            group = peers.number + _capped(distance, final - peers.number + 1)
        outside = group.below(first) if bound.kind == "preceding" else group.above(final)
        edge = rows.parts.begin if bound.kind == "preceding" else rows.parts.end
        inside = group.greatest(first).least(final)
        (found,) = rows.ops.gathered([(peers.ends if last else peers.firsts).column], inside.column)
        return Number(found, rows.ops, "INT32").unless(outside, edge)

    def _by_range(self, bound: FrameBound, offset: Expr, failures: list[Failure], *, last: bool) -> Number:
        """Where the offset, which is the key of the last row that belongs to the frame, is among the keys."""
        rows, peers = self._rows, self._rows.peers
        value = rows.column(offset)
        found = self._place(value, after=last)
        # A bound on the wrong side of the row's own key is an error.
        if bound.kind == "preceding":
            wrong = (self._place(value, after=False) if last else found).above(peers.begin)
        else:
            wrong = (found if last else self._place(value, after=True)).at_most(peers.begin)
        unknown = rows.ops.is_null(value)
        wrong = rows.ops.both(wrong, rows.ops.inverse(unknown))
        failures.append(Failure(wrong, lambda: frame_offset_invalid("range", bound.kind)))
        return found.unless(unknown, peers.end if last else peers.begin)

    def _place(self, value: Any, *, after: bool) -> Number:
        """Before which row of its partition a key belongs, or after which ones."""
        rows, (key,), (order,) = self._rows, self._rows.order_keys, self._rows.order
        ordered, wanted = evenly([key, even(value, rows.ops)], rows.ops)
        number = rows.parts.number.column
        found = rows.ops.places(
            [number, ordered],
            [number, wanted],
            [False, order.descending],
            [True, order.nulls_first],
            after=after,
        )
        return Number(found, rows.ops, "INT32")

    def _without(self, whole: Span, exclude: str) -> tuple[Span, ...]:
        """What EXCLUDE leaves of a span."""
        rows = self._rows
        row = Span(rows.here, rows.here + 1)
        peers = Span(rows.peers.begin, rows.peers.end)
        out = row if exclude == "current row" else peers
        first = Span(whole.begin, _within(out.begin, whole))
        last = Span(_within(out.end, whole), whole.end)
        if exclude != "ties":
            return first, last
        return first, Span(_within(row.begin, whole), _within(row.end, whole)), last


def _within(place: Number, span: Span) -> Number:
    return place.greatest(span.begin).least(span.end)


def _capped(distance: Number, most: Number) -> Number:
    """The smaller one as INT32; `distance` may be far beyond."""
    return distance.least(most.to("INT64")).to("INT32")


def compacted(framed: Framed, before: Any, rows: WindowRows) -> Framed:
    """The same frames over only some of the rows; `before` has for every row, and one more, how many of
    these are before it."""

    def place(of: Number) -> Number:
        (found,) = rows.ops.gathered([before], of.column)
        return Number(found, rows.ops, "INT32")

    return Framed(tuple(Span(place(span.begin), place(span.end)) for span in framed.spans))
