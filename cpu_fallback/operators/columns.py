"""From vectors, the values of expressions, to the columns of a batch."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import pyarrow as pa

from ...physical.batch import Batch
from ...planner.expr import Column, ColumnRef, Expr
from ..expressions import compile_many
from ..pieces import in_parts
from ..vector import Vector

Compute = Callable[..., list[Vector]]


def evaluate(
    compute: Compute, columns: Sequence[Column], batch: Batch, check: Callable[[], None]
) -> Iterator[Batch]:
    """Batches whose columns are the values of compiled expressions over the rows of `batch`: one, or more
    where the strings are too many for one.
    """
    for part, vectors in in_parts(compute, batch, check):
        bounds = {c.id: v.bounds for c, v in zip(columns, vectors, strict=True) if v.bounds is not None}
        arrays = [vector.to_array(part.num_rows) for vector in vectors]
        yield Batch(columns, arrays, part.num_rows, bounds=bounds)


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

    def batches(self, batch: Batch, check: Callable[[], None]) -> Iterator[Batch]:
        """The columns and keys of a batch, in more batches where the strings of keys are too many for one."""
        for part, vectors in in_parts(self._compute, batch, check):
            columns = [part.column(c.id) for c in self.columns]
            columns += [vector.to_array(part.num_rows) for vector in vectors]
            yield Batch(self.schema, columns, part.num_rows, bounds=part.bounds)

    def keys(self, batch: Batch) -> list[pa.Array]:
        """The key columns of a batch that `batches` has made."""
        return [batch.column(number) for number in self.key_ids]
