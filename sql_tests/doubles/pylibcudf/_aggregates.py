"""Aggregates of groups of rows: their types and their values."""

from __future__ import annotations

import itertools
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from ..device import device
from ..errors import expects, logic_error
from ..kernels import fixed, i128, keys, storage
from ..kernels.i128 import I128
from . import traits
from ._kinds import Kind, plain
from ._quantiles import quantile
from .aggregation import Aggregation
from .aggregation import Kind as What
from .types import DataType, Interpolation, NanEquality, NullEquality, NullPolicy, TypeId

_INT32, _INT64, _DOUBLE = DataType(TypeId.INT32), DataType(TypeId.INT64), DataType(TypeId.FLOAT64)
_REAL = {What.VARIANCE, What.STD, What.M2, What.MEDIAN, What.QUANTILE}
_ROW_NUMBERS = {What.COUNT_VALID, What.COUNT_ALL, What.ARGMIN, What.ARGMAX, What.NUNIQUE, What.RANK}
_SAME = {What.MIN, What.MAX, What.NTH_ELEMENT}
GROUPED = {
    *(What.SUM, What.PRODUCT, What.MIN, What.MAX, What.COUNT_VALID, What.COUNT_ALL, What.SUM_OF_SQUARES),
    *(What.MEAN, What.M2, What.VARIANCE, What.STD, What.MEDIAN, What.QUANTILE, What.ARGMAX, What.ARGMIN),
    *(What.NUNIQUE, What.NTH_ELEMENT, What.COLLECT_LIST, What.COLLECT_SET),
}


def result_type(source: DataType, kind: What) -> DataType | None:
    """The type of an aggregate; None where the type has no such aggregate. Lists are named by LIST alone."""
    if kind in _REAL:
        return _DOUBLE
    if kind in _ROW_NUMBERS:
        return _INT32
    if kind in _SAME:
        return source
    if kind in (What.COLLECT_LIST, What.COLLECT_SET):
        return DataType(TypeId.LIST)
    if kind in (What.ANY, What.ALL):
        return DataType(TypeId.BOOL8)
    numeric = traits.is_numeric(source)
    if kind in (What.SUM, What.PRODUCT, What.SUM_OF_SQUARES):
        if numeric:
            return _INT64 if traits.is_integral(source) else source
        summed = traits.is_fixed_point(source) or traits.is_duration(source)
        return source if summed and kind is What.SUM else None
    if kind is What.MEAN:
        if numeric:
            return _DOUBLE
        # The mean of decimals keeps their type: digits beyond the scale are lost.
        return source if traits.is_fixed_point(source) or traits.is_duration(source) else None
    return None


class Groups(NamedTuple):
    """Row numbers, those of a group side by side in their order, and where each group starts."""

    rows: np.ndarray
    starts: np.ndarray

    @property
    def count(self) -> int:
        return len(self.starts)

    @property
    def sizes(self) -> np.ndarray:
        return np.diff(np.append(self.starts, len(self.rows)))

    @property
    def numbers(self) -> np.ndarray:
        """The group of each of `rows`."""
        return np.repeat(np.arange(self.count), self.sizes)


class _Valid(NamedTuple):
    """The rows without a NULL, and which groups have any."""

    rows: np.ndarray
    starts: np.ndarray
    groups: np.ndarray
    counts: np.ndarray


def _valid(array: pa.Array, groups: Groups) -> _Valid:
    keep = storage.valid(array)
    rows, numbers = groups.rows, groups.numbers
    if keep is not None:
        chosen = keep[rows]
        rows, numbers = rows[chosen], numbers[chosen]
    first = (
        np.flatnonzero(np.append(True, numbers[1:] != numbers[:-1]))
        if len(numbers)
        else np.zeros(0, np.int64)
    )
    return _Valid(rows, first, numbers[first], np.bincount(numbers, minlength=groups.count))


