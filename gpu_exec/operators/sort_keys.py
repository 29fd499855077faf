"""Sort keys: what libcudf sorts by so that the order is SQL's."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...physical.batch import Batch
from ...planner.expr import SortKey
from ..expressions import columns
from ..ops import Ops
from ..storage import named_type
from .join_keys import even


def key_columns(keys: Sequence[SortKey], batch: Batch, ops: Ops) -> list[Any]:
    """A column a key. NaN is above all numbers and equal to itself, 0.0 equals -0.0 as in libcudf."""
    return [even(column, ops) for column in columns([key.expr for key in keys], batch, ops)]


def sorted_rows(keys: Sequence[SortKey], batch: Batch, ops: Ops) -> Any:
    """Row numbers in the order of the keys; equal rows stay in order."""
    if batch.num_rows == 0:
        return ops.plc.column_factories.make_empty_column(named_type("INT32"), stream=ops.stream)
    found = key_columns(keys, batch, ops)
    return ops.order(found, [key.descending for key in keys], [key.nulls_first for key in keys])
