"""Window: functions over the rows around each row, whose order does not change."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import pyarrow as pa

from ...physical.batch import Batch
from ...physical.context import Task
from ...physical.operators import SinkBase, in_order
from ...physical.pipeline import Flow, Rows, WindowSink
from ...planner.expr import ColumnRef, Expr, Literal, SortKey, children
from ..kernels import radix_sort
from ..kernels.arrays import TextOverflow
from ..vector import Vector
from . import window_aggregates, window_gathered, window_texts  # noqa: F401 - they register their functions
from .base import KeptRows, split
from .concat import concat_batches
from .registry import implements
from .size_limits import size_limits
from .window_call import Call, Inputs
from .window_functions import FUNCTIONS
from .window_order import WindowOrder
from .window_result import Result
from .window_sets import distinct, is_distinct
from .window_whole import is_whole, whole

# What each row takes while calls are computed: its place and row, the edges of partition, peers and frames;
# while one call is: two words of a tree or a sum of 192 bits, the places and values found; while one of sets
# is, a tree of five numbers a place.
_ORDER_BYTES = 40
_CALL_BYTES = 64
_SET_BYTES = 200
_WHAT = "OVER"


@implements(WindowSink)
class Window(SinkBase):
    """Keeps all rows; at the end they are ordered and the calls computed, and the kept columns come out as
    they came in with the values beside them."""

    def __init__(self, spec: WindowSink, backend: Any) -> None:
        node = spec.node
        self.op_id = node.op_id
        self.schema = node.schema
        self.kept = node.kept
        self.partition = tuple(SortKey(key) for key in node.partition)
        self.order = node.order
        self.calls = node.calls
        self.call_columns = node.call_columns
        read = {
            e.id for e in _expressions(node.partition, self.order, self.calls) if isinstance(e, ColumnRef)
        }
        self.read = tuple(c for c in node.input.schema if c.id in read)
        wanted = read | {c.id for c in self.kept}
        self.stored = tuple(c for c in node.input.schema if c.id in wanted)

    def start(self, task: Task) -> KeptRows:
        """No rows yet."""
        return KeptRows.start(task, _WHAT)

    def add(self, local: KeptRows, batch: Batch, seq: int) -> Flow:
        """Keeps the columns of the batch that are read or wanted."""
        local.keep(batch.select(self.stored), seq)
        return Flow.MORE

    def finish(self, parts: Sequence[KeptRows], task: Task) -> Rows:
        """Orders all rows, computes the calls and gives the rows out in batches as they came."""
        batches = in_order(parts)
        count = sum(batch.num_rows for batch in batches)
        result = Rows(self.schema)
        if not count:
            return result
        reservation = task.query.reservation(_WHAT)
        words = len(self.partition) + len(self.order)
        reservation.resize(count * (_ORDER_BYTES + 16 * words))
        with size_limits(_WHAT):
            if count > radix_sort.MAX_ROWS:
                raise OverflowError(f"more than {radix_sort.MAX_ROWS} rows in one window")
            found = self._computed(batches, count, task, reservation)
        size = 0
        for batch in self._rows(batches, found, task):
            size += sum(column.nbytes for column in batch.columns[len(self.kept) :])
            reservation.resize(max(reservation.size, size))
            result.parts.append(batch)
        reservation.resize(size)
        task.metrics(self.op_id).rows += count
        return result

    def _computed(self, batches: Sequence[Batch], count: int, task: Task, reservation: Any) -> list[Result]:
        """The results of all calls."""
        reservation.grow(sum(batch.select(self.read).nbytes for batch in batches))
        rows = concat_batches(self.read, batches, task.check)

        def values(expr: Expr) -> pa.Array:
            if isinstance(expr, Literal):
                return Vector.constant(expr.type, expr.value).to_array(count)
            assert isinstance(expr, ColumnRef)
            return rows.column(expr.id)

        keys = [values(key.expr) for key in (*self.partition, *self.order)]
        window = WindowOrder(self.partition, self.order, keys, count, task.check)
        inputs = Inputs(window, self.order, values)
        found = []
        for call in self.calls:
            task.check()
            asked = Call(call, inputs)
            reservation.grow(count * (_SET_BYTES if is_distinct(asked) else _CALL_BYTES))
            if is_whole(asked):
                found.append(whole(asked))
            else:
                found.append(distinct(asked) if is_distinct(asked) else FUNCTIONS[call.function](asked))
        return found

    def _rows(self, batches: Sequence[Batch], found: Sequence[Result], task: Task) -> Iterator[Batch]:
        """The kept columns with the values of the calls."""
        place = 0
        for batch in batches:
            kept = batch.select(self.kept)
            for part in split(kept, task.query.batch_size):
                task.check()
                yield from self._fitting(part, place, found)
                place += part.num_rows

    def _fitting(self, part: Batch, place: int, found: Sequence[Result]) -> Iterator[Batch]:
        """The rows in as many batches as the strings need."""
        try:
            columns = [result.part(place, place + part.num_rows) for result in found]
        except TextOverflow:
            half = part.num_rows // 2
            assert half, "one row always fits"
            yield from self._fitting(part.slice(0, half), place, found)
            yield from self._fitting(part.slice(half, part.num_rows - half), place + half, found)
            return
        bounds = {
            c.id: r.bounds for c, r in zip(self.call_columns, found, strict=True) if r.bounds is not None
        }
        yield Batch(self.schema, [*part.columns, *columns], part.num_rows, bounds={**part.bounds, **bounds})


def _expressions(
    partition: Sequence[Expr], order: Sequence[SortKey], calls: Sequence[Expr]
) -> Iterator[Expr]:
    """What the calls and their window read: columns and literals."""
    yield from partition
    for key in order:
        yield key.expr
    for call in calls:
        yield from children(call)
