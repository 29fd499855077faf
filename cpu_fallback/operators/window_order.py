"""The rows of a window in their order: by partition, then by the keys, equal ones as they came in."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property

import numpy as np
import pyarrow as pa

from ...planner.expr import SortKey
from ..kernels import radix_sort
from ..kernels.arrays import I32, U64
from ..kernels.gather import take_values
from ..kernels.window_bounds import mark_changes, mark_key_changes
from ..kernels.window_tree import ROWS, pieces
from .comparable import is_text
from .grouping import Grouping
from .rows import take_array
from .sort_keys import order_words

_NO_ROWS: I32 = np.empty(0, dtype=np.int32)


class WindowOrder:
    """A place is a row's number in the order. Nothing is sorted before a place is asked for."""

    def __init__(
        self,
        partition: Sequence[SortKey],
        order: Sequence[SortKey],
        columns: Sequence[pa.Array],
        count: int,
        check: Callable[[], None],
    ) -> None:
        """`columns` are the values of the keys of `partition`, then of `order`."""
        self.count = count
        self.check = check
        split = len(partition)
        self._partition = list(zip(partition, columns[:split], strict=True))
        self._order = tuple(order), columns[split:]
        self.ordered_by = len(order) > 0

    @cached_property
    def _sorted(self) -> tuple[I32 | None, I32, I32]:
        """Rows, partitions and peers, as below: made when the first is asked for."""
        check = self.check
        words: list[U64] = []
        for key, column in self._partition:
            words += partition_words(key, column, check)
        keys = len(words)
        words += order_words(*self._order, check)
        rows: I32 | None = None
        sorted_keys: U64 | None = None
        if words and not _in_order(words, check):
            rows, sorted_keys = radix_sort.argsort_keyed(words, check)
        changed = np.zeros(self.count, dtype=np.uint8)
        changed[:1] = 1
        if sorted_keys is not None:
            self._mark_keys(sorted_keys, radix_sort.key_bits(words[keys:]), changed)
        else:
            self._mark(words[:keys], rows, changed)
        partitions = _starts(changed)
        if len(words) == keys:
            return rows, partitions, partitions
        if sorted_keys is not None:
            self._mark_keys(sorted_keys, 0, changed)
        else:
            self._mark(words[keys:], rows, changed)
        return rows, partitions, _starts(changed)

    @property
    def rows(self) -> I32 | None:
        """The row at each place; None where rows lie in order."""
        return self._sorted[0]

    @property
    def partitions(self) -> I32:
        """Where each partition starts, and the number of places."""
        return self._sorted[1]

    @property
    def peers(self) -> I32:
        """Where each group of equal rows starts, and the number of places."""
        return self._sorted[2]

    @cached_property
    def groups(self) -> tuple[I32, int]:
        """The number of each row's partition, in input order and without sorting, and how many there are."""
        if not self._partition:
            return np.zeros(self.count, dtype=np.int32), 1
        grouping = Grouping([key.expr.type for key, _ in self._partition], self.check)
        return grouping.number([column for _, column in self._partition]), grouping.size

    def _mark_keys(self, keys: U64, shift: int, changed: np.ndarray) -> None:
        for start, stop in pieces(self.count, self.check, ROWS):
            mark_key_changes(keys, min(shift, 63), start, stop, changed)

    def _mark(self, words: Sequence[U64], rows: I32 | None, changed: np.ndarray) -> None:
        rows = _NO_ROWS if rows is None else rows
        for word in words:
            for start, stop in pieces(self.count, self.check, ROWS):
                mark_changes(word, rows, start, stop, changed)

    @cached_property
    def partition_begins(self) -> I32:
        """Where each place's partition starts."""
        return np.repeat(self.partitions[:-1], np.diff(self.partitions))

    @cached_property
    def partition_ends(self) -> I32:
        """Behind each place's partition."""
        return np.repeat(self.partitions[1:], np.diff(self.partitions))

    @cached_property
    def peer_begins(self) -> I32:
        """Where the rows start that are equal to that of each place."""
        return np.repeat(self.peers[:-1], np.diff(self.peers))

    @cached_property
    def peer_ends(self) -> I32:
        """Behind the rows that are equal to that of each place."""
        return np.repeat(self.peers[1:], np.diff(self.peers))

    @cached_property
    def peer_numbers(self) -> I32:
        """The number of each place's group of equal rows."""
        return numbered(self.peers)

    @cached_property
    def places(self) -> I32 | None:
        """The place of each row."""
        if self.rows is None:
            return None
        places = np.empty(self.count, dtype=np.int32)
        for start, stop in pieces(self.count, self.check, ROWS):
            places[self.rows[start:stop]] = np.arange(start, stop, dtype=np.int32)
        return places

    def ordered(self, column: pa.Array, places: I32 | None = None) -> pa.Array:
        """A column's values in order, those at some places if they are given."""
        self.check()
        if self.rows is None:
            return column if places is None else take_array(column, places)
        return take_array(column, self.rows if places is None else take_values(self.rows, places))


def numbered(starts: I32) -> I32:
    """For each place the number of the part that it is in.

    >>> numbered(np.array([0, 2, 3], dtype=np.int32)).tolist()
    [0, 0, 1]
    """
    return np.repeat(np.arange(len(starts) - 1, dtype=np.int32), np.diff(starts))


def partition_words(key: SortKey, column: pa.Array, check: Callable[[], None]) -> list[U64]:
    """Words that are equal where the values are. Texts are numbered: ranking them would sort them."""
    if is_text(key.expr.type):
        return [Grouping([key.expr.type], check).number([column]).astype(np.uint64)]
    return order_words([key], [column], check)


def _starts(changed: np.ndarray) -> I32:
    return np.append(np.flatnonzero(changed), len(changed)).astype(np.int32)


def _in_order(words: Sequence[U64], check: Callable[[], None]) -> bool:
    """Whether rows lie in the order of their words; looks no further than to the first that do not."""
    for start in range(0, max(len(words[0]) - 1, 0), ROWS):
        check()
        tied: np.ndarray | None = None
        for word in words:
            part = word[start : start + ROWS + 1]
            before, after = part[:-1], part[1:]
            wrong = before > after
            if (wrong if tied is None else wrong & tied).any():
                return False
            equal = before == after
            tied = equal if tied is None else tied & equal
    return True
