"""The frames of a window call: between which places each row sees others."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from ...planner.expr import Expr, Frame, FrameBound, Literal, SortKey
from ...planner.messages_runtime import frame_offset_invalid, frame_offset_negative, frame_offset_null
from ..kernels import arrays, window_bounds
from ..kernels.arrays import I32, I64, U64, Valid, kernel_mask
from ..kernels.sorting import SortKey as Direction
from ..kernels.sorting import sort_words
from ..kernels.window_tree import ROWS, pieces
from .comparable import comparable
from .window_order import WindowOrder, numbered

# Gives the column of an expression that is a column or a literal.
Values = Callable[[Expr], pa.Array]
_NO_WORDS: U64 = np.empty(0, dtype=np.uint64)


@dataclass(frozen=True)
class Frames:
    """Frame i is the places begins[p, i] .. ends[p, i] of all parts p, in order; parts may be empty.

    A row has a frame of its own where `of_rows` is None; else the row at place j has frame of_rows[j].
    """

    begins: I32
    ends: I32
    of_rows: I32 | None = None

    @property
    def count(self) -> int:
        """How many frames there are."""
        return self.begins.shape[1]

    def sizes(self, check: Callable[[], None]) -> I64:
        """How many places each frame has."""
        out = np.empty(self.count, dtype=np.int64)
        for start, stop in pieces(self.count, check, ROWS):
            window_bounds.frame_sizes(self.begins, self.ends, start, stop, out)
        return out


def frames_of(frame: Frame, window: WindowOrder, keys: tuple[SortKey, ...], values: Values) -> Frames:
    """The frames of all rows. A partition, or equal rows, that share one are given it together."""
    if frame.exclude == "no others":
        kinds = frame.start.kind, frame.end.kind
        if kinds == ("unbounded preceding", "unbounded following"):
            return _shared(window.partitions, window.partitions[:-1], window.partitions[1:])
        if frame.unit != "rows" and not frame.offsets:
            return _of_peers(frame, window)
    begins = _edges(frame, frame.start, False, window, keys, values)
    window.check()
    ends = np.maximum(_edges(frame, frame.end, True, window, keys, values), begins)
    window.check()
    return _excluded(frame.exclude, begins, ends, window)


def _shared(starts: I32, begins: I32, ends: I32) -> Frames:
    one_each = len(starts) - 1 == (starts[-1] if len(starts) else 0)
    return Frames(begins[None, :], ends[None, :], None if one_each else numbered(starts))


def _of_peers(frame: Frame, window: WindowOrder) -> Frames:
    first = window.peers[:-1]
    if frame.start.kind == "current row":
        begins = first
    else:
        begins = window.partition_begins[first]
    ends = window.peers[1:] if frame.end.kind == "current row" else window.partition_ends[first]
    return _shared(window.peers, begins, ends)


def _excluded(exclude: str, begins: I32, ends: I32, window: WindowOrder) -> Frames:
    """The frames in parts: before what is excluded, what of it stays, and behind it."""
    if exclude == "no others":
        return Frames(begins[None, :], ends[None, :])
    here = np.arange(window.count, dtype=np.int32)
    if exclude == "current row":
        first, last = here, here + np.int32(1)
    else:
        first, last = window.peer_begins, window.peer_ends
    before = begins, np.clip(first, begins, ends)
    behind = np.clip(last, begins, ends), ends
    window.check()
    parts = [before, behind]
    if exclude == "ties":
        parts.insert(1, (np.clip(here, begins, ends), np.clip(here + np.int32(1), begins, ends)))
    return Frames(np.stack([b for b, _ in parts]), np.stack([e for _, e in parts]))


def _edges(
    frame: Frame,
    bound: FrameBound,
    is_end: bool,
    window: WindowOrder,
    keys: tuple[SortKey, ...],
    values: Values,
) -> I32:
    """Where the frame of each row begins, or behind which place it ends."""
    match bound.kind:
        case "unbounded preceding":
            return window.partition_begins
        case "unbounded following":
            return window.partition_ends
        case "current row" if frame.unit == "rows":
            return np.arange(is_end, window.count + is_end, dtype=np.int32)
        case "current row":
            return window.peer_ends if is_end else window.peer_begins
    assert bound.offset is not None
    make = {"rows": _rows_edges, "groups": _group_edges, "range": _range_edges}[frame.unit]
    return make(bound, is_end, window, keys, values)


def _rows_edges(bound: FrameBound, is_end: bool, window: WindowOrder, keys: Any, values: Values) -> I32:
    offsets, valid = ordered_integers(bound.offset, window, values)
    if valid is not None:
        raise frame_offset_null(bound.kind)
    if (offsets < 0).any():
        raise frame_offset_negative(bound.kind)
    out = np.empty(window.count, dtype=np.int32)
    around = window.partition_begins, window.partition_ends
    preceding = bound.kind == "preceding"
    for start, stop in pieces(window.count, window.check, ROWS):
        window_bounds.rows_edges(offsets, preceding, is_end, *around, start, stop, out)
    return out


def _group_edges(bound: FrameBound, is_end: bool, window: WindowOrder, keys: Any, values: Values) -> I32:
    offsets, valid = ordered_integers(bound.offset, window, values)
    if (offsets < 0 if valid is None else (offsets < 0) & (valid != 0)).any():
        raise frame_offset_invalid("groups", bound.kind)
    out = np.empty(window.count, dtype=np.int32)
    places = window.partition_begins, window.partition_ends
    peers = window.peer_ends if is_end else window.peer_begins
    groups = window.peers, window.peer_numbers
    mask, preceding = kernel_mask(valid), bound.kind == "preceding"
    for start, stop in pieces(window.count, window.check, ROWS):
        window_bounds.group_edges(offsets, mask, preceding, is_end, *groups, *places, peers, start, stop, out)
    return out


def _range_edges(
    bound: FrameBound, is_end: bool, window: WindowOrder, keys: tuple[SortKey, ...], values: Values
) -> I32:
    assert bound.offset is not None
    (key,) = keys
    high, low, valid = _words(key, window.ordered(values(key.expr)))
    edge_high, edge_low, edge_valid = _words(key, window.ordered(values(bound.offset)))
    firsts, lasts = window.partition_begins, window.partition_ends
    if valid is not None:
        # NULLs lie together at one end of the partition, where the search does not go.
        before = np.zeros(window.count + 1, dtype=np.int32)
        np.cumsum(valid, out=before[1:])
        some = before[lasts] - before[firsts]
        firsts, lasts = (lasts - some, lasts) if key.nulls_first else (firsts, firsts + some)
    usable = kernel_mask(arrays.and_valid(valid, edge_valid))
    peers = window.peer_ends if is_end else window.peer_begins
    out = np.empty(window.count, dtype=np.int32)
    words, how = (high, low, edge_high, edge_low, usable), (bound.kind == "preceding", is_end)
    for start, stop in pieces(window.count, window.check, ROWS):
        if window_bounds.range_edges(*words, *how, firsts, lasts, peers, start, stop, out) >= 0:
            raise frame_offset_invalid("range", bound.kind)
    return out


def _words(key: SortKey, column: pa.Array) -> tuple[U64, U64, Valid]:
    """Words that compare as the key orders, high (none for one-word types) and low, and the valid rows."""
    column = comparable(key.expr.type, column)
    words = sort_words(column, Direction(key.descending), nullable=True)[1:]
    high, low = words if len(words) == 2 else (_NO_WORDS, words[0])
    return high, low, arrays.validity_bytes(column)


def ordered_integers(expr: Expr | None, window: WindowOrder, values: Values) -> tuple[I64, Valid]:
    """The BIGINTs of a literal (one) or of a column (one a place), and where they are not NULL."""
    assert expr is not None
    if isinstance(expr, Literal):
        valid = None if expr.value is not None else np.zeros(1, dtype=np.uint8)
        return np.array([expr.value or 0], dtype=np.int64), valid
    column = window.ordered(values(expr))
    if pa.types.is_null(column.type):
        return np.zeros(len(column), dtype=np.int64), np.zeros(len(column), dtype=np.uint8)
    return arrays.int64_values(column), arrays.validity_bytes(column)
