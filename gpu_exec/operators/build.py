"""Build: collects the right side of a join, rows and keys: libcudf keeps no hash table between calls."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any

from ...physical import nodes
from ...physical.batch import Batch
from ...physical.context import Task
from ...physical.operators import SinkBase, in_order
from ...physical.pipeline import BuildSink, Flow
from ...planner.expr import Column, Expr
from ...planner.logical import JoinKind
from ..expressions import columns
from ..ops import Ops
from .base import KeptRows, ops_of
from .concat import concat_batches
from .join_pairs import matched
from .registry import implements


class BuiltRows:
    """The right side's rows, its key columns, and which rows have matched so far."""

    def __init__(self, rows: Batch, keys: Sequence[Any]) -> None:
        self.rows = rows
        self.keys = keys
        self._matches: list[Any] = []
        self._lock = threading.Lock()

    def mark(self, rows: Any, ops: Ops) -> None:
        """Remembers right row numbers that have matched; another task may read them later."""
        if rows.size():
            ops.stream.synchronize()
            with self._lock:
                self._matches.append(rows)

    def matched(self, ops: Ops) -> Any:
        """Which rows have matched, as a boolean column."""
        together = (
            ops.concatenated([[rows] for rows in self._matches])[0] if self._matches else ops.row_numbers(0)
        )
        return matched(together, self.rows.num_rows, ops)

    def runtime_filter(self, key: int) -> None:
        """There is none: the keys lie on the device."""

    def batches(self) -> Sequence[Batch]:
        """The rows."""
        return [self.rows]

    @property
    def nbytes(self) -> int:
        """Bytes of the rows on the device."""
        return sum(column.device_buffer_size() for column in self.rows.columns)


@implements(BuildSink)
class Build(SinkBase):
    """Rows and keys of a join's right side."""

    def __init__(self, spec: BuildSink, backend: Any) -> None:
        self.node = node = spec.node
        self.kind: JoinKind = node.kind
        self.columns: tuple[Column, ...] = node.right.schema
        self.keys: list[Expr] = []
        if isinstance(node, nodes.HashJoin):
            self.keys = [key.right for key in (*node.keys, *node.mark_keys)]

    def start(self, task: Task) -> KeptRows:
        """No rows yet."""
        return KeptRows()

    def add(self, local: KeptRows, batch: Batch, seq: int) -> Flow:
        """Keeps the batch."""
        local.keep(batch.select(self.columns), seq)
        return Flow.MORE

    def finish(self, parts: Sequence[KeptRows], task: Task) -> BuiltRows:
        """All rows in one batch, and their keys."""
        ops = ops_of(task)
        rows = concat_batches(self.columns, in_order(parts), ops)
        return BuiltRows(rows, columns(self.keys, rows, ops))
