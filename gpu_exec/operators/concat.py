"""Putting batches together: columns of one SQL type may be stored in two widths."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...physical.batch import Batch
from ...physical.stored import may_be_wide
from ...planner.expr import Column
from ..ops import Ops
from ..storage import data_type, is_wide
from ..values import Evaluation, Value
from .base import device_batch


def concat_batches(schema: Sequence[Column], batches: Sequence[Batch], ops: Ops) -> Batch:
    """All rows of the batches, in order, under `schema`."""
    some = [batch for batch in batches if batch.num_rows] or list(batches[:1])
    if not some:
        empty = ops.plc.column_factories.make_empty_column
        return device_batch(schema, [empty(data_type(c.type), stream=ops.stream) for c in schema], 0)
    if len(some) == 1:
        return some[0].select(schema)
    rows = sum(batch.num_rows for batch in some)
    if not schema:
        return device_batch(schema, [], rows)
    wanted = [evenly(column, [batch.column(column.id) for batch in some], ops) for column in schema]
    columns = ops.concatenated([[parts[i] for parts in wanted] for i in range(len(some))])
    return device_batch(schema, columns, rows, _bounds(schema, some))


def evenly(column: Column, parts: Sequence[Any], ops: Ops) -> list[Any]:
    """The parts of a column in one width."""
    if not may_be_wide(column.type) or len({is_wide(part) for part in parts}) < 2:
        return list(parts)
    return [Evaluation(ops, part.size()).operand(Value(column.type, part), wide=True) for part in parts]


def _bounds(schema: Sequence[Column], batches: Sequence[Batch]) -> dict[int, tuple[int, int]]:
    found = {}
    for column in schema:
        known = [batch.bounds.get(column.id) for batch in batches]
        sure = [bounds for bounds in known if bounds is not None]
        if len(sure) == len(known):
            found[column.id] = min(low for low, _ in sure), max(high for _, high in sure)
    return found


def renamed(batch: Batch, schema: Sequence[Column], positions: Sequence[int]) -> Batch:
    """The columns at `positions` under the names of `schema`."""
    bounds = {}
    for column, position in zip(schema, positions, strict=True):
        known = batch.bounds.get(batch.schema[position].id)
        if known is not None:
            bounds[column.id] = known
    return device_batch(schema, [batch.columns[p] for p in positions], batch.num_rows, bounds)
