"""Values: literal rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from ...physical.batch import Batch
from ...physical.context import QueryContext, Task
from ...physical.pipeline import Morsel, ValuesSource
from ...physical.stored import INT64_HIGH, INT64_LOW, may_be_wide
from ...planner.expr import Expr, Literal
from ...planner.types import SQLType
from ..expressions import evaluate_constants
from ..functions.registry import Check
from ..kernels import arrays
from ..scalars import arrow_value, literal_array
from ..storage import arrow_type, numpy_dtype
from .concat import narrowed_words
from .registry import implements


@implements(ValuesSource)
class Values:
    """The rows of a Values node: literals as they are, other expressions evaluated."""

    def __init__(self, spec: ValuesSource, backend: Any) -> None:
        self.op_id = spec.node.op_id
        self.schema = spec.node.columns
        self.rows = spec.node.literals

    def morsels(self, q: QueryContext) -> Iterator[Morsel]:
        """One morsel for `batch_size` rows."""
        for seq, start in enumerate(range(0, len(self.rows), q.batch_size)):
            yield Morsel(seq, start)

    def read(self, morsel: Morsel, task: Task) -> Iterator[Batch]:
        """The morsel's rows in one batch."""
        rows = self.rows[morsel.payload : morsel.payload + task.query.batch_size]
        columns = [
            expression_column(column.type, [row[index] for row in rows], task.check)
            for index, column in enumerate(self.schema)
        ]
        yield Batch(self.schema, columns, len(rows))


def expression_column(type_: SQLType, exprs: Sequence[Expr], check: Check) -> pa.Array:
    """A column of the values of expressions that read no column."""
    literals = [expr.value for expr in exprs if isinstance(expr, Literal)]
    if len(literals) == len(exprs):
        return literal_column(type_, literals)
    return literal_column(type_, evaluate_constants(exprs, check))


def literal_column(type_: SQLType, values: Sequence[Any]) -> pa.Array:
    """A column of values in the form of `expr.Literal`."""
    if may_be_wide(type_) and any(v is not None and not INT64_LOW <= v <= INT64_HIGH for v in values):
        words = np.array([_words(0 if v is None else v) for v in values], dtype=np.int64)
        valid = np.array([v is not None for v in values], dtype=np.uint8)
        return narrowed_words(words, valid, type_)
    if type_.is_temporal:
        numbers = np.array([0 if v is None else v for v in values], dtype=numpy_dtype(type_))
        valid = np.array([v is not None for v in values], dtype=np.uint8)
        return arrays.make_array(numbers, valid, arrow_type(type_))
    if type_.is_nested:
        return literal_array(type_, values)
    return pa.array([arrow_value(type_, v) for v in values], arrow_type(type_))


def _words(value: int) -> tuple[int, int]:
    low = value & 0xFFFFFFFFFFFFFFFF
    return (low - (1 << 64) if low >= 1 << 63 else low), value >> 64
