"""Slow, plain counterparts of kernels, and the strategies that feed both."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa
from hypothesis import settings
from hypothesis import strategies as st

QUICK = settings(max_examples=60, deadline=None)
INT64 = st.one_of(
    st.integers(-3, 3),
    st.integers(-(1 << 63), (1 << 63) - 1),
    st.sampled_from([-(1 << 63), (1 << 63) - 1, 1 << 32, -(1 << 32), (1 << 31) - 1]),
)
INT128 = st.one_of(
    INT64,
    st.integers(-(1 << 127), (1 << 127) - 1),
    st.builds(lambda digits, sign: sign * 10**digits, st.integers(0, 38), st.sampled_from([1, -1])),
    st.builds(lambda bits, more: (1 << bits) + more, st.integers(0, 126), st.integers(-1, 1)),
    st.sampled_from([-(1 << 127), (1 << 127) - 1]),
)
FLOAT64 = st.one_of(st.floats(), st.sampled_from([0.0, -0.0, float("nan"), float("inf"), float("-inf"), 1.0]))
_BLOCKS = st.sampled_from(["aaaaaaaa", "aaaaaaab", "baaaaaaa", "a", "\0", "é"])
# Any short text, or one of blocks that make long texts differ late or in length alone.
TEXT = st.one_of(st.text(alphabet="ab\0é😀", max_size=20), st.lists(_BLOCKS, max_size=4).map("".join))


def optional(values: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """The values, or now and then NULL."""
    return st.one_of(values, values, values, st.none())


def sliced(values: Sequence[Any], type_: pa.DataType, before: int = 3) -> pa.Array:
    """An array of ``values`` that is a slice of a longer one: its buffers start at an offset.

    Under its NULLs lie other values, as they may in any arrow array.
    """
    padding = [values[0] if len(values) else None] * before
    padded = [*padding, *values, *padding]
    arr = pa.array(padded, type_)
    present = [value for value in padded if value is not None]
    if present and len(present) < len(padded) and not isinstance(arr, pa.DictionaryArray | pa.ListArray):
        below = [present[i % len(present)] if value is None else value for i, value in enumerate(padded)]
        buffers = pa.array(below, type_).buffers()
        arr = pa.Array.from_buffers(type_, len(padded), [arr.buffers()[0], *buffers[1:]])
    return arr.slice(before, len(values))


def int64s(values: Sequence[int | None]) -> np.ndarray:
    """int64 values, something arbitrary at NULL."""
    return np.array([77 if value is None else value for value in values], dtype=np.int64)


def float64s(values: Sequence[float | None]) -> np.ndarray:
    return np.array([77.0 if value is None else value for value in values], dtype=np.float64)


def words(values: Sequence[int | None]) -> np.ndarray:
    """128-bit words, something arbitrary at NULL."""
    data = b"".join((77 if v is None else v).to_bytes(16, "little", signed=True) for v in values)
    return np.frombuffer(data, dtype=np.int64).reshape(len(values), 2)


def from_words(array: np.ndarray) -> list[int]:
    return [int.from_bytes(np.ascontiguousarray(row).tobytes(), "little", signed=True) for row in array]


def valid_of(values: Sequence[Any]) -> np.ndarray | None:
    """The validity of Python values: None when no value is NULL."""
    if all(value is not None for value in values):
        return None
    return np.array([value is not None for value in values], dtype=np.uint8)


def null_bits(rows: Sequence[Sequence[Any]]) -> np.ndarray | None:
    """Bit j of entry i is set where rows[i][j] is NULL; None when there is no NULL."""
    bits = [sum(1 << j for j, value in enumerate(row) if value is None) for row in rows]
    return np.array(bits, dtype=np.uint64) if any(bits) else None


def columns(rows: Sequence[Sequence[int | None]], k: int) -> list[np.ndarray]:
    """The key words of rows, column by column."""
    return [int64s([row[j] for row in rows]) for j in range(k)]


def numbered(rows: Sequence[Any], known: dict[Any, int]) -> list[int]:
    """The number of every row in order of first appearance; ``known`` remembers them."""
    return [known.setdefault(row, len(known)) for row in rows]


# ------------------------------------------------------------ the hash, from its specification

_M64 = (1 << 64) - 1
_GOLDEN = 0x9E3779B97F4A7C15


def mix(x: int) -> int:
    x ^= x >> 33
    x = x * 0xFF51AFD7ED558CCD & _M64
    x ^= x >> 33
    x = x * 0xC4CEB9FE1A85EC53 & _M64
    return x ^ (x >> 33)


def base(seed: int) -> int:
    return mix(seed + _GOLDEN & _M64)


def hash_word(word: int, seed: int = 0) -> int:
    return mix((word & _M64) + base(seed) & _M64)


def hash_null(seed: int = 0) -> int:
    return hash_word(0x6E756C6C6E756C6C, seed)


def combine(a: int, b: int) -> int:
    return mix(a * _GOLDEN + b & _M64)


def hash_bytes(data: bytes, seed: int = 0) -> int:
    multiplier = 0xC6A4A7935BD1E995
    state = base(seed) ^ (len(data) * _GOLDEN & _M64)
    for start in range(0, len(data), 8):
        word = int.from_bytes(data[start : start + 8], "little") * multiplier & _M64
        word ^= word >> 47
        state = (state ^ (word * multiplier & _M64)) * multiplier & _M64
    return mix(state)


def hash_int128(value: int, seed: int = 0) -> int:
    if -(1 << 63) <= value < 1 << 63:
        return hash_word(value, seed)
    return combine(hash_word(value, seed), hash_word(value >> 64, seed))
