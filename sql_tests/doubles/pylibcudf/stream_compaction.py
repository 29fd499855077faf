"""Rows kept and dropped."""

from __future__ import annotations

import warnings
from enum import IntEnum
from typing import Any

import numpy as np

from ..arguments import library, scratch
from ..device import device
from ..errors import expects, logic_error, out_of_range
from ..kernels import keys as row_keys
from ..kernels import storage
from . import traits
from ._expressions import evaluate
from .column import Column, made
from .expressions import Expression
from .table import Table
from .types import DataType, NanEquality, NullEquality, TypeId


class DuplicateKeepOption(IntEnum):
    KEEP_ANY = 0
    KEEP_FIRST = 1
    KEEP_LAST = 2
    KEEP_NONE = 3


def rows_at(table: Table, at: np.ndarray) -> Table:
    """New memory with some rows of a table."""
    return Table([made(c._kind, storage.take(c._rows, at)) for c in table.columns()], len(at))


def _filtered(table: Table, mask: Column, wanted: bool) -> Table:
    expects(mask.type().id() is TypeId.BOOL8, logic_error("Mask must be Boolean type"))
    if not mask.size() or not table.num_rows():
        # An empty mask keeps nothing and deletes nothing.
        at = np.arange(0 if wanted else table.num_rows())
        return rows_at(table, at)
    expects(table.num_rows() == mask.size(), logic_error("Column size mismatch"))
    chosen = (storage.values(mask._rows) == wanted) & storage.validity(mask._rows)
    with scratch(4 * mask.size()):
        return rows_at(table, np.flatnonzero(chosen))


@library
def apply_retention_mask(
    source_table: Table, retention_mask: Column, stream: Any = None, mr: Any = None
) -> Table:
    """The rows where the mask is true; false and NULL are dropped."""
    return _filtered(source_table, retention_mask, True)


def apply_boolean_mask(
    source_table: Table, boolean_mask: Column, stream: Any = None, mr: Any = None
) -> Table:
    """The old name of `apply_retention_mask`."""
    warnings.warn(
        "apply_boolean_mask is deprecated; use apply_retention_mask instead", FutureWarning, stacklevel=2
    )
    return apply_retention_mask(source_table, boolean_mask, stream, mr)


@library
def apply_deletion_mask(
    source_table: Table, deletion_mask: Column, stream: Any = None, mr: Any = None
) -> Table:
    """The rows where the mask is false; true and NULL are dropped."""
    return _filtered(source_table, deletion_mask, False)


def _chosen(table: Table, keys: list[int]) -> list[Column]:
    for key in keys:
        expects(0 <= key < table.num_columns(), out_of_range("vector::_M_range_check"))
    return [table.columns()[key] for key in keys]


@library
def drop_nulls(
    source_table: Table, keys: list[int], keep_threshold: int, stream: Any = None, mr: Any = None
) -> Table:
    """The rows with at least so many values in the key columns that are not NULL."""
    count = np.zeros(source_table.num_rows(), np.int64)
    for column in _chosen(source_table, keys):
        count += storage.validity(column._rows)
    kept = count >= keep_threshold if keys else np.ones(len(count), np.bool_)
    return rows_at(source_table, np.flatnonzero(kept))


@library
def drop_nans(
    source_table: Table, keys: list[int], keep_threshold: int, stream: Any = None, mr: Any = None
) -> Table:
    """The rows with at least so many values in the key columns that are not NaN."""
    count = np.zeros(source_table.num_rows(), np.int64)
    for column in _chosen(source_table, keys):
        expects(
            traits.is_floating_point(column.type()), logic_error("Key column is not of type floating-point")
        )
        count += ~(np.isnan(storage.values(column._rows)) & storage.validity(column._rows))
    kept = count >= keep_threshold if keys else np.ones(len(count), np.bool_)
    return rows_at(source_table, np.flatnonzero(kept))


