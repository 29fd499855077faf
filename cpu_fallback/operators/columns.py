"""From vectors, the values of expressions, to the columns of a batch."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pyarrow as pa

from ...physical.batch import Batch
from ...planner.expr import Column, ColumnRef, Expr
from ..expressions import compile_many
from ..vector import Vector

Compute = Callable[[Batch], Sequence[Vector]]


def evaluate(compute: Compute, columns: Sequence[Column], batch: Batch) -> Batch:
    """A batch whose columns are the values of compiled expressions over `batch`."""
    vectors = compute(batch)
    bounds = {c.id: v.bounds for c, v in zip(columns, vectors, strict=True) if v.bounds is not None}
    arrays = [vector.to_array(batch.num_rows) for vector in vectors]
    return Batch(columns, arrays, batch.num_rows, bounds=bounds)


class WithKeys:
    """Some columns of a batch and, after them, the values of expressions that are not among them.

    `key_ids[i]` names the column that holds exprs[i]; new columns have ids that no plan uses (negative ones).
    """

    def __init__(self, columns: Sequence[Column], exprs: Sequence[Expr]) -> None:
        self.columns = tuple(columns)
        known = {c.id for c in columns}
        computed: dict[Expr, Column] = {}
        self.key_ids: list[int] = []
        for expr in exprs:
            if isinstance(expr, ColumnRef) and expr.id in known:
                self.key_ids.append(expr.id)
            else:
                column = computed.setdefault(expr, Column(-1 - len(computed), "", expr.type))
                self.key_ids.append(column.id)
        self.extra = tuple(computed.values())
        self.schema = (*self.columns, *self.extra)
        self._compute = compile_many(tuple(computed))

    def batch(self, batch: Batch) -> Batch:
        """The columns and keys of a batch."""
        columns = [batch.column(c.id) for c in self.columns]
        columns += [vector.to_array(batch.num_rows) for vector in self._compute(batch)]
        return Batch(self.schema, columns, batch.num_rows, bounds=batch.bounds)

    def keys(self, batch: Batch) -> list[pa.Array]:
        """The key columns of a batch that `batch` has made."""
        return [batch.column(number) for number in self.key_ids]
