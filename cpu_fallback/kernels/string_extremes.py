"""min and max of strings (or blobs) per group, by bytes.

The best string of each group lies in an arena of which only improvements are appended; the arena is
compacted when more than half of it is garbage.
"""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from . import arrays
from ._jit import BOOL, IN_I32, IN_I64, IN_U8, INT, OUT_I32, OUT_I64, OUT_U8, device, kernel
from ._mix import compare_bytes
from .aggregates import NO_ROWS, grow
from .arrays import I32, I64, U8, StringViews, Valid, kernel_mask


class StringExtremes:
    """The least (or greatest) string of every group.

    >>> state = StringExtremes(largest=True)
    >>> state.update(np.array([0, 1, 0], dtype=np.int32), pa.array(["a", None, "b"]), groups=2)
    >>> state.result(pa.string()).to_pylist()
    ['b', None]
    """

    def __init__(self, largest: bool) -> None:
        self.largest = largest
        self._groups = 0
        self._arena: U8 = np.empty(0, dtype=np.uint8)
        self._used = 0
        self._live = 0
        self._start: I64 = np.empty(0, dtype=np.int64)
        self._length: I64 = np.empty(0, dtype=np.int64)  # -1: no string yet
        self._rows: I32 = np.empty(0, dtype=np.int32)

    @property
    def nbytes(self) -> int:
        """Bytes held."""
        return self._arena.nbytes + self._start.nbytes + self._length.nbytes + self._rows.nbytes

    def update(self, gids: I32, arr: pa.Array, groups: int, valid: Valid = None) -> None:
        """Take in a batch: row i belongs to group gids[i] < groups; rows not ``valid`` are left out.

        Takes string-like arrays and dictionary arrays of them.
        """
        valid = arrays.and_valid(valid, arrays.validity_bytes(arr))
        if pa.types.is_dictionary(arr.type):
            views = arrays.string_views(arr.dictionary)
            index = arrays.values_view(arr.indices).astype(np.int32, copy=False)
            self._take(gids, views, index, valid, groups)
        elif pa.types.is_null(arr.type):
            self._reserve(groups)
        else:
            self._take(gids, arrays.string_views(arr), NO_ROWS, valid, groups)

    def merge(self, gids: I32, other: StringExtremes, groups: int) -> None:
        """Take in the partial states of ``other``; its group g is our group gids[g] < groups."""
        self.update(gids, other.result(pa.large_binary()), groups)

    def result(self, type_: pa.DataType) -> pa.Array:
        """The strings in group order, NULL for groups without one, as ``type_``."""
        valid = (self._length[: self._groups] >= 0).astype(np.uint8)
        lengths = np.maximum(self._length[: self._groups], 0)
        offsets = np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(lengths)])
        data = np.empty(int(offsets[-1]), dtype=np.uint8)
        _copy_out(self._arena, self._start, offsets, data)
        return arrays.make_strings(offsets, data, valid, type_)

    def _reserve(self, groups: int) -> None:
        self._groups = max(self._groups, groups)
        self._start = grow(self._start, self._groups, 0)
        self._length = grow(self._length, self._groups, -1)
        self._rows = grow(self._rows, self._groups, -1)

    def _take(self, gids: I32, views: StringViews, index: I32, valid: Valid, groups: int) -> None:
        self._reserve(groups)
        need = _best_rows(
            gids, views.offsets, views.data, index, kernel_mask(valid), self._arena, self._start,
            self._length, self._rows, self.largest,
        )  # fmt: skip
        if need == 0 and len(gids) == 0:
            return
        if self._used + need > len(self._arena):
            self._make_room(int(need))
        self._used, gained = _replace(
            gids, views.offsets, views.data, index, self._arena, self._used, self._start,
            self._length, self._rows,
        )  # fmt: skip
        self._live += int(gained)

    def _make_room(self, need: int) -> None:
        """A compacted arena with room for ``need`` more bytes."""
        arena = np.empty(2 * self._live + need + 4096, dtype=np.uint8)
        self._used = _compact(self._arena, self._start, self._length, arena)
        self._arena = arena


@device
def _slot(index, row):
    """Where the string of a row lies among the offsets."""
    return np.int64(index[row]) if index.size != 0 else np.int64(row)


@kernel(IN_I32, IN_I64, IN_U8, IN_I32, IN_U8, IN_U8, IN_I64, IN_I64, OUT_I32, BOOL)
def _best_rows(gids, offsets, data, index, valid, arena, start, length, rows, largest):
    """rows[g] = the row of this batch that beats what group g has; returns the bytes of all such rows at
    most.
    """
    need = 0
    for i in range(len(gids)):
        if valid.size != 0 and valid[i] == 0:
            continue
        group = np.uint32(gids[i])
        place = _slot(index, i)
        begin = offsets[place]
        count = offsets[place + 1] - begin
        if rows[group] >= 0:
            held = _slot(index, rows[group])
            order = compare_bytes(data, begin, count, data, offsets[held], offsets[held + 1] - offsets[held])
        elif length[group] >= 0:
            order = compare_bytes(data, begin, count, arena, start[group], length[group])
        else:
            order = np.int64(1) if largest else np.int64(-1)
        if (largest and order > 0) or (not largest and order < 0):
            rows[group] = i
            need += count
    return need


@kernel(IN_I32, IN_I64, IN_U8, IN_I32, OUT_U8, INT, OUT_I64, OUT_I64, OUT_I32)
def _replace(gids, offsets, data, index, arena, used, start, length, rows):
    """Append the strings of the rows found and forget the rows; returns the used bytes and the gain of live
    ones.
    """
    gained = 0
    for i in range(len(gids)):
        group = np.uint32(gids[i])
        if rows[group] != i:
            continue
        rows[group] = -1
        place = _slot(index, i)
        begin = offsets[place]
        count = offsets[place + 1] - begin
        for j in range(count):
            arena[used + j] = data[begin + j]
        gained += count - max(length[group], 0)
        start[group] = used
        length[group] = count
        used += count
    return used, gained


@kernel(IN_U8, OUT_I64, IN_I64, OUT_U8)
def _compact(old, start, length, arena):
    used = 0
    for group in range(len(start)):
        count = length[group]
        if count < 0:
            continue
        for j in range(count):
            arena[used + j] = old[start[group] + j]
        start[group] = used
        used += count
    return used


@kernel(IN_U8, IN_I64, IN_I64, OUT_U8)
def _copy_out(arena, start, offsets, data):
    for group in range(len(offsets) - 1):
        begin = offsets[group]
        for j in range(offsets[group + 1] - begin):
            data[begin + j] = arena[start[group] + j]
