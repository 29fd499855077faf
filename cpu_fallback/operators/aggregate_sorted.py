"""Functions of all of a group's values in some order: string_agg, quantiles, median and mode."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from ...physical.batch import Batch
from ...planner.expr import SortKey, ref
from ...planner.types import INT64_DECIMAL_WIDTH, VARCHAR, SQLType, TypeId
from .. import compute
from ..kernels import arrays
from ..kernels.arrays import I32, I64
from ..kernels.gather import select_indices
from ..storage import arrow_type
from ..vector import Vector
from .aggregate_rows import TaggedRows
from .aggregate_state import Rows, as_mask
from .concat import concat_arrays
from .intervals import MICROS_A_DAY, length, of_length
from .rows import take_array
from .values import literal_column


class SortedValues:
    """The rows where the first argument is not NULL (with `nulls` all), in the end sorted by `keys` over
    arguments `order`.
    """

    def __init__(
        self,
        keys: Sequence[SortKey],
        order: Sequence[int],
        types: Sequence[SQLType],
        check: Callable[[], None],
        nulls: bool = False,
    ) -> None:
        self.nulls = nulls
        self.keys = keys
        self.order = order
        self.check = check
        self.kept = TaggedRows(types)
        self._sorted: tuple[Batch, I64] | None = None

    def update(self, rows: Rows) -> None:
        valid = rows.selected if self.nulls else rows.valid(rows.args[0])
        self.kept.add(rows, None if valid is None else select_indices(valid))

    def merge(self, other: SortedValues, gids: I32, groups: int) -> None:
        for part in other.kept.renumbered(gids):
            self.kept.put(part)

    def ordered(self, groups: int) -> tuple[Batch, I64]:
        """The rows, and `ends`: those of group g are rows ends[g] to ends[g + 1]."""
        if self._sorted is None:
            rows = self.kept.sorted(self.keys, self.order, self.check)
            self.kept.parts.clear()
            counts = np.bincount(self.kept.gids(rows), minlength=groups)
            self._sorted = rows, np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(counts)])
        return self._sorted

    @property
    def nbytes(self) -> int:
        return self.kept.nbytes


# string_agg
def joined_column(state: SortedValues, separator: str | None, groups: int) -> pa.Array:
    """The strings of each group with `separator` between them."""
    rows, ends = state.ordered(groups)
    values = rows.columns[0]
    if pa.types.is_dictionary(values.type):
        values = compute.decode_dictionary(values)
    return joined_texts(values, separator, ends)


def joined_texts(values: pa.Array, separator: str | None, ends: I64) -> pa.Array:
    """The strings ends[g] to ends[g + 1] with `separator` between them, for each g; NULL for none, and for a
    NULL separator."""
    some = np.diff(ends) > 0
    if separator is None:
        return pa.nulls(len(some), pa.string())
    n = len(values)
    # Separator and value in turn: row n of the source is the separator.
    source = concat_arrays(VARCHAR, [values, pa.array([separator], pa.string())])
    turns = np.empty(2 * n, dtype=np.int32)
    turns[0::2], turns[1::2] = n, np.arange(n, dtype=np.int32)
    needed = np.ones(2 * n, dtype=np.bool_)
    needed[2 * ends[:-1][some]] = False  # none before the first value of a group
    pieces = arrays.string_views(take_array(source, turns[needed]))
    # Group g ends behind its 2 * count - 1 pieces.
    counts = np.maximum(2 * np.diff(ends) - 1, 0)
    bounds = np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(counts)])
    return arrays.make_strings(pieces.offsets[bounds], pieces.data, as_mask(some))


# Quantiles
def discrete_column(state: SortedValues, fraction: float, groups: int) -> pa.Array:
    """The value at a fraction of each group's sorted values (a negative one counts from the greatest)."""
    rows, ends = state.ordered(groups)
    counts = np.diff(ends)
    place = discrete_place(counts, fraction)
    chosen = np.where(counts > 0, ends[:-1] + place, -1)
    return take_array(rows.columns[0], chosen.astype(np.int32), nullable=True)


def continuous_column(type_: SQLType, state: SortedValues, fraction: float, groups: int) -> pa.Array:
    """The value at a fraction of each group's sorted values, interpolated between two neighbours."""
    rows, ends = state.ordered(groups)
    counts = np.diff(ends)
    low, high, part = continuous_places(counts, fraction)
    some = counts > 0
    source = rows.schema[0].type
    left = take_array(rows.columns[0], np.where(some, ends[:-1] + low, -1).astype(np.int32), nullable=True)
    right = take_array(rows.columns[0], np.where(some, ends[:-1] + high, -1).astype(np.int32), nullable=True)
    return between(source, type_, left, right, part, as_mask(some))


