"""States that remember one row a group: first, last, any_value, and by other values arg_min and arg_max.

`first(x)` needs only positions. With an order (ORDER BY in the call, or the second argument of arg_min) the
best row is found by sorting; rows that come after a group's best one so far are dropped before.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pyarrow as pa

from ...physical.batch import Batch
from ...planner.expr import Column, SortKey
from ...planner.types import BIGINT, INTEGER, SQLType
from ..kernels import aggregates as grouped
from ..kernels import arrays, sorting
from ..kernels.arrays import I32, I64, U64
from .aggregate_state import Rows, padded
from .base import BatchBytes
from .concat import concat_arrays, concat_batches
from .rows import take, take_array
from .sort_keys import leading_words, not_after, order_words

_SLACK = 1 << 16


class KeptValues:
    """One value of any type a group, replaced now and then."""

    def __init__(self, type_: SQLType) -> None:
        self.type = type_
        self._parts: list[pa.Array] = []
        self._bytes = BatchBytes()
        self._stored = 0
        self._place: I64 = np.full(0, -1, dtype=np.int64)

    def put(self, gids: I32, values: pa.Array, groups: int) -> None:
        """values[i] is now the value of group gids[i]; a group comes once."""
        self._place = grouped.grow(self._place, groups, -1)
        self._place[gids] = np.arange(self._stored, self._stored + len(values))
        self._parts.append(values)
        self._bytes.add_array(values)
        self._stored += len(values)
        if self._stored > 2 * groups + _SLACK:
            kept = self.column(groups)
            self._parts, self._stored, self._bytes = [kept], groups, BatchBytes()
            self._bytes.add_array(kept)
            held = self._place[:groups] >= 0
            self._place[:groups][held] = np.flatnonzero(held)

    def column(self, groups: int) -> pa.Array:
        """The values, NULL where there is none."""
        values = concat_arrays(self.type, self._parts)
        return take_array(values, padded(self._place, groups, -1).astype(np.int32), nullable=True)

    @property
    def nbytes(self) -> int:
        return self._place.nbytes + self._bytes.total


class EdgeRow:
    """The value at the first (or last) row of each group; with `required` of those where it is not NULL."""

    def __init__(self, type_: SQLType, last: bool, required: bool) -> None:
        self.required = required
        self.kernel = grouped.last_rows if last else grouped.first_rows
        self.start = grouped.LAST_START if last else grouped.FIRST_START
        self.position: I64 = np.zeros(0, dtype=np.int64)
        self.values = KeptValues(type_)
        self._rows: I32 = np.zeros(0, dtype=np.int32)

    def update(self, rows: Rows) -> None:
        (arg,) = rows.args
        valid = rows.valid(arg) if self.required else rows.selected
        self._reserve(rows.groups)
        self.kernel(rows.numbers, valid, rows.position, self.position, self._rows)
        self._take(rows.numbers, arg.array, rows.groups)

    def merge(self, other: EdgeRow, gids: I32, groups: int) -> None:
        self._reserve(groups)
        positions = padded(other.position, len(gids), self.start)
        there = (positions != self.start).view(np.uint8)
        self.kernel(gids, there, 0, self.position, self._rows, positions)
        self._take(gids, other.values.column(len(gids)), groups)

    def column(self, groups: int) -> pa.Array:
        """The values, NULL where there is no row."""
        return self.values.column(groups)

    def _take(self, gids: I32, values: pa.Array, groups: int) -> None:
        """Stores the values of the rows that the kernel has put into `_rows`, and clears them there."""
        chosen = np.flatnonzero(self._rows[gids] == np.arange(len(gids), dtype=np.int32)).astype(np.int32)
        if len(chosen):
            self.values.put(gids[chosen], take_array(values, chosen), groups)
            self._rows[gids[chosen]] = -1

    def _reserve(self, groups: int) -> None:
        self.position = grouped.grow(self.position, groups, self.start)
        self._rows = grouped.grow(self._rows, groups, -1)

    @property
    def nbytes(self) -> int:
        return self.position.nbytes + self._rows.nbytes + self.values.nbytes


class TaggedRows:
    """Rows with their groups and positions, kept to be sorted by group, order and position."""

    def __init__(self, types: Sequence[SQLType]) -> None:
        self.columns = tuple(Column(i, "", kind) for i, kind in enumerate(types))
        self._gid = Column(-1, "", INTEGER)
        self._position = Column(-2, "", BIGINT)
        self.schema = (*self.columns, self._gid, self._position)
        self.parts: list[Batch] = []
        self.rows = 0
        self._bytes = BatchBytes()

    def add(self, rows: Rows, chosen: I32 | None) -> None:
        """Keeps rows (None: all) with all their arguments."""
        places = np.arange(rows.position, rows.position + rows.n, dtype=np.int64)
        columns = [*(arg.array for arg in rows.args), pa.array(rows.numbers), pa.array(places)]
        batch = Batch(self.schema, columns, rows.n)
        self.put(batch if chosen is None else take(batch, chosen))

    def put(self, batch: Batch) -> None:
        """Keeps a batch of this schema."""
        if batch.num_rows:
            self.parts.append(batch)
            self.rows += batch.num_rows
            self._bytes.add(batch)

    def replace(self, batch: Batch) -> None:
        """Keeps this batch in place of what is kept."""
        self.parts, self.rows, self._bytes = [], 0, BatchBytes()
        self.put(batch)

    def renumbered(self, gids: I32) -> list[Batch]:
        """The parts with group g as group gids[g]."""
        result = []
        for part in self.parts:
            numbers = pa.array(gids[self.gids(part)])
            result.append(Batch(self.schema, [*part.columns[:-2], numbers, part.columns[-1]], part.num_rows))
        return result

    def gids(self, batch: Batch) -> I32:
        """The groups of a batch's rows."""
        return arrays.values_view(batch.columns[-2])

    def sorted(self, keys: Sequence[SortKey], order: Sequence[int], check: Callable[[], None]) -> Batch:
        """All rows by group, then by `keys` over the columns `order`, then by position."""
        rows = concat_batches(self.schema, self.parts)
        if not rows.num_rows:
            return rows
        words = [
            self.gids(rows).astype(np.uint64),
            *order_words(keys, [rows.columns[i] for i in order], check),
        ]
        words.append(arrays.int64_values(rows.columns[-1]).view(np.uint64))
        return take(rows, sorting.argsort(words, check))

    @property
    def nbytes(self) -> int:
        return self._bytes.total


