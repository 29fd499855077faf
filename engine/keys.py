"""Keys of in-memory tables: which tuples of values are taken, kept beside a table's newest version.

A key set belongs to one version of a table, and moves on with it while rows are added or taken away; of any
other version (after a rollback) it is made anew, from all rows.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from ..cpu_fallback import compute
from ..cpu_fallback.operators.concat import concat_arrays, widened
from ..cpu_fallback.operators.rows import keep as kept_rows
from ..physical.batch import Batch
from ..physical.stored import may_be_wide
from ..physical.tables import MemoryTable
from ..planner import messages_constraints as messages
from ..planner.catalog import Key
from ..planner.types import SQLType
from .result import to_rows

# More new rows than this are compared by a hash aggregation over all rows, without a set of Python values.
_MANY = 20_000
_NAN = "nan"  # equal to itself, and to no number


@dataclass
class KeySet:
    """Values of one key that the rows of version `version` have; rows with a NULL have none."""

    version: tuple[int, int]
    taken: set[Any]


class Keys:
    """The key sets of a catalog's tables, by the table's uid. Used under the catalog's lock."""

    def __init__(self) -> None:
        self._sets: dict[int, dict[Key, KeySet]] = {}

    def check_added(self, table: MemoryTable, batches: Sequence[Batch]) -> None:
        """ConstraintError where a key of the new rows is there twice, or the table has it."""
        many = sum(b.num_rows for b in batches) > _MANY
        for key in table.constraints.keys:
            places = key_places(table, key)
            if not many or _is_repeated(table, places, (*table.batches, *batches)):
                self._refuse_taken(table, key, places, batches)

    def check_changed(
        self,
        old: MemoryTable,
        new: MemoryTable,
        added: Sequence[Batch],
        removed: Sequence[Batch],
        written: AbstractSet[int],
    ) -> None:
        """ConstraintError where a key of the `added` rows is there twice, or rows of `old` that were not
        `removed` have it. `new` has the rows after the change, which wrote the columns at `written`.
        """
        many = sum(b.num_rows for b in added) > _MANY
        for key in old.constraints.keys if added else ():
            places = key_places(old, key)
            if written.isdisjoint(places):
                continue
            if not many or _is_repeated(new, places, new.batches):
                self._refuse_taken(old, key, places, added, frozenset(values_of(old, places, removed)))

    def _refuse_taken(
        self,
        table: MemoryTable,
        key: Key,
        places: Sequence[int],
        batches: Sequence[Batch],
        freed: Collection[Any] = frozenset(),
    ) -> None:
        taken = self.taken(table, key)
        new: set[Any] = set()
        for batch in batches:
            for row, value in enumerate(row_keys(table, places, batch)):
                if value is None:
                    continue
                if value in taken and value not in freed:
                    raise messages.duplicate_key(key.columns, shown(batch, places, row), key.primary)
                if value in new:
                    raise messages.duplicate_new_key(shown(batch, places, row))
                new.add(value)

    def moved(
        self,
        old: MemoryTable,
        new: MemoryTable,
        added: Sequence[Batch],
        removed: Sequence[Batch] = (),
    ) -> None:
        """`new` is the next version of `old`: the sets go along, unless that costs as much as new ones."""
        few = sum(b.num_rows for b in (*added, *removed)) <= _MANY
        sets = self._sets.get(old.uid, {})
        for key, found in list(sets.items()):
            if not few or found.version != _version(old) or key not in new.constraints.keys:
                del sets[key]
                continue
            places = key_places(new, key)
            found.taken.difference_update(values_of(new, places, removed))
            found.taken.update(values_of(new, places, added))
            found.version = _version(new)

    def taken(self, table: MemoryTable, key: Key) -> set[Any]:
        """The values of a key that the table's rows have. Not to be changed."""
        sets = self._sets.setdefault(table.uid, {})
        found = sets.get(key)
        if found is None or found.version != _version(table):
            values = set(values_of(table, key_places(table, key), table.batches))
            found = sets[key] = KeySet(_version(table), values)
        return found.taken

    def split(
        self, table: MemoryTable, keys: Sequence[Key], batches: Sequence[Batch]
    ) -> tuple[list[Batch], list[Batch]]:
        """New rows none of whose `keys` a row has, and the rows that have a taken one; of several rows with
        the same value of a key, the first, be it left out for another key.
        """
        places = [key_places(table, key) for key in keys]
        taken = [self.taken(table, key) for key in keys]
        seen: list[set[Any]] = [set() for _ in keys]
        fresh: list[Batch] = []
        conflicting: list[Batch] = []
        for batch in batches:
            # 0: left out, 1: new, 2: its key is taken
            kinds = np.zeros(batch.num_rows, np.int8)
            columns = [row_keys(table, place, batch) for place in places]
            for row, values in enumerate(zip(*columns, strict=True)):
                if any(v in s for v, s in zip(values, seen, strict=True) if v is not None):
                    continue
                hit = any(v in t for v, t in zip(values, taken, strict=True) if v is not None)
                kinds[row] = 2 if hit else 1
                for value, known in zip(values, seen, strict=True):
                    known.add(value)
            for kind, rows in ((1, fresh), (2, conflicting)):
                found = kept_rows(batch, kinds == kind)
                if found is not None:
                    rows.append(found)
        return fresh, conflicting

    def has_repeated(self, table: MemoryTable, key: Key) -> bool:
        """Whether two rows of the table have the same values of a key."""
        return _is_repeated(table, key_places(table, key), table.batches)

    def keep_only(self, uids: Collection[int]) -> None:
        """Other tables are gone."""
        for uid in [uid for uid in self._sets if uid not in uids]:
            del self._sets[uid]


