"""Putting batches together: columns of one SQL type may be stored in two widths."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...physical.batch import Batch
from ...physical.stored import Bounds
from ...planner.expr import Column
from ..held import HeldBatch
from ..ops import Ops
from ..storage import data_type, is_wide, named_type
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
    wanted = [evenly([batch.column(column.id) for batch in some], ops) for column in schema]
    columns = ops.concatenated([[parts[i] for parts in wanted] for i in range(len(some))])
    return device_batch(schema, columns, rows, common_bounds(schema, some))


def together(parts: Sequence[Any], ops: Ops) -> Any:
    """The parts of a column, in one width, one after the other."""
    (column,) = ops.concatenated([[part] for part in evenly(parts, ops)])
    return column


def evenly(parts: Sequence[Any], ops: Ops) -> list[Any]:
    """The parts of a column in one width."""
    wide = [part for part in parts if is_wide(part)]
    if not wide or len(wide) == len(parts):
        return list(parts)
    kind = wide[0].type()
    return [part if is_wide(part) else ops.bits_as(as_wide(part, ops), kind) for part in parts]


def as_wide(column: Any, ops: Ops) -> Any:
    """DECIMAL128 without digits after the point of a column of stored integers."""
    whole = named_type("DECIMAL128", 0)
    return ops.bits_as(column, whole) if is_wide(column) else ops.cast(column, whole)


def common_bounds(schema: Sequence[Column], sources: Sequence[Batch | HeldBatch]) -> dict[int, Bounds]:
    """The bounds of columns that hold for the rows of all sources, where all have some."""
    found = {}
    for column in schema:
        known = [batch.bounds.get(column.id) for batch in sources]
        sure = [bounds for bounds in known if bounds is not None]
        if len(sure) == len(known):
            found[column.id] = min(low for low, _ in sure), max(high for _, high in sure)
    return found
