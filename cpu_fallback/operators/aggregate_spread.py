"""Functions of the sorted values of a group besides quantiles: entropy, median absolute deviation, and the
quantile of a t-digest that has not been thinned out."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa

from ...planner.types import SQLType, TypeId
from ..kernels import arrays
from .aggregate_sorted import SortedValues, literals, run_starts
from .intervals import MICROS_A_DAY, of_length
from .values import literal_column


def entropy_column(state: SortedValues, groups: int) -> pa.Array:
    """The entropy, in bits, of how often each value comes; 0 for none."""
    rows, ends = state.ordered(groups)
    result = np.zeros(groups)
    if rows.num_rows:
        gids = state.kept.gids(rows)
        starts = run_starts(rows, gids)
        lengths = np.diff(starts, append=rows.num_rows)
        of = gids[starts]
        total = np.diff(ends)[of]
        np.add.at(result, of, lengths / total * np.log2(total / lengths))
    return arrays.make_array(result, None, pa.float64())


def deviation_column(type_: SQLType, state: SortedValues, groups: int) -> pa.Array:
    """The median of how far the values are from their median."""
    rows, ends = state.ordered(groups)
    source = rows.schema[0].type
    values = literals(source, rows.columns[0])
    scale = MICROS_A_DAY if source.id is TypeId.DATE else 1
    result: list[Any] = []
    for begin, end in zip(ends[:-1].tolist(), ends[1:].tolist(), strict=True):
        part = [value * scale for value in values[begin:end]]
        if not part:
            result.append(None)
            continue
        middle = _middle(part, source)
        distance = _middle(sorted(abs(value - middle) for value in part), source)
        result.append(of_length(distance) if type_.id is TypeId.INTERVAL else distance)
    return literal_column(type_, result)


def _middle(values: list[Any], source: SQLType) -> Any:
    """The median of sorted values; whole ones are cut off between two."""
    low, high = values[(len(values) - 1) // 2], values[len(values) // 2]
    if source.is_float:
        return low if low == high else low * 0.5 + high * 0.5
    exact = low + high
    return exact // 2 if exact >= 0 else -(-exact // 2)


def digest_column(type_: SQLType, state: SortedValues, fraction: float, groups: int) -> pa.Array:
    """The value at a fraction of the values, each of which stands in the middle of its share; the nearest one
    of the type."""
    rows, ends = state.ordered(groups)
    counts = np.diff(ends)
    some = counts > 0
    place = np.clip(fraction * counts - 0.5, 0, np.maximum(counts - 1, 0))
    low = np.floor(place).astype(np.int64)
    high = np.minimum(low + 1, np.maximum(counts - 1, 0))
    held = literals(rows.schema[0].type, rows.columns[0])
    result: list[Any] = []
    for begin, one, two, share, known in zip(
        ends[:-1].tolist(), low.tolist(), high.tolist(), (place - low).tolist(), some.tolist(), strict=True
    ):
        if not known:
            result.append(None)
            continue
        left, right = held[begin + one], held[begin + two]
        value = left + (right - left) * share if share else left
        result.append(value if type_.is_float else round(value))
    return literal_column(type_, result)
