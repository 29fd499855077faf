"""Transfer: batches from host to device memory and back."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pyarrow as pa

from ...physical import nodes
from ...physical.batch import Batch, Device
from ...physical.context import Task
from ..ops import Ops
from .base import device_batch, ops_of
from .registry import implements


@implements(nodes.Transfer)
class Transfer:
    """Moves every batch to the node's device."""

    def __init__(self, spec: nodes.Transfer, backend: Any) -> None:
        self.op_id = spec.op_id
        self.move = upload if spec.device is Device.GPU else download

    def __call__(self, rows: Iterator[Batch], task: Task) -> Iterator[Batch]:
        """The same rows on the other side."""
        ops = ops_of(task)
        for batch in rows:
            yield self.move(batch, ops)


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