def _codes(columns: list[Column], rows: int, nulls: NullEquality, nans: NanEquality) -> np.ndarray:
    parts = [c._rows for c in columns]
    found = row_keys.row_codes(parts, rows)
    if nulls is NullEquality.UNEQUAL:
        found = row_keys.apart(found, row_keys.with_null(parts, rows))
    if nans is NanEquality.UNEQUAL:
        found = row_keys.apart(found, row_keys.with_nan(parts, rows))
    return found


def distinct_places(codes: np.ndarray, keep: DuplicateKeepOption) -> np.ndarray:
    """One row number of each code, ascending; for KEEP_NONE of the codes that only one row has."""
    rows = len(codes)
    if keep is DuplicateKeepOption.KEEP_LAST:
        return np.sort(rows - 1 - np.unique(codes[::-1], return_index=True)[1])
    if keep is DuplicateKeepOption.KEEP_NONE:
        _, first, count = np.unique(codes, return_index=True, return_counts=True)
        return np.sort(first[count == 1])
    if keep is DuplicateKeepOption.KEEP_ANY:
        order = device.order(rows)
        return np.sort(order[np.unique(codes[order], return_index=True)[1]])
    return np.sort(np.unique(codes, return_index=True)[1])


@library
def distinct(
    input: Table,
    keys: list[int],
    keep: DuplicateKeepOption,
    nulls_equal: NullEquality,
    nans_equal: NanEquality,
    stream: Any = None,
    mr: Any = None,
) -> Table:
    """One row of each key, in no order."""
    with scratch(8 * input.num_rows()):
        codes = _codes(_chosen(input, keys), input.num_rows(), nulls_equal, nans_equal)
        at = distinct_places(codes, keep)
        return rows_at(input, at[device.order(len(at))])


@library
def distinct_indices(
    input: Table,
    keep: DuplicateKeepOption,
    nulls_equal: NullEquality,
    nans_equal: NanEquality,
    stream: Any = None,
    mr: Any = None,
) -> Column:
    """The number of one row of each kind, in no order."""
    with scratch(8 * input.num_rows()):
        at = distinct_places(_codes(list(input.columns()), input.num_rows(), nulls_equal, nans_equal), keep)
        at = at[device.order(len(at))].astype(np.int32)
        return made(DataType(TypeId.INT32), storage.build(at))


@library
def stable_distinct(
    input: Table,
    keys: list[int],
    keep: DuplicateKeepOption,
    nulls_equal: NullEquality,
    nans_equal: NanEquality,
    stream: Any = None,
    mr: Any = None,
) -> Table:
    """One row of each key, in the order of the input."""
    with scratch(8 * input.num_rows()):
        codes = _codes(_chosen(input, keys), input.num_rows(), nulls_equal, nans_equal)
        return rows_at(input, distinct_places(codes, keep))


@library
def unique(
    input: Table,
    keys: list[int],
    keep: DuplicateKeepOption,
    nulls_equal: NullEquality,
    stream: Any = None,
    mr: Any = None,
) -> Table:
    """One row of each run of equal keys, in the order of the input."""
    codes = _codes(_chosen(input, keys), input.num_rows(), nulls_equal, NanEquality.ALL_EQUAL)
    runs = np.cumsum(np.concatenate([[True], codes[1:] != codes[:-1]])[: len(codes)])
    kept = DuplicateKeepOption.KEEP_FIRST if keep is DuplicateKeepOption.KEEP_ANY else keep
    return rows_at(input, distinct_places(runs, kept))


@library
def filter(
    predicate_table: Table,
    predicate_expr: Expression,
    filter_table: Table,
    stream: Any = None,
    mr: Any = None,
) -> Table:
    """The rows of one table where an expression over another is true."""
    mask = evaluate(predicate_expr, predicate_table)
    expects(
        mask.type().id() is TypeId.BOOL8, logic_error("The predicate filter expression must return a boolean")
    )
    return _filtered(filter_table, mask, True)
