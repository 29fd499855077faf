"""Window: functions over the rows around each row. Rows come out in the order in which they came in.

The rows are sorted by partition and ORDER BY, functions are computed over their places in that order, and the
results are put back to where the rows were.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ...physical import nodes
from ...physical.batch import Batch
from ...physical.context import Task
from ...physical.operators import SinkBase, in_order
from ...physical.pipeline import Flow, WindowSink
from ...planner.expr import references
from ..ops import Ops
from .base import HeldRows, Kept, device_batch, ops_of
from .registry import implements
from .window_frames import Frames
from .window_parts import HeldWindow, WindowParts
from .window_plan import WINDOWS
from .window_rows import WindowRows


@implements(WindowSink)
class Window(SinkBase):
    """Keeps all rows, computes at the end."""

    def __init__(self, spec: WindowSink, backend: Any) -> None:
        self.node = node = spec.node
        self.op_id = node.op_id
        exprs = [*node.partition, *(key.expr for key in node.order), *node.calls]
        read = {column.id for column in node.kept}.union(*(references(expr) for expr in exprs))
        self.columns = tuple(column for column in node.input.schema if column.id in read)

    def start(self, task: Task) -> Kept[HeldWindow]:
        """No rows yet."""
        return Kept(ops_of(task), task)

    def add(self, local: Kept[HeldWindow], batch: Batch, seq: int) -> Flow:
        """Keeps the columns of the batch that are read."""
        local.parts.append((seq, HeldWindow(batch.select(self.columns), self.node.partition, local.ops)))
        return Flow.MORE

    def finish(self, parts: Sequence[Kept[HeldWindow]], task: Task) -> HeldRows:
        """All rows with the values of the calls."""
        batches = [batch for batch in in_order(parts) if batch.num_rows]
        found = WindowParts(self.node, over_rows, ops_of(task), task).rows(batches)
        rows = HeldRows(self.node.schema, found)
        task.metrics(self.op_id).rows += sum(part.num_rows for part in rows.parts)
        return rows


def over_rows(
    node: nodes.Window, batch: Batch, ops: Ops, check: Callable[[], None], place: Any = None
) -> Batch:
    """The kept columns of at least one row, of whole partitions, and the values of the calls, as the rows
    are; a step. `check` may raise, to end it; `place`: by what the rows came in, where they have come apart
    since."""
    rows = WindowRows(batch, node.partition, node.order, ops, place)
    frames = Frames(rows)
    values = []
    for call in node.calls:
        check()
        values.append(WINDOWS[call.function](call, rows, frames))
    kept = [batch.column(column.id) for column in node.kept]
    return device_batch(node.schema, [*kept, *rows.in_input_order(values)], batch.num_rows, batch.bounds)
