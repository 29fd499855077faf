"""The one module of the CPU backend that calls pyarrow.compute, and the one place that knows its traps.

Each wrapper takes arrays in the storage of batches (never chunked, perhaps sliced, perhaps empty) and says
what it does with NULL, NaN and overflow; strings that 32-bit offsets cannot address are a TextOverflow.
Integer arithmetic and numeric comparisons are not here: they are done in numpy (see vector.py).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
from pyarrow.compute import (
    ExtractRegexOptions,
    JoinOptions,
    MatchSubstringOptions,
    ReplaceSubstringOptions,
    SetLookupOptions,
    SliceOptions,
    TakeOptions,
    TrimOptions,
    get_function,
)

from .kernels import arrays
from .kernels.arrays import TextOverflow, fitting

Rows = npt.NDArray[np.integer[Any]]

# Called through the registry: pyarrow's module of wrappers is generated at import and unknown to type
# checkers.
_TAKE = get_function("take")
_ENCODE = get_function("dictionary_encode")
_MIN_MAX = get_function("min_max")
_IS_IN = get_function("is_in")
_IF_ELSE = get_function("if_else")
_STARTS_WITH = get_function("starts_with")
_ENDS_WITH = get_function("ends_with")
_CONTAINS = get_function("match_substring")
_MATCH_REGEX = get_function("match_substring_regex")
_REPLACE_REGEX = get_function("replace_substring_regex")
_EXTRACT_REGEX = get_function("extract_regex")
_REPLACE = get_function("replace_substring")
_LOWER = get_function("utf8_lower")
_UPPER = get_function("utf8_upper")
_LENGTH = get_function("utf8_length")
_BYTE_LENGTH = get_function("binary_length")
_SLICE = get_function("utf8_slice_codeunits")
_JOIN = get_function("binary_join_element_wise")
_JOIN_LISTS = get_function("binary_join")
_TRIM = {
    "both": get_function("utf8_trim"),
    "start": get_function("utf8_ltrim"),
    "end": get_function("utf8_rtrim"),
}
_COMPARE = {
    "=": get_function("equal"),
    "<>": get_function("not_equal"),
    "<": get_function("less"),
    "<=": get_function("less_equal"),
    ">": get_function("greater"),
    ">=": get_function("greater_equal"),
}
_UNCHECKED = TakeOptions(boundscheck=False)


def _texts(function: Callable[..., Any], *arguments: Any) -> Any:
    """The array that an arrow function makes; TextOverflow where its strings need more than 32-bit offsets.

    Arrow has two errors for that, and some functions that give a broken array: see `_roomy`.
    """
    try:
        result = function(*arguments)
    except pa.ArrowCapacityError as error:
        raise TextOverflow(str(error)) from error
    except pa.ArrowInvalid as error:
        if "overflow" not in str(error):
            raise
        raise TextOverflow(str(error)) from error
    return result if isinstance(result, pa.Scalar) else fitting(result)


def _roomy(array: pa.Array, most: int) -> pa.Array:
    """The strings with 64-bit offsets where a result of up to `most` bytes might overflow smaller ones."""
    return array.cast(pa.large_string()) if most > arrays.TEXT_LIMIT else array


def take(array: pa.Array, rows: Rows, *, nullable: bool = False) -> pa.Array:
    """The given rows of any array, in that order; row -1, allowed with `nullable`, is NULL. Indices are not
    checked.

    Dictionary arrays stay encoded, large strings become plain ones; TextOverflow where they do not fit.
    """
    indices = pa.array(rows, mask=rows < 0) if nullable else pa.array(rows)
    return _texts(_TAKE.call, [array, indices], _UNCHECKED)


def encode_dictionary(array: pa.Array) -> pa.DictionaryArray:
    """Strings or binaries as dictionary<int32>: distinct entries in order of appearance, NULL as a NULL
    index.
    """
    return _ENCODE.call([array])


def decode_dictionary(array: pa.DictionaryArray, *, large: bool = False) -> pa.Array:
    """A dictionary array as a plain one, with `large` one of large strings; NULL where the index or the entry
    is NULL. Without `large` it may raise TextOverflow.
    """
    if large:
        entries = array.dictionary.cast(pa.large_string())
        return pa.DictionaryArray.from_arrays(array.indices, entries, safe=False).dictionary_decode()
    return _texts(array.dictionary_decode)


def concat(parts: Sequence[pa.Array]) -> pa.Array:
    """Rows of all parts (of one type, at least one part) one after the other. May raise TextOverflow, but not
    for large strings and binaries.
    """
    if len(parts) == 1:
        return parts[0]
    if arrays.is_large(parts[0].type):
        return pa.concat_arrays(list(parts))
    return _texts(pa.concat_arrays, list(parts))


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
    return _texts(_IF_ELSE.call, [mask, left, right])


def _unscaled(value: Any, scale: int) -> int:
    sign, digits, exponent = value.as_tuple()
    number = int("".join(map(str, digits)) or "0")
    shift = exponent + scale
    assert shift >= 0
    number *= 10**shift
    return -number if sign else number


def cast(array: pa.Array, target: pa.DataType) -> pa.Array:
    """A checked arrow cast between storages; pa.ArrowInvalid where a value does not fit. Not SQL's CAST:
    see casts.
    """
    return array.cast(target)


# Strings (string arrays, not dictionary-encoded; NULL gives NULL) -----------------------------------------
def starts_with(array: pa.Array, prefix: str | bytes) -> pa.BooleanArray:
    """Whether each string starts with the bytes of `prefix`."""
    return _STARTS_WITH.call([array], MatchSubstringOptions(prefix))


def ends_with(array: pa.Array, suffix: str | bytes) -> pa.BooleanArray:
    """Whether each string ends with the bytes of `suffix`."""
    return _ENDS_WITH.call([array], MatchSubstringOptions(suffix))


def contains(array: pa.Array, part: str | bytes) -> pa.BooleanArray:
    """Whether the bytes of `part` stand in each string; the empty string stands in every one."""
    return _CONTAINS.call([array], MatchSubstringOptions(part))


def matches_regex(array: pa.Array, pattern: str) -> pa.BooleanArray:
    """Whether an RE2 expression matches somewhere in each string; pa.ArrowInvalid for a bad expression."""
    return _MATCH_REGEX.call([array], MatchSubstringOptions(pattern))


def replace_regex(array: pa.Array, pattern: str, replacement: str, count: int | None) -> pa.Array:
    r"""The first `count` (None: all) matches of an RE2 expression replaced; \1 stands for a group.

    pa.ArrowInvalid if either is bad.
    """
    size = arrays.text_bytes(array)
    # A match is of a byte or more, or lies between two; every character of the replacement may be a match.
    roomy = _roomy(array, size + (2 * size + len(array)) * len(replacement.encode()))
    options = ReplaceSubstringOptions(pattern, replacement, max_replacements=count)
    return _texts(_REPLACE_REGEX.call, [roomy], options)


def extract_regex(array: pa.Array, pattern: str) -> pa.StructArray:
    """One field for each group, all of which must be named; a NULL struct where the expression does not
    match.
    """
    return _EXTRACT_REGEX.call([array], ExtractRegexOptions(pattern))


def replace(array: pa.Array, part: str, replacement: str) -> pa.Array:
    """Every occurrence of `part` (not empty), from left to right, replaced."""
    roomy = _roomy(array, arrays.text_bytes(array) * max(1, len(replacement.encode())))
    return _texts(_REPLACE.call, [roomy], ReplaceSubstringOptions(part, replacement))


def lower(array: pa.Array) -> pa.Array:
    """Each code point in lower case by itself."""
    return _texts(_LOWER.call, [array])


def upper(array: pa.Array) -> pa.Array:
    """Each code point in upper case by itself."""
    return _texts(_UPPER.call, [array])


def trim(array: pa.Array, characters: str, side: str) -> pa.Array:
    """Without the code points of `characters` at the 'start', the 'end' or 'both' sides."""
    return _TRIM[side].call([array], TrimOptions(characters))


def code_points(array: pa.Array) -> pa.Int32Array:
    """Number of code points."""
    return _LENGTH.call([array])


def byte_length(array: pa.Array) -> pa.Int32Array:
    """Number of bytes of strings or binaries."""
    return _BYTE_LENGTH.call([array])


def slice_code_points(array: pa.Array, start: int, stop: int | None) -> pa.Array:
    """Code points `start` (from 0; negative: from the end) up to `stop` (exclusive, of either sign; None:
    the end).
    """
    return _SLICE.call([array], SliceOptions(start, stop))


def join(parts: Sequence[Any], separator: str | bytes, *, null_as: str | None = None) -> pa.Array:
    """Strings (arrays or scalars, at least one array) of each row joined; NULL if one is, or with that one as
    `null_as`.

    Arrow's third way, to skip NULLs, loses the rows in which all are NULL.
    """
    options = JoinOptions("emit_null", "") if null_as is None else JoinOptions("replace", null_as)
    return _texts(_JOIN.call, [*parts, separator], options)


def join_lists(lists: pa.ListArray, separator: str) -> pa.Array:
    """The strings of each list (none of them NULL) joined; NULL for a NULL list."""
    return _texts(_JOIN_LISTS.call, [lists, pa.scalar(separator)])


def any_true(mask: pa.BooleanArray) -> bool:
    """Whether a row is true; NULL is not."""
    return mask.true_count > 0


def fill_null(array: pa.Array, value: Any) -> pa.Array:
    """NULL rows as `value`."""
    return array.fill_null(value)
