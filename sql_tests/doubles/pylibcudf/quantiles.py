"""Quantiles of columns and of tables."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from ..arguments import check, library
from ..errors import expects, logic_error
from ..kernels import arithmetic, keys, storage
from . import traits
from ._aggregates import as_doubles
from ._kinds import nulls, plain
from ._quantiles import quantile as quantile_of
from .column import Column, made
from .stream_compaction import rows_at
from .table import Table
from .types import Interpolation, NullOrder, Order, Sorted


@library
def quantile(
    input: Column,
    q: Any,
    interp: Interpolation = Interpolation.LINEAR,
    ordered_indices: Column | None = None,
    exact: bool = True,
    stream: Any = None,
    mr: Any = None,
) -> Column:
    """The value at each share, as doubles or (not exact) in the column's type.

    Without `ordered_indices` the rows must be in order already: they are taken as they are.
    """
    shares = _shares(q)
    known = traits.is_numeric(input.type()) or (traits.is_fixed_point(input.type()) and exact)
    expects(known, logic_error("quantile does not support this type"))
    rows = input._rows
    if ordered_indices is not None:
        expects(ordered_indices.null_count() == 0, logic_error("ordered_indices column has nulls"))
        rows = storage.take(rows, storage.values(ordered_indices._rows).astype(np.int64))
    kind = plain("FLOAT64") if exact else input._kind
    keep = storage.validity(rows)
    doubles = as_doubles(rows, input.type())[keep]
    if not len(doubles):
        return made(kind, nulls(kind, len(shares)))
    found = np.array([quantile_of(doubles, share, interp) for share in shares], np.float64)
    return made(
        kind, storage.build(found if exact else arithmetic.converted(found, storage.NUMPY_TYPES[rows.type]))
    )


def _shares(q: Iterable[float]) -> list[float]:
    found = list(q)
    check("q", list[float], found)
    return [float(share) for share in found]


@library
def quantiles(
    input: Table,
    q: Any,
    interp: Interpolation = Interpolation.NEAREST,
    is_input_sorted: Sorted = Sorted.NO,
    column_order: list[Order] | None = None,
    null_precedence: list[NullOrder] | None = None,
    stream: Any = None,
    mr: Any = None,
) -> Table:
    """The rows at each share."""
    plainly = interp in (Interpolation.LOWER, Interpolation.HIGHER, Interpolation.NEAREST)
    expects(plainly, logic_error("arithmetic interpolation not allowed for non-numeric types"))
    expects(input.num_rows() > 0, logic_error("multi-column quantiles require at least one input row."))
    places = np.arange(input.num_rows())
    if is_input_sorted is Sorted.NO:
        count = input.num_columns()
        down = [o is Order.DESCENDING for o in column_order or []] or [False] * count
        before = [n is NullOrder.BEFORE for n in null_precedence or []] or [True] * count
        places = keys.sorted_places([c._rows for c in input.columns()], down, before)
    steps = [int(quantile_of(np.arange(len(places), dtype=np.float64), s, interp)) for s in _shares(q)]
    return rows_at(input, places[np.array(steps, np.int64)])
