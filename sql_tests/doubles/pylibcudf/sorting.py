"""Rows in order."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..arguments import library, scratch
from ..device import device
from ..errors import expects, invalid_argument, logic_error
from ..kernels import keys as row_keys
from ..kernels import storage
from ._ranks import ranks
from .aggregation import RankMethod
from .column import Column, made
from .stream_compaction import rows_at
from .table import Table
from .types import DataType, NullOrder, NullPolicy, Order, TypeId


def _places(table: Table, orders: list[Order], nulls: list[NullOrder], *, stable: bool) -> np.ndarray:
    columns = table.num_columns()
    expects(
        not orders or len(orders) == columns,
        logic_error("Mismatch between number of columns and column order."),
    )
    expects(
        not nulls or len(nulls) == columns,
        logic_error("Mismatch between number of columns and null_precedence size."),
    )
    # Without a choice: ascending, NULLs before.
    down = [o is Order.DESCENDING for o in orders] or [False] * columns
    before = [n is NullOrder.BEFORE for n in nulls] or [True] * columns
    rows = table.num_rows()
    ties = None if stable else device.order(rows)
    with scratch(4 * rows):
        if not columns:
            return np.arange(0)
        return row_keys.sorted_places([c._rows for c in table.columns()], down, before, ties)


def _numbers(at: np.ndarray) -> Column:
    return made(DataType(TypeId.INT32), storage.build(at.astype(np.int32)))


@library
def sorted_order(
    source_table: Table,
    column_order: list[Order],
    null_precedence: list[NullOrder],
    stream: Any = None,
    mr: Any = None,
) -> Column:
    """Row numbers in order; equal rows in none."""
    return _numbers(_places(source_table, column_order, null_precedence, stable=False))


@library
def stable_sorted_order(
    source_table: Table,
    column_order: list[Order],
    null_precedence: list[NullOrder],
    stream: Any = None,
    mr: Any = None,
) -> Column:
    """Row numbers in order; equal rows as they were."""
    return _numbers(_places(source_table, column_order, null_precedence, stable=True))


@library
def rank(
    input_view: Column,
    method: RankMethod,
    column_order: Order,
    null_handling: NullPolicy,
    null_precedence: NullOrder,
    percentage: bool,
    stream: Any = None,
    mr: Any = None,
) -> Column:
    """The place of each row in the order."""
    if null_handling is NullPolicy.EXCLUDE:
        last = (column_order is Order.ASCENDING) == (null_precedence is NullOrder.AFTER)
        expects(last, logic_error("excluded NULLs must come last: undefined behaviour"))
    found = ranks(input_view._rows, method, column_order, null_handling, null_precedence, percentage)
    double = percentage or method is RankMethod.AVERAGE
    return made(DataType(TypeId.FLOAT64 if double else TypeId.INT32), found)


@library
def is_sorted(
    tbl: Table, column_order: list[Order], null_precedence: list[NullOrder], stream: Any = None
) -> bool:
    """Whether the rows are in order already."""
    device.synchronized("sorting.is_sorted", implicit=True)
    at = _places(tbl, column_order, null_precedence, stable=True)
    return bool((at == np.arange(len(at))).all())


def _by_key(
    values: Table, keys: Table, orders: list[Order], nulls: list[NullOrder], *, stable: bool
) -> Table:
    expects(
        values.num_rows() == keys.num_rows(),
        logic_error("Mismatch in number of rows for values and keys"),
    )
    return rows_at(values, _places(keys, orders, nulls, stable=stable))


@library
def sort_by_key(
    values: Table,
    keys: Table,
    column_order: list[Order],
    null_precedence: list[NullOrder],
    stream: Any = None,
    mr: Any = None,
) -> Table:
    return _by_key(values, keys, column_order, null_precedence, stable=False)


@library
def stable_sort_by_key(
    values: Table,
    keys: Table,
    column_order: list[Order],
    null_precedence: list[NullOrder],
    stream: Any = None,
    mr: Any = None,
) -> Table:
    return _by_key(values, keys, column_order, null_precedence, stable=True)


@library
def sort(
    source_table: Table,
    column_order: list[Order],
    null_precedence: list[NullOrder],
    stream: Any = None,
    mr: Any = None,
) -> Table:
    return _by_key(source_table, source_table, column_order, null_precedence, stable=False)


@library
def stable_sort(
    source_table: Table,
    column_order: list[Order],
    null_precedence: list[NullOrder],
    stream: Any = None,
    mr: Any = None,
) -> Table:
    return _by_key(source_table, source_table, column_order, null_precedence, stable=True)


def _segmented(
    values: Table, keys: Table, offsets: Column, orders: list[Order], nulls: list[NullOrder], *, stable: bool
) -> Table:
    expects(offsets.type().id() is TypeId.INT32, logic_error("segment offsets should be size_type"))
    expects(
        values.num_rows() == keys.num_rows(), logic_error("Mismatch in number of rows for values and keys")
    )
    ends = storage.values(offsets._rows)
    rows = np.arange(keys.num_rows())
    # Rows before the first and from the last offset on are segments of their own.
    segment = np.searchsorted(ends, rows, side="right")
    at = _places(keys, orders, nulls, stable=stable)
    return rows_at(values, at[np.argsort(segment[at], kind="stable")])


@library
def segmented_sort_by_key(
    values: Table,
    keys: Table,
    segment_offsets: Column,
    column_order: list[Order],
    null_precedence: list[NullOrder],
    stream: Any = None,
    mr: Any = None,
) -> Table:
    return _segmented(values, keys, segment_offsets, column_order, null_precedence, stable=False)


@library
def stable_segmented_sort_by_key(
    values: Table,
    keys: Table,
    segment_offsets: Column,
    column_order: list[Order],
    null_precedence: list[NullOrder],
    stream: Any = None,
    mr: Any = None,
) -> Table:
    return _segmented(values, keys, segment_offsets, column_order, null_precedence, stable=True)


def _top(col: Column, k: int, order: Order) -> np.ndarray:
    expects(0 <= k <= col.size(), invalid_argument("k must be at most the number of rows"))
    # NULLs come last whichever end is asked for.
    down = order is Order.DESCENDING
    ordered = row_keys.sorted_places([col._rows], [down], [down], device.order(col.size()))
    return ordered[: min(k, col.size())]


@library
def top_k(
    col: Column, k: int, sort_order: Order = Order.DESCENDING, stream: Any = None, mr: Any = None
) -> Column:
    """The k largest (or smallest) values, in no order."""
    at = _top(col, k, sort_order)
    return made(col._kind, storage.take(col._rows, at[device.order(len(at))]))


@library
def top_k_order(
    col: Column, k: int, sort_order: Order = Order.DESCENDING, stream: Any = None, mr: Any = None
) -> Column:
    """The rows of the k largest (or smallest) values, in no order."""
    at = _top(col, k, sort_order)
    return _numbers(at[device.order(len(at))])
