"""Build: collects the right side of a join, as a hash table where the join has keys."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from ...physical import nodes
from ...physical.batch import Batch
from ...physical.context import Task
from ...physical.memory import Reservation
from ...physical.operators import SinkBase, in_order
from ...physical.pipeline import BuildSink, Flow
from ...planner.expr import Column, Expr, references
from ...planner.logical import JoinKind
from ..kernels.arrays import I32, U8
from ..kernels.join_table import JoinTable, mark_matched
from .base import KeptRows
from .columns import WithKeys
from .concat import concat_batches
from .join_keys import JoinKeys
from .mark_tables import MarkTables
from .registry import implements
from .runtime_filter import JoinFilter
from .size_limits import size_limits

_MARKING = (JoinKind.RIGHT, JoinKind.FULL, JoinKind.RIGHT_SEMI, JoinKind.RIGHT_ANTI)


class BuiltRows:
    """The right side of a join in memory, and for joins that need it which of its rows have matched."""

    def __init__(self, columns: Sequence[Column], rows: Batch, kind: JoinKind) -> None:
        self.columns = tuple(columns)
        self.rows = rows
        self.marks: U8 | None = np.zeros(rows.num_rows, dtype=np.uint8) if kind in _MARKING else None

    def mark(self, rows: I32) -> None:
        """Remembers that rows have matched (-1 is passed over); tasks may do so at the same time."""
        assert self.marks is not None
        mark_matched(rows, self.marks)

    def matched(self) -> np.ndarray:
        """Which rows have matched, as booleans; asked once all probing has ended."""
        assert self.marks is not None
        return self.marks != 0

    def batches(self) -> Sequence[Batch]:
        """The right rows, in order."""
        return [self.rows.select(self.columns)] if self.rows.num_rows else []

    @property
    def nbytes(self) -> int:
        """Bytes held."""
        return self.rows.nbytes


class BuiltTable(BuiltRows):
    """The right side of a hash join: its rows, and a table from keys to rows."""

    def __init__(
        self,
        columns: Sequence[Column],
        rows: Batch,
        node: nodes.HashJoin,
        key_columns: list[pa.Array],
        task: Task,
    ) -> None:
        super().__init__(columns, rows, node.kind)
        self.keys = JoinKeys((*node.keys, *node.mark_keys), task.check)
        self.key_columns = key_columns
        words = self.keys.build(key_columns)
        self.table = JoinTable(words.words, words.valid, words.nulls, task.check)
        # Matched handles stand for all rows of their key, until somebody asks for the rows.
        self._handle_marks: U8 = np.zeros(self.table.distinct, dtype=np.uint8)
        self.mark_tables = (
            MarkTables(node, key_columns, task.check)
            if node.kind is JoinKind.MARK and node.mark_keys
            else None
        )
        self._filters: dict[int, JoinFilter | None] = {}
        self._lock = threading.Lock()

    def mark_handles(self, handles: I32) -> None:
        """Remembers that all rows of some keys have matched (-1 is passed over)."""
        mark_matched(handles, self._handle_marks)

    def matched(self) -> np.ndarray:
        """Which rows have matched, as booleans; asked once all probing has ended."""
        assert self.marks is not None
        handles = np.flatnonzero(self._handle_marks).astype(np.int32)
        _, rows, _ = self.table.pairs(handles)
        self.mark(rows)
        return self.marks != 0

    def runtime_filter(self, key: int) -> JoinFilter | None:
        """What the values of a key say about rows on the other side; None where they say nothing."""
        with self._lock:
            if key not in self._filters:
                kind = self.keys.types[key]
                self._filters[key] = JoinFilter.of(kind, self.key_columns[key], self.table.distinct)
            return self._filters[key]

    @property
    def nbytes(self) -> int:
        """Bytes held."""
        return self.rows.nbytes + self.table.nbytes + self.keys.nbytes


# Up to this many right rows, strings are dictionary-encoded: joined rows then share them instead of copying.
_ENCODED_ROWS = 1 << 15


def encoded(rows: Batch) -> Batch:
    """A small batch with its plain strings dictionary-encoded."""
    if rows.num_rows > _ENCODED_ROWS:
        return rows
    columns = [c.dictionary_encode() if pa.types.is_string(c.type) else c for c in rows.columns]
    return Batch(rows.schema, columns, rows.num_rows, bounds=rows.bounds)


@implements(BuildSink)
class Build(SinkBase):
    """Keeps the columns that the join's output and conditions read, and its keys."""

    def __init__(self, spec: BuildSink, backend: Any) -> None:
        self.node = node = spec.node
        right = node.right.schema
        wanted = {c.id for c in node.columns}
        conditions: list[Expr]
        keys: list[Expr] = []
        if isinstance(node, nodes.HashJoin):
            both = (*node.keys, *node.mark_keys)
            keys = [key.right for key in both]
            conditions = [*node.mark_rest, *(e for key in node.mark_keys for e in (key.left, key.right))]
            conditions += [] if node.residual is None else [node.residual]
        else:
            conditions = [*node.mark_terms, *([] if node.condition is None else [node.condition])]
        wanted |= {number for expr in conditions for number in references(expr)}
        self.columns = tuple(c for c in right if c.id in wanted)
        self.keyed = WithKeys(self.columns, keys)

    def start(self, task: Task) -> KeptRows:
        """No rows yet."""
        return KeptRows.start(task, "the build side of a join")

    def add(self, local: KeptRows, batch: Batch, seq: int) -> Flow:
        """Keeps the wanted columns and the keys."""
        for keyed in self.keyed.batches(batch, local.check):
            local.keep(keyed, seq)
        return Flow.MORE

    def finish(self, parts: Sequence[KeptRows], task: Task) -> BuiltRows:
        """Puts the rows together and builds the table."""
        reservation = task.query.reservation("the build side of a join")
        rows = self._together(parts, reservation, task)
        if isinstance(self.node, nodes.NestedLoopJoin):
            return BuiltRows(self.columns, rows, self.node.kind)
        held = reservation.size
        # Slots and row numbers of the table at their largest.
        key_columns = self.keyed.keys(rows)
        reservation.grow(rows.num_rows * (16 + 8 * len(key_columns)))
        with size_limits("The build side of a join"):
            built = BuiltTable(self.columns, rows.select(self.columns), self.node, key_columns, task)
        reservation.resize(held + built.table.nbytes + built.keys.nbytes)
        return built

    def _together(self, parts: Sequence[KeptRows], reservation: Reservation, task: Task) -> Batch:
        """All rows in one batch, in order; while there are two copies of them both are paid for."""
        batches = in_order(parts)
        if len(batches) > 1:
            reservation.resize(sum(part.reservation.size for part in parts))
        rows = concat_batches(self.keyed.schema, batches, task.check)
        if len(batches) > 1:
            for part in parts:
                part.parts.clear()
                part.reservation.release()
        return encoded(rows)
