"""Hash join: probes the table of a finished build side with left rows.

Output is in the order of left rows and, for one left row, of right rows; a batch has about `batch_size` rows
however many matches a row has.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from ...physical.batch import Batch
from ...physical.context import Task
from ...physical.pipeline import ProbeTransform
from ...planner.logical import JoinKind
from ...planner.messages_runtime import second_row
from ..expressions import compile_many
from ..kernels.arrays import I32
from ..pieces import in_parts
from . import rows as row
from .build import BuiltTable
from .join_pairs import BLOCK, Condition, Output, Pairs, matched_rows, table_pairs, with_unmatched
from .mark_join import HashMark, marked
from .registry import implements


@implements(ProbeTransform)
class Probe:
    """Joins left batches with the build side, as logical.Join defines each kind."""

    def __init__(self, spec: ProbeTransform, backend: Any) -> None:
        self.node = node = spec.node
        self.op_id = node.op_id
        self.build = spec.build
        self.kind = node.kind
        self.keys = compile_many([key.left for key in (*node.keys, *node.mark_keys)])
        self.condition = Condition(node.residual)
        self.output = Output(node.columns)
        self.mark = HashMark(node) if node.kind is JoinKind.MARK else None

    def __call__(self, rows: Iterator[Batch], task: Task) -> Iterator[Batch]:
        """The join's rows, without what LeftoverSource adds once all left rows have been seen."""
        built: BuiltTable = task.artifacts[self.build]
        for batch in rows:
            if batch.num_rows:
                for part, vectors in in_parts(self.keys, batch, task.check):
                    columns = [vector.to_array(part.num_rows) for vector in vectors]
                    yield from self._joined(part, columns, built, task)

    def _joined(self, batch: Batch, key_columns: list, built: BuiltTable, task: Task) -> Iterator[Batch]:
        if self.mark is not None:
            assert self.node.mark is not None
            marks = self.mark.marks(batch, key_columns, built, task)
            yield marked(batch, self.node.mark, self.output.columns, marks)
            return
        words = built.keys.probe(key_columns)
        handles = built.table.lookup(words.words, words.valid, words.nulls)
        match self.kind:
            case JoinKind.INNER | JoinKind.RIGHT:
                matches = self._matches(batch, handles, built, task)
                yield from self._emit(self._remembered(matches, handles, built), batch, built, task)
            case JoinKind.LEFT | JoinKind.FULL | JoinKind.SINGLE:
                matches = self._outer(batch, handles, built, task)
                yield from self._emit(matches, batch, built, task, nullable=True)
            case JoinKind.SEMI | JoinKind.ANTI:
                found = self._found(batch, handles, built, task)
                kept = row.keep(batch, found if self.kind is JoinKind.SEMI else ~found)
                if kept is not None:
                    yield kept.select(self.output.columns)
            case _:
                assert self.kind in (JoinKind.RIGHT_SEMI, JoinKind.RIGHT_ANTI)
                matches = self._matches(batch, handles, built, task)
                for _ in self._remembered(matches, handles, built):
                    pass

    @property
    def _exact(self) -> bool:
        """Whether equal keys are all that a match needs."""
        return self.node.residual is None

    def _limit(self, task: Task) -> int:
        """Candidates at once: what fits a batch where all of them match."""
        return task.query.batch_size if self._exact else BLOCK

    def _matches(
        self, batch: Batch, handles: I32, built: BuiltTable, task: Task, *, outer: bool = False
    ) -> Iterator[Pairs]:
        pairs = table_pairs(built.table, handles, self._limit(task), task, outer=outer)
        return self.condition.matches(pairs, batch, built.rows, task)

    def _remembered(self, matches: Iterable[Pairs], handles: I32, built: BuiltTable) -> Iterable[Pairs]:
        """The same matches; kinds that return right rows later remember which have matched."""
        if built.marks is None:
            return matches
        if self._exact:
            built.mark_handles(handles)
            wanted = self.kind in (JoinKind.RIGHT, JoinKind.FULL)
            return matches if wanted else ()
        return self._marking(matches, built)

    @staticmethod
    def _marking(matches: Iterable[Pairs], built: BuiltTable) -> Iterator[Pairs]:
        for pairs in matches:
            built.mark(pairs.right)
            yield pairs

    def _outer(self, batch: Batch, handles: I32, built: BuiltTable, task: Task) -> Iterable[Pairs]:
        """Matches, and (left row, -1) for left rows without any."""
        if self._exact:
            if self.kind is JoinKind.SINGLE and (built.table.counts(handles) > 1).any():
                raise second_row()
            matches = self._matches(batch, handles, built, task, outer=True)
            return self._remembered(matches, handles, built)
        matches = self._remembered(self._matches(batch, handles, built, task), handles, built)
        if self.kind is JoinKind.SINGLE:
            matches = at_most_one(matches, batch.num_rows)
        return with_unmatched(matches, batch.num_rows)

    def _found(self, batch: Batch, handles: I32, built: BuiltTable, task: Task) -> np.ndarray:
        """Which left rows have a match."""
        if self._exact:
            return handles >= 0
        return matched_rows(self._matches(batch, handles, built, task), batch.num_rows)

    def _emit(
        self, matches: Iterable[Pairs], batch: Batch, built: BuiltTable, task: Task, *, nullable: bool = False
    ) -> Iterator[Batch]:
        return self.output.batches(matches, batch, built.rows, task.query.batch_size, nullable=nullable)


def at_most_one(matches: Iterable[Pairs], rows: int) -> Iterator[Pairs]:
    """The same matches; a left row's second match is an InvalidInputError."""
    seen = np.zeros(rows, dtype=np.int64)
    for pairs in matches:
        np.add.at(seen, pairs.left, 1)
        if len(pairs.left) and int(seen.max()) > 1:
            raise second_row()
        yield pairs
