"""Key columns as int64 words, so that one kind of table groups and joins every type.

| type | words |
|---|---|
| integers, booleans, dates, times, timestamps, durations, scaled decimals | the value (uint64: its bits) |
| floats | the bits of the float64, -0.0 as 0.0 and every NaN alike |
| decimal128 | the low word's bits, the high word |
| strings, blobs, dictionaries of them | the code that the column's ``StringInterner`` gives |

Both sides of a join must bring a column in the same SQL type and use the same interner.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from . import arrays
from .arrays import I64, U64, Valid
from .hashing import canonical_floats
from .interner import StringInterner

NULL_BITS = 64  # words with a bit of their own in ``Keys.nulls``

Interners = Sequence[StringInterner | None]


class Keys(NamedTuple):
    """Rows of key words. Words at NULL rows are arbitrary where ``nulls`` has a bit for them."""

    words: tuple[I64, ...]
    nulls: U64 | None  # bit j: word j is NULL
    valid: Valid  # 0 where any key column is NULL


def words_per_key(type_: pa.DataType) -> int:
    """How many words a key column of this type takes."""
    return 2 if pa.types.is_decimal128(type_) else 1


def word_count(types: Sequence[pa.DataType]) -> int:
    """How many words ``normalise`` gives for columns of these types.

    Words from the 65th on have no bit in ``nulls``: further words behind them hold those bits.
    """
    words = sum(words_per_key(type_) for type_ in types)
    return words + max(0, -(-(words - NULL_BITS) // 64))


def needs_interner(type_: pa.DataType) -> bool:
    """Whether a key column of this type needs a ``StringInterner``."""
    value = type_.value_type if pa.types.is_dictionary(type_) else type_
    return arrays.is_string_like(value)


def make_interners(types: Sequence[pa.DataType]) -> list[StringInterner | None]:
    """An interner for each column that needs one."""
    return [StringInterner() if needs_interner(type_) else None for type_ in types]


def key_words(arr: pa.Array, interner: StringInterner | None = None, add: bool = True) -> list[I64]:
    """The words of one key column.

    With ``add`` false (probing) unknown strings are not interned: they get the word -1, which equals no code.
    """
    type_ = arr.type
    if needs_interner(type_):
        assert interner is not None, f"keys of type {type_} need an interner"
        codes = interner.intern(arr) if add else interner.lookup(arr)
        return [codes.astype(np.int64)]
    if pa.types.is_dictionary(type_):
        return key_words(arr.dictionary_decode())
    if pa.types.is_null(type_):
        return [np.zeros(len(arr), dtype=np.int64)]
    if pa.types.is_decimal128(type_):
        words = arrays.decimal_words(arr)
        return [np.ascontiguousarray(words[:, 0]), np.ascontiguousarray(words[:, 1])]
    if pa.types.is_floating(type_):
        return [canonical_floats(arrays.float64_values(arr))]
    return [arrays.int64_values(arr)]


def normalise(columns: Sequence[pa.Array], interners: Interners | None = None, add: bool = True) -> Keys:
    """The key words of rows and where they are NULL."""
    assert columns, "a key has at least one column"
    words: list[I64] = []
    valids: list[Valid] = []
    for j, column in enumerate(columns):
        part = key_words(column, interners[j] if interners is not None else None, add)
        words += part
        valids += [arrays.validity_bytes(column)] * len(part)
    nulls = _null_bits(valids[:NULL_BITS])
    for j in range(NULL_BITS, len(valids)):
        valid = valids[j]
        if valid is not None:
            words[j] = np.where(valid, words[j], 0)
    for start in range(NULL_BITS, len(valids), 64):
        bits = _null_bits(valids[start : start + 64])
        words.append(np.zeros(len(columns[0]), dtype=np.int64) if bits is None else bits.view(np.int64))
    return Keys(tuple(words), nulls, arrays.and_valid(*valids))


def null_bit_valid(nulls: U64 | None, word: int) -> Valid:
    """Validity of one of the first 64 key words."""
    if nulls is None:
        return None
    return (((nulls >> np.uint64(word)) & np.uint64(1)) ^ np.uint64(1)).astype(np.uint8)


def key_columns(
    words: Sequence[I64], nulls: U64 | None, types: Sequence[pa.DataType], interners: Interners | None = None
) -> list[pa.Array]:
    """Key columns back from their words (as ``GroupTable.keys`` gives them); the inverse of ``normalise``."""
    columns: list[pa.Array] = []
    plain = sum(words_per_key(type_) for type_ in types)
    at = 0
    for j, type_ in enumerate(types):
        if at < NULL_BITS:
            valid = null_bit_valid(nulls, at)
        else:
            bits = words[plain + (at - NULL_BITS) // 64].view(np.uint64)
            valid = null_bit_valid(bits, (at - NULL_BITS) % 64)
        count = words_per_key(type_)
        columns.append(key_array(words[at : at + count], valid, type_, interners[j] if interners else None))
        at += count
    return columns


def key_array(
    words: Sequence[I64], valid: Valid, type_: pa.DataType, interner: StringInterner | None = None
) -> pa.Array:
    """A key column back from its words. A dictionary type gives a dictionary array over the interner's
    strings.
    """
    if pa.types.is_null(type_):
        return pa.nulls(len(words[0]))
    if needs_interner(type_):
        assert interner is not None
        value = type_.value_type if pa.types.is_dictionary(type_) else type_
        codes = arrays.make_array(words[0], valid, pa.int32())
        encoded = pa.DictionaryArray.from_arrays(codes, interner.strings(value))
        return encoded if pa.types.is_dictionary(type_) else encoded.dictionary_decode()
    if pa.types.is_dictionary(type_):
        return key_array(words, valid, type_.value_type).dictionary_encode().cast(type_)
    if pa.types.is_decimal128(type_):
        both = np.stack([words[0], words[1]], axis=1)
        return arrays.make_decimal128(both, valid, type_.precision, type_.scale)
    if pa.types.is_floating(type_):
        return arrays.make_array(words[0].view(np.float64), valid, type_)
    if type_ == pa.uint64():
        return arrays.make_array(words[0].view(np.uint64), valid, type_)
    return arrays.make_array(words[0], valid, type_)


def _null_bits(valids: Sequence[Valid]) -> U64 | None:
    nulls: U64 | None = None
    for j, valid in enumerate(valids):
        if valid is not None:
            bits = (valid ^ 1).astype(np.uint64) << np.uint64(j)
            nulls = bits if nulls is None else nulls | bits
    return nulls
