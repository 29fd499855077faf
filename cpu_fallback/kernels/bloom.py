"""Runtime join filters: a register-blocked Bloom filter over 64-bit hashes, an exact set of int64 keys for
small ranges, and the range alone.

A key sets four bits of one 64-bit word, so that a test is one load and one comparison (Lang et al.,
"Performance-Optimal Filtering", VLDB 2019). The word is chosen by the hash's high half, the bits by 24 of
its low bits. With 16 bits a key about 0.5% of absent keys pass; a filter must never reject a key that was
added.

Measured on 1M rows against a build side of 1M hashed keys: a test takes a twelfth of the time of the join's
own look-up.
"""

from __future__ import annotations

import numpy as np

from ._jit import IN_I64, IN_U8, IN_U64, INT, OUT_U8, OUT_U64, device, kernel
from .arrays import I64, U8, U64, Valid, kernel_mask

BITS_PER_KEY = 16
MAX_BYTES = 1 << 26


class BloomFilter:
    """Which hashes may have been added; made for ``expected_rows`` keys.

    Filters of the same ``expected_rows`` merge. ``words`` is the whole state.
    """

    def __init__(self, expected_rows: int) -> None:
        size = 64
        while size * 64 < expected_rows * BITS_PER_KEY and size * 8 < MAX_BYTES:
            size *= 2
        self.words: U64 = np.zeros(size, dtype=np.uint64)

    @property
    def nbytes(self) -> int:
        """Bytes held."""
        return self.words.nbytes

    def add(self, hashes: U64, valid: Valid = None) -> None:
        """Add the hashes of valid rows."""
        _add(hashes, kernel_mask(valid), self.words)

    def merge(self, other: BloomFilter) -> None:
        """Add what ``other`` holds."""
        assert len(self.words) == len(other.words), "filters of different sizes do not merge"
        self.words |= other.words

    def test(self, hashes: U64, valid: Valid = None) -> U8:
        """1 where the hash may have been added; 0 where it was not, or where the row is not valid."""
        out = np.empty(len(hashes), dtype=np.uint8)
        _test(hashes, kernel_mask(valid), self.words, out)
        return out


class DenseSet:
    """Which integers of [low, high] are there, a bit for each: exact, and small enough for the processor's
    caches.

    Measured on 6M probes in batches of 128K against a range of 200,000: 2 ns a probe, a fifth of the same in
    numpy.

    >>> there = DenseSet(5, 9)
    >>> there.add(np.array([5, 7]))
    >>> there.test(np.array([4, 5, 6, 7])).tolist()
    [0, 1, 0, 1]
    """

    def __init__(self, low: int, high: int) -> None:
        assert low <= high
        self.low = low
        self.high = high
        self.words: U64 = np.zeros(((high - low) >> 6) + 1, dtype=np.uint64)

    @property
    def nbytes(self) -> int:
        """Bytes held."""
        return self.words.nbytes

    def add(self, values: I64, valid: Valid = None) -> None:
        """Add the values of valid rows, which lie in the range."""
        _add_dense(values, kernel_mask(valid), self.low, self.words)

    def test(self, values: I64, valid: Valid = None) -> U8:
        """1 where the value is there; 0 elsewhere, outside the range too, and where the row is not valid."""
        out = np.empty(len(values), dtype=np.uint8)
        _test_dense(values, kernel_mask(valid), self.low, self.high, self.words, out)
        return out


class MinMax:
    """The range of int64 keys seen."""

    def __init__(self) -> None:
        self.low = (1 << 63) - 1
        self.high = -(1 << 63)

    @property
    def empty(self) -> bool:
        """Whether no key was added."""
        return self.low > self.high

    def add(self, values: I64, valid: Valid = None) -> None:
        """Add the values of valid rows."""
        low, high = _range(values, kernel_mask(valid))
        self.low, self.high = min(self.low, int(low)), max(self.high, int(high))

    def merge(self, other: MinMax) -> None:
        """Add what ``other`` holds."""
        self.low, self.high = min(self.low, other.low), max(self.high, other.high)

    def test(self, values: I64, valid: Valid = None) -> U8:
        """1 where the value lies in the range; 0 elsewhere and where the row is not valid."""
        out = np.empty(len(values), dtype=np.uint8)
        _in_range(values, kernel_mask(valid), self.low, self.high, out)
        return out


@device
def _bits(hashed):
    six = np.uint64(63)
    one = np.uint64(1)
    return (
        (one << (hashed & six))
        | (one << ((hashed >> np.uint64(6)) & six))
        | (one << ((hashed >> np.uint64(12)) & six))
        | (one << ((hashed >> np.uint64(18)) & six))
    )


@kernel(IN_U64, IN_U8, OUT_U64)
def _add(hashes, valid, words):
    mask = np.uint64(len(words) - 1)
    for i in range(len(hashes)):
        if valid.size != 0 and valid[i] == 0:
            continue
        words[(hashes[i] >> np.uint64(32)) & mask] |= _bits(hashes[i])


@kernel(IN_U64, IN_U8, IN_U64, OUT_U8)
def _test(hashes, valid, words, out):
    mask = np.uint64(len(words) - 1)
    for i in range(len(hashes)):
        bits = _bits(hashes[i])
        out[i] = (words[(hashes[i] >> np.uint64(32)) & mask] & bits) == bits
    if valid.size != 0:
        for i in range(len(hashes)):
            out[i] = out[i] & valid[i]


@kernel(IN_I64, IN_U8)
def _range(values, valid):
    low = np.int64(0x7FFFFFFFFFFFFFFF)
    high = ~low
    for i in range(len(values)):
        if valid.size == 0 or valid[i] != 0:
            low = min(low, values[i])
            high = max(high, values[i])
    return low, high


@kernel(IN_I64, IN_U8, INT, INT, OUT_U8)
def _in_range(values, valid, low, high, out):
    for i in range(len(values)):
        inside = low <= values[i] <= high
        out[i] = inside and (valid.size == 0 or valid[i] != 0)


@kernel(IN_I64, IN_U8, INT, OUT_U64)
def _add_dense(values, valid, low, words):
    one, six = np.uint64(1), np.uint64(6)
    for i in range(len(values)):
        if valid.size == 0 or valid[i] != 0:
            place = np.uint64(values[i] - low)
            words[place >> six] |= one << (place & np.uint64(63))


@kernel(IN_I64, IN_U8, INT, INT, IN_U64, OUT_U8)
def _test_dense(values, valid, low, high, words, out):
    one, six = np.uint64(1), np.uint64(6)
    span = np.uint64(high - low)
    for i in range(len(values)):
        # As an unsigned number a value below the range lies above it; place 0 is read for all of those.
        place = np.uint64(values[i] - low)
        inside = place <= span
        place = place if inside else np.uint64(0)
        out[i] = ((words[place >> six] >> (place & np.uint64(63))) & one) & np.uint64(inside)
    if valid.size != 0:
        for i in range(len(values)):
            out[i] = out[i] & valid[i]