def _version(table: MemoryTable) -> tuple[int, int]:
    return table.uid, table.version


def key_places(table: MemoryTable, key: Key) -> list[int]:
    """Where the columns of a key are."""
    index = {c.name: i for i, c in enumerate(table.columns)}
    return [index[name] for name in key.columns]


def values_of(table: MemoryTable, places: Sequence[int], batches: Iterable[Batch]) -> Iterable[Any]:
    """The key of each row that has one: a value, or a tuple where the key has several columns."""
    for batch in batches:
        for value in row_keys(table, places, batch):
            if value is not None:
                yield value


def row_keys(table: MemoryTable, places: Sequence[int], batch: Batch) -> list[Any]:
    """The key of each row, None for those with a NULL in it. Equal values are equal in any storage."""
    lists = [_plain(batch.columns[i], table.columns[i].type).to_pylist() for i in places]
    floats = {i for i, place in enumerate(places) if table.columns[place].type.is_float}
    for i in floats:
        lists[i] = [_NAN if v is not None and math.isnan(v) else v for v in lists[i]]
    if len(lists) == 1:
        return lists[0]
    return [None if None in values else values for values in zip(*lists, strict=True)]


def shown(batch: Batch, places: Sequence[int], row: int) -> tuple[Any, ...]:
    """The key of a row as Python values, for messages."""
    one = batch.slice(row, 1)
    (values,) = to_rows(one)
    return tuple(values[i] for i in places)


def _plain(array: pa.Array, kind: SQLType) -> pa.Array:
    """The array in a form whose values compare: integers for moments, no dictionaries, one form a decimal."""
    if pa.types.is_dictionary(array.type):
        return compute.decode_dictionary(array)
    if may_be_wide(kind):
        return widened(array, kind)
    if pa.types.is_date32(array.type):
        return array.view(pa.int32())
    if pa.types.is_timestamp(array.type) or pa.types.is_time64(array.type):
        return array.view(pa.int64())
    return array


def _is_repeated(table: MemoryTable, places: Sequence[int], batches: Sequence[Batch]) -> bool:
    """Whether two rows have the same key; by a hash aggregation, as there are many."""
    kinds = [table.columns[i].type for i in places]
    columns = [
        _plain(concat_arrays(kind, [b.columns[i] for b in batches]), kind)
        for kind, i in zip(kinds, places, strict=True)
    ]
    names = [str(i) for i in range(len(columns))]
    rows = pa.table(columns, names=names).drop_null()
    return rows.group_by(names).aggregate([]).num_rows < rows.num_rows
