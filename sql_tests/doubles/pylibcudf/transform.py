"""Columns computed from others."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa

from ..arguments import library
from ..device import device
from ..errors import expects, logic_error
from ..kernels import keys, storage
from ..rmm.pylibrmm.device_buffer import DeviceBuffer
from . import traits
from ._expressions import evaluate
from .column import Column, made
from .expressions import Expression
from .gpumemoryview import gpumemoryview
from .stream_compaction import DuplicateKeepOption, distinct_places, rows_at
from .table import Table
from .types import DataType, TypeId


def mask_of(keep: np.ndarray) -> gpumemoryview:
    """A NULL mask in memory of its own."""
    buffer = DeviceBuffer(size=storage.bitmask_bytes(len(keep)))
    bits = np.packbits(keep, bitorder="little")
    buffer._bytes[: len(bits)] = bits
    return gpumemoryview(buffer)


def _numbers(input: Column) -> np.ndarray:
    expects(traits.is_floating_point(input.type()), logic_error("Unsupported data type for NaN to NULL"))
    return ~np.isnan(storage.values(input._rows)) & storage.validity(input._rows)


@library
def nans_to_nulls(input: Column, stream: Any = None, mr: Any = None) -> tuple[gpumemoryview | None, int]:
    """A NULL mask in which NaN is NULL too, and how many NULLs it has."""
    keep = _numbers(input)
    return mask_of(keep), int((~keep).sum())


@library
def column_nans_to_nulls(input: Column, stream: Any = None, mr: Any = None) -> Column:
    """The column with NULL for NaN."""
    return made(input._kind, storage.with_validity(input._rows, _numbers(input)))


@library
def compute_column(input: Table, expr: Expression, stream: Any = None, mr: Any = None) -> Column:
    """The value of an expression for each row."""
    return evaluate(expr, input)


@library
def compute_column_jit(input: Table, expr: Expression, stream: Any = None, mr: Any = None) -> Column:
    """As `compute_column`, by code compiled for the expression."""
    return evaluate(expr, input)


@library
def bools_to_mask(input: Column, stream: Any = None, mr: Any = None) -> tuple[gpumemoryview, int]:
    """A NULL mask that is valid where the column is true, and how many NULLs it has."""
    expects(input.type().id() is TypeId.BOOL8, logic_error("Input is not of type bool"))
    keep = storage.values(input._rows) & storage.validity(input._rows)
    return mask_of(keep), int((~keep).sum())


@library
def encode(input: Table, stream: Any = None, mr: Any = None) -> tuple[Table, Column]:
    """The distinct rows in order, and for each row the place of its own among them."""
    rows = [c._rows for c in input.columns()]
    count = len(rows)
    codes = keys.row_codes(rows, input.num_rows())
    first = distinct_places(codes, DuplicateKeepOption.KEEP_FIRST)
    found = [storage.take(part, first) for part in rows]
    order = keys.sorted_places(found, [False] * count, [False] * count)
    place = np.empty(int(codes.max(initial=-1)) + 1, np.int32)
    place[codes[first[order]]] = np.arange(len(order))
    device.synchronized("transform.encode", implicit=True)
    places: pa.Array = storage.build(place[codes])
    return rows_at(input, first[order]), made(DataType(TypeId.INT32), places)
