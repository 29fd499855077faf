"""Evaluating a function of one string column once for each dictionary entry instead of once for each row."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pyarrow as pa

from ..planner.errors import SqlError
from . import compute
from .kernels import arrays
from .storage import has_values
from .vector import Valid, Vector, null_constant

OnStrings = Callable[[Vector], Vector]


def on_entries(vector: Vector, function: OnStrings) -> Vector:
    """`function` of the rows of `vector`; for dictionary rows it runs on the entries, and rows pick their
    entry's result.

    `function` maps each row by itself (NULL as it likes). Strings that it returns stay dictionary-encoded.
    Where it fails on the entries it runs again on the rows, since an entry may have no row.
    """
    if not vector.is_dictionary:
        return function(vector)
    array = vector.array
    entries = array.dictionary
    if len(entries) == 0 or len(entries) > len(array):
        return function(vector.decoded())
    try:
        result = function(Vector.of_array(vector.type, entries))
    except SqlError:
        return function(vector.decoded())
    return spread(result, array)


def spread(result: Vector, array: pa.DictionaryArray) -> Vector:
    """The entries' results at the rows of `array`."""
    if result.is_null:
        return null_constant(result.type)
    result = result.expand(len(array.dictionary))
    indices = array.indices
    valid: Valid = None
    codes = arrays.values_view(indices)
    if indices.null_count:
        mask = arrays.validity_bytes(indices)
        assert mask is not None
        valid = mask.view(np.bool_)
        # What lies at NULL rows need not be an index.
        codes = np.where(valid, codes, 0)
    if result.type.is_nested:
        rows = codes if valid is None else np.where(valid, codes, -1)
        return Vector.of_array(result.type, compute.take(result.array, rows, nullable=True))
    if not has_values(result.type):
        return _spread_strings(result, codes, valid)
    if result.is_wide:
        taken = Vector.of_array(result.type, compute.take(result.array, codes))
        return taken if valid is None else _masked(taken, valid)
    if result.valid is not None:
        own = result.valid.take(codes)
        valid = own if valid is None else own & valid
    values = result.values.take(codes)
    if values.dtype == np.bool_:
        return Vector.of_truth(result.type, values, valid)
    return Vector.of_values(result.type, values, valid, result.bounds)


def _spread_strings(result: Vector, codes: np.ndarray, valid: Valid) -> Vector:
    """Entries that became equal are joined: everywhere else a dictionary has distinct entries and no NULL."""
    encoded = compute.encode_dictionary(result.array)
    if encoded.null_count:
        own = arrays.validity_bytes(encoded.indices).view(np.bool_).take(codes)  # type: ignore[union-attr]
        valid = own if valid is None else own & valid
    codes = arrays.values_view(encoded.indices).take(codes)
    mask = None if valid is None else arrays.mask_to_buffer(valid)  # type: ignore[arg-type]
    indices = pa.Array.from_buffers(pa.int32(), len(codes), [mask, pa.py_buffer(np.ascontiguousarray(codes))])
    return Vector.of_array(result.type, pa.DictionaryArray.from_arrays(indices, encoded.dictionary))


def _masked(vector: Vector, valid: np.ndarray) -> Vector:
    kept = compute.if_else(arrays.make_bool(valid, None), vector.array, pa.scalar(None, vector.array.type))
    return Vector.of_array(vector.type, kept)
