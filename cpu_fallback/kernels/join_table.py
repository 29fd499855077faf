"""The build side of a hash join: from key words to the rows that carry them.

The distinct keys are the groups of a ``GroupTable`` (directly addressed when their domain is dense); a
probe looks up a *handle*, the group's number, and the rows of a group lie one after another in build order.
So one look-up serves every kind of join, matches need no chain of pointers, and a skewed key can be emitted
in pieces. When every key is unique the handle alone names the row.

Measured, building and then probing 1M rows on one thread, time of pyarrow's join (which also copies the
columns) over ours: 1M unique dense keys 14, 1M unique hashed keys 2.7, 250,000 keys four times each 4.5,
1,000 keys 5.7.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ._jit import BOOL, IN_I32, INT, OUT_I32, OUT_U8, kernel
from ._slots import PIECE, Check
from .arrays import I32, I64, U8, U64, Valid
from .group_table import GroupTable, Hasher
from .hashing import hash_key_words

Cursor = tuple[int, int]  # probe row, matches of it already emitted

MAX_ROWS = (1 << 31) - 2


class JoinTable:
    """Rows of a build side by their keys (int64 words, one or more).

    Rows not ``valid`` (an ordinary join: any key NULL) are never found. ``nulls`` is for keys under IS NOT
    DISTINCT FROM: bit j makes word j NULL, and NULL matches NULL. ``check`` is called between pieces of the
    build and may raise. OverflowError beyond 2**31 - 2 rows. Probing is safe for several threads at once.

    >>> table = JoinTable([np.array([7, 9, 7])])
    >>> [side.tolist() for side in table.probe([np.array([9, 1, 7])])]
    [[0, 2, 2], [1, 0, 2]]
    """

    def __init__(
        self,
        key_words: Sequence[I64],
        valid: Valid = None,
        nulls: U64 | None = None,
        check: Check | None = None,
        hasher: Hasher = hash_key_words,
    ) -> None:
        self.rows = len(key_words[0])
        if self.rows > MAX_ROWS:
            raise OverflowError(f"more than {MAX_ROWS} rows on the build side of a join")
        kept: I32 | None = None
        if valid is not None and not valid.all():
            kept = np.flatnonzero(valid).astype(np.int32)
            key_words = [words[kept] for words in key_words]
            nulls = None if nulls is None else nulls[kept]
        self._table = GroupTable(len(key_words), check, hasher, keep_keys=False)
        self._table.prepare(key_words, nulls)
        gids = self._table.insert(key_words, nulls)
        # Build rows by handle: entry h when keys are unique (None: the handle is the row), else _ends[h] to
        # _ends[h+1].
        self._order: I32 | None
        self._ends: I32 | None = None
        if self._table.size == len(gids):
            self._order = kept
        else:
            self._ends, self._order = _grouped(gids, self._table.size, kept, check)

    @property
    def unique(self) -> bool:
        """Whether no key occurs twice."""
        return self._ends is None

    @property
    def distinct(self) -> int:
        """Number of distinct keys."""
        return self._table.size

    @property
    def nbytes(self) -> int:
        """Bytes held."""
        parts = (self._order, self._ends)
        return self._table.nbytes + sum(part.nbytes for part in parts if part is not None)

    def lookup(self, key_words: Sequence[I64], valid: Valid = None, nulls: U64 | None = None) -> I32:
        """The handle of every probe row's key, -1 where nothing matches (as for rows not ``valid``)."""
        handles = self._table.lookup(key_words, nulls)
        if valid is not None:
            handles[valid == 0] = -1
        return handles

    def exists(self, handles: I32) -> U8:
        """1 where a probe row has a match."""
        return (handles >= 0).view(np.uint8)

    def counts(self, handles: I32) -> I64:
        """Number of matches of every probe row."""
        if self._ends is None:
            return (handles >= 0).astype(np.int64)
        sizes = np.append(np.diff(self._ends), np.int32(0))  # handle -1 reads the last entry
        return sizes[handles].astype(np.int64)

    def first(self, handles: I32) -> I32:
        """The first matching build row of every probe row, -1 without one."""
        if self._order is None:
            return handles
        rows = np.empty(len(handles), dtype=np.int32)
        _first_rows(handles, _NONE if self._ends is None else self._ends, self._order, rows)
        return rows

    def pairs(
        self, handles: I32, cursor: Cursor = (0, 0), limit: int | None = None, outer: bool = False
    ) -> tuple[I32, I32, Cursor | None]:
        """Matching (probe rows, build rows) from ``cursor`` on, at most ``limit``, and where to go on (None:
        done).

        Ordered by probe row, then build row. With ``outer`` a probe row without a match appears once, with
        build row -1.
        """
        row, skip = cursor
        ends = _NONE if self._ends is None else self._ends
        order = _NONE if self._order is None else self._order
        total = int(_count_pairs(handles, row, ends, outer)) - skip
        room = total if limit is None else min(total, limit)
        probe = np.empty(room, dtype=np.int32)
        build = np.empty(room, dtype=np.int32)
        row, skip = _fill_pairs(handles, row, skip, ends, order, outer, probe, build)
        return probe, build, None if room == total else (int(row), int(skip))

    def probe(
        self, key_words: Sequence[I64], valid: Valid = None, nulls: U64 | None = None
    ) -> tuple[I32, I32]:
        """All matching (probe rows, build rows), ordered by probe row, then build row."""
        probe, build, _ = self.pairs(self.lookup(key_words, valid, nulls))
        return probe, build


