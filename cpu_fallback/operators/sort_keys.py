"""ORDER BY keys as words that compare as the keys do."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pyarrow as pa

from ...planner.expr import SortKey
from ..kernels import sorting
from ..kernels.arrays import U64
from .comparable import comparable, is_text
from .rows import used


def order_words(
    keys: Sequence[SortKey], columns: Sequence[pa.Array], check: Callable[[], None] | None = None
) -> list[U64]:
    """Words of all rows, most significant first. Strings are ranked among these rows only."""
    words: list[U64] = []
    for key, column in zip(keys, columns, strict=True):
        if check is not None:
            check()
        column = used(comparable(key.expr.type, column))
        how = sorting.SortKey(key.descending, key.nulls_first)
        # Ranking is sorting: the only part that takes long.
        ranks = sorting.string_ranks(column, check) if is_text(key.expr.type) else None
        nullable = column.null_count > 0 or _encoded(column)
        words += sorting.sort_words(column, how, nullable=nullable, ranks=ranks)
    return words


def _encoded(column: pa.Array) -> bool:
    """A dictionary's entries may be NULL too."""
    return pa.types.is_dictionary(column.type) and column.dictionary.null_count > 0


# Strings are told apart by this many bytes when rows are only compared with a bound.
_PREFIX = 32


def leading_words(key: SortKey, column: pa.Array) -> list[U64]:
    """Words of each row, comparable between batches, that order rows as the key does but may tie where it
    does not.

    They are for leaving out rows that come after a known one.
    """
    how = sorting.SortKey(key.descending, key.nulls_first)
    kind = key.expr.type
    words = sorting.sort_words(used(comparable(kind, column)), how, nullable=True, string_bytes=_PREFIX)
    # The last word of a string is its length, which says nothing about strings longer than the prefix.
    return words[:-1] if is_text(kind) else words


def not_after(words: Sequence[U64], bound: Sequence[U64]) -> np.ndarray:
    """Whether a row's leading words do not come after those of `bound` (for all rows, or one a row)."""
    before = words[0] < bound[0]
    tied = words[0] == bound[0]
    for word, limit in zip(words[1:], bound[1:], strict=True):
        before |= tied & (word < limit)
        tied &= word == limit
    return before | tied
