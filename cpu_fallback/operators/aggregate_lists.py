"""Aggregates that make lists and maps of a group's values."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from ...planner.types import SQLType
from ..kernels import arrays
from ..kernels.arrays import I64
from ..nested import Lists, gathered, list_array, struct_array, to_member
from ..vector import Vector
from .aggregate_sorted import SortedValues, run_starts
from .nested import ordered
from .rows import take_array


def list_column(type_: SQLType, state: SortedValues, groups: int) -> pa.Array:
    """The values of each group; NULL for a group of no rows."""
    rows, ends = state.ordered(groups)
    lengths = np.diff(ends)
    members = to_member(Vector.of_array(type_.element, rows.columns[0]), rows.num_rows)
    return list_array(type_, lengths, members, _some(lengths))


def _some(lengths: I64) -> np.ndarray | None:
    return None if (lengths > 0).all() else lengths > 0


def histogram_column(type_: SQLType, state: SortedValues, groups: int) -> pa.Array:
    """Each value of a group, in order, with how often it comes."""
    rows, _ = state.ordered(groups)
    n = rows.num_rows
    gids = state.kept.gids(rows)
    starts = run_starts(rows, gids) if n else np.zeros(0, dtype=np.int64)
    counts = np.diff(starts, append=n)
    (_, kind), _ = type_.fields
    keys = take_array(rows.columns[0], starts.astype(np.int32))
    members = [
        to_member(Vector.of_array(kind, keys), len(starts)),
        arrays.make_array(counts.astype(np.uint64), None, pa.uint64()),
    ]
    lengths = np.bincount(gids[starts], minlength=groups).astype(np.int64)
    entries = struct_array(type_.element, members, len(starts), None)
    return list_array(type_, lengths, entries, _some(lengths))


def histogram_over(type_: SQLType, column: pa.Array, bounds: I64) -> pa.Array:
    """As `histogram_column`, of the values between two bounds each, none of which is NULL."""
    (_, kind), _ = type_.fields
    values = Vector.of_array(kind, column).decoded()
    counts = np.diff(bounds)
    rows = np.repeat(np.arange(len(counts)), counts)
    pairs = np.stack([rows, ordered(values, len(rows))], axis=1)
    _, first, sizes = np.unique(pairs, axis=0, return_index=True, return_counts=True)
    members = [
        to_member(values.take(first), len(first)),
        arrays.make_array(sizes.astype(np.uint64), None, pa.uint64()),
    ]
    lengths = np.bincount(rows[first], minlength=len(counts)).astype(np.int64)
    entries = struct_array(type_.element, members, len(first), None)
    return list_array(type_, lengths, entries, _some(lengths))


def list_over(type_: SQLType, column: pa.Array, starts: I64, stops: I64) -> pa.Array:
    """The values of each frame, from a column in the window's order; NULL for an empty frame."""
    lengths = np.maximum(stops - starts, 0)
    found = Lists(starts, lengths, _some(lengths), Vector.of_array(type_.element, column).decoded())
    return gathered(type_, found).array
