"""The rows of a window in order: sorted by partition and ORDER BY, with the runs of equal ones."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import pyarrow as pa

from ...physical.batch import Batch
from ...planner.expr import ColumnRef, Literal, SortKey
from ..expressions import columns
from ..number import Number, constant
from ..ops import Ops
from ..values import Evaluation, Value
from .join_keys import comparable
from .sort_keys import key_columns


class Runs:
    """Runs of rows side by side. `number`, `begin` and `end` (INT32) have a row for each row of the input:
    which run it is in, counted from 0, its first row, and the row after its last; `firsts` and `ends` have
    one for each run."""

    def __init__(self, starts: Any, ops: Ops) -> None:
        """`starts` (BOOL8): the first rows of runs; row 0 is one of them."""
        rows = starts.size()
        counted = Number(running(Number(starts, ops, "INT32").column, ops), ops, "INT32")
        self.number = counted - 1
        (firsts,) = ops.kept([ops.row_numbers(rows)], starts)
        last = ops.repeated(ops.int32(rows), 1)
        self.firsts = Number(firsts, ops, "INT32")
        ((ends,)) = ops.concatenated([ops.sliced([firsts], 1, firsts.size()), [last]])
        self.ends = Number(ends, ops, "INT32")
        begin, end = ops.gathered([firsts, ends], self.number.column)
        self.begin, self.end = Number(begin, ops, "INT32"), Number(end, ops, "INT32")


def running(column: Any, ops: Ops) -> Any:
    """The sum of each row and all rows before it."""
    scan = ops.plc.reduce
    return scan.scan(column, ops.plc.aggregation.sum(), scan.ScanType.INCLUSIVE, stream=ops.stream)


def _changes(keys: Sequence[Any], rows: int, ops: Ops) -> Any:
    """The rows that differ from the row before, and the first one. NULL is equal to NULL."""
    first = ops.repeated(ops.truth(True), 1)
    if rows == 1:
        return first
    found: Any = None
    for key in keys:
        compared = comparable(key, ops)
        (after,), (before,) = ops.sliced([compared], 1, rows), ops.sliced([compared], 0, rows - 1)
        differs = ops.binary("NULL_NOT_EQUALS", after, before)
        found = differs if found is None else ops.either(found, differs)
    if found is None:
        found = ops.repeated(ops.truth(False), rows - 1)
    (starts,) = ops.concatenated([[first], [found]])
    return starts


class WindowRows:
    """At least one row, `count` of them, of whole partitions. Columns that this class gives are in window
    order: by partition, then by ORDER BY, then as the rows came in."""

    def __init__(
        self,
        rows: Batch,
        partition: Sequence[ColumnRef],
        order: Sequence[SortKey],
        ops: Ops,
        place: Any = None,
    ) -> None:
        """`place`: a column by which the rows came in, where they have come apart since."""
        self.ops = ops
        self.count = rows.num_rows
        self.run = Evaluation(ops, self.count)
        self.order = tuple(order)
        self._rows = rows
        parts = [SortKey(key) for key in partition]
        keys = key_columns([*parts, *order], rows, ops) if parts or order else []
        by = [*parts, *order]
        down, first = [key.descending for key in by], [key.nulls_first for key in by]
        if place is not None:
            keys, down, first = [*keys, place], [*down, False], [*first, True]
        self._sorted = ops.order(keys, down, first) if keys else None
        found = keys if self._sorted is None else ops.gathered(keys, self._sorted)
        self._keys = found[: len(parts)]
        self.order_keys = found[len(parts) : len(by)]
        self._columns: dict[int, Any] = {}

    @cached_property
    def here(self) -> Number:
        """The number of every row."""
        return Number(self.ops.row_numbers(self.count), self.ops, "INT32")

    @cached_property
    def _part_starts(self) -> Any:
        return _changes(self._keys, self.count, self.ops)

    @cached_property
    def parts(self) -> Runs:
        """The partitions."""
        return Runs(self._part_starts, self.ops)

    @cached_property
    def peers(self) -> Runs:
        """The rows of a partition that are equal in ORDER BY: all, where there is none."""
        if not self.order:
            return self.parts
        changes = _changes(self.order_keys, self.count, self.ops)
        return Runs(self.ops.either(self._part_starts, changes), self.ops)

    @cached_property
    def size(self) -> Number:
        """The number of rows of the row's partition."""
        return self.parts.end - self.parts.begin

    def number(self, value: float, kind: str = "INT32") -> Number:
        """The same number in every row."""
        return constant(value, self.count, self.ops, kind)

    def value(self, expr: Any) -> Value:
        """A column of the input, or a literal."""
        if isinstance(expr, Literal):
            return Value(expr.type, literal=expr.value)
        column = self._columns.get(expr.id)
        if column is None:
            (column,) = columns([expr], self._rows, self.ops)
            if self._sorted is not None:
                (column,) = self.ops.gathered([column], self._sorted)
            self._columns[expr.id] = column
        return Value(expr.type, column, bounds=self._rows.bounds.get(expr.id))

    def column(self, expr: Any) -> Any:
        """The same as a column."""
        return self.run.column(self.value(expr))

    def in_input_order(self, found: Sequence[Any]) -> list[Any]:
        """Columns in window order, with their rows as they came in."""
        if self._sorted is None:
            return list(found)
        return self.ops.gathered(found, self._inverse)

    @cached_property
    def _inverse(self) -> Any:
        return inverse(self._sorted, self.ops)


def inverse(order: Any, ops: Ops) -> Any:
    """Where each row is in an order, which has every row number once."""
    here = ops.table([ops.row_numbers(order.size())])
    return ops.plc.copying.scatter(here, order, here, stream=ops.stream).columns()[0]


def mask_of(rows: Any, count: int, ops: Ops) -> Any:
    """True at the given rows of `count`, which are all different."""
    nowhere = ops.table([ops.repeated(ops.truth(False), count)])
    return ops.plc.copying.scatter([ops.truth(True)], rows, nowhere, stream=ops.stream).columns()[0]


def zero_first(column: Any, ops: Ops) -> Any:
    """The column with a zero before its first row."""
    kinds = {ops.plc.TypeId.INT32: pa.int32(), ops.plc.TypeId.INT64: pa.int64()}
    kind = kinds.get(column.type().id(), pa.decimal128(38, 0))
    (found,) = ops.concatenated([[ops.repeated(ops.scalar(pa.scalar(0, kind)), 1)], [column]])
    return found
