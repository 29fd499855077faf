"""Numbering groups: from key columns to dense group numbers and back."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pyarrow as pa

from ...physical.stored import may_be_wide
from ...planner.types import SQLType
from .. import compute
from ..kernels import arrays, keys
from ..kernels.arrays import I32
from ..kernels.group_table import GroupTable
from ..kernels.interner import StringInterner
from .comparable import comparable, comparable_type, is_one_way, is_text
from .concat import concat_arrays, narrowed_words
from .rows import take_array

_DICTIONARY = pa.dictionary(pa.int32(), pa.string())


class Grouping:
    """Distinct rows of key columns, numbered in the order of first appearance.

    NULL equals NULL, -0.0 equals 0.0, NaN equals NaN; equal decimals are equal however they are stored.
    """

    def __init__(self, types: Sequence[SQLType], check: Callable[[], None]) -> None:
        self.types = types
        self.interners = [StringInterner(check) if is_text(kind) else None for kind in types]
        stored = [comparable_type(kind) for kind in types]
        self.table = GroupTable(keys.word_count(stored), check)
        # Keys that cannot be had back from their words: those of each group's first row, batch by batch.
        self._firsts: dict[int, list[pa.Array]] = {i: [] for i, kind in enumerate(types) if is_one_way(kind)}

    @property
    def size(self) -> int:
        """Number of groups."""
        return self.table.size

    def number(self, columns: Sequence[pa.Array]) -> I32:
        """The group of every row, adding groups not yet known."""
        pairs = zip(self.types, columns, strict=True)
        found = keys.normalise([comparable(kind, column) for kind, column in pairs], self.interners)
        if not self._firsts:
            return self.table.insert(found.words, found.nulls)
        gids, new_rows = self.table.insert_new(found.words, found.nulls)
        for index, kept in self._firsts.items():
            kept.append(take_array(columns[index], new_rows))
        return gids

    def columns(self) -> list[pa.Array]:
        """The key columns of all groups, in the order of their numbers."""
        words, nulls = self.table.keys()
        types = [_DICTIONARY if kind.is_string else comparable_type(kind) for kind in self.types]
        found = keys.key_columns(words, nulls, types, self.interners)
        result = [self._output(*pair) for pair in zip(self.types, found, strict=True)]
        for index, kept in self._firsts.items():
            result[index] = concat_arrays(self.types[index], kept)
        return result

    @property
    def nbytes(self) -> int:
        """Bytes held."""
        return self.table.nbytes + sum(i.nbytes for i in self.interners if i is not None)

    @staticmethod
    def _output(type_: SQLType, column: pa.Array) -> pa.Array:
        if may_be_wide(type_):
            return narrowed_words(arrays.decimal_words(column), arrays.validity_bytes(column), type_)
        if type_.is_string and 2 * len(column.dictionary) >= len(column):
            return compute.decode_dictionary(column)
        return column