def mark_matched(build_rows: I32, matched: U8) -> None:
    """matched[r] = 1 for every build row r (-1 is passed over).

    Tasks may share ``matched``: they only ever store the same byte.
    """
    _mark(build_rows, matched)


_NONE: I32 = np.empty(0, dtype=np.int32)


def _grouped(gids: I32, groups: int, kept: I32 | None, check: Check | None) -> tuple[I32, I32]:
    """Rows ordered by group, stable: group g's are ``order[ends[g]:ends[g + 1]]``."""
    ends = np.zeros(groups + 1, dtype=np.int32)
    pieces = range(0, len(gids), PIECE)
    for start in pieces:
        _count_groups(gids[start : start + PIECE], ends)
    np.cumsum(ends, out=ends)
    order = np.empty(len(gids), dtype=np.int32)
    cursor = ends[:-1].copy()
    for start in pieces:
        if start and check is not None:
            check()
        _place_rows(gids[start : start + PIECE], start, _NONE if kept is None else kept, cursor, order)
    return ends, order


@kernel(IN_I32, OUT_I32)
def _count_groups(gids, ends):
    for i in range(len(gids)):
        ends[np.uint32(gids[i]) + 1] += 1


@kernel(IN_I32, INT, IN_I32, OUT_I32, OUT_I32)
def _place_rows(gids, start, kept, cursor, order):
    for i in range(len(gids)):
        group = np.uint32(gids[i])
        row = start + i
        order[np.uint32(cursor[group])] = kept[row] if kept.size != 0 else row
        cursor[group] += 1


@kernel(IN_I32, IN_I32, IN_I32, OUT_I32)
def _first_rows(handles, ends, order, rows):
    for i in range(len(handles)):
        handle = handles[i]
        if handle < 0:
            rows[i] = -1
        else:
            rows[i] = order[ends[handle] if ends.size != 0 else handle]


@kernel(IN_I32, INT, IN_I32, BOOL)
def _count_pairs(handles, start, ends, outer):
    missing = 1 if outer else 0
    total = 0
    for i in range(start, len(handles)):
        handle = handles[i]
        if handle < 0:
            total += missing
        elif ends.size == 0:
            total += 1
        else:
            total += ends[handle + 1] - ends[handle]
    return total


@kernel(IN_I32, INT, INT, IN_I32, IN_I32, BOOL, OUT_I32, OUT_I32)
def _fill_pairs(handles, row, skip, ends, order, outer, probe, build):
    """Fill ``probe`` and ``build``; returns the cursor behind the last pair."""
    filled = 0
    room = len(probe)
    while row < len(handles) and filled < room:
        handle = handles[row]
        if handle < 0:
            if outer:
                probe[filled] = row
                build[filled] = -1
                filled += 1
            row += 1
            continue
        if ends.size == 0:
            probe[filled] = row
            build[filled] = order[np.uint32(handle)] if order.size != 0 else handle
            filled += 1
            row += 1
            continue
        position = ends[np.uint32(handle)] + skip
        stop = ends[np.uint32(handle) + 1]
        while position < stop and filled < room:
            probe[filled] = row
            build[filled] = order[position]
            filled += 1
            position += 1
        if position < stop:
            return row, position - ends[np.uint32(handle)]
        skip = 0
        row += 1
    return row, 0


@kernel(IN_I32, OUT_U8)
def _mark(build_rows, matched):
    for i in range(len(build_rows)):
        if build_rows[i] >= 0:
            matched[build_rows[i]] = 1
