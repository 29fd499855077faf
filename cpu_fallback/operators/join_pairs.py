"""Pairs of rows that a join considers: how they are cut into pieces, tested, and turned into batches.

All joins work on one left batch at a time against the whole right side. Candidates come as `Pairs` in the
order of left row, then right row; `done` says how far the left rows have been dealt with.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from ...physical.batch import Batch
from ...physical.context import Task
from ...planner.expr import Column, Expr, references
from ..expressions import compile_predicate
from ..kernels.arrays import I32, TextOverflow
from ..kernels.join_table import JoinTable
from . import rows as row

# Candidates tested at once. A block takes a few milliseconds, so that cancellation is noticed between blocks.
BLOCK = 1 << 17


class Pairs(NamedTuple):
    """Left and right rows side by side (-1: no row); all pairs of left rows before `done` have been given."""

    left: I32
    right: I32
    done: int


def table_pairs(
    table: JoinTable, handles: I32, limit: int, task: Task, *, outer: bool = False
) -> Iterator[Pairs]:
    """The pairs that a hash table finds for the rows of `handles`, at most `limit` at a time."""
    cursor = (0, 0)
    while True:
        task.check()
        left, right, following = table.pairs(handles, cursor, limit, outer)
        yield Pairs(left, right, len(handles) if following is None else following[0])
        if following is None:
            return
        cursor = following


def all_pairs(left: I32, right: I32, rows: int, task: Task) -> Iterator[Pairs]:
    """Every one of the given left rows with every one of the given right rows; `rows` left rows in all."""
    if not len(left) or not len(right):
        yield Pairs(_NOTHING, _NOTHING, rows)
        return
    if len(right) <= BLOCK:
        step = max(1, BLOCK // len(right))
        for start in range(0, len(left), step):
            task.check()
            part = left[start : start + step]
            done = rows if start + step >= len(left) else int(left[start + step])
            yield Pairs(np.repeat(part, len(right)), np.tile(right, len(part)), done)
        return
    for index, one in enumerate(left):
        after = rows if index + 1 == len(left) else int(left[index + 1])
        for start in range(0, len(right), BLOCK):
            task.check()
            part = right[start : start + BLOCK]
            done = after if start + BLOCK >= len(right) else int(one)
            yield Pairs(np.full(len(part), one, dtype=np.int32), part, done)


_NOTHING: I32 = np.empty(0, dtype=np.int32)


class PairColumns:
    """The columns of both sides that some expressions read, for pairs of rows."""

    def __init__(self, exprs: Iterable[Expr]) -> None:
        self.ids = frozenset().union(*(references(expr) for expr in exprs))

    def batches(self, left: Batch, right: Batch, matches: Iterable[Pairs]) -> Iterator[tuple[Pairs, Batch]]:
        """Pieces of the pairs, none empty, and their columns; more pieces where the strings are too many."""
        return _in_parts(matches, lambda pairs: self._batch(left, right, pairs))

    def _batch(self, left: Batch, right: Batch, pairs: Pairs) -> Batch:
        """One row a pair; no pair has row -1."""
        left_columns = [c for c in left.schema if c.id in self.ids]
        right_columns = [c for c in right.schema if c.id in self.ids]
        columns = row.take_columns(left, left_columns, pairs.left)
        columns += row.take_columns(right, right_columns, pairs.right)
        schema = (*left_columns, *right_columns)
        return Batch(schema, columns, len(pairs.left), bounds={**left.bounds, **right.bounds})


class Condition:
    """Keeps the pairs for which a condition is true; None keeps all."""

    def __init__(self, expr: Expr | None) -> None:
        self.columns = PairColumns(() if expr is None else (expr,))
        self.predicate = None if expr is None else compile_predicate(expr)

    def matches(self, candidates: Iterable[Pairs], left: Batch, right: Batch, task: Task) -> Iterator[Pairs]:
        """The candidates that match; a piece may end up empty."""
        for pairs in candidates:
            if self.predicate is None or not len(pairs.left):
                yield pairs
                continue
            for part, batch in self.columns.batches(left, right, (pairs,)):
                kept = self.predicate(batch, task.check)
                yield part if kept.is_all else Pairs(part.left[kept.rows], part.right[kept.rows], part.done)


class Output:
    """Builds a join's output rows: each column comes from the side that has it."""

    def __init__(self, columns: Sequence[Column]) -> None:
        self.columns = tuple(columns)

    def batches(
        self, matches: Iterable[Pairs], left: Batch, right: Batch, size: int, *, nullable: bool = False
    ) -> Iterator[Batch]:
        """Batches of at most `size` rows; `nullable`: right rows may be -1."""
        pieces = resized(matches, size)
        for _, batch in _in_parts(pieces, lambda pairs: self._batch(left, right, pairs, nullable=nullable)):
            yield batch

    def _batch(self, left: Batch, right: Batch, pairs: Pairs, *, nullable: bool = False) -> Batch:
        """One output row a pair."""
        n = len(pairs.left)
        whole = n == left.num_rows and _is_identity(pairs.left)
        right_ids = {c.id for c in right.schema}
        columns = []
        for column in self.columns:
            if column.id in right_ids:
                columns.append(row.refer(right.column(column.id), pairs.right, nullable=nullable))
            else:
                array = left.column(column.id)
                columns.append(array if whole else row.take_array(array, pairs.left))
        known = {**left.bounds, **right.bounds}
        bounds = {c.id: known[c.id] for c in self.columns if c.id in known}
        return Batch(self.columns, columns, n, bounds=bounds)


