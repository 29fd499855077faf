"""Series of timestamps by an interval."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...planner import messages_values as messages
from ...planner.expr import Call, ColumnRef
from ...planner.types import INTERVAL
from ..nested import list_vector
from ..operators.intervals import stored
from ..vector import Vector
from .lists import numbers, valid_rows
from .registry import Evaluate, implementation

# What one list may hold: a step of a microsecond over centuries is a mistake.
_MOST = 2**27


def time_series(call: Call, closed: bool) -> Evaluate:
    """Each time is the one before it and the interval."""
    kind = call.type.element
    add = implementation("+").build(Call(kind, "+", (ColumnRef(kind, 0, "t"), ColumnRef(INTERVAL, 1, "i"))))

    def evaluate(args: Sequence[Vector], n: int) -> Vector:
        valid = valid_rows(n, *args)
        start, stop = numbers(args[0], n), numbers(args[1], n)
        step = args[2].expand(n)
        parts = stored(step.array)
        up = _sign(parts, valid, n)
        open_ = np.ones(n, dtype=np.bool_) if valid is None else valid.copy()
        open_ &= up != 0
        rows, values = [], []
        at = np.flatnonzero(open_)
        now = start[at]
        made = 0
        while len(at):
            inside = np.where(
                up[at] > 0,
                now <= stop[at] if closed else now < stop[at],
                now >= stop[at] if closed else now > stop[at],
            )
            at, now = at[inside], now[inside]
            rows.append(at)
            values.append(now)
            made += len(at)
            if made > _MOST:
                raise messages.invalid_input("Lists larger than 2^32 elements are not supported")
            if len(at):
                moved = add((Vector.of_values(kind, now), step.take(at)), len(at))
                now = moved.values
        all_rows = np.concatenate(rows) if rows else np.zeros(0, dtype=np.int64)
        all_values = np.concatenate(values) if values else np.zeros(0, dtype=np.int64)
        order = np.argsort(all_rows, kind="stable")
        lengths = np.bincount(all_rows, minlength=n).astype(np.int64)
        return list_vector(call.type, lengths, Vector.of_values(kind, all_values[order]), valid)

    return evaluate


def _sign(parts: np.ndarray, valid: np.ndarray | None, n: int) -> np.ndarray:
    """1 for intervals that go forward, -1 for those that go back, 0 for none. Raises for mixed ones."""
    fields = [np.sign(parts[name].astype(np.int64)) for name in ("months", "days", "nanos")]
    high, low = np.maximum.reduce(fields), np.minimum.reduce(fields)
    mixed = (high > 0) & (low < 0)
    if (mixed if valid is None else mixed & valid).any():
        raise messages.invalid_input("Interval with mix of negative/positive entries not supported")
    return high + low
