"""Rows copied, chosen and moved."""

from __future__ import annotations

import itertools
from enum import IntEnum
from typing import Any, TypeVar

import numpy as np
import pyarrow as pa

from ..arguments import library
from ..errors import data_type_error, expects, invalid_argument, logic_error, out_of_range
from ..kernels import storage
from . import traits
from ._kinds import nothing, nulls
from .column import Column, made, viewed
from .scalar import Scalar
from .table import Table
from .types import TypeId


class MaskAllocationPolicy(IntEnum):
    NEVER = 0
    RETAIN = 1
    ALWAYS = 2


class OutOfBoundsPolicy(IntEnum):
    NULLIFY = 0
    DONT_CHECK = 1


ColumnOrTable = TypeVar("ColumnOrTable", Column, Table)


def places(of: Column, what: str) -> np.ndarray:
    """Row numbers in a column of integers without NULLs."""
    expects(traits.is_index_type(of.type()), data_type_error(f"{what} must be a column of an index type"))
    expects(of.null_count() == 0, invalid_argument(f"{what} contains nulls"))
    return storage.values(of._rows).astype(np.int64)


@library
def gather(
    source_table: Table,
    gather_map: Column,
    bounds_policy: OutOfBoundsPolicy,
    stream: Any = None,
    mr: Any = None,
) -> Table:
    """The rows at the places of the map. One outside gives NULL or, unchecked, is the caller's fault."""
    at, rows = places(gather_map, "gather_map"), source_table.num_rows()
    if bounds_policy is OutOfBoundsPolicy.DONT_CHECK:
        # The device would read memory it must not; the double says so.
        at = np.where(at < 0, at + rows, at)
        inside = (at >= 0) & (at < rows)
        expects(bool(inside.all()), logic_error("gather_map is out of bounds: undefined behaviour"))
        keep = None
    else:
        keep = (at >= 0) & (at < rows)
        keep = None if keep.all() else keep
    if keep is not None and not rows:
        columns = [made(c._kind, nulls(c._kind, len(at))) for c in source_table.columns()]
    else:
        columns = [made(c._kind, storage.take(c._rows, at, keep)) for c in source_table.columns()]
    return Table(columns, len(at))


def _source(source: Table | list[Scalar], rows: int, target: Table) -> list[pa.Array]:
    """Rows to write into a target's columns, checked against their types."""
    if isinstance(source, Table):
        parts: list[Any] = list(source.columns())
    else:
        parts = source
    expects(
        len(parts) == target.num_columns(), invalid_argument("Number of columns in source and target differ")
    )
    for part, column in zip(parts, target.columns(), strict=True):
        expects(
            part.type() == column.type(),
            data_type_error("Column types do not match between source and target"),
        )
    return [p._rows if isinstance(p, Column) else storage.repeated(p._row, rows) for p in parts]


@library
def scatter(
    source: Table | list[Scalar],
    scatter_map: Column,
    target_table: Table,
    stream: Any = None,
    mr: Any = None,
) -> Table:
    """The target with rows replaced at the places of the map."""
    at, rows = places(scatter_map, "scatter_map"), target_table.num_rows()
    parts = _source(source, len(at), target_table)
    if isinstance(source, Table):
        expects(source.num_rows() == len(at), invalid_argument("Size of scatter map and source differ"))
    at = np.where(at < 0, at + rows, at)
    expects(
        bool(((at >= 0) & (at < rows)).all()),
        logic_error("scatter_map is out of bounds: undefined behaviour"),
    )
    from_where = np.arange(rows)
    from_where[at] = rows + np.arange(len(at))
    return Table(
        [
            made(c._kind, storage.take(storage.concatenate([c._rows, part]), from_where))
            for c, part in zip(target_table.columns(), parts, strict=True)
        ],
        rows,
    )


@library
def boolean_mask_scatter(
    input: Table | list[Scalar], target: Table, boolean_mask: Column, stream: Any = None, mr: Any = None
) -> Table:
    """The target with the next row of the input wherever the mask is true."""
    expects(boolean_mask.type().id() is TypeId.BOOL8, data_type_error("Mask must be of Boolean type"))
    expects(
        boolean_mask.size() == target.num_rows(),
        invalid_argument("Boolean mask size and number of target rows mismatch"),
    )
    chosen = storage.values(boolean_mask._rows) & storage.validity(boolean_mask._rows)
    count = int(chosen.sum())
    parts = _source(input, count, target)
    if isinstance(input, Table):
        expects(
            input.num_rows() >= count, invalid_argument("Number of source rows is less than the mask's trues")
        )
    from_where = np.arange(target.num_rows())
    from_where[chosen] = target.num_rows() + np.arange(count)
    return Table(
        [
            made(c._kind, storage.take(storage.concatenate([c._rows, part]), from_where))
            for c, part in zip(target.columns(), parts, strict=True)
        ],
        target.num_rows(),
    )


@library
def empty_like(input: Column | Table, stream: Any = None, mr: Any = None) -> Any:
    """No rows of the same types."""
    if isinstance(input, Table):
        return Table([made(c._kind, nothing(c._kind)) for c in input.columns()])
    return made(input._kind, nothing(input._kind))


@library
def allocate_like(
    input_column: Column,
    policy: MaskAllocationPolicy,
    size: int | None = None,
    stream: Any = None,
    mr: Any = None,
) -> Column:
    """A column with rows that hold anything."""
    expects(
        traits.is_fixed_width(input_column.type()), data_type_error("Expects only fixed-width type column")
    )
    count = input_column.size() if size is None else size
    from .column_factories import garbage

    return made(input_column._kind, garbage(input_column.type(), count))


