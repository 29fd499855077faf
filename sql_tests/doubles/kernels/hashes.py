"""MurmurHash3 (x86, 32 bits) and XXH64, as their authors define them."""

from __future__ import annotations

import struct

import numpy as np

_M32, _M64 = (1 << 32) - 1, (1 << 64) - 1
_P1, _P2, _P3 = 0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9
_P4, _P5 = 0x85EBCA77C2B2AE63, 0x27D4EB2F165667C5


def _rotated(value: int, by: int, bits: int) -> int:
    return (value << by | value >> (bits - by)) & ((1 << bits) - 1)


def murmur3_32(data: bytes, seed: int) -> int:
    """
    >>> murmur3_32(b"", 0), murmur3_32(b"hello", 0)
    (0, 613153351)
    """
    found = seed & _M32
    for (block,) in struct.iter_unpack("<I", data[: len(data) // 4 * 4]):
        found = _rotated(found ^ _scrambled(block), 13, 32) * 5 + 0xE6546B64 & _M32
    tail = data[len(data) // 4 * 4 :]
    if tail:
        found ^= _scrambled(int.from_bytes(tail, "little"))
    found ^= len(data)
    found = (found ^ found >> 16) * 0x85EBCA6B & _M32
    found = (found ^ found >> 13) * 0xC2B2AE35 & _M32
    return found ^ found >> 16


def _scrambled(block: int) -> int:
    return _rotated(block * 0xCC9E2D51 & _M32, 15, 32) * 0x1B873593 & _M32


def combined_32(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Two hashes as one."""
    with np.errstate(over="ignore"):
        return a ^ (b + np.uint32(0x9E3779B9) + (a << np.uint32(6)) + (a >> np.uint32(2)))


def _round(lane: int, word: int) -> int:
    return _rotated(lane + word * _P2 & _M64, 31, 64) * _P1 & _M64


def xxhash64(data: bytes, seed: int) -> int:
    """
    >>> hex(xxhash64(b"", 0)), hex(xxhash64(b"abc", 0))
    ('0xef46db3751d8e999', '0x44bc2cf5ad770999')
    """
    seed &= _M64
    place = 0
    if len(data) >= 32:
        lanes = [seed + _P1 + _P2 & _M64, seed + _P2 & _M64, seed, seed - _P1 & _M64]
        while place <= len(data) - 32:
            lanes = [_round(v, w) for v, w in zip(lanes, struct.unpack_from("<4Q", data, place), strict=True)]
            place += 32
        turns = zip(lanes, (1, 7, 12, 18), strict=True)
        found = sum(_rotated(lane, by, 64) for lane, by in turns) & _M64
        for lane in lanes:
            found = (found ^ _round(0, lane)) * _P1 + _P4 & _M64
    else:
        found = seed + _P5 & _M64
    found = found + len(data) & _M64
    while place + 8 <= len(data):
        found = (
            _rotated(found ^ _round(0, struct.unpack_from("<Q", data, place)[0]), 27, 64) * _P1 + _P4 & _M64
        )
        place += 8
    if place + 4 <= len(data):
        word = struct.unpack_from("<I", data, place)[0]
        found = _rotated(found ^ word * _P1 & _M64, 23, 64) * _P2 + _P3 & _M64
        place += 4
    for byte in data[place:]:
        found = _rotated(found ^ byte * _P5 & _M64, 11, 64) * _P1 & _M64
    found = (found ^ found >> 33) * _P2 & _M64
    found = (found ^ found >> 29) * _P3 & _M64
    return found ^ found >> 32
