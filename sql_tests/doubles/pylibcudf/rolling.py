"""Aggregates over a window of rows around each."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..arguments import check, library
from ..errors import expects, logic_error
from ..kernels import storage
from . import traits
from ._aggregates import Groups, aggregate
from ._kinds import Kind
from .aggregation import Aggregation
from .aggregation import Kind as What
from .column import Column, made
from .scalar import Scalar
from .types import DataType, TypeId

_ROLLING = {
    *(What.SUM, What.MIN, What.MAX, What.COUNT_VALID, What.COUNT_ALL, What.MEAN, What.VARIANCE, What.STD),
    *(What.ARGMIN, What.ARGMAX, What.NTH_ELEMENT, What.COLLECT_LIST, What.COLLECT_SET, What.RANK),
    *(What.ROW_NUMBER, What.LEAD, What.LAG),
}


class Unbounded:
    """A window that ends where its group does."""


class CurrentRow:
    """A window that ends with the rows equal to the current one."""


class BoundedClosed:
    """A window that ends at a distance, which belongs to it."""

    def __init__(self, delta: Scalar) -> None:
        check("delta", Scalar, delta)
        self.delta = delta


class BoundedOpen:
    """A window that ends before a distance."""

    def __init__(self, delta: Scalar) -> None:
        check("delta", Scalar, delta)
        self.delta = delta


class RollingRequest:
    """What to compute of a column over a window."""

    def __init__(self, values: Column, min_periods: int, aggregation: Aggregation) -> None:
        check("values", Column, values)
        check("min_periods", int, min_periods)
        check("aggregation", Aggregation, aggregation)
        self._values, self._min_periods, self._aggregation = values, min_periods, aggregation


def is_valid_rolling_aggregation(source: DataType, agg: Aggregation) -> bool:
    what = agg.kind()
    numeric, fixed_point = traits.is_numeric(source), traits.is_fixed_point(source)
    if what in (What.SUM, What.MEAN):
        return numeric or fixed_point or traits.is_duration(source)
    if what in (What.VARIANCE, What.STD):
        return numeric or fixed_point
    if what in (What.MIN, What.MAX):
        return traits.is_fixed_width(source)
    if what in (What.ARGMIN, What.ARGMAX):
        return source.id() in (
            TypeId.STRING,
            TypeId.DICTIONARY32,
            TypeId.STRUCT,
        ) and not traits.is_dictionary(source)
    return what in (What.COUNT_VALID, What.COUNT_ALL, What.COLLECT_LIST, What.COLLECT_SET)


def _ends(window: Column | int, rows: int) -> np.ndarray:
    if isinstance(window, Column):
        expects(window.type().id() is TypeId.INT32, logic_error("preceding/following window must be INT32"))
        expects(window.size() == rows, logic_error("window size mismatch"))
        expects(window.null_count() == 0, logic_error("window columns cannot have nulls"))
        return storage.values(window._rows).astype(np.int64)
    return np.full(rows, window)


@library
def rolling_window(
    source: Column,
    preceding_window: Column | int,
    following_window: Column | int,
    min_periods: int,
    agg: Aggregation,
    stream: Any = None,
    mr: Any = None,
) -> Column:
    """The aggregate of the rows from `preceding - 1` before each to `following` after it; NULL where too few
    are valid.
    """
    if agg.kind() not in _ROLLING:
        raise NotImplementedError(f"{agg.kind()!r} aggregations are not supported by rolling")
    expects(min_periods >= 0, logic_error("min_periods must be non-negative"))
    rows = source.size()
    here = np.arange(rows)
    begin = np.clip(here - _ends(preceding_window, rows) + 1, 0, rows)
    end = np.maximum(np.clip(here + _ends(following_window, rows) + 1, 0, rows), begin)
    if agg.kind() in (What.LEAD, What.LAG):
        step = agg._options["offset"] * (1 if agg.kind() is What.LEAD else -1)
        at = here + step
        inside = (at >= 0) & (at < rows)
        return made(source._kind, storage.take(source._rows, np.where(inside, at, 0), inside))
    if agg.kind() is What.ROW_NUMBER:
        # The place of the row within its window.
        enough = end - begin >= min_periods
        return made(DataType(TypeId.INT32), storage.build((here - begin + 1).astype(np.int32), enough))
    # Numbers and strings have more rolling aggregates than the predicate says: it is not asked here.
    what = agg.kind()
    known = what in (What.MIN, What.MAX, What.NTH_ELEMENT) or is_valid_rolling_aggregation(source.type(), agg)
    expects(known, logic_error("Invalid aggregation type/operand combination for rolling"))
    return made(*_windows(source, begin, end, agg, min_periods))


def _windows(
    source: Column, begin: np.ndarray, end: np.ndarray, agg: Aggregation, least: int
) -> tuple[Kind, Any]:
    sizes = end - begin
    expects(
        least > 0 or bool((sizes > 0).all()),
        logic_error("the double takes no empty window with min_periods 0"),
    )
    some = np.flatnonzero(sizes > 0)
    starts = np.cumsum(sizes[some]) - sizes[some]
    at = np.arange(int(sizes.sum())) - np.repeat(starts, sizes[some]) + np.repeat(begin[some], sizes[some])
    kind, found = aggregate(source._kind, source._rows, Groups(at, starts), agg)
    # The result keeps the column's type: an integer sum wraps in it, an integer mean is cut.
    if agg.kind() in (What.SUM, What.MEAN) and kind.dtype != source.type():
        from ._casts import cast_rows

        found, kind = cast_rows(found, kind.dtype, source.type()), source._kind
    place = np.zeros(len(sizes), np.int64)
    place[some] = np.arange(len(some))
    valid = np.append(0, np.cumsum(storage.validity(source._rows)))
    enough = (valid[end] - valid[begin] >= least) & (sizes > 0)
    if agg.kind() is What.COUNT_ALL:
        enough = (sizes >= least) & (sizes > 0)
    if not len(some):
        from ._kinds import nulls

        return kind, nulls(kind, len(sizes))
    return kind, storage.take(found, place, enough)
