"""Aggregates of a whole column as scalars."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa

from ..errors import expects, invalid_argument, logic_error
from ..kernels import arithmetic, fixed, i128, storage
from . import traits
from ._aggregates import Groups, aggregate
from ._casts import cast_rows
from ._kinds import Kind, nulls, storage_type
from .aggregation import Aggregation
from .aggregation import Kind as What
from .column import Column
from .scalar import Scalar
from .types import DataType, TypeId, size_of

_REAL = {What.MEAN, What.VARIANCE, What.STD}
_NO_REDUCTION = {What.RANK, What.M2, What.EWMA, What.CORRELATION, What.COVARIANCE, What.MERGE_M2}


def valid_reduction(source: DataType, kind: What) -> bool:
    """Whether a type can be reduced so."""
    numeric, fixed_point = traits.is_numeric(source), traits.is_fixed_point(source)
    if kind in (What.SUM, What.PRODUCT, What.SUM_OF_SQUARES):
        return numeric or fixed_point
    if kind in (What.ANY, What.ALL, *_REAL):
        return numeric
    if kind in (What.MEDIAN, What.QUANTILE):
        return numeric or fixed_point
    return kind not in _NO_REDUCTION


def reduced(col: Column, agg: Aggregation, target: DataType, init: Scalar | None = None) -> Scalar:
    """The aggregate as a scalar of the target type."""
    what, source = agg.kind(), col.type()
    if what in _NO_REDUCTION:
        raise NotImplementedError(f"{what!r} aggregations are not supported by reduce")
    if init is not None:
        known = {What.SUM, What.PRODUCT, What.MIN, What.MAX, What.ANY, What.ALL}
        expects(what in known, invalid_argument("Initial value is only supported for some aggregations"))
        raise NotImplementedError("the double reduces without an initial value")
    _checked(what, source, target)
    if what in (What.ANY, What.ALL):
        return _logical(col, what, target)
    if what in (What.SUM, What.PRODUCT, What.SUM_OF_SQUARES):
        return _accumulated(col, what, target)
    rows = np.arange(col.size())
    if not col.size():
        return _nothing(col, what, target)
    kind, found = aggregate(col._kind, col._rows, Groups(rows, np.zeros(1, np.int64)), agg)
    if kind.dtype != target and kind.dtype.id() is not TypeId.LIST:
        found, kind = cast_rows(found, kind.dtype, target), Kind(target)
    return Scalar._of(kind, found)


def _checked(what: What, source: DataType, target: DataType) -> None:
    if what in (What.MIN, What.MAX):
        expects(source == target, invalid_argument("min/max reduction requires matching output type"))
    elif what in (What.ANY, What.ALL):
        expects(target.id() is TypeId.BOOL8, invalid_argument("any/all requires output type BOOL8"))
    elif what in _REAL:
        expects(
            traits.is_floating_point(target),
            invalid_argument("mean/var/std requires a floating point output type"),
        )
    elif what in (What.SUM, What.PRODUCT, What.SUM_OF_SQUARES):
        both = traits.is_numeric(source) and traits.is_numeric(target)
        decimals = traits.is_fixed_point(source) and source.id() is target.id()
        expects(both or decimals, invalid_argument("Unsupported output type for this reduction"))
    expects(valid_reduction(source, what), logic_error("Reduction operator not supported for this type"))


def _nothing(col: Column, what: What, target: DataType) -> Scalar:
    """The result of no rows."""
    if what in (What.COUNT_ALL, What.COUNT_VALID, What.NUNIQUE):
        return Scalar._of(Kind(target), pa.array([0], storage_type(Kind(target))))
    if what in (What.COLLECT_LIST, What.COLLECT_SET):
        kind = Kind(DataType(TypeId.LIST), (col._kind,))
        return Scalar._of(kind, pa.array([[]], storage_type(kind)))
    kind = col._kind if what in (What.MIN, What.MAX, What.NTH_ELEMENT) else Kind(target)
    return Scalar._of(kind, nulls(kind, 1))


def _logical(col: Column, what: What, target: DataType) -> Scalar:
    values = storage.values(col._rows)[storage.validity(col._rows)] != 0
    if not len(values):
        found = pa.array([True] if what is What.ALL and not col.size() else [None], pa.bool_())
    else:
        found = pa.array([bool(values.any() if what is What.ANY else values.all())])
    return Scalar._of(Kind(target), found)


def _accumulated(col: Column, what: What, target: DataType) -> Scalar:
    """Added up in the output type, and wrapping there."""
    keep = storage.validity(col._rows)
    kind = Kind(target)
    if not keep.any():
        return Scalar._of(kind, nulls(kind, 1))
    if traits.is_fixed_point(target):
        return Scalar._of(kind, _decimals(col, what, target, keep))
    values: Any = arithmetic.converted(
        storage.values(col._rows)[keep], storage.NUMPY_TYPES[storage_type(kind)]
    )
    if values.dtype == np.bool_:
        return Scalar._of(kind, storage.build(np.array([values.any() if what is What.SUM else values.all()])))
    with np.errstate(all="ignore"):
        values = values * values if what is What.SUM_OF_SQUARES else values
        over = np.multiply if what is What.PRODUCT else np.add
        total = over.reduce(values, dtype=values.dtype)
    return Scalar._of(kind, storage.build(np.array([total], values.dtype)))


def _decimals(col: Column, what: What, target: DataType, keep: np.ndarray) -> pa.Array:
    expects(what is What.SUM, invalid_argument("the double adds decimals up only"))
    bits = 8 * size_of(target)
    values = fixed.wide(col._rows).take(np.flatnonzero(keep))
    total = fixed.wrapped(i128.sums(values, np.zeros(1, np.int64)), bits)
    return storage.build(fixed.narrow(fixed.rescaled(total, col.type().scale(), target.scale(), bits), bits))
