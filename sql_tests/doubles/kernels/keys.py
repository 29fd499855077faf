"""Rows as keys: which are equal, and which come first, by libcudf's comparisons of rows.

NaN equals NaN and comes after every number; -0.0 equals 0.0; strings compare by bytes.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from . import storage
from .i128 import I128


def canonical(values: np.ndarray) -> np.ndarray:
    """Floats with one NaN and one zero."""
    return np.where(np.isnan(values), np.array(np.nan, values.dtype), values + np.array(0, values.dtype))


def ordered(array: pa.Array) -> list[np.ndarray]:
    """Integers that compare as the rows do, the most significant first; those of NULLs are unspecified."""
    kind = array.type
    if pa.types.is_floating(kind):
        wide = canonical(storage.values(array).astype(np.float64))
        bits = wide.view(np.int64)
        return [np.where(bits < 0, bits ^ np.int64(0x7FFF_FFFF_FFFF_FFFF), bits)]
    if pa.types.is_decimal128(kind):
        found: I128 = storage.values(array)
        return [found.hi, (found.lo ^ np.uint64(1 << 63)).view(np.int64)]
    if pa.types.is_integer(kind) or pa.types.is_boolean(kind):
        plain = storage.values(array)
        return [
            (plain ^ np.uint64(1 << 63)).view(np.int64)
            if plain.dtype == np.uint64
            else plain.astype(np.int64)
        ]
    if pa.types.is_null(kind):
        return [np.zeros(len(array), np.int64)]
    if pa.types.is_dictionary(kind):
        array, kind = array.cast(kind.value_type), kind.value_type
    if not pa.types.is_string(kind):
        raise TypeError(f"CUDF failure: Cannot compare rows of type {kind}")
    encoded = array.dictionary_encode()
    places = np.empty(len(encoded.dictionary), np.int64)
    places[pc.sort_indices(encoded.dictionary).to_numpy()] = np.arange(len(places))
    return [_taken(places, encoded.indices)]


def _taken(places: np.ndarray, indices: pa.Array) -> np.ndarray:
    at = indices.fill_null(0).to_numpy(zero_copy_only=False)
    return places[at] if len(places) else np.zeros(len(at), np.int64)


def sort_keys(array: pa.Array, *, descending: bool, nulls_before: bool) -> list[np.ndarray]:
    """What a sort of this column goes by. A NULL is less than all values or greater; descending turns that
    round too, so that NULLs "before" come last then.
    """
    keep = storage.valid(array)
    found = ordered(array)
    if keep is not None:
        rank = np.where(keep, 1, 0 if nulls_before else 2).astype(np.int64)
        found = [rank, *(np.where(keep, key, 0) for key in found)]
    return [~key for key in found] if descending else found


def sorted_places(
    columns: list[pa.Array], descending: list[bool], nulls_before: list[bool], ties: np.ndarray | None = None
) -> np.ndarray:
    """Row numbers in order; rows that are equal stay as they are, or come as `ties` says."""
    keys: list[np.ndarray] = []
    for column, down, before in zip(columns, descending, nulls_before, strict=True):
        keys += sort_keys(column, descending=down, nulls_before=before)
    if ties is not None:
        keys.append(ties)
    if not keys:
        return np.arange(len(columns[0]) if columns else 0)
    if len(keys) == 1:
        return np.argsort(keys[0], kind="stable")
    return np.lexsort(keys[::-1])


def codes(array: pa.Array) -> np.ndarray:
    """Small numbers, equal where the rows are equal; NULLs have one of their own."""
    kind = array.type
    keep = storage.valid(array)
    if pa.types.is_floating(kind):
        array = storage.build(canonical(storage.values(array)), keep)
        bits = pa.int64() if kind == pa.float64() else pa.int32()
        array = array.view(bits)
    elif pa.types.is_nested(kind):
        return _nested_codes(array)
    elif pa.types.is_dictionary(kind):
        array = array.cast(kind.value_type)
    elif pa.types.is_null(kind):
        return np.zeros(len(array), np.int64)
    encoded = array.dictionary_encode()
    found = encoded.indices.fill_null(len(encoded.dictionary)).to_numpy(zero_copy_only=False)
    return found.astype(np.int64)


def _nested_codes(array: pa.Array) -> np.ndarray:
    seen: dict[Any, int] = {}
    return np.array([seen.setdefault(repr(v), len(seen)) for v in array.to_pylist()], np.int64)


def row_codes(columns: list[pa.Array], rows: int) -> np.ndarray:
    """Small numbers 0, 1, ..., equal where all columns are equal."""
    found = np.zeros(rows, np.int64)
    for i, column in enumerate(columns):
        more = codes(column)
        found = more if i == 0 else found * (int(more.max(initial=0)) + 1) + more
        if i:
            found = pa.array(found).dictionary_encode().indices.to_numpy().astype(np.int64)
    return found


def with_null(columns: list[pa.Array], rows: int) -> np.ndarray:
    """Rows with a NULL in any column."""
    found = np.zeros(rows, np.bool_)
    for column in columns:
        keep = storage.valid(column)
        if keep is not None:
            found |= ~keep
    return found


def with_nan(columns: list[pa.Array], rows: int) -> np.ndarray:
    """Rows with a NaN in any column."""
    found = np.zeros(rows, np.bool_)
    for column in columns:
        if pa.types.is_floating(column.type):
            nans = np.isnan(storage.values(column))
            keep = storage.valid(column)
            found |= nans if keep is None else nans & keep
    return found


def apart(found: np.ndarray, which: np.ndarray) -> np.ndarray:
    """Codes in which each of some rows equals itself only."""
    count = int(which.sum())
    if not count:
        return found
    changed = found.copy()
    changed[which] = int(found.max(initial=0)) + 1 + np.arange(count)
    return changed
