"""Columns without values yet."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa

from ..arguments import library
from ..errors import expects, logic_error
from ..kernels import i128, storage
from . import traits
from ._kinds import Kind, nothing, storage_type
from .column import Column, made
from .types import DataType, MaskState, TypeId


def garbage(kind: DataType, count: int) -> pa.Array:
    """Rows that hold what the memory held before: anything but what was meant."""
    of = storage_type(Kind(kind))
    if of == storage.INT128:
        return storage.build(i128.of_ints([-(10**30) - 7] * count))
    return storage.build(np.full(count, 0x5A, np.int64).astype(storage.NUMPY_TYPES[of]))


def _fixed(kind: DataType, size: int, state: MaskState) -> Column:
    expects(size >= 0, logic_error("Column size cannot be negative."))
    rows = garbage(kind, size)
    if state is MaskState.ALL_NULL:
        rows = storage.with_validity(rows, np.zeros(size, np.bool_))
    return made(kind, rows)


@library
def make_numeric_column(
    type_: DataType, size: int, mstate: MaskState, stream: Any = None, mr: Any = None
) -> Column:
    expects(traits.is_numeric(type_), logic_error("Invalid, non-numeric type."))
    return _fixed(type_, size, mstate)


@library
def make_fixed_point_column(
    type_: DataType, size: int, mstate: MaskState, stream: Any = None, mr: Any = None
) -> Column:
    expects(traits.is_fixed_point(type_), logic_error("Invalid, non-fixed_point type."))
    return _fixed(type_, size, mstate)


@library
def make_timestamp_column(
    type_: DataType, size: int, mstate: MaskState, stream: Any = None, mr: Any = None
) -> Column:
    expects(traits.is_timestamp(type_), logic_error("Invalid, non-timestamp type."))
    return _fixed(type_, size, mstate)


@library
def make_duration_column(
    type_: DataType, size: int, mstate: MaskState, stream: Any = None, mr: Any = None
) -> Column:
    expects(traits.is_duration(type_), logic_error("Invalid, non-duration type."))
    return _fixed(type_, size, mstate)


@library
def make_fixed_width_column(
    type_: DataType, size: int, mstate: MaskState, stream: Any = None, mr: Any = None
) -> Column:
    """Rows of any value; all NULL, or none."""
    expects(traits.is_fixed_width(type_), logic_error("Invalid, non-fixed-width type."))
    return _fixed(type_, size, mstate)


@library
def make_empty_column(type_or_id: DataType | TypeId, stream: Any = None, mr: Any = None) -> Column:
    """No rows."""
    kind = type_or_id if isinstance(type_or_id, DataType) else DataType(type_or_id)
    nested = traits.is_nested(kind) or traits.is_dictionary(kind)
    expects(not nested, logic_error("make_empty_column is invalid to call on nested types"))
    return made(kind, nothing(Kind(kind)))


@library
def make_empty_lists_column(child_type: DataType, stream: Any = None, mr: Any = None) -> Column:
    kind = Kind(DataType(TypeId.LIST), (Kind(child_type),))
    return made(kind, nothing(kind))
