"""The seeded 64-bit hash shared by CPU, GPU and workers: the same bits everywhere.

All arithmetic is modulo 2**64, ``>>`` is logical, words are little-endian.

* ``mix(x)``: x ^= x >> 33; x *= 0xFF51AFD7ED558CCD; x ^= x >> 33; x *= 0xC4CEB9FE1A85EC53; x ^= x >> 33
  (the 64-bit finaliser of MurmurHash3, Austin Appleby, public domain).
* ``base = mix(seed + 0x9E3779B97F4A7C15)``; a 64-bit word w hashes to ``mix(w + base)``.
* NULL of every type hashes as the word 0x6E756C6C6E756C6C.
* Integers, booleans, dates, times and scaled decimals: their value sign-extended to 64 bits (uint64: its
  bits).
* Floats: the bits of the float64, -0.0 as 0.0 and every NaN as 0x7FF8000000000000.
* 128-bit integers (decimal128, HUGEINT): a value that fits int64 hashes as that int64, so that the hash does
  not depend on how a decimal is stored; else ``combine(hash(low word), hash(high word))``.
* Strings and blobs of L bytes: state = base ^ (L * 0x9E3779B97F4A7C15); for each 8 bytes (the last ones
  padded with zero bits) w: w *= M; w ^= w >> 47; w *= M; state = (state ^ w) * M, with M = 0xC6A4A7935BD1E995
  (the step of MurmurHash64A); the hash is mix(state).
* ``combine(a, b) = mix(a * 0x9E3779B97F4A7C15 + b)``; columns are combined from left to right.

Bits are independent enough for any use: tables take the low bits, partitioning the high ones. Equal hashes
never mean equal keys.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from . import arrays
from ._dense import null_bits
from ._jit import BOOL, IN_F64, IN_I64, IN_U8, IN_U64, IN_WORDS, INT, OUT_I64, OUT_U64, kernel
from ._mix import NULL_WORD, combine, hash_bytes, mix, seed_word
from .arrays import F64, I64, NO_MASK, NO_NULLS, U8, U64, Valid, Words, kernel_mask

CANONICAL_NAN = 0x7FF8000000000000
_SIGN = np.uint64(63)


def hash_int64(values: I64, valid: Valid = None, seed: int = 0) -> U64:
    """Hash of every value; NULL rows get the hash of NULL."""
    out = np.empty(len(values), dtype=np.uint64)
    _hash_words64(values, kernel_mask(valid), NO_NULLS, 0, seed, False, out)
    return out


def hash_float64(values: F64, valid: Valid = None, seed: int = 0) -> U64:
    """Hash of every float: equal floats (and all NaN) have equal hashes."""
    return hash_int64(canonical_floats(values), valid, seed)


def hash_words(words: Words, valid: Valid = None, seed: int = 0) -> U64:
    """Hash of 128-bit integers; equals ``hash_int64`` where the value fits."""
    out = np.empty(len(words), dtype=np.uint64)
    _hash_words128(words, kernel_mask(valid), seed, out)
    return out


def hash_strings(offsets: I64, data: U8, valid: Valid = None, seed: int = 0) -> U64:
    """Hash of the bytes ``data[offsets[i]:offsets[i + 1]]`` of every row."""
    out = np.empty(len(offsets) - 1, dtype=np.uint64)
    _hash_strings(offsets, data, kernel_mask(valid), seed, out)
    return out


def hash_combine(a: U64, b: U64) -> U64:
    """Hash of rows from the hashes of their left columns and of the next one."""
    out = np.empty(len(a), dtype=np.uint64)
    _combine(a, b, out)
    return out


def hash_key_words(key_words: Sequence[I64], nulls: U64 | None = None, seed: int = 0) -> U64:
    """Hash of rows of key words; bit j of ``nulls`` makes word j NULL."""
    assert key_words, "a key has at least one word"
    out = np.empty(len(key_words[0]), dtype=np.uint64)
    for j, words in enumerate(key_words):
        mask, bit = null_bits(nulls, j)
        _hash_words64(words, NO_MASK, mask, bit, seed, j > 0, out)
    return out


def hash_array(arr: pa.Array, seed: int = 0) -> U64:
    """Hash of a key column of any type; a dictionary array hashes as its values would."""
    if pa.types.is_dictionary(arr.type):
        entries = hash_array(arr.dictionary, seed)
        valid = arrays.validity_bytes(arr)
        if valid is None:
            return entries[arrays.values_view(arr.indices)]
        null = hash_int64(np.zeros(1, dtype=np.int64), np.zeros(1, dtype=np.uint8), seed)
        codes = np.where(valid, arrays.values_view(arr.indices), len(entries))
        return np.concatenate([entries, null])[codes]
    valid = arrays.validity_bytes(arr)
    if pa.types.is_null(arr.type):
        return hash_int64(np.zeros(len(arr), dtype=np.int64), valid, seed)
    if arrays.is_string_like(arr.type):
        views = arrays.string_views(arr)
        return hash_strings(views.offsets, views.data, valid, seed)
    if pa.types.is_decimal128(arr.type):
        return hash_words(arrays.decimal_words(arr), valid, seed)
    if pa.types.is_floating(arr.type):
        return hash_float64(arrays.float64_values(arr), valid, seed)
    return hash_int64(arrays.int64_values(arr), valid, seed)


def canonical_floats(values: F64) -> I64:
    """The bits of float64 values, -0.0 as 0.0 and every NaN alike: equal keys give equal words."""
    out = np.empty(len(values), dtype=np.int64)
    _canonical_floats(values, out)
    return out


@kernel(IN_I64, IN_U8, IN_U64, INT, INT, BOOL, OUT_U64)
def _hash_words64(values, valid, nulls, bit, seed, combining, out):
    base = seed_word(seed)
    null = mix(NULL_WORD + base)
    shift = np.uint64(bit)
    for i in range(len(values)):
        hashed = mix(np.uint64(values[i]) + base)
        if valid.size != 0 and valid[i] == 0:
            hashed = null
        if nulls.size != 0 and (nulls[i] >> shift) & np.uint64(1):
            hashed = null
        out[i] = combine(out[i], hashed) if combining else hashed


@kernel(IN_WORDS, IN_U8, INT, OUT_U64)
def _hash_words128(words, valid, seed, out):
    base = seed_word(seed)
    null = mix(NULL_WORD + base)
    for i in range(len(words)):
        low, high = words[i, 0], words[i, 1]
        hashed = mix(np.uint64(low) + base)
        if high != low >> 63:
            hashed = combine(hashed, mix(np.uint64(high) + base))
        if valid.size != 0 and valid[i] == 0:
            hashed = null
        out[i] = hashed


@kernel(IN_I64, IN_U8, IN_U8, INT, OUT_U64)
def _hash_strings(offsets, data, valid, seed, out):
    base = seed_word(seed)
    null = mix(NULL_WORD + base)
    for i in range(len(out)):
        if valid.size != 0 and valid[i] == 0:
            out[i] = null
        else:
            out[i] = hash_bytes(data, offsets[i], offsets[i + 1], base)


@kernel(IN_U64, IN_U64, OUT_U64)
def _combine(a, b, out):
    for i in range(len(out)):
        out[i] = combine(a[i], b[i])


@kernel(IN_F64, OUT_I64)
def _canonical_floats(values, out):
    bits = values.view(np.int64)
    for i in range(len(out)):
        value = values[i]
        if value != value:
            out[i] = CANONICAL_NAN
        elif value == 0.0:
            out[i] = 0
        else:
            out[i] = bits[i]
