"""The one module of the CPU backend that calls pyarrow.compute, and the one place that knows its traps.

Each wrapper takes arrays in the storage of batches (never chunked, perhaps sliced, perhaps empty) and says
what it does with NULL, NaN and overflow. Integer arithmetic and numeric comparisons are not here: they are
done in numpy (see vector.py).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
from pyarrow.compute import SetLookupOptions, TakeOptions, get_function

Rows = npt.NDArray[np.integer[Any]]

# Called through the registry: pyarrow's module of wrappers is generated at import and unknown to type checkers.
_TAKE = get_function("take")
_ENCODE = get_function("dictionary_encode")
_MIN_MAX = get_function("min_max")
_IS_IN = get_function("is_in")
_IF_ELSE = get_function("if_else")
_COMPARE = {
    "=": get_function("equal"),
    "<>": get_function("not_equal"),
    "<": get_function("less"),
    "<=": get_function("less_equal"),
    ">": get_function("greater"),
    ">=": get_function("greater_equal"),
}
_UNCHECKED = TakeOptions(boundscheck=False)


def take(array: pa.Array, rows: Rows) -> pa.Array:
    """The given rows of any array, in that order; dictionary arrays stay encoded. Indices must be in range."""
    return _TAKE.call([array, pa.array(rows)], _UNCHECKED)


def take_nullable(array: pa.Array, indices: pa.Array) -> pa.Array:
    """The given rows; NULL where the index is NULL."""
    return _TAKE.call([array, indices])


def encode_dictionary(array: pa.Array) -> pa.DictionaryArray:
    """Strings or binaries as dictionary<int32>: distinct entries in order of appearance, NULL as a NULL
    index.
    """
    return _ENCODE.call([array])


def decode_dictionary(array: pa.DictionaryArray) -> pa.Array:
    """A dictionary array as a plain one; NULL where the index or the entry is NULL."""
    return array.dictionary_decode()


def concat(parts: Sequence[pa.Array]) -> pa.Array:
    """Rows of all parts (of one type, at least one part) one after the other."""
    return parts[0] if len(parts) == 1 else pa.concat_arrays(list(parts))


def min_max_decimal(array: pa.Array) -> tuple[int, int] | None:
    """Least and greatest unscaled value of a decimal128 array; None when no row is valid."""
    result = _MIN_MAX.call([array])
    low, high = result["min"], result["max"]
    if not low.is_valid:
        return None
    scale = array.type.scale
    return _unscaled(low.as_py(), scale), _unscaled(high.as_py(), scale)


def compare(op: str, left: pa.Array | pa.Scalar, right: pa.Array | pa.Scalar) -> pa.BooleanArray:
    """`left op right` for strings and binaries (by bytes) and for decimal128 of one scale; NULL where either
    is NULL.

    Not for floats: there NaN is equal to itself and the greatest value, which pyarrow does not know.
    """
    return _COMPARE[op].call([left, right])


def is_in(array: pa.Array, values: pa.Array) -> pa.BooleanArray:
    """Whether each row is one of `values` (of the array's type, without NULL); false for a NULL row."""
    return _IS_IN.call([array], SetLookupOptions(values, skip_nulls=True))


def if_else(mask: pa.BooleanArray, left: Any, right: Any) -> pa.Array:
    """Rows of `left` where the mask (without NULLs) is true, else of `right`; arrays or scalars of one
    type.
    """
    return _IF_ELSE.call([mask, left, right])


def _unscaled(value: Any, scale: int) -> int:
    sign, digits, exponent = value.as_tuple()
    number = int("".join(map(str, digits)) or "0")
    shift = exponent + scale
    assert shift >= 0
    number *= 10**shift
    return -number if sign else number
