"""Columns drawn at random, of which this folder's tables are made. Equal seeds give equal data."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

Ids = np.ndarray
"""int32 or int64, one number a row."""


class Draw:
    """A stream of random columns."""

    def __init__(self, seed: int) -> None:
        self.rng = np.random.default_rng(seed)

    def skewed(self, count: int, rows: int, power: float = 2.5) -> Ids:
        """`rows` places below `count`: the higher the power, the more often the first ones."""
        return (self.rng.random(rows) ** power * count).astype(np.int64)

    def uniform(self, low: int, high: int, rows: int) -> Ids:
        """`rows` numbers from `low` to below `high`."""
        return self.rng.integers(low, high, rows)

    def shares(self, weights: Sequence[float], rows: int) -> Ids:
        """`rows` places in `weights`, each as often as its weight says."""
        total = np.cumsum(np.asarray(weights, dtype=float))
        return np.searchsorted(total / total[-1], self.rng.random(rows), side="right")

    def repeats(self, popularity: np.ndarray, average: float, most: int) -> Ids:
        """The places of `popularity` in no order, each drawn about average * popularity times."""
        counts = np.minimum(self.rng.poisson(average * popularity), most)
        places = np.repeat(np.arange(len(popularity)), counts)
        return self.rng.permutation(places)

    def popularity(self, count: int, spread: float = 1.0) -> np.ndarray:
        """How popular each of `count` things is: a few are several times the mean, which is 1."""
        drawn = np.clip(self.rng.lognormal(0.0, spread, count), 0.1, 8.0)
        return drawn / drawn.mean()

    def choice(self, rows: int, texts: Sequence[str | None], weights: Sequence[float]) -> pa.Array:
        """Texts by weight; None is NULL."""
        return pick(texts, self.shares(weights, rows))

    def choice_of(self, values: Sequence[int], rows: int) -> Ids:
        """One of these numbers, the first ones more often."""
        return np.asarray(values)[self.skewed(len(values), rows, 1.5)]

    def hidden(self, values: pa.Array | Ids, share: float) -> pa.Array:
        """The values with `share` of them NULL."""
        mask = pa.array(self.rng.random(len(values)) < share)
        column = pa.array(values) if isinstance(values, np.ndarray) else values
        return pc.if_else(mask, pa.scalar(None, column.type), column)

    def digits(self, rows: int, length: int = 32) -> pa.Array:
        """Texts of that many hexadecimal digits, as hashes look."""
        raw = self.rng.bytes(rows * length // 2).hex().encode()
        return pa.array(np.frombuffer(raw, f"S{length}").astype(f"U{length}"), pa.string())

    def codes(self, rows: int) -> pa.Array:
        """A letter and some digits, as phonetic codes look."""
        letters = [
            f"{letter}{digits}" for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ" for digits in range(12, 652, 7)
        ]
        return pick(letters, self.uniform(0, len(letters), rows))


def pick(texts: Sequence[str | None], places: Ids) -> pa.Array:
    """The texts at these places."""
    return pa.array(list(texts), pa.string()).take(pa.array(places))


def joined(*parts: pa.Array | str | Ids) -> pa.Array:
    """Texts put together row by row; numbers as text, NULL where a part is NULL."""
    columns = [
        pc.cast(pa.array(part), pa.string()) if isinstance(part, np.ndarray) else part for part in parts
    ]
    return pc.binary_join_element_wise(*columns, "")


def int32(values: Ids) -> pa.Array:
    """An INTEGER column."""
    return pa.array(values.astype(np.int32))


def none(rows: int, type_: pa.DataType) -> pa.Array:
    """A column of NULL."""
    return pa.nulls(rows, type_)
