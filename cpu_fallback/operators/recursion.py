"""Recursion: repeats pipelines over the rows of their last round until a round has none."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ...physical import nodes
from ...physical.batch import Batch
from ...physical.context import QueryContext, Task
from ...physical.pipeline import ArtifactSource, Morsel, Pipeline, RecursionSource, Rows
from .artifact import packed
from .base import BatchBytes, total_rows
from .concat import concat_batches
from .grouping import Grouping
from .registry import implements
from .rows import take
from .size_limits import size_limits


@implements(RecursionSource)
class Recursion:
    """Each round's rows as soon as it has ended, so that a LIMIT above ends what has no end. With a key: the
    table, at the end."""

    def __init__(self, spec: RecursionSource, backend: Any) -> None:
        self.op_id = spec.node.op_id
        self.schema = spec.node.columns
        self.spec = spec

    def morsels(self, q: QueryContext) -> Iterator[Morsel]:
        """Asked for by one task: between two morsels a round is run."""
        seq = 0
        for batches in self._results(q):
            for piece in packed(batches, q.batch_size):
                yield Morsel(seq, piece)
                seq += 1

    def read(self, morsel: Morsel, task: Task) -> Iterator[Batch]:
        """The morsel's rows, as they are stored."""
        return iter(morsel.payload)

    def _results(self, q: QueryContext) -> Iterator[list[Batch]]:
        spec, node = self.spec, self.spec.node
        table = _Table(node, q) if node.key else None
        seen = _Seen(node, q) if node.distinct else None
        held = q.reservation("keeping the rows of a recursion")
        every: list[Batch] = []
        batches = q.artifacts[spec.anchor].batches()
        while True:
            working = [b.renamed(self.schema, range(len(self.schema))) for b in batches]
            if table is not None:
                working = table.replaced(working)
            elif seen is not None:
                working = seen.new(working)
            if not total_rows(working):
                break
            if node.keeps_all:
                every = [*every, *working] if table is None else [table.rows]
            if table is None:
                yield working
            sizes = BatchBytes()
            for batch in {id(b): b for b in (*working, *every)}.values():
                sizes.add(batch)
            held.resize(sizes.total)
            q.artifacts[spec.working] = Rows(self.schema, working)
            q.artifacts[spec.whole] = Rows(self.schema, every)
            batches = self._round(q)
        if table is not None:
            yield [table.rows]

    def _round(self, q: QueryContext) -> Sequence[Batch]:
        """The rows of one more round."""
        q.check()
        with q.returning_reservations():
            for pipeline in self.spec.rounds:
                q.artifacts[pipeline.id] = q.run_pipeline(_estimated(pipeline, q))
            batches = q.artifacts[self.spec.last].batches()
            for number in (*(p.id for p in self.spec.rounds), self.spec.working, self.spec.whole):
                del q.artifacts[number]
        return batches


def _estimated(pipeline: Pipeline, q: QueryContext) -> Pipeline:
    """With the number of rows that it reads of the round before, which decides on the number of tasks."""
    source = pipeline.source
    if isinstance(source, ArtifactSource) and isinstance(rows := q.artifacts[source.pipeline], Rows):
        return replace(pipeline, estimate=total_rows(rows.batches()))
    return pipeline


class _Seen:
    """UNION: which rows there were."""

    def __init__(self, node: nodes.Recursion, q: QueryContext) -> None:
        self._columns = node.columns
        self._grouping = Grouping([c.type for c in node.columns], q.check)
        self._reservation = q.reservation("UNION in a recursion")

    def new(self, batches: Sequence[Batch]) -> list[Batch]:
        """The rows that there were not, each once."""
        kept = []
        for batch in batches:
            before = self._grouping.size
            with size_limits("UNION"):
                numbers = self._grouping.number(batch.columns)
            self._reservation.resize(self._grouping.nbytes)
            # Groups are numbered as they appear: a new one is above all before it.
            highest = np.maximum.accumulate(np.concatenate(([before - 1], numbers)))[:-1]
            rows = np.flatnonzero(numbers > highest).astype(np.int32)
            if len(rows):
                kept.append(take(batch, rows) if len(rows) < batch.num_rows else batch)
        return kept


class _Table:
    """USING KEY: the last row of each key, in the order in which keys appeared."""

    def __init__(self, node: nodes.Recursion, q: QueryContext) -> None:
        self._columns = node.columns
        self._key = node.key
        self._grouping = Grouping([node.columns[i].type for i in node.key], q.check)
        self._reservation = q.reservation("USING KEY in a recursion")
        self._check = q.check
        self.rows = concat_batches(node.columns, ())

    def replaced(self, batches: Sequence[Batch]) -> list[Batch]:
        """Takes rows into the table; returns those that stay in it."""
        new = concat_batches(self._columns, batches, self._check)
        if not new.num_rows:
            return []
        with size_limits("USING KEY"):
            numbers = self._grouping.number([new.columns[i] for i in self._key])
        last = np.full(self._grouping.size, -1, dtype=np.int64)
        last[numbers] = np.arange(new.num_rows)  # of several rows of a key the last one
        places = np.arange(self._grouping.size)
        places[last >= 0] = self.rows.num_rows + last[last >= 0]
        both = concat_batches(self._columns, [self.rows, new], self._check)
        self.rows = take(both, places.astype(np.int32))
        self._reservation.resize(self._grouping.nbytes + self.rows.nbytes)
        return [take(new, last[last >= 0].astype(np.int32))]
