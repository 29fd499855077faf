"""Small joint domains of key words: a row's place is a mixed-radix number of its words; NULL is digit 0."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ._jit import IN_I64, IN_U64, INT, OUT_I64, kernel
from ._slots import ONE
from .arrays import I64, NO_NULLS, U64

_INT64_MIN, _INT64_MAX = -(1 << 63), (1 << 63) - 1


class DenseDomain:
    """A box of ``k`` value ranges; ``size`` places in all (NULL has a place in every column)."""

    def __init__(self, low: Sequence[int], high: Sequence[int]) -> None:
        self.low, self.high = list(low), list(high)
        self.size = 1
        for a, b in zip(low, high, strict=True):
            self.size *= b - a + 2

    @classmethod
    def empty(cls, k: int) -> DenseDomain:
        """The domain of NULLs alone."""
        return cls([0] * k, [-1] * k)

    def covering(self, key_words: Sequence[I64], nulls: U64 | None) -> DenseDomain:
        """The least domain that holds this one and the given rows; ``self`` when it holds them already."""
        low, high = list(self.low), list(self.high)
        for j, words in enumerate(key_words):
            a, b = column_range(words, *null_bits(nulls, j))
            if a > b:
                continue
            if low[j] > high[j]:
                low[j], high[j] = a, b
            else:
                low[j], high[j] = min(low[j], a), max(high[j], b)
        return self if (low, high) == (self.low, self.high) else DenseDomain(low, high)

    def roomier_than(self, old: DenseDomain) -> DenseDomain:
        """This domain with every range doubled on the side where it outgrew ``old``."""
        low, high = list(self.low), list(self.high)
        for j, (a, b) in enumerate(zip(self.low, self.high, strict=True)):
            if a < old.low[j]:
                low[j] = max(a - (b - a + 1), _INT64_MIN)
            if b > old.high[j]:
                high[j] = min(b + (b - a + 1), _INT64_MAX)
        return DenseDomain(low, high)

    def places(self, key_words: Sequence[I64], nulls: U64 | None) -> I64:
        """The place of every row, -1 outside the domain."""
        places = np.zeros(len(key_words[0]), dtype=np.int64)
        stride = 1
        for j, words in enumerate(key_words):
            _add_digit(words, *null_bits(nulls, j), self.low[j], self.high[j], stride, places)
            stride *= self.high[j] - self.low[j] + 2
        return places


def null_bits(nulls: U64 | None, word: int) -> tuple[U64, int]:
    """How kernels learn where a key word is NULL; words from the 65th on have no bit (see ``keys``)."""
    return (NO_NULLS, 0) if nulls is None or word >= 64 else (nulls, word)


def column_range(words: I64, nulls: U64, bit: int) -> tuple[int, int]:
    """(least, greatest) of the words that are not NULL; the first exceeds the second when there is none."""
    low, high = _column_range(words, nulls, bit)
    return int(low), int(high)


@kernel(IN_I64, IN_U64, INT)
def _column_range(words, nulls, bit):
    low = np.int64(_INT64_MAX)
    high = np.int64(_INT64_MIN)
    if nulls.size == 0:
        for i in range(len(words)):
            low = min(low, words[i])
            high = max(high, words[i])
    else:
        shift = np.uint64(bit)
        for i in range(len(words)):
            if (nulls[i] >> shift) & ONE == 0:
                low = min(low, words[i])
                high = max(high, words[i])
    return low, high


@kernel(IN_I64, IN_U64, INT, INT, INT, INT, OUT_I64)
def _add_digit(words, nulls, bit, low, high, stride, places):
    shift = np.uint64(bit)
    for i in range(len(words)):
        digit = words[i] - low + 1
        inside = low <= words[i] <= high
        if nulls.size != 0 and (nulls[i] >> shift) & ONE:
            digit = 0
            inside = True
        places[i] = places[i] + digit * stride if inside and places[i] >= 0 else -1
