"""What the GPU's operators share: a task's stream, batches on the device, and steps that can be repeated."""

from __future__ import annotations

import functools
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from ...physical.backend import DeviceMemoryShort
from ...physical.batch import Batch, Device
from ...physical.context import QueryContext, Task
from ...planner.expr import Column
from ..held import Held, HeldBatch
from ..library import rmm
from ..memory import enter
from ..ops import Ops

_Result = TypeVar("_Result")
_Rows = TypeVar("_Rows", bound=Held)


def ops_of(task: Task) -> Ops:
    """The task's calls, all on one stream; it is waited for when the task ends."""
    return task.keep("gpu", lambda: _entered(task))


def batch_rows(query: QueryContext) -> int:
    """Rows in a batch at most; how many bytes, `DeviceMemory.batch_bytes` says."""
    return query.settings.get("gpu_batch_size", query.batch_size)


def _entered(task: Task) -> Ops:
    memory = enter(task.settings.get("gpu_memory_limit"))
    try:
        stream = memory.run(rmm().pylibrmm.stream.Stream, task.check)
    except BaseException:
        memory.leave()
        raise
    memory.works_on(stream)
    return Ops(memory, task.query.spilled, stream, task.query.functions)


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


def masked(batch: Batch, mask: Any, ops: Ops) -> Batch:
    """The rows of a batch at which a mask is true."""
    # A batch without columns still has rows: the mask itself is cut in their place.
    columns = ops.kept(batch.columns or [mask], mask)
    return device_batch(batch.schema, columns if batch.columns else [], columns[0].size(), batch.bounds)


def sliced(batch: Batch, start: int, stop: int, ops: Ops) -> Batch:
    """Rows start .. stop, without a copy."""
    if start == 0 and stop == batch.num_rows:
        return batch
    return device_batch(batch.schema, ops.sliced(batch.columns, start, stop), stop - start, batch.bounds)


def cut(rows: HeldBatch, start: int, stop: int, ops: Ops, task: Task) -> HeldBatch:
    """Rows start .. stop."""
    if start == 0 and stop == rows.num_rows:
        return rows
    return ops.memory.run(lambda: HeldBatch(sliced(rows.batch(ops), start, stop, ops), ops), task.check)


def consecutive(parts: Sequence[_Rows], most: int, *, least: int = 1) -> Iterator[list[_Rows]]:
    """Consecutive parts of `most` bytes together, but `least` parts if there are as many; one group of none
    where there are none.
    """
    some: list[_Rows] = []
    size = 0
    for part in parts:
        if len(some) >= least and size + part.nbytes > most:
            yield some
            some, size = [], 0
        some.append(part)
        size += part.nbytes
    yield some


def in_pieces(rows: HeldBatch, most: int, ops: Ops, task: Task) -> list[HeldBatch]:
    """Rows of more than `most` bytes in pieces that leave the device, and come back, one by one. Rows that
    are away are brought once for all pieces, if they find room beside each.
    """
    if rows.nbytes <= most or rows.num_rows < 2:
        return [rows]
    step = max(1, rows.num_rows * most // rows.nbytes)

    def piece(start: int, whole: Batch | None) -> HeldBatch:
        source = rows.batch(ops) if whole is None else whole
        some = sliced(source, start, min(start + step, rows.num_rows), ops)
        columns = ops.packed(some.columns)
        return HeldBatch(device_batch(some.schema, columns, some.num_rows, some.bounds), ops)

    whole: Batch | None = None
    found: list[HeldBatch] = []
    for start in range(0, rows.num_rows, step):
        if whole is None and not rows.is_here:
            whole = ops.memory.run(lambda: rows.batch(ops), task.check)
        try:
            found.append(ops.memory.run(functools.partial(piece, start, whole), task.check))
        except DeviceMemoryShort:
            if whole is None:
                raise
            whole = None
            found.append(ops.memory.run(functools.partial(piece, start, None), task.check))
    return found


def in_steps(batch: Batch, step: Callable[[Batch], _Result], ops: Ops, task: Task) -> Iterator[_Result]:
    """A step over a batch on the device; where memory is short, over slices of it, in order."""
    return ops.memory.each(
        batch.num_rows, lambda start, stop: step(sliced(batch, start, stop, ops)), task.check
    )


class BatchTransform(ABC):
    """A transform whose rows come batch by batch from those that go in."""

    def __call__(self, rows: Iterator[Batch], task: Task) -> Iterator[Batch]:
        """Batches with at least one row."""
        ops = ops_of(task)
        for batch in rows:
            if batch.num_rows:
                for made in in_steps(batch, lambda part: self.made(part, task, ops), ops, task):
                    if made is not None and made.num_rows:
                        yield made
                    del made
            del batch  # as `made`: the next is made without this one in memory

    @abstractmethod
    def made(self, batch: Batch, task: Task, ops: Ops) -> Batch | None:
        """The rows for a batch, None for none; a step, which may be repeated."""


@dataclass
class Kept(Generic[_Rows]):
    """What one task keeps, with the morsels it came from."""

    ops: Ops
    task: Task
    parts: list[tuple[int, _Rows]] = field(default_factory=list)


class KeptRows(Kept[HeldBatch]):
    """One task's batches."""

    def keep(self, batch: Batch, seq: int) -> None:
        """Keeps a batch."""
        self.parts.append((seq, HeldBatch(batch, self.ops)))


class HeldRows:
    """The GPU's plain artifact: held batches in order, all with `columns` as schema."""

    device = Device.GPU

    def __init__(self, columns: Sequence[Column], parts: Sequence[HeldBatch] = ()) -> None:
        self.columns = tuple(columns)
        self.parts = [part for part in parts if part.num_rows]

    def batches(self) -> Sequence[HeldBatch]:
        """The rows, in order."""
        return self.parts

    @property
    def nbytes(self) -> int:
        """Bytes they have on the device, when they are there."""
        return sum(part.nbytes for part in self.parts)
