"""Nested-loop join: tests a condition for every pair of rows, block by block."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from ...physical.batch import Batch
from ...physical.context import Task
from ...physical.pipeline import LoopTransform
from ...planner.logical import JoinKind
from . import rows as row
from .build import BuiltRows
from .hash_join import at_most_one
from .join_pairs import Condition, Output, Pairs, all_pairs, matched_rows, with_unmatched
from .mark_join import MarkTerms, marked
from .registry import implements


@implements(LoopTransform)
class Loop:
    """Joins left batches with all collected right rows, as logical.Join defines each kind."""

    def __init__(self, spec: LoopTransform, backend: Any) -> None:
        self.node = node = spec.node
        self.op_id = node.op_id
        self.build = spec.build
        self.kind = node.kind
        self.condition = Condition(node.condition)
        self.output = Output(node.columns)
        self.terms = MarkTerms(node.mark_terms) if node.kind is JoinKind.MARK else None

    def __call__(self, rows: Iterator[Batch], task: Task) -> Iterator[Batch]:
        """The join's rows, without what LeftoverSource adds once all left rows have been seen."""
        built: BuiltRows = task.artifacts[self.build]
        for batch in rows:
            if batch.num_rows:
                yield from self._joined(batch, built, task)

    def _joined(self, batch: Batch, built: BuiltRows, task: Task) -> Iterator[Batch]:
        n, size = batch.num_rows, task.query.batch_size
        matches = self._matches(batch, built, task)
        match self.kind:
            case JoinKind.INNER | JoinKind.RIGHT:
                yield from self.output.batches(matches, batch, built.rows, size)
            case JoinKind.LEFT | JoinKind.FULL | JoinKind.SINGLE:
                if self.kind is JoinKind.SINGLE:
                    matches = at_most_one(matches, n)
                matches = with_unmatched(matches, n)
                yield from self.output.batches(matches, batch, built.rows, size, nullable=True)
            case JoinKind.SEMI | JoinKind.ANTI:
                found = matched_rows(matches, n)
                kept = row.keep(batch, found if self.kind is JoinKind.SEMI else ~found)
                if kept is not None:
                    yield kept.select(self.output.columns)
            case JoinKind.MARK:
                assert self.terms is not None
                assert self.node.mark is not None
                marks = np.zeros(n, dtype=np.uint8)
                self.terms.update(marks, matches, batch, built.rows, task)
                yield marked(batch, self.node.mark, self.output.columns, marks)
            case JoinKind.RIGHT_SEMI | JoinKind.RIGHT_ANTI:
                for _ in matches:
                    pass

    def _matches(self, batch: Batch, built: BuiltRows, task: Task) -> Iterator[Pairs]:
        left = np.arange(batch.num_rows, dtype=np.int32)
        right = np.arange(built.rows.num_rows, dtype=np.int32)
        matches: Iterable[Pairs] = all_pairs(left, right, batch.num_rows, task)
        for pairs in self.condition.matches(matches, batch, built.rows, task):
            if built.marks is not None:
                built.mark(pairs.right)
            yield pairs
