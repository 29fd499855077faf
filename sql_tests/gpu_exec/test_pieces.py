"""Rows divided on the device: every part leaves it by itself, as none is a view of all of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from tandemdb.engine.settings import SettingValues
from tandemdb.gpu_exec.held import Held, HeldBatch
from tandemdb.gpu_exec.operators.base import device_batch, in_pieces, ops_of
from tandemdb.gpu_exec.operators.divide import by_hash, by_number
from tandemdb.gpu_exec.ops import Ops
from tandemdb.physical.batch import Device
from tandemdb.physical.context import QueryContext, Task
from tandemdb.physical.memory import MemoryBroker
from tandemdb.planner.expr import Column
from tandemdb.planner.types import INTEGER

ROWS = 40_000


def pieces(rows: HeldBatch, ops: Ops, task: Task) -> list[Any]:
    return list(in_pieces(rows, rows.nbytes // 4, ops, task))


def numbered(rows: HeldBatch, ops: Ops, task: Task) -> list[Any]:
    batch = rows.batch(ops)
    numbers = ops.binary("PYMOD", batch.columns[0], ops.int32(4), batch.columns[0].type())
    return list(by_number(batch, numbers, 4, ops))


def hashed(rows: HeldBatch, ops: Ops, task: Task) -> list[Any]:
    batch = rows.batch(ops)
    parts = by_hash(batch.columns, batch.columns, 4, 1, ops)
    return [Held(part[0], part[1], ops) for part in parts if part is not None]


@pytest.mark.parametrize("divide", [pieces, numbered, hashed])
def test_a_part_leaves_by_itself(double: Any, divide: Callable[[HeldBatch, Ops, Task], list[Any]]) -> None:
    task = Task(QueryContext(SettingValues().frozen(), MemoryBroker(None)), Device.GPU)
    ops = ops_of(task)

    def made() -> HeldBatch:
        numbers = ops.row_numbers(ROWS)
        return HeldBatch(device_batch((Column(1, "a", INTEGER),), [numbers], ROWS), ops)

    def divided() -> tuple[list[Any], int]:
        rows = ops.memory.run(made)
        if divide is pieces:
            return divide(rows, ops, task), rows.nbytes
        return ops.memory.run(lambda: divide(rows, ops, task)), rows.nbytes

    parts, whole = divided()
    assert sum(part.num_rows for part in parts) == ROWS
    assert len(parts) == 4
    assert ops.memory.buffer() is not None  # which packing uses, and makes when it is first asked for
    for part in parts:
        before = double.live_bytes
        assert part.leave()
        part.left()
        assert part.nbytes > whole // 8
        assert double.live_bytes <= before - part.nbytes
    found: list[int] = []
    for part in parts:
        (column,) = ops.memory.run(lambda part=part: part.columns(ops))
        found += column.to_arrow().to_pylist()
    assert sorted(found) == list(range(ROWS))
    task.end()
