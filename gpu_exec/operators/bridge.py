"""Bridge: expressions that the CPU evaluates while the rows stay on the device."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...physical import nodes
from ...physical.batch import Batch
from ...physical.context import Task
from .base import device_batch, ops_of, sliced
from .registry import implements
from .transfer import download, upload


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
        """As many rows as come in, in more batches where the CPU gives its values in more."""
        ops = ops_of(task)
        extra = task.metrics(self.op_id, self).extra
        for batch in rows:
            if not batch.num_rows:
                continue
            needed = download(batch.select(self.needed), ops)
            _count(extra, "bytes_down", needed.nbytes)
            start = 0
            for values in self.compute(iter((needed,)), task):
                _count(extra, "bridged_rows", values.num_rows)
                _count(extra, "bytes_up", values.nbytes)
                added = upload(values, ops)
                stop = start + values.num_rows
                own = sliced(batch, start, stop, ops)
                yield device_batch(
                    (*own.schema, *self.added),
                    [*own.columns, *added.columns],
                    values.num_rows,
                    {**own.bounds, **added.bounds},
                )
                start = stop


def _count(extra: dict[str, int], name: str, value: int) -> None:
    extra[name] = extra.get(name, 0) + value