def discrete_place(counts: I64, fraction: float) -> I64:
    """Which of so many sorted values is the quantile; a negative fraction counts from the greatest."""
    share = abs(fraction)
    place = np.maximum(counts - np.floor(counts - share * counts).astype(np.int64), 1) - 1
    return counts - 1 - place if fraction < 0 else place


def continuous_places(counts: I64, fraction: float) -> tuple[I64, I64, npt.NDArray[np.float64]]:
    """Between which of so many sorted values the quantile lies, and how far from the first of the two."""
    place = (np.maximum(counts, 1) - 1) * abs(fraction)
    low, high = np.floor(place).astype(np.int64), np.ceil(place).astype(np.int64)
    if fraction < 0:
        return counts - 1 - low, counts - 1 - high, place - low
    return low, high, place - low


def between(
    source: SQLType,
    target: SQLType,
    left: pa.Array,
    right: pa.Array,
    part: npt.NDArray[np.float64],
    some: Any,
) -> pa.Array:
    """left + (right - left) * part as `target`: decimals are cut off, times go to the nearest unit."""
    wide = pa.types.is_decimal128(left.type)
    if target.is_float and not wide:
        values = blended(Vector.of_array(source, left).values, Vector.of_array(source, right).values, part)
        return arrays.make_array(
            values.astype(arrow_type(target).to_pandas_dtype()), some, arrow_type(target)
        )
    if target.id is TypeId.INTERVAL and not part.any():
        return left
    result: list[Any] = []
    # An interval that is met stays as it is; between two there are days and microseconds.
    met = literals(source, left) if target.id is TypeId.INTERVAL else None
    lows, highs = _integers(source, left), _integers(source, right)
    scale = MICROS_A_DAY if source.id is TypeId.DATE else 1
    for i, (low, high, share) in enumerate(zip(lows, highs, part.tolist(), strict=True)):
        if low is None or high is None:
            result.append(None)
            continue
        if met is not None and share == 0:
            result.append(met[i])
            continue
        exact = Fraction(low * scale) + Fraction((high - low) * scale) * Fraction(share)
        if target.is_float:
            result.append(float(exact / 10**source.scale))
        elif target.is_decimal:
            result.append(_cut(low, high, share, target.width))
        elif target.id is TypeId.INTERVAL:
            result.append(of_length(int(exact)))
        else:
            result.append((2 * exact.numerator + exact.denominator) // (2 * exact.denominator))
    return literal_column(target, result)


def _cut(low: int, high: int, share: float, width: int) -> int:
    """Between two decimals by way of a double, as DuckDB: of the value, or of the way to it where they are
    wide."""
    if share == 0:
        return low
    if width <= INT64_DECIMAL_WIDTH:
        # One rounding, of the sum: the machine's fused multiplication and addition.
        return int(float(Fraction(float(low)) + Fraction(float(high - low)) * Fraction(share)))
    return low + int(float(high - low) * share)


def blended(left: Any, right: Any, part: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Between two doubles; exactly the value where both are equal."""
    low, high = left.astype(np.float64), right.astype(np.float64)
    with np.errstate(invalid="ignore", over="ignore"):
        mixed = low * (1.0 - part) + high * part
    return np.where((part == 0) | (low == high), low, mixed)


def _integers(type_: SQLType, column: pa.Array) -> list[int | None]:
    values = literals(type_, column)
    if type_.id is TypeId.INTERVAL:
        return [None if value is None else length(value) for value in values]
    return values


def literals(type_: SQLType, column: pa.Array) -> list[Any]:
    """The values in literal form."""
    from ..scalars import literal_values

    return literal_values(type_, column)


# mode
def mode_column(state: SortedValues, groups: int) -> pa.Array:
    """The most frequent value of each group; of equally frequent ones the one that came first."""
    rows, _ = state.ordered(groups)
    n = rows.num_rows
    if not n:
        return take_array(rows.columns[0], np.full(groups, -1, dtype=np.int32), nullable=True)
    starts = run_starts(rows, state.kept.gids(rows))
    lengths = np.diff(starts, append=n)
    gids = state.kept.gids(rows)[starts]
    first = arrays.int64_values(rows.columns[-1])[starts]
    # By group, longest run, earliest first row; the first of each group is wanted.
    order = np.lexsort((first, -lengths, gids))
    best = order[np.flatnonzero(np.diff(gids[order], prepend=-1))]
    chosen = np.full(groups, -1, dtype=np.int32)
    chosen[gids[best]] = starts[best]
    return take_array(rows.columns[0], chosen, nullable=True)


def run_starts(rows: Batch, gids: I32) -> I64:
    """Where a run of equal values of the first column in one group starts."""
    from .sort_keys import order_words

    column = rows.columns[0]
    changed = np.diff(gids, prepend=-1) != 0
    for word in order_words([SortKey(ref(rows.schema[0]))], [column]):
        changed[1:] |= word[1:] != word[:-1]
    return np.flatnonzero(changed)
