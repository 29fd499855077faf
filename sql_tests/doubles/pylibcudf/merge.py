"""Sorted tables merged."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..arguments import library, scratch
from ..errors import expects, invalid_argument, logic_error, out_of_range
from ..kernels import keys, storage
from .column import made
from .table import Table
from .types import NullOrder, Order


@library
def merge(
    tables_to_merge: list[Table],
    key_cols: list[int],
    column_order: list[Order],
    null_precedence: list[NullOrder],
    stream: Any = None,
    mr: Any = None,
) -> Table:
    """All rows in the order of their keys. Each table must be in that order already: the double checks it."""
    expects(bool(tables_to_merge), invalid_argument("no tables to merge"))
    first = tables_to_merge[0]
    expects(
        all(t.num_columns() == first.num_columns() for t in tables_to_merge),
        logic_error("Mismatched number of columns"),
    )
    expects(bool(key_cols), logic_error("Empty key_cols"))
    expects(
        len(key_cols) == len(column_order),
        logic_error("Mismatched size between key_cols and column_order"),
    )
    for key in key_cols:
        expects(0 <= key < first.num_columns(), out_of_range("key_cols index is out of range"))
    for table in tables_to_merge:
        same = all(a._kind == b._kind for a, b in zip(table.columns(), first.columns(), strict=True))
        expects(same, logic_error("Mismatched column types"))
    down = [order is Order.DESCENDING for order in column_order]
    before = [n is NullOrder.BEFORE for n in null_precedence] or [True] * len(key_cols)
    for table in tables_to_merge:
        at = keys.sorted_places([table.columns()[key]._rows for key in key_cols], down, before)
        expects(
            bool((at == np.arange(len(at))).all()), logic_error("a table is not sorted: undefined behaviour")
        )
    together = [
        storage.concatenate([table.columns()[i]._rows for table in tables_to_merge])
        for i in range(first.num_columns())
    ]
    rows = sum(table.num_rows() for table in tables_to_merge)
    with scratch(4 * rows):
        at = keys.sorted_places([together[key] for key in key_cols], down, before)
        columns = [
            made(c._kind, storage.take(whole, at)) for c, whole in zip(first.columns(), together, strict=True)
        ]
    return Table(columns, rows)
