"""ORDER BY keys as words that compare as the keys do."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pyarrow as pa

from ...planner.expr import SortKey
from ..kernels import sorting
from ..kernels.arrays import U64


def order_words(
    keys: Sequence[SortKey], columns: Sequence[pa.Array], check: Callable[[], None] | None = None
) -> list[U64]:
    """Words of all rows, most significant first. Strings are ranked among these rows only."""
    words: list[U64] = []
    for key, column in zip(keys, columns, strict=True):
        if check is not None:
            check()
        how = sorting.SortKey(key.descending, key.nulls_first)
        words += sorting.sort_words(column, how, nullable=column.null_count > 0 or _encoded(column))
    return words


def _encoded(column: pa.Array) -> bool:
    """A dictionary's entries may be NULL too."""
    return pa.types.is_dictionary(column.type) and column.dictionary.null_count > 0


def leading_words(key: SortKey, column: pa.Array) -> list[U64]:
    """Two words a row, comparable between batches, that order rows as the key does but may tie where it does not.

    They are for leaving out rows that come after a known one. Strings are told apart by their first eight bytes.
    """
    how = sorting.SortKey(key.descending, key.nulls_first)
    return sorting.sort_words(column, how, nullable=True, string_bytes=1)[:2]


def not_after(words: Sequence[U64], bound: Sequence[U64]) -> np.ndarray:
    """The rows whose leading words do not come after those of `bound` (one entry a word), as booleans."""
    flag, value = words
    return (flag < bound[0]) | ((flag == bound[0]) & (value <= bound[1]))
