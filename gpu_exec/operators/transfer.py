"""Transfer: batches from host to device memory and back."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pyarrow as pa

from ...physical import nodes
from ...physical.batch import Batch, Device
from ...physical.context import Task
from ..ops import Ops
from .base import device_batch, in_steps, ops_of
from .registry import implements


@implements(nodes.Transfer)
class Transfer:
    """Moves every batch to the node's device."""

    def __init__(self, spec: nodes.Transfer, backend: Any) -> None:
        self.op_id = spec.op_id
        self.move = uploaded if spec.device is Device.GPU else downloaded

    def __call__(self, rows: Iterator[Batch], task: Task) -> Iterator[Batch]:
        """The same rows on the other side."""
        ops = ops_of(task)
        for batch in rows:
            yield from self.move(batch, ops, task)
            del batch  # the next is made without this one in memory


def uploaded(batch: Batch, ops: Ops, task: Task) -> Iterator[Batch]:
    """A host batch on the device, in slices where it takes much of its memory."""
    return ops.memory.each(
        batch.num_rows,
        lambda start, stop: upload(batch.slice(start, stop - start), ops),
        task.check,
        ops.memory.rows_of(batch.num_rows, batch.nbytes),
    )


def downloaded(batch: Batch, ops: Ops, task: Task) -> Iterator[Batch]:
    """A device batch on the host, in slices where memory is short."""
    return in_steps(batch, lambda part: download(part, ops), ops, task)


def upload(batch: Batch, ops: Ops) -> Batch:
    """A host batch on the device; dictionary-encoded strings are decoded first."""
    columns = [ops.upload(plain(array)) for array in batch.columns]
    return device_batch(batch.schema, columns, batch.num_rows, batch.bounds)


def plain(array: Any) -> pa.Array:
    """An array without dictionary encoding."""
    return array.dictionary_decode() if pa.types.is_dictionary(array.type) else array


def download(batch: Batch, ops: Ops) -> Batch:
    """A device batch on the host, in the CPU's storage."""
    columns = [column.to_arrow(stream=ops.stream) for column in batch.columns]
    return Batch(batch.schema, columns, batch.num_rows, bounds=batch.bounds)
