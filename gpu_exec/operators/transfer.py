"""Transfer: batches from host to device memory and back."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pyarrow as pa

from ...physical import nodes
from ...physical.batch import Batch, Device
from ...physical.context import Task
from ..host_copies import download_columns, upload_arrays
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
    """A host batch on the device, strings without their dictionaries."""
    parts = [_for_the_link(array) for array in batch.columns]
    moved = iter(upload_arrays([array for arrays in parts for array in arrays], ops))
    columns = [
        next(moved) if len(arrays) == 1 else _decoded(next(moved), next(moved), ops) for arrays in parts
    ]
    return device_batch(batch.schema, columns, batch.num_rows, batch.bounds)


def _for_the_link(array: Any) -> tuple[pa.Array, ...]:
    """What is moved of an array: of one with a dictionary its codes and that, if those are not more."""
    if not pa.types.is_dictionary(array.type):
        return (array,)
    if array.type.index_type == pa.int32() and 0 < len(array.dictionary) <= len(array):
        return array.indices, array.dictionary
    return (array.dictionary_decode(),)


def _decoded(codes: Any, dictionary: Any, ops: Ops) -> Any:
    """The values of codes, on the device; NULL has one that is beyond the dictionary."""
    if codes.null_count():
        codes = ops.filled(codes, ops.int32(dictionary.size()))
    (found,) = ops.gathered([dictionary], codes, outside_is_null=True)
    return found


def download(batch: Batch, ops: Ops) -> Batch:
    """A device batch on the host, in the CPU's storage."""
    columns = download_columns(batch.columns, ops)
    return Batch(batch.schema, columns, batch.num_rows, bounds=batch.bounds)
