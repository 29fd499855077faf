"""Build: collects the right side of a join, rows and keys: libcudf keeps no hash table between calls.

A right side that is large for the device is kept in chunks, each of which may leave it; a left batch is
joined with one after another.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ...physical import nodes
from ...physical.backend import DeviceMemoryShort
from ...physical.batch import Batch, Device
from ...physical.context import Task
from ...physical.key_range import KeyRange
from ...physical.operators import SinkBase, in_order
from ...physical.pipeline import BuildSink, Flow
from ...physical.runtime_filters import may_filter
from ...planner.expr import Column, ColumnRef, Expr
from ...planner.logical import JoinKind
from ..expressions import columns
from ..held import HeldBatch
from ..ops import Ops
from .base import KeptRows, consecutive, device_batch, in_pieces, ops_of
from .concat import concat_batches
from .join_pairs import matched
from .registry import implements
from .runtime_filter import key_range

# A chunk is at most this part of the device's memory: a join copies keys, finds pairs and gathers rows.
_CHUNKS_IN_MEMORY = 4


class Chunk(HeldBatch):
    """Consecutive rows of the right side, from row `offset` on, with their key columns; `ranges` of those
    keys that scans may be told of.
    """

    def __init__(
        self,
        rows: Batch,
        keys: Sequence[Any],
        offset: int,
        ops: Ops,
        ranges: Mapping[int, KeyRange] | None = None,
    ) -> None:
        self.ranges = ranges or {}
        # A key that is a column of the rows is kept once.
        extra = [key for key in keys if not any(key is column for column in rows.columns)]
        together = [*rows.columns, *extra]
        self._keys = [next(i for i, column in enumerate(together) if column is key) for key in keys]
        self.offset = offset
        super().__init__(rows, ops, extra)

    def load(self, ops: Ops) -> tuple[Batch, list[Any]]:
        """Rows and key columns on the device; part of a step."""
        found = self.columns(ops)
        rows = device_batch(self.schema, found[: len(self.schema)], self.num_rows, self.bounds)
        return rows, [found[place] for place in self._keys]


class BuiltRows:
    """The right side in at least one chunk, and which rows have matched so far."""

    device = Device.GPU

    def __init__(self, chunks: Sequence[Chunk]) -> None:
        self.chunks = tuple(chunks)
        self.schema = chunks[0].schema
        self.num_rows = sum(chunk.num_rows for chunk in chunks)
        self._matched: Any = None
        self._lock = threading.Lock()

    def each(self, ops: Ops) -> Iterator[tuple[int, Batch, list[Any]]]:
        """Offset, rows and keys of one chunk after another; part of a step."""
        for chunk in self.chunks:
            yield (chunk.offset, *chunk.load(ops))

    def mark(self, rows: Any, ops: Ops) -> None:
        """Remembers row numbers that have matched; another task may read that later. Again is no change."""
        if not rows.size():
            return
        found = matched(rows, self.num_rows, ops)
        with self._lock:
            if self._matched is not None:
                found = ops.either(self._matched, found)
            ops.stream.synchronize()
            self._matched = found

    def matched(self, start: int, stop: int, ops: Ops) -> Any:
        """Which rows of start .. stop have matched, as a boolean column."""
        if self._matched is None:
            return ops.repeated(ops.truth(False), stop - start)
        (part,) = ops.sliced([self._matched], start, stop)
        return part

    def runtime_filter(self, key: int) -> KeyRange | None:
        """What the values of a key say about rows on the other side: their range; None where nothing."""
        parts = [chunk.ranges.get(key) for chunk in self.chunks]
        known = [part for part in parts if part is not None]
        return KeyRange.together(known) if len(known) == len(parts) else None

    def batches(self) -> Sequence[HeldBatch]:
        """The rows."""
        return self.chunks

    @property
    def nbytes(self) -> int:
        """Bytes of rows and keys on the device, when they are there."""
        return sum(chunk.nbytes for chunk in self.chunks)


@implements(BuildSink)
class Build(SinkBase):
    """Rows and keys of a join's right side."""

    def __init__(self, spec: BuildSink, backend: Any) -> None:
        self.node = node = spec.node
        self.kind: JoinKind = node.kind
        self.columns: tuple[Column, ...] = node.right.schema
        self.keys: list[Expr] = []
        # Keys of which a scan on the left side may want to know.
        self.told: list[int] = []
        if isinstance(node, nodes.HashJoin):
            self.keys = [key.right for key in (*node.keys, *node.mark_keys)]
            self.told = [index for index in range(len(node.keys)) if may_filter(node, index)]

    def start(self, task: Task) -> KeptRows:
        """No rows yet."""
        return KeptRows(ops_of(task), task)

    def add(self, local: KeptRows, batch: Batch, seq: int) -> Flow:
        """Keeps the batch."""
        local.keep(batch.select(self.columns), seq)
        return Flow.MORE

    def finish(self, parts: Sequence[KeptRows], task: Task) -> BuiltRows:
        """All rows, as few chunks as the device has room for."""
        ops = ops_of(task)
        chunks: list[Chunk] = []
        most = ops.memory.limit // _CHUNKS_IN_MEMORY
        # Each list gives up its rows as soon as there are copies of them.
        kept = in_order(parts)[::-1]
        for part in parts:
            part.parts.clear()
        pieces: list[HeldBatch] = []
        while kept:
            pieces += in_pieces(kept.pop(), most, ops, task)
        groups = list(consecutive(pieces, most))[::-1]
        pieces.clear()
        while groups:
            self._build(groups.pop(), chunks, ops, task)
        return BuiltRows(chunks)

    def _build(self, batches: Sequence[HeldBatch], chunks: list[Chunk], ops: Ops, task: Task) -> None:
        offset = chunks[-1].offset + chunks[-1].num_rows if chunks else 0

        def step() -> Chunk:
            rows = concat_batches(self.columns, [held.batch(ops) for held in batches], ops)
            keys = self._keys(rows, ops)
            ranges = {index: key_range(keys[index], self.keys[index].type, ops) for index in self.told}
            return Chunk(rows, keys, offset, ops, ranges)

        try:
            chunks.append(ops.memory.run(step, task.check))
        except DeviceMemoryShort:
            if len(batches) < 2:
                raise
            middle = len(batches) // 2
            self._build(batches[:middle], chunks, ops, task)
            self._build(batches[middle:], chunks, ops, task)

    def _keys(self, rows: Batch, ops: Ops) -> list[Any]:
        """The key columns; those that are columns of the rows are the same objects."""
        computed = [key for key in self.keys if not isinstance(key, ColumnRef)]
        made = iter(columns(computed, rows, ops))
        return [rows.column(key.id) if isinstance(key, ColumnRef) else next(made) for key in self.keys]
