"""Rows looked for in others."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..arguments import library
from ..errors import data_type_error, expects, logic_error
from ..kernels import keys, storage
from .column import Column, made
from .table import Table
from .types import DataType, NullOrder, Order, TypeId


def _bounds(
    haystack: Table, needles: Table, orders: list[Order], nulls: list[NullOrder], side: str
) -> Column:
    columns = haystack.num_columns()
    expects(columns == needles.num_columns(), logic_error("Mismatch in the number of columns"))
    expects(
        not orders or len(orders) == columns,
        logic_error("Mismatch between number of columns and column order."),
    )
    expects(
        not nulls or len(nulls) == columns,
        logic_error("Mismatch between number of columns and null precedence."),
    )
    for a, b in zip(haystack.columns(), needles.columns(), strict=True):
        expects(a._kind == b._kind, data_type_error("Mismatch in column types"))
    rows = haystack.num_rows()
    together = [
        storage.concatenate([a._rows, b._rows])
        for a, b in zip(haystack.columns(), needles.columns(), strict=True)
    ]
    down = [o is Order.DESCENDING for o in orders] or [False] * columns
    before = [n is NullOrder.BEFORE for n in nulls] or [True] * columns
    ordered = keys.sorted_places(together, down, before)
    codes = keys.row_codes(together, rows + needles.num_rows())[ordered]
    rank = np.empty(len(ordered), np.int64)
    rank[ordered] = np.cumsum(np.append(False, codes[1:] != codes[:-1])[: len(codes)])
    found = np.searchsorted(rank[:rows], rank[rows:], side="left" if side == "lower" else "right")
    return made(DataType(TypeId.INT32), storage.build(found.astype(np.int32)))


@library
def lower_bound(
    haystack: Table,
    needles: Table,
    column_order: list[Order],
    null_precedence: list[NullOrder],
    stream: Any = None,
    mr: Any = None,
) -> Column:
    """The first place in the sorted haystack where each needle could stand."""
    return _bounds(haystack, needles, column_order, null_precedence, "lower")


@library
def upper_bound(
    haystack: Table,
    needles: Table,
    column_order: list[Order],
    null_precedence: list[NullOrder],
    stream: Any = None,
    mr: Any = None,
) -> Column:
    """The last place in the sorted haystack where each needle could stand."""
    return _bounds(haystack, needles, column_order, null_precedence, "upper")


@library
def contains(haystack: Column, needles: Column, stream: Any = None, mr: Any = None) -> Column:
    """Whether each needle is in the haystack; NULL for a NULL needle."""
    expects(haystack._kind == needles._kind, logic_error("DTYPE mismatch"))
    codes = keys.row_codes([storage.concatenate([haystack._rows, needles._rows])], 0)
    found = np.isin(codes[haystack.size() :], codes[: haystack.size()])
    return made(DataType(TypeId.BOOL8), storage.build(found, storage.valid(needles._rows)))
