"""The values of each row's frame taken together by an associative operation.

What can be subtracted (counts, exact sums) comes from running sums: a frame's is what its last row has more
than the row before its first. Frames that start or end with the partition take the result of a scan. All
others are put together from runs of 1, 2, 4, ... rows that are folded beforehand: a frame of w rows takes one
run for every bit of w, so that n rows cost n log w whatever the frame. `rolling_window` would cost n w.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import pyarrow as pa

from ..number import Number
from ..ops import Ops
from ..storage import named_type
from .window_frames import Framed
from .window_rows import WindowRows, running, zero_first


def subtracted(column: Any, framed: Framed, ops: Ops) -> Any:
    """The sum of integers without NULL over each frame; 0 where it has no rows."""
    sums = zero_first(running(column, ops), ops)
    total: Any = None
    for span in framed.spans:
        (begin,), (end,) = ops.gathered([sums], span.begin.column), ops.gathered([sums], span.end.column)
        part = ops.binary("SUB", end, begin, column.type())
        total = part if total is None else ops.binary("ADD", total, part, column.type())
    return total


Columns = list[Any]


@dataclass(frozen=True)
class Fold:
    """An associative and commutative operation on states of some INT64 or FLOAT64 columns. `neutral`: the
    state that changes nothing. `scan`: the name of the aggregation that does the same to the rows so far, if
    there is one."""

    combine: Callable[[Columns, Columns, Ops], Columns]
    neutral: tuple[float, ...]
    scan: str | None = None


def _one(operator: str, neutral: float, scan: str | None = None) -> Fold:
    """A binary operation by libcudf's name."""

    def combine(left: Columns, right: Columns, ops: Ops) -> Columns:
        return [ops.binary(operator, left[0], right[0], left[0].type())]

    return Fold(combine, (neutral,), scan)


ADD = _one("ADD", 0.0, "sum")
MULTIPLY = _one("MUL", 1.0, "product")
LEAST = _one("NULL_MIN", 2**63 - 1, "min")
GREATEST = _one("NULL_MAX", -(2**63), "max")
BITS_AND = _one("BITWISE_AND", -1)
BITS_OR = _one("BITWISE_OR", 0)
BITS_XOR = _one("BITWISE_XOR", 0)


class Folded:
    """The state of each row, in window order, folded over frames. NULLs count for nothing."""

    def __init__(self, columns: Columns, fold: Fold, rows: WindowRows) -> None:
        self._rows = rows
        self._ops = rows.ops
        self._fold = fold
        kinds = [pa.float64() if column.type() == named_type("FLOAT64") else pa.int64() for column in columns]
        self._neutral = [
            rows.ops.scalar(pa.scalar(value, kind)) for value, kind in zip(fold.neutral, kinds, strict=True)
        ]
        self._columns = [
            rows.ops.filled(column, value) if column.null_count() else column
            for column, value in zip(columns, self._neutral, strict=True)
        ]

    def over(self, framed: Framed) -> Columns:
        """The fold of each frame; where it has no rows, the neutral state or, with a scan, anything."""
        if self._fold.scan is not None and framed.from_start:
            last = (framed.spans[0].end - 1).greatest(0)
            return self._ops.gathered([self._so_far], last.column)
        if self._fold.scan is not None and framed.to_end:
            first = framed.spans[0].begin.least(self._rows.count - 1)
            return self._ops.gathered([self._from_here], first.column)
        return self._doubled(framed)

    @cached_property
    def _so_far(self) -> Any:
        """Each row with all rows before it in its partition."""
        return self._scanned(self._rows.parts.number.column, self._columns[0])

    @cached_property
    def _from_here(self) -> Any:
        """Each row with all rows after it in its partition."""
        ops, rows = self._ops, self._rows
        back = ops.row_numbers(rows.count, rows.count - 1, -1)
        numbers, column = ops.gathered([rows.parts.number.column, self._columns[0]], back)
        (found,) = ops.gathered([self._scanned(numbers, column)], back)
        return found

    def _scanned(self, numbers: Any, column: Any) -> Any:
        plc, ops = self._ops.plc, self._ops
        how = getattr(plc.aggregation, self._fold.scan or "")()
        # Rows of sorted keys stay where they are.
        grouping = plc.groupby.GroupBy(
            ops.table([numbers]), plc.types.NullPolicy.INCLUDE, plc.types.Sorted.YES
        )
        _, (found,) = grouping.scan([plc.groupby.GroupByRequest(column, [how])], stream=ops.stream)
        return found.columns()[0]

    def _doubled(self, framed: Framed) -> Columns:
        ops, rows, combine = self._ops, self._rows, self._fold.combine
        spans = [(span.begin, span.size) for span in framed.spans]
        longest = max(_most(size, ops) for _, size in spans)
        found = [ops.repeated(value, rows.count) for value in self._neutral]
        # Row i of `runs` has the rows i .. i + step.
        runs, step = self._columns, 1
        while True:
            moved = []
            for at, size in spans:
                taken = size.bit("BITWISE_AND", step).differs(0)
                run = ops.gathered(runs, at.least(rows.count - 1).column)
                more = combine(found, run, ops)
                found = [ops.choose(new, old, taken) for new, old in zip(more, found, strict=True)]
                moved.append(((at + step).unless(ops.inverse(taken), at), size))
            spans = moved
            if 2 * step > longest:
                return found
            ahead = [
                ops.plc.copying.shift(run, -step, value, stream=ops.stream)
                for run, value in zip(runs, self._neutral, strict=True)
            ]
            runs = combine(runs, ahead, ops)
            step *= 2


def _most(size: Number, ops: Ops) -> int:
    """The greatest of some sizes. Waits for the device."""
    how = ops.plc.aggregation.max()
    found = ops.plc.reduce.reduce(size.column, how, size.column.type(), stream=ops.stream)
    return int(found.to_py(stream=ops.stream) or 0)
