"""Running aggregates."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pyarrow as pa

from ..errors import expects, logic_error
from ..kernels import fixed, i128, keys, storage
from ..kernels.i128 import I128
from . import traits
from ._aggregates import Groups, result_type
from ._kinds import Kind, plain
from ._ranks import ranks
from .aggregation import Aggregation
from .aggregation import Kind as What
from .types import TypeId


def grouped_scan(kind: Kind, array: pa.Array, groups: Groups, agg: Aggregation) -> tuple[Kind, pa.Array]:
    """The aggregate of each group's rows so far, group by group; NULL where the row is NULL."""
    rows = storage.take(array, groups.rows)
    what, count = agg._kind, len(groups.rows)
    numbers = groups.numbers
    if what in (What.COUNT_ALL, What.COUNT_VALID):
        keep = storage.validity(rows) if what is What.COUNT_VALID else np.ones(count, np.bool_)
        running = np.cumsum(keep)
        before = (running - keep)[groups.starts] if count else running
        found = running - np.repeat(before, groups.sizes)
        # How many rows came before, not counting this one, as libcudf's running counts do.
        return plain("INT32"), storage.build((found - (what is What.COUNT_ALL)).astype(np.int32))
    if what is What.RANK:
        return _ranked(rows, groups, agg)
    target = result_type(kind.dtype, what)
    expects(target is not None, logic_error("Unsupported groupby scan type-agg combination"))
    assert target is not None
    return Kind(kind.dtype if what in (What.MIN, What.MAX) else target), running_rows(
        kind, rows, numbers, what
    )


def _ranked(rows: pa.Array, groups: Groups, agg: Aggregation) -> tuple[Kind, pa.Array]:
    options = agg._options
    parts = [
        ranks(
            rows[b : b + n],
            options["method"],
            options["order"],
            options["nulls"],
            options["precedence"],
            False,
        )
        for b, n in zip(groups.starts.tolist(), groups.sizes.tolist(), strict=True)
    ]
    if not parts:
        return plain("INT32"), pa.array([], pa.int32())
    found = storage.concatenate(parts)
    return (plain("FLOAT64") if found.type == pa.float64() else plain("INT32")), found


def running_rows(kind: Kind, rows: pa.Array, numbers: np.ndarray, what: What) -> pa.Array:
    """Sums, products, minima and maxima of the rows so far with the same number; NULLs are passed over."""
    keep = storage.valid(rows)
    if what in (What.MIN, What.MAX):
        return _running_extreme(kind, rows, numbers, what is What.MAX)
    values = storage.values(rows)
    if isinstance(values, I128):
        expects(what is What.SUM, logic_error("Unsupported scan of decimals"))
        return storage.build(_running_i128(values, keep, numbers), keep)
    if traits.is_integral(kind.dtype):
        values = values.astype(np.int64)
    neutral: Any = 1 if what is What.PRODUCT else 0
    values = values if keep is None else np.where(keep, values, np.array(neutral, values.dtype))
    found = np.empty_like(values)
    over = np.multiply if what is What.PRODUCT else np.add
    edges = np.append(
        np.flatnonzero(np.append(True, numbers[1:] != numbers[:-1])[: len(numbers)]), len(numbers)
    )
    with np.errstate(all="ignore"):
        for begin, end in itertools.pairwise(edges):
            over.accumulate(values[begin:end], out=found[begin:end])
    return storage.build(found, keep)


def _running_i128(values: I128, keep: np.ndarray | None, numbers: np.ndarray) -> I128:
    total, last, out = 0, -1, []
    for i, value in enumerate(i128.to_ints(values)):
        total = total if numbers[i] == last else 0
        last = numbers[i]
        total += value if keep is None or keep[i] else 0
        out.append(total)
    return fixed.wrapped(i128.of_ints(out), 128)


def _running_extreme(kind: Kind, rows: pa.Array, numbers: np.ndarray, largest: bool) -> pa.Array:
    supported = traits.is_fixed_width(kind.dtype) or kind.dtype.id() is TypeId.STRING
    expects(supported, logic_error("Unsupported scan of this type"))
    keep = storage.validity(rows)
    order = keys.sorted_places([rows], [False], [True])
    rank = np.empty(len(rows), np.int64)
    rank[order] = np.arange(len(rows))
    at = np.zeros(len(rows), np.int64)
    best = last = -1
    for i in range(len(rows)):
        if numbers[i] != last:
            best, last = -1, numbers[i]
        if keep[i] and (best < 0 or (rank[i] > rank[best]) == largest):
            best = i
        at[i] = max(best, 0)
    return storage.take(rows, at, None if keep.all() else keep)
