"""What the GPU's operators share: a task's stream, and batches on the device."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ...physical.batch import Batch, Device
from ...physical.context import Task
from ...planner.expr import Column
from ..ops import Ops


def ops_of(task: Task) -> Ops:
    """The task's calls, all on one stream; it is waited for when the task ends."""
    return task.keep("gpu", Ops)


def device_batch(
    schema: Sequence[Column],
    columns: Sequence[Any],
    rows: int,
    bounds: Mapping[int, tuple[int, int]] | None = None,
) -> Batch:
    """A batch on the device."""
    return Batch(schema, columns, rows, bounds=bounds or {}, device=Device.GPU)


def gathered(batch: Batch, rows: Any, ops: Ops, *, outside_is_null: bool = False) -> Batch:
    """The given rows of a batch."""
    columns = ops.gathered(batch.columns, rows, outside_is_null=outside_is_null)
    return device_batch(batch.schema, columns, rows.size(), batch.bounds)


def sliced(batch: Batch, start: int, stop: int, ops: Ops) -> Batch:
    """Rows start .. stop, without a copy."""
    if start == 0 and stop == batch.num_rows:
        return batch
    return device_batch(batch.schema, ops.sliced(batch.columns, start, stop), stop - start, batch.bounds)


@dataclass
class KeptRows:
    """One task's batches with the morsels they came from."""

    parts: list[tuple[int, Batch]] = field(default_factory=list)

    def keep(self, batch: Batch, seq: int) -> None:
        """Keeps a batch."""
        self.parts.append((seq, batch))
