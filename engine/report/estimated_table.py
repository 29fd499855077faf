"""A table whose rows were never made: a report plans CREATE TABLE AS and INSERT, and runs nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from ...physical.tables import MemoryTable
from ...planner.catalog import TableColumn
from ...planner.estimation import Estimator
from ...planner.logical import Plan
from ...planner.statistics import ColumnStats, TableStats


@dataclass(frozen=True, eq=False)
class EstimatedTable(MemoryTable):
    """A table in memory without its rows: what is estimated of the query that would fill it."""

    estimated: float = 0.0
    known: Mapping[str, ColumnStats] = field(default_factory=dict)

    def stats(self) -> TableStats:
        return TableStats(self.estimated)

    def column_stats(self, name: str) -> ColumnStats | None:
        return self.known.get(name)


def filled_by(name: str, columns: tuple[TableColumn, ...], uid: int, query: Plan) -> EstimatedTable:
    """The table that the rows of an optimised query would make; columns by position."""
    estimator = Estimator()
    rows = estimator.rows(query)
    known = {}
    for column, source in zip(columns, query.schema, strict=False):
        stats = estimator.column(query, source.id)
        if stats is not None:
            # They are estimates: nothing may be concluded from them.
            known[column.name] = replace(stats, exact=False)
    return EstimatedTable(name, columns, uid, 0, estimated=rows, known=known)


def appended(table: MemoryTable, more: EstimatedTable) -> EstimatedTable:
    """The table with the rows of `more` added. Of the columns what is known of the larger part is kept."""
    rows = table.stats().rows
    known = more.known
    if rows > more.estimated:
        stats = {c.name: table.column_stats(c.name) for c in table.columns}
        known = {name: replace(s, exact=False) for name, s in stats.items() if s is not None}
    return replace(more, estimated=rows + more.estimated, known=known)
