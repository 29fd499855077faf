"""Bridge: expressions that the CPU evaluates while the rows stay on the device."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...physical import nodes
from ...physical.batch import Batch
from ...physical.context import Task
from ..ops import Ops
from .base import device_batch, ops_of, sliced
from .registry import implements
from .transfer import downloaded, uploaded


@implements(nodes.Bridge)
class Bridge:
    """Adds the values of the expressions as columns: of each batch only what they read goes to the host,
    where the CPU's projection evaluates them, and only their values come back.
    """

    def __init__(self, spec: nodes.Bridge, backend: Any) -> None:
        self.op_id = spec.op_id
        self.needed = spec.needed
        self.added = spec.columns
        self.compute = backend.transform(
            nodes.Project(input=spec.input, columns=spec.columns, exprs=spec.exprs)
        )

    def __call__(self, rows: Iterator[Batch], task: Task) -> Iterator[Batch]:
        """As many rows as come in, in more batches where the CPU gives its values in more, or memory is
        short.
        """
        ops = ops_of(task)
        extra = task.metrics(self.op_id, self).extra
        for batch in rows:
            start = 0
            for added in self._values(batch, extra, ops, task) if batch.num_rows else ():
                stop = start + added.num_rows
                yield self._beside(batch, start, stop, added, ops, task)
                start = stop
                del added
            del batch  # as `added`: the next is made without this one in memory

    def _values(self, batch: Batch, extra: dict[str, int], ops: Ops, task: Task) -> Iterator[Batch]:
        """The values on the device, in the order of the rows."""
        for needed in downloaded(batch.select(self.needed), ops, task):
            _count(extra, "bytes_down", needed.nbytes)
            for values in self.compute(iter((needed,)), task):
                _count(extra, "bridged_rows", values.num_rows)
                _count(extra, "bytes_up", values.nbytes)
                yield from uploaded(values, ops, task)

    def _beside(self, batch: Batch, start: int, stop: int, added: Batch, ops: Ops, task: Task) -> Batch:
        own = ops.memory.run(lambda: sliced(batch, start, stop, ops), task.check)
        columns = [*own.columns, *added.columns]
        bounds = {**own.bounds, **added.bounds}
        return device_batch((*own.schema, *self.added), columns, stop - start, bounds)


def _count(extra: dict[str, int], name: str, value: int) -> None:
    extra[name] = extra.get(name, 0) + value
