"""Columns of lists."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa

from ..arguments import library
from ..errors import data_type_error, expects, logic_error, out_of_range
from ..kernels import keys, storage
from ._kinds import storage_type
from .column import Column, made
from .table import Table
from .types import DataType, NullOrder, Order, TypeId


def _of_lists(column: Column) -> pa.Array:
    expects(column.type().id() is TypeId.LIST, data_type_error("lists_column_view only supports lists"))
    return storage.compact(column._rows)


def _sizes(rows: pa.Array) -> np.ndarray:
    """The length of each list; 0 for NULL."""
    ends = np.frombuffer(rows.buffers()[1] or b"\0\0\0\0", np.int32)[: len(rows) + 1]
    return np.where(storage.validity(rows), np.diff(ends), 0).astype(np.int64)


@library
def explode_outer(input: Table, explode_column_idx: int, stream: Any = None, mr: Any = None) -> Table:
    """A row for each element; a NULL element for an empty or NULL list."""
    expects(0 <= explode_column_idx < input.num_columns(), out_of_range("vector::_M_range_check"))
    lists = input.columns()[explode_column_idx]
    rows = _of_lists(lists)
    sizes = _sizes(rows)
    times = np.maximum(sizes, 1)
    at = np.repeat(np.arange(len(rows)), times)
    first = np.cumsum(sizes) - sizes
    inside = np.arange(len(at)) - np.repeat(np.cumsum(times) - times, times)
    there = np.repeat(sizes > 0, times)
    elements = rows.flatten()
    picked = np.where(there, np.repeat(first, times) + inside, 0)
    columns = []
    for i, column in enumerate(input.columns()):
        if i == explode_column_idx:
            kind = column._kind.children[0]
            found = (
                storage.take(elements, picked, there)
                if len(elements)
                else pa.nulls(len(at), storage_type(kind))
            )
            columns.append(made(kind, found))
        else:
            columns.append(made(column._kind, storage.take(column._rows, at)))
    return Table(columns, len(at))


@library
def count_elements(input: Column, stream: Any = None, mr: Any = None) -> Column:
    """The length of each list."""
    rows = _of_lists(input)
    return made(DataType(TypeId.INT32), storage.build(_sizes(rows).astype(np.int32), storage.valid(rows)))


def _rebuilt(input: Column, rows: pa.Array, elements: pa.Array, sizes: np.ndarray) -> Column:
    ends = pa.array(np.append(0, np.cumsum(sizes)).astype(np.int32))
    found = pa.ListArray.from_arrays(ends, elements, type=storage_type(input._kind))
    return made(input._kind, storage.with_validity(found, storage.valid(rows)))


@library
def sort_lists(
    input: Column,
    sort_order: Order,
    na_position: NullOrder,
    stable: bool = False,
    stream: Any = None,
    mr: Any = None,
) -> Column:
    """The elements of each list in order."""
    rows = _of_lists(input)
    sizes = _sizes(rows)
    elements = rows.flatten()
    down, before = sort_order is Order.DESCENDING, na_position is NullOrder.BEFORE
    place = np.empty(len(elements), np.int64)
    place[keys.sorted_places([elements], [down], [before])] = np.arange(len(elements))
    order = np.lexsort([place, np.repeat(np.arange(len(rows)), sizes)])
    return _rebuilt(input, rows, storage.take(elements, order), sizes)


@library
def extract_list_element(input: Column, index: Column | int, stream: Any = None, mr: Any = None) -> Column:
    """An element of each list, counted from its end where negative; NULL where there is none."""
    rows = _of_lists(input)
    sizes = _sizes(rows)
    keep = storage.validity(rows)
    if isinstance(index, Column):
        expects(index.size() == len(rows), logic_error("Index column must have as many rows as lists."))
        step = storage.values(index._rows).astype(np.int64)
        keep = keep & storage.validity(index._rows)
    else:
        step = np.full(len(rows), index)
    step = np.where(step < 0, step + sizes, step)
    inside = keep & (step >= 0) & (step < sizes)
    kind, elements = input._kind.children[0], rows.flatten()
    if not len(elements):
        return made(kind, pa.nulls(len(rows), storage_type(kind)))
    at = np.where(inside, np.cumsum(sizes) - sizes + step, 0)
    return made(kind, storage.take(elements, at, inside))


@library
def contains_nulls(input: Column, stream: Any = None, mr: Any = None) -> Column:
    """Whether a list has a NULL element."""
    rows = _of_lists(input)
    absent = ~storage.validity(rows.flatten())
    lists = np.repeat(np.arange(len(rows)), _sizes(rows))
    found = np.bincount(lists[absent], minlength=len(rows)) > 0
    return made(DataType(TypeId.BOOL8), storage.build(found, storage.valid(rows)))
