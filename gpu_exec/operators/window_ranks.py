"""Window functions of a row's place in its partition."""

from __future__ import annotations

from typing import Any

import pyarrow as pa

from ...planner.expr import WindowCall
from ...planner.messages_runtime import ntile_not_positive
from ..number import Number, nulled
from ..values import Failure, raise_failures
from .window_frames import Frames
from .window_rows import WindowRows


def row_number(call: WindowCall, rows: WindowRows, frames: Frames) -> Any:
    """The number of the row in its partition, from 1."""
    return (_place(rows) + 1).to("INT64").column


def rank(call: WindowCall, rows: WindowRows, frames: Frames) -> Any:
    """The number of the first of the rows that are equal to it."""
    return (_before(rows) + 1).to("INT64").column


def dense_rank(call: WindowCall, rows: WindowRows, frames: Frames) -> Any:
    """How many runs of equal rows there are up to the row's own."""
    number = rows.peers.number
    (first,) = rows.ops.gathered([number.column], rows.parts.begin.column)
    return (number - Number(first, rows.ops, "INT32") + 1).to("INT64").column


def percent_rank(call: WindowCall, rows: WindowRows, frames: Frames) -> Any:
    """The share of the other rows that come before it; 0 where there is no other."""
    others = (rows.size - 1).greatest(1)
    return _before(rows).to("FLOAT64").over(others.to("FLOAT64")).column


def cume_dist(call: WindowCall, rows: WindowRows, frames: Frames) -> Any:
    """The share of the rows that do not come after it."""
    upto = rows.peers.end - rows.parts.begin
    return upto.to("FLOAT64").over(rows.size.to("FLOAT64")).column


def ntile(call: WindowCall, rows: WindowRows, frames: Frames) -> Any:
    """The number of the row's part of so many even parts, of which the first ones have a row more."""
    ops = rows.ops
    parts = Number(rows.column(call.args[0]), ops)
    failures = [Failure(ops.is_true(parts.below(1)), ntile_not_positive)]
    raise_failures(ops, failures, lambda: failures)
    place, count = _place(rows).to("INT64"), rows.size.to("INT64")
    known = Number(ops.filled(parts.column, ops.scalar(pa.scalar(1, pa.int64()))), ops)
    least, larger = count.over(known), count.rest(known)
    of_larger = larger * (least + 1)
    in_larger = place.over(least + 1)
    after = larger + (place - of_larger).over(least.greatest(1))
    found = after.unless(place.below(of_larger), in_larger) + 1
    return nulled(found.column, ops.is_null(parts.column), ops) if parts.column.null_count() else found.column


def _place(rows: WindowRows) -> Number:
    return rows.here - rows.parts.begin


def _before(rows: WindowRows) -> Number:
    """Rows of the partition that are before all that are equal to the row."""
    return rows.peers.begin - rows.parts.begin