class BestRow:
    """The values at each group's first row in the order of `keys`, equal rows by position.

    The arguments are the keys' values and then the wanted ones. Rows where one of the arguments that
    `required` numbers is NULL do not count.
    """

    def __init__(
        self,
        keys: Sequence[SortKey],
        required: Sequence[int],
        types: Sequence[SQLType],
        check: Callable[[], None],
    ) -> None:
        self.keys = keys
        self.order = range(len(keys))
        self.required = required
        self.check = check
        self.kept = TaggedRows(types)
        # Leading words of each group's best row so far: later rows must not come after it.
        self._bounds: list[U64] = []
        self._pruned = 0

    def update(self, rows: Rows) -> None:
        gids = rows.numbers
        words = leading_words(self.keys[0], rows.args[0].array)
        if not self._bounds:
            self._bounds = [np.zeros(0, dtype=np.uint64) for _ in words]
        self._bounds = [grouped.grow(bound, rows.groups, _MOST) for bound in self._bounds]
        wanted = not_after(words, [bound[gids] for bound in self._bounds])
        valid = rows.valid(*(rows.args[i] for i in self.required))
        if valid is not None:
            wanted &= valid != 0
        chosen = np.flatnonzero(wanted).astype(np.int32)
        if not len(chosen):
            return
        part = TaggedRows([c.type for c in self.kept.columns])
        part.add(rows, chosen)
        best = self._best(part)
        self.kept.put(best)
        found = part.gids(best)
        for bound, word in zip(self._bounds, leading_words(self.keys[0], best.columns[0]), strict=True):
            bound[found] = word
        if self.kept.rows > 2 * self._pruned + rows.groups + _SLACK:
            self._prune()

    def merge(self, other: BestRow, gids: I32, groups: int) -> None:
        for part in other.kept.renumbered(gids):
            self.kept.put(part)

    def column(self, index: int, groups: int) -> pa.Array:
        """Argument `index` at the best rows, NULL where there is no row."""
        self._prune()
        if not self.kept.parts:
            return take_array(
                concat_arrays(self.kept.columns[index].type, []), _no_rows(groups), nullable=True
            )
        (best,) = self.kept.parts
        places = _no_rows(groups)
        places[self.kept.gids(best)] = np.arange(best.num_rows, dtype=np.int32)
        return take_array(best.columns[index], places, nullable=True)

    def _prune(self) -> None:
        if len(self.kept.parts) > 1:
            self.kept.replace(self._best(self.kept))
        self._pruned = self.kept.rows

    def _best(self, rows: TaggedRows) -> Batch:
        """Each group's first row."""
        ordered = rows.sorted(self.keys, self.order, self.check)
        gids = rows.gids(ordered)
        first = np.flatnonzero(np.diff(gids, prepend=-1)).astype(np.int32)
        return take(ordered, first)

    @property
    def nbytes(self) -> int:
        return self.kept.nbytes + sum(bound.nbytes for bound in self._bounds)


_MOST = 0xFFFFFFFFFFFFFFFF


def _no_rows(groups: int) -> I32:
    return np.full(groups, -1, dtype=np.int32)
