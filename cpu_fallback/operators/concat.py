"""Putting batches one after the other, whatever their columns' storages.

A column may be plain in one batch and dictionary-encoded in the next, or int64 in one and decimal128 in the
next: the result has one storage that holds every part.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import pyarrow as pa

from ...physical.batch import Batch
from ...physical.stored import may_be_wide
from ...planner.expr import Column
from ...planner.types import SQLType
from .. import compute
from ..kernels import arrays
from ..kernels.arrays import TextOverflow
from ..storage import arrow_type

Bounds = tuple[int, int]


def concat_batches(
    schema: Sequence[Column], batches: Sequence[Batch], check: Callable[[], None] = lambda: None
) -> Batch:
    """One batch of all rows, with the columns of `schema`. No batches give an empty one.

    A column of 2 GiB of text or more comes as large strings: `take` (rows.py) makes plain ones of them.
    `check` is called between columns and may raise.
    """
    if len(batches) == 1:
        return batches[0].select(schema)
    rows = sum(batch.num_rows for batch in batches)
    columns = []
    for column in schema:
        check()
        columns.append(concat_arrays(column.type, [batch.column(column.id) for batch in batches]))
    return Batch(schema, columns, rows, bounds=joint_bounds(schema, batches))


def concat_arrays(type_: SQLType, parts: Sequence[pa.Array]) -> pa.Array:
    """Rows of all parts, which hold values of `type_` in any of its storages."""
    parts = [part for part in parts if len(part)]
    if not parts:
        return empty_array(type_)
    return compute.concat(unified(type_, parts))


def unified(type_: SQLType, parts: Sequence[pa.Array]) -> list[pa.Array]:
    """The parts in one storage, each with as many rows as before."""
    types = {part.type for part in parts}
    if len(types) > 1 and may_be_wide(type_):
        return [widened(part, type_) for part in parts]
    if any(pa.types.is_dictionary(t) for t in types):
        if len(types) == 1 and _share_dictionary(parts):
            return list(parts)
        parts = [_decoded(part) for part in parts]
    return _with_room(parts)


def _decoded(part: pa.Array) -> pa.Array:
    """A plain or dictionary array as a plain one, of large strings where it must be."""
    if not pa.types.is_dictionary(part.type):
        return part
    try:
        return compute.decode_dictionary(part)
    except TextOverflow:
        return compute.decode_dictionary(part, large=True)


def _with_room(parts: Sequence[pa.Array]) -> list[pa.Array]:
    """Plain arrays, of large strings or binaries where 32-bit offsets cannot address all of them."""
    if len(parts) == 1 or sum(map(arrays.text_bytes, parts)) <= arrays.TEXT_LIMIT:
        return list(parts)
    binary = pa.types.is_binary(parts[0].type) or pa.types.is_large_binary(parts[0].type)
    return [part.cast(pa.large_binary() if binary else pa.large_string()) for part in parts]


def widened(array: pa.Array, type_: SQLType) -> pa.Array:
    """A DECIMAL or HUGEINT column as decimal128."""
    if pa.types.is_decimal128(array.type):
        return array
    return arrays.scaled_to_decimal128(
        arrays.int64_values(array), arrays.validity_bytes(array), 38, type_.scale
    )


def narrowed_words(words: arrays.Words, valid: arrays.Valid, type_: SQLType) -> pa.Array:
    """A DECIMAL or HUGEINT column of 128-bit integers: int64 if every valid one fits, else decimal128."""
    low, high = words[:, 0], words[:, 1]
    fits = high == low >> 63
    if valid is not None:
        fits |= valid == 0
    if fits.all():
        return arrays.make_array(np.ascontiguousarray(low), valid, arrow_type(type_))
    return arrays.make_decimal128(words, valid, 38, type_.scale)


def empty_array(type_: SQLType) -> pa.Array:
    """No rows."""
    return pa.nulls(0, arrow_type(type_))


def joint_bounds(schema: Sequence[Column], batches: Sequence[Batch]) -> Mapping[int, Bounds]:
    """Bounds that hold in every batch, for the columns that have some in each."""
    joint: dict[int, Bounds] = {}
    for column in schema:
        found = [batch.bounds[column.id] for batch in batches if column.id in batch.bounds]
        if found and len(found) == len(batches):
            joint[column.id] = (min(low for low, _ in found), max(high for _, high in found))
    return joint


def _share_dictionary(parts: Sequence[pa.Array]) -> bool:
    """Whether all parts use one dictionary (the same memory; equal small ones count too)."""
    first = parts[0].dictionary
    return all(_same_dictionary(first, part.dictionary) for part in parts[1:])


_SMALL = 1024


def _same_dictionary(a: pa.Array, b: pa.Array) -> bool:
    if len(a) != len(b) or a.type != b.type:
        return False
    same = a.offset == b.offset and all(
        (x is None and y is None) or (x is not None and y is not None and x.address == y.address)
        for x, y in zip(a.buffers(), b.buffers(), strict=True)
    )
    return same or (len(a) <= _SMALL and a.equals(b))