def _in_parts(matches: Iterable[Pairs], make: Callable[[Pairs], Batch]) -> Iterator[tuple[Pairs, Batch]]:
    """The pairs and what is made of them; in halves, and halves of halves, where their strings are too many
    for one batch. Empty pieces are left out.
    """
    for pairs in matches:
        waiting = [pairs] if len(pairs.left) else []
        while waiting:
            part = waiting.pop()
            try:
                batch = make(part)
            except TextOverflow:
                half = len(part.left) // 2
                assert half, "one row always fits"
                rest = Pairs(part.left[half:], part.right[half:], part.done)
                waiting += [rest, Pairs(part.left[:half], part.right[:half], int(part.left[half]))]
            else:
                yield part, batch


def _is_identity(rows: I32) -> bool:
    """Whether ascending row numbers are 0, 1, 2, ..."""
    return bool((rows == np.arange(len(rows), dtype=np.int32)).all())


def resized(matches: Iterable[Pairs], size: int) -> Iterator[Pairs]:
    """The same pairs in pieces of at most `size`, small pieces put together; empty ones are left out."""
    pending: list[Pairs] = []
    held = 0
    for pairs in matches:
        if not len(pairs.left):
            continue
        pending.append(pairs)
        held += len(pairs.left)
        if held >= size:
            joined = _joined(pending)
            full = held - held % size
            for start in range(0, full, size):
                yield Pairs(
                    joined.left[start : start + size], joined.right[start : start + size], joined.done
                )
            held -= full
            pending = [Pairs(joined.left[full:], joined.right[full:], joined.done)] if held else []
    if pending:
        yield _joined(pending)


def _joined(parts: Sequence[Pairs]) -> Pairs:
    if len(parts) == 1:
        return parts[0]
    left = np.concatenate([part.left for part in parts])
    return Pairs(left, np.concatenate([part.right for part in parts]), parts[-1].done)


def with_unmatched(matches: Iterable[Pairs], rows: int) -> Iterator[Pairs]:
    """Adds a pair (left row, -1), in its place, for every one of `rows` left rows that has no match."""
    matched = np.zeros(rows, dtype=np.bool_)
    start = 0
    for pairs in matches:
        matched[pairs.left] = True
        missing = start + np.flatnonzero(~matched[start : pairs.done]).astype(np.int32)
        start = max(start, pairs.done)
        if len(missing):
            places = np.searchsorted(pairs.left, missing)
            left, right = np.insert(pairs.left, places, missing), np.insert(pairs.right, places, -1)
            pairs = Pairs(left.astype(np.int32), right.astype(np.int32), pairs.done)
        yield pairs


def matched_rows(matches: Iterable[Pairs], rows: int) -> np.ndarray:
    """Which of `rows` left rows have a match, as booleans."""
    matched = np.zeros(rows, dtype=np.bool_)
    for pairs in matches:
        matched[pairs.left] = True
    return matched
