"""Arithmetic that kernels share: the 64-bit hash (see ``hashing``) and comparisons of byte strings."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._intrinsics import load_u64
from ._jit import device

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
MIX_1 = np.uint64(0xFF51AFD7ED558CCD)
MIX_2 = np.uint64(0xC4CEB9FE1A85EC53)
STRING_MUL = np.uint64(0xC6A4A7935BD1E995)
NULL_WORD = np.uint64(0x6E756C6C6E756C6C)
_33 = np.uint64(33)
_47 = np.uint64(47)
_3 = np.uint64(3)
_ONES = np.uint64(0xFFFFFFFFFFFFFFFF)


@device
def mix(x: Any) -> Any:
    """Bijection of uint64 whose every output bit depends on every input bit."""
    x ^= x >> _33
    x *= MIX_1
    x ^= x >> _33
    x *= MIX_2
    return x ^ (x >> _33)


@device
def seed_word(seed: Any) -> Any:
    """What a seed contributes to every word hashed under it."""
    return mix(np.uint64(seed) + GOLDEN)


@device
def combine(a: Any, b: Any) -> Any:
    """Hash of a pair from the hashes of its members; depends on their order."""
    return mix(a * GOLDEN + b)


@device
def load_tail(data: Any, start: Any, count: Any) -> Any:
    """``count`` (0 to 7) bytes from ``start`` on, little-endian, padded with zero bits."""
    if count == 0:
        return np.uint64(0)
    if start + 8 <= len(data):
        return load_u64(data, start) & (_ONES >> (np.uint64(8 - count) << _3))
    word = np.uint64(0)
    for j in range(count):
        word |= np.uint64(data[start + j]) << (np.uint64(j) << _3)
    return word


@device
def mix_string_word(state: Any, word: Any) -> Any:
    """One step of the string hash."""
    word *= STRING_MUL
    word ^= word >> _47
    word *= STRING_MUL
    return (state ^ word) * STRING_MUL


@device
def hash_bytes(data: Any, start: Any, stop: Any, base: Any) -> Any:
    """Hash of ``data[start:stop]``, eight bytes at a time; ``base`` is the ``seed_word``."""
    state = base ^ (np.uint64(stop - start) * GOLDEN)
    position = start
    while position + 8 <= stop:
        state = mix_string_word(state, load_u64(data, position))
        position += 8
    if position < stop:
        state = mix_string_word(state, load_tail(data, position, stop - position))
    return mix(state)


@device
def equal_bytes(a: Any, a_start: Any, b: Any, b_start: Any, count: Any) -> Any:
    """Whether two byte ranges of ``count`` bytes hold the same bytes."""
    if count < 8:
        return load_tail(a, a_start, count) == load_tail(b, b_start, count)
    position = 0
    while position + 8 < count:
        if load_u64(a, a_start + position) != load_u64(b, b_start + position):
            return False
        position += 8
    # The last eight bytes may overlap those compared already: cheaper than a loop over what is left.
    return load_u64(a, a_start + count - 8) == load_u64(b, b_start + count - 8)


@device
def byte_swapped(word: Any) -> Any:
    """The word with its bytes in reverse order: big-endian words compare as the bytes do."""
    word = ((word & np.uint64(0x00FF00FF00FF00FF)) << np.uint64(8)) | (
        (word >> np.uint64(8)) & np.uint64(0x00FF00FF00FF00FF)
    )
    word = ((word & np.uint64(0x0000FFFF0000FFFF)) << np.uint64(16)) | (
        (word >> np.uint64(16)) & np.uint64(0x0000FFFF0000FFFF)
    )
    return (word << np.uint64(32)) | (word >> np.uint64(32))


@device
def compare_bytes(a: Any, a_start: Any, a_count: Any, b: Any, b_start: Any, b_count: Any) -> Any:
    """-1, 0 or 1 (int64) as the first byte string is less than, equal to or greater than the second."""
    common = min(a_count, b_count)
    position = 0
    while position < common:
        step = min(8, common - position)
        if step == 8:
            x = load_u64(a, a_start + position)
            y = load_u64(b, b_start + position)
        else:
            x = load_tail(a, a_start + position, step)
            y = load_tail(b, b_start + position, step)
        if x != y:
            return np.int64(-1) if byte_swapped(x) < byte_swapped(y) else np.int64(1)
        position += 8
    if a_count == b_count:
        return np.int64(0)
    return np.int64(-1) if a_count < b_count else np.int64(1)
