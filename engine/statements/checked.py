"""Rows on their way into a table: NOT NULL and CHECK."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

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
    for batch in rows:
        _check(table, range(width), batch.columns[:width], checks, batch.columns[width:])
        bounds = {
            own.id: batch.bounds[other.id]
            for own, other in zip(schema, batch.schema, strict=False)
            if other.id in batch.bounds
        }
        yield Batch(schema, batch.columns[:width], batch.num_rows, bounds=bounds)


def changes_checked(
    table: MemoryTable, rows: Iterable[Batch], places: Sequence[int], checks: Sequence[str]
) -> Iterator[Batch]:
    """The rows of an UPDATE's query: a row's number, the values of the columns at `places`, the CHECKs'."""
    width = 1 + len(places)
    for batch in rows:
        _check(table, places, batch.columns[1:width], checks, batch.columns[width:])
        yield batch


def _check(
    table: MemoryTable,
    places: Iterable[int],
    columns: Sequence[Any],
    checks: Sequence[str],
    results: Sequence[Any],
) -> None:
    for place, values in zip(places, columns, strict=True):
        column = table.columns[place]
        if not column.nullable and values.null_count:
            raise messages_catalog.not_null_violated(table.name, column.name)
    for text, values in zip(checks, results, strict=True):
        if values.false_count:
            raise messages_constraints.check_violated(table.name, text)