def _checked_range(source: Column, target: Column, begin: int, end: int, at: int) -> None:
    expects(source.type() == target.type(), data_type_error("Data type mismatch"))
    fits = (
        0 <= begin <= end <= source.size() and 0 <= at <= target.size() and at + end - begin <= target.size()
    )
    expects(fits, out_of_range("Range is out of bounds."))


@library
def copy_range(
    input_column: Column,
    target_column: Column,
    input_begin: int,
    input_end: int,
    target_begin: int,
    stream: Any = None,
    mr: Any = None,
) -> Column:
    """The target with a range of rows of the input in it."""
    _checked_range(input_column, target_column, input_begin, input_end, target_begin)
    count = input_end - input_begin
    rows = target_column._rows
    parts = [rows[:target_begin], input_column._rows[input_begin:input_end], rows[target_begin + count :]]
    return made(target_column._kind, storage.concatenate(parts))


@library
def shift(input: Column, offset: int, fill_value: Scalar, stream: Any = None, mr: Any = None) -> Column:
    """Row i is what row i - offset was; rows from outside are the fill value."""
    expects(
        input.type() == fill_value.type(),
        data_type_error("shift requires each fill type to match the column"),
    )
    simple = traits.is_fixed_width(input.type()) or input.type().id() is TypeId.STRING
    expects(simple, data_type_error("shift does not support non-fixed-width types"))
    rows, count = input._rows, input.size()
    far = min(abs(offset), count)
    fill = storage.repeated(fill_value._row, far)
    parts = [fill, rows[: count - far]] if offset >= 0 else [rows[far:], fill]
    return made(input._kind, storage.concatenate(parts))


@library
def reverse(input: Column | Table, stream: Any = None, mr: Any = None) -> Any:
    """The last row first."""
    if isinstance(input, Table):
        at = np.arange(input.num_rows())[::-1]
        return Table([made(c._kind, storage.take(c._rows, at)) for c in input.columns()], input.num_rows())
    return made(input._kind, storage.take(input._rows, np.arange(input.size())[::-1]))


def _cut(input: Column | Table, bounds: list[tuple[int, int]]) -> list[Any]:
    if isinstance(input, Table):
        return [
            Table([viewed(c, c._rows[begin:end]) for c in input.columns()], end - begin)
            for begin, end in bounds
        ]
    return [viewed(input, input._rows[begin:end]) for begin, end in bounds]


def _rows_of(input: Column | Table) -> int:
    return input.num_rows() if isinstance(input, Table) else input.size()


@library
def slice(input: Column | Table, indices: list[int], stream: Any = None) -> list[Any]:
    """Views of rows: from and to, from and to, ... They share the memory of the input."""
    expects(len(indices) % 2 == 0, invalid_argument("indices size must be even"))
    bounds = list(zip(indices[::2], indices[1::2], strict=True))
    for begin, end in bounds:
        expects(begin >= 0, out_of_range("Starting index cannot be negative."))
        expects(end >= begin, invalid_argument("End index cannot be smaller than the starting index."))
        expects(end <= _rows_of(input), out_of_range("Slice range out of bounds."))
    return _cut(input, bounds)


@library
def split(input: Column | Table, splits: list[int], stream: Any = None) -> list[Any]:
    """Views of the rows before, between and after some places."""
    rows = _rows_of(input)
    if isinstance(input, Table) and not input.num_columns():
        return []
    edges = [0, *splits, rows]
    for begin, end in itertools.pairwise(edges):
        expects(0 <= begin <= rows and 0 <= end <= rows, out_of_range("splits are out of bounds"))
        expects(end >= begin, invalid_argument("End index cannot be smaller than the starting index."))
    return _cut(input, list(itertools.pairwise(edges)))


@library
def copy_if_else(
    lhs: Column | Scalar, rhs: Column | Scalar, boolean_mask: Column, stream: Any = None, mr: Any = None
) -> Column:
    """Left where the mask is true, right where it is false or NULL."""
    expects(
        boolean_mask.type().id() is TypeId.BOOL8, data_type_error("Boolean mask column must be of type BOOL8")
    )
    expects(lhs.type() == rhs.type(), data_type_error("Both inputs must be of the same type"))
    count = boolean_mask.size()
    for side in (lhs, rhs):
        if isinstance(side, Column):
            expects(
                side.size() == count,
                invalid_argument("Boolean mask column must be the same size as the inputs"),
            )
    left, right = (s._rows if isinstance(s, Column) else s._row for s in (lhs, rhs))
    chosen = storage.values(boolean_mask._rows) & storage.validity(boolean_mask._rows)
    here = np.arange(count)
    at_left = here if isinstance(lhs, Column) else np.zeros(count, np.int64)
    at_right = (here if isinstance(rhs, Column) else np.zeros(count, np.int64)) + len(left)
    kind = lhs._kind if isinstance(lhs, Column) else rhs._kind
    return made(kind, storage.take(storage.concatenate([left, right]), np.where(chosen, at_left, at_right)))


@library
def get_element(input_column: Column, index: int, stream: Any = None, mr: Any = None) -> Scalar:
    """A row as a scalar."""
    expects(0 <= index < input_column.size(), out_of_range("Index out of bounds"))
    return Scalar._of(input_column._kind, storage.compact(input_column._rows[index : index + 1]))
