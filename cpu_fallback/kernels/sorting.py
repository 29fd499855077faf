"""Order-preserving sort keys: columns as uint64 words that compare as ORDER BY does.

The words of a column, most significant first:

* where it may be NULL, one word that puts NULL first or last;
* integers, dates, times, scaled decimals: the value with its sign bit inverted; floats: their bits in total
  order, with -0.0 equal to 0.0 and NaN above every number (DuckDB's order); decimal128: the high word so,
  then the low word;
* strings: a rank among the strings of this column (comparable within one call), or words of their bytes
  (comparable across calls, see ``string_words``).

Descending inverts every bit of the value's words. What stands at NULL rows is 0, so that NULLs tie.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from . import arrays
from .arrays import I64, U64, Valid
from .hashing import canonical_floats
from .radix_sort import argsort, top_n
from .run_merge import RunMerger, merge_runs
from .string_order import max_length, string_ranks, string_words

__all__ = [
    "RunMerger",
    "SortKey",
    "argsort",
    "max_length",
    "merge_runs",
    "sort_words",
    "string_ranks",
    "string_words",
    "top_n",
]

_SIGN = np.uint64(1 << 63)


@dataclass(frozen=True)
class SortKey:
    """How one column is ordered."""

    descending: bool = False
    nulls_first: bool = False


def sort_words(
    arr: pa.Array,
    key: SortKey = SortKey(),
    *,
    nullable: bool = True,
    string_bytes: int | None = None,
    ranks: I64 | None = None,
) -> list[U64]:
    """The words of one column, most significant first.

    Runs that will be merged need as many words each: pass ``nullable`` alike for all of them (False: no row
    is NULL), and for strings either ``ranks`` computed over all runs or ``string_bytes``, an upper bound of
    the strings' lengths over all runs (rounded up to 8; without it strings become ranks within ``arr``).
    """
    valid = arrays.validity_bytes(arr)
    assert nullable or valid is None, "a column declared free of NULLs has some"
    words: list[U64] = []
    if nullable:
        null, other = (0, 1) if key.nulls_first else (1, 0)
        flag = np.full(len(arr), other, dtype=np.uint64)
        if valid is not None:
            flag[valid == 0] = null
        words.append(flag)
    return words + [_finished(word, valid, key.descending) for word in _values(arr, string_bytes, ranks)]


def _values(arr: pa.Array, string_bytes: int | None, ranks: I64 | None) -> list[U64]:
    type_ = arr.type
    if ranks is not None:
        return [ranks.view(np.uint64)]
    value_type = type_.value_type if pa.types.is_dictionary(type_) else type_
    if arrays.is_string_like(value_type):
        if string_bytes is not None:
            return string_words(arr, max(1, -(-string_bytes // 8)))
        return [string_ranks(arr).view(np.uint64)]
    if pa.types.is_dictionary(type_):
        return _values(arr.dictionary_decode(), None, None)
    if pa.types.is_null(type_):
        return [np.zeros(len(arr), dtype=np.uint64)]
    if pa.types.is_decimal128(type_):
        words = arrays.decimal_words(arr)
        return [_unsigned(words[:, 1]), np.ascontiguousarray(words[:, 0]).view(np.uint64)]
    if pa.types.is_floating(type_):
        bits = canonical_floats(arrays.float64_values(arr))
        return [np.where(bits < 0, ~bits, bits ^ np.int64(-(1 << 63))).view(np.uint64)]
    if type_ == pa.uint64():
        return [arrays.values_view(arr)]
    return [_unsigned(arrays.int64_values(arr))]


def _unsigned(values: I64) -> U64:
    return values.view(np.uint64) ^ _SIGN if values.flags.c_contiguous else values.astype(np.uint64) ^ _SIGN


def _finished(word: U64, valid: Valid, descending: bool) -> U64:
    if descending:
        word = ~word
    return word if valid is None else np.where(valid, word, np.uint64(0))