def aggregate(kind: Kind, array: pa.Array, groups: Groups, agg: Aggregation) -> tuple[Kind, pa.Array]:
    """One row a group; NULL where a group has no value."""
    what, options = agg._kind, agg._options
    target = result_type(kind.dtype, what)
    expects(target is not None, logic_error("Invalid type/aggregation combination."))
    assert target is not None
    found = _valid(array, groups)
    if what is What.COUNT_ALL:
        return plain("INT32"), storage.build(groups.sizes.astype(np.int32))
    if what is What.COUNT_VALID:
        return plain("INT32"), storage.build(found.counts.astype(np.int32))
    if what is What.NTH_ELEMENT:
        return kind, _nth(array, groups, found, options["n"], options["nulls"])
    if what in (What.COLLECT_LIST, What.COLLECT_SET):
        return Kind(target, (kind,)), _collected(array, groups, found, agg)
    if what is What.NUNIQUE:
        codes = keys.codes(array)
        width = int(codes.max(initial=0)) + 1
        pairs = np.unique(groups.numbers * width + codes[groups.rows])
        distinct = np.bincount(pairs // width, minlength=groups.count)
        with_null = (found.counts < groups.sizes).astype(np.int64)
        skip = with_null if options["nulls"] is NullPolicy.EXCLUDE else 0
        return plain("INT32"), storage.build((distinct - skip).astype(np.int32))
    if what in (What.MIN, What.MAX, What.ARGMIN, What.ARGMAX):
        return _extreme(kind, array, groups, found, what)
    if what in _REAL:
        expects(
            traits.is_numeric(kind.dtype)
            or (what in (What.MEDIAN, What.QUANTILE) and traits.is_fixed_point(kind.dtype)),
            logic_error("Only numeric types are supported in std/variance"),
        )
        return _real(kind, array, groups, found, agg)
    return Kind(target), _total(kind.dtype, array, groups, found, what)


def spread(values: Any, found: _Valid, count: int) -> tuple[Any, np.ndarray]:
    """A value for each group from those of the groups that have any, and which have."""
    keep = np.zeros(count, np.bool_)
    keep[found.groups] = True
    if isinstance(values, I128):
        hi, lo = np.zeros(count, np.int64), np.zeros(count, np.uint64)
        hi[found.groups], lo[found.groups] = values.hi, values.lo
        return I128(hi, lo), keep
    full = np.zeros(count, values.dtype)
    full[found.groups] = values
    return full, keep


def _total(dtype: DataType, array: pa.Array, groups: Groups, found: _Valid, what: What) -> pa.Array:
    values = storage.values(array)
    if isinstance(values, I128):
        values = values.take(found.rows)
        total: Any = i128.sums(values, found.starts) if len(found.starts) else values.take(found.starts)
        if what is What.MEAN:
            total = i128.divide(total, i128.of_int64(found.counts[found.groups]))[0]
        return storage.build(*spread(total, found, groups.count))
    values = values[found.rows]
    if traits.is_integral(dtype):
        values = values.astype(np.float64 if what is What.MEAN else np.int64)
    if what is What.MEAN and traits.is_floating_point(dtype):
        values = values.astype(np.float64)
    with np.errstate(all="ignore"):
        if what is What.SUM_OF_SQUARES:
            values = values * values
        over = np.multiply if what is What.PRODUCT else np.add
        # The running sum has the width of the source, and wraps there.
        total = over.reduceat(values, found.starts).astype(values.dtype) if len(found.starts) else values[:0]
        if what is What.MEAN:
            counts = found.counts[found.groups]
            exact = traits.is_numeric(dtype)
            total = total / counts if exact else _cut(total, counts)
    return storage.build(*spread(total, found, groups.count))


def _cut(total: np.ndarray, counts: np.ndarray) -> np.ndarray:
    return (np.abs(total) // counts * np.sign(total)).astype(total.dtype)


def _nth(array: pa.Array, groups: Groups, found: _Valid, n: int, nulls: NullPolicy) -> pa.Array:
    if nulls is NullPolicy.INCLUDE:
        rows, starts, sizes = groups.rows, groups.starts, groups.sizes
    else:
        rows, sizes = found.rows, found.counts
        starts = np.cumsum(sizes) - sizes
    step = np.full(groups.count, n) if n >= 0 else sizes + n
    inside = (step >= 0) & (step < sizes)
    at = np.where(inside, starts + step, 0)
    picked = rows[at] if len(rows) else np.zeros(len(at), np.int64)
    if not len(array):
        return pa.nulls(groups.count, array.type)
    return storage.take(array, picked, None if inside.all() else inside)


def _collected(array: pa.Array, groups: Groups, found: _Valid, agg: Aggregation) -> pa.Array:
    excluded = agg._options["nulls"] is NullPolicy.EXCLUDE
    rows = found.rows if excluded else groups.rows
    sizes = found.counts if excluded else groups.sizes
    if agg._kind is What.COLLECT_SET:
        codes = keys.codes(array)[rows]
        whole = [storage.take(array, rows)]
        if agg._options["null_equal"] is NullEquality.UNEQUAL:
            codes = keys.apart(codes, keys.with_null(whole, len(rows)))
        if agg._options["nan_equal"] is NanEquality.UNEQUAL:
            codes = keys.apart(codes, keys.with_nan(whole, len(rows)))
        numbers = np.repeat(np.arange(groups.count), sizes)
        first = np.unique(numbers * (int(codes.max(initial=0)) + 1) + codes, return_index=True)[1]
        # The elements of a set have no order.
        mixed = first[device.order(len(first))]
        first = mixed[np.argsort(numbers[mixed], kind="stable")]
        rows, sizes = rows[first], np.bincount(numbers[first], minlength=groups.count)
    ends = pa.array(np.append(0, np.cumsum(sizes)).astype(np.int32))
    return pa.ListArray.from_arrays(ends, storage.take(array, rows), type=pa.list_(array.type))


def _extreme(kind: Kind, array: pa.Array, groups: Groups, found: _Valid, what: What) -> tuple[Kind, pa.Array]:
    largest = what in (What.MAX, What.ARGMAX)
    supported = traits.is_fixed_width(kind.dtype) or kind.dtype.id() is TypeId.STRING
    expects(supported, logic_error("Invalid type/aggregation combination."))
    ordered = [~key if largest else key for key in keys.ordered(array)]
    numbers = np.repeat(found.groups, found.counts[found.groups])
    # Of equal values any is the smallest.
    mixed = device.order(len(found.rows))
    order = np.lexsort([mixed, *(key[found.rows] for key in reversed(ordered)), numbers])
    at = found.rows[order[found.starts]]
    if traits.is_floating_point(kind.dtype):
        at = _through_nans(storage.values(array), found, at, numbers, order)
    picked, keep = spread(at, found, groups.count)
    if what in (What.ARGMIN, What.ARGMAX):
        return plain("INT32"), storage.build(picked.astype(np.int32), keep)
    if not len(array):
        return kind, pa.nulls(groups.count, array.type)
    return kind, storage.take(array, picked, None if keep.all() else keep)


def _through_nans(
    values: np.ndarray, found: _Valid, at: np.ndarray, numbers: np.ndarray, order: np.ndarray
) -> np.ndarray:
    """A NaN among the values comes out or not, by chance: here in groups with an odd number of values."""
    nans = np.isnan(values[found.rows])
    if not nans.any():
        return at
    # The best value that is no NaN stands after the NaNs of a descending order.
    best = {}
    for place in order:
        if not nans[place]:
            best.setdefault(int(numbers[place]), found.rows[place])
    any_nan = {int(n): found.rows[i] for i, n in enumerate(numbers) if nans[i]}
    chosen = []
    for group, usual in zip(found.groups.tolist(), at, strict=True):
        odd = found.counts[group] % 2 == 1
        chosen.append(any_nan[group] if group in any_nan and odd else best.get(group, usual))
    return np.array(chosen, np.int64)


def _real(
    kind: Kind, array: pa.Array, groups: Groups, found: _Valid, agg: Aggregation
) -> tuple[Kind, pa.Array]:
    what, options = agg._kind, agg._options
    doubles = as_doubles(array, kind.dtype)[found.rows]
    counts = found.counts[found.groups]
    if what in (What.MEDIAN, What.QUANTILE):
        shares = options.get("quantiles", [0.5])
        expects(len(shares) == 1, logic_error("the double takes one quantile a group"))
        how = options.get("interp", Interpolation.LINEAR)
        ends = np.append(found.starts, len(found.rows))
        parts = [quantile(np.sort(doubles[b:e]), shares[0], how) for b, e in itertools.pairwise(ends)]
        return plain("FLOAT64"), storage.build(*spread(np.array(parts, np.float64), found, groups.count))
    if not len(found.starts):
        return plain("FLOAT64"), pa.nulls(groups.count, pa.float64())
    with np.errstate(all="ignore"):
        means = np.add.reduceat(doubles, found.starts) / counts
        away = doubles - np.repeat(means, counts)
        squares = np.add.reduceat(away * away, found.starts)
        if what is What.M2:
            return plain("FLOAT64"), storage.build(*spread(squares, found, groups.count))
        free = counts - options["ddof"]
        result = squares / free
        full, keep = spread(np.sqrt(result) if what is What.STD else result, found, groups.count)
    # Too few values: no variance.
    keep[found.groups] = free > 0
    return plain("FLOAT64"), storage.build(full, keep)


def as_doubles(array: pa.Array, dtype: DataType) -> np.ndarray:
    """The numbers of a column as doubles."""
    if traits.is_fixed_point(dtype):
        return i128.to_float64(fixed.wide(array)) / 10.0 ** -dtype.scale()
    return storage.values(array).astype(np.float64)
