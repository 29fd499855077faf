"""Top-N: the first rows in the order of some keys, without sorting the others."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyarrow as pa

from ...physical.batch import Batch
from ...physical.context import Task
from ...physical.memory import Reservation
from ...physical.operators import SinkBase
from ...physical.pipeline import Flow, Rows, TopNSink
from ...planner.expr import Column
from ...planner.types import BIGINT
from ..kernels import arrays, sorting
from ..kernels.arrays import U64
from .base import BatchBytes, split, total_rows
from .columns import WithKeys
from .concat import concat_batches
from .registry import implements
from .rows import keep, take_fitting
from .sort_keys import leading_words, not_after, order_words

# Rows collected beyond the wanted ones before the best of them are picked.
_SLACK = 1 << 16
_SEQ_SHIFT = 32


@dataclass
class Candidates:
    """One task's rows that may be among the first; none that comes after the leading words `bound` is."""

    reservation: Reservation
    check: Callable[[], None]
    parts: list[Batch] = field(default_factory=list)
    bytes: BatchBytes = field(default_factory=BatchBytes)
    rows: int = 0
    bound: list[U64] | None = None
    seq: int = -1
    row: int = 0


@implements(TopNSink)
class TopN(SinkBase):
    """Rows offset .. offset + limit in the order of the keys; equal rows are in input order."""

    def __init__(self, spec: TopNSink, backend: Any) -> None:
        node = spec.node
        self.op_id = node.op_id
        self.columns = node.schema
        self.order = node.keys
        self.offset = node.offset
        self.count = node.offset + node.limit
        self.keyed = WithKeys(node.schema, [key.expr for key in node.keys])
        self.position = Column(-1 - len(self.keyed.extra), "", BIGINT, nullable=False)
        self.schema = (*self.keyed.schema, self.position)

    def start(self, task: Task) -> Candidates:
        """No rows yet."""
        return Candidates(task.query.reservation("ORDER BY"), task.check)

    def add(self, local: Candidates, batch: Batch, seq: int) -> Flow:
        """Keeps the rows that do not come after the last one wanted, as far as it is known."""
        if not self.count:
            return Flow.DONE
        if seq != local.seq:
            local.seq, local.row = seq, 0
        for keyed in self.keyed.batches(batch, local.check):
            rows = self._with_position(keyed, (seq << _SEQ_SHIFT) + local.row)
            local.row += rows.num_rows
            self._keep(local, rows)
        return Flow.MORE

    def _keep(self, local: Candidates, rows: Batch) -> None:
        if local.bound is not None:
            words = leading_words(self.order[0], rows.column(self.keyed.key_ids[0]))
            kept = keep(rows, not_after(words, local.bound))
            if kept is None:
                return
            rows = kept
        local.reservation.resize(local.bytes.add(rows))
        local.parts.append(rows)
        local.rows += rows.num_rows
        if local.rows >= self.count + max(self.count, _SLACK):
            self._prune(local)

    def seal(self, local: Candidates) -> Candidates:
        """Leaves at most the wanted number of rows."""
        if local.rows > self.count:
            self._prune(local)
        return local

    def finish(self, parts: Sequence[Candidates], task: Task) -> Rows:
        """The first rows of all tasks."""
        rows = Rows(self.columns)
        skipped = self.offset
        for best in self._best([batch for part in parts for batch in part.parts]):
            wanted = best.select(self.columns).slice(skipped, best.num_rows)
            skipped = max(skipped - best.num_rows, 0)
            rows.parts += [piece for piece in split(wanted, task.query.batch_size) if piece.num_rows]
        task.metrics(self.op_id).rows += total_rows(rows.parts)
        return rows

    def _with_position(self, rows: Batch, first: int) -> Batch:
        places = pa.array(np.arange(first, first + rows.num_rows, dtype=np.int64))
        return Batch(self.schema, (*rows.columns, places), rows.num_rows, bounds=rows.bounds)

    def _best(self, parts: Sequence[Batch]) -> list[Batch]:
        """The first rows of these, sorted; in more batches where their strings are too many for one."""
        rows = concat_batches(self.schema, parts)
        if not rows.num_rows:
            return []
        words = order_words(self.order, self.keyed.keys(rows))
        words.append(arrays.int64_values(rows.column(self.position.id)).view(np.uint64))
        return list(take_fitting(rows, sorting.top_n(words, self.count)))

    def _prune(self, local: Candidates) -> None:
        local.parts, local.bytes = self._best(local.parts), BatchBytes()
        local.rows = total_rows(local.parts)
        local.reservation.resize(max(local.bytes.add(best) for best in local.parts))
        last = local.parts[-1]
        key = last.column(self.keyed.key_ids[0]).slice(last.num_rows - 1)
        local.bound = leading_words(self.order[0], key)
