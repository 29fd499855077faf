"""Rows on their way into a table: NOT NULL and CHECK."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ...physical.batch import Batch
from ...physical.tables import MemoryTable
from ...planner import messages_catalog, messages_constraints
from ...planner.expr import Column


def checked(
    table: MemoryTable, rows: Iterable[Batch], schema: Sequence[Column], checks: Sequence[str]
) -> Iterator[Batch]:
    """The rows under the table's own schema; behind its columns they have the values of its CHECKs.
    ConstraintError for the first batch that breaks one.
    """
    width = len(schema)
    required = [(i, c.name) for i, c in enumerate(table.columns) if not c.nullable]
    for batch in rows:
        for place, name in required:
            if batch.columns[place].null_count:
                raise messages_catalog.not_null_violated(table.name, name)
        for text, values in zip(checks, batch.columns[width:], strict=True):
            if values.false_count:
                raise messages_constraints.check_violated(table.name, text)
        bounds = {
            own.id: batch.bounds[other.id]
            for own, other in zip(schema, batch.schema, strict=False)
            if other.id in batch.bounds
        }
        yield Batch(schema, batch.columns[:width], batch.num_rows, bounds=bounds)
