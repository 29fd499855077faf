"""RETURNING: a query over the rows that a statement wrote or deleted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from ...physical.batch import Batch
from ...physical.tables import MemoryTable
from ...planner.catalog import RowsTable
from ...planner.logical import Plan, Scan, transform_plan
from ...planner.statements import Query, Returning
from ..catalog import new_uid
from ..outcome import Outcome, done

if TYPE_CHECKING:
    from ..session import Session


def with_rows(query: Query, rows: RowsTable, batches: Sequence[Batch]) -> Query:
    """The query over the rows that `rows` stands for in its plan."""
    table = MemoryTable(rows.name, rows.columns, new_uid(), 0, tuple(batches))

    def visit(plan: Plan) -> Plan:
        if isinstance(plan, Scan) and plan.table is rows:
            return replace(plan, table=table)
        return plan

    return replace(query, plan=transform_plan(query.plan, visit))


def ended(
    session: Session, kind: str, count: int, returning: Returning | None, rows: Sequence[Batch], sql: str
) -> Outcome:
    """The outcome of a statement that is going to change `rows`. RETURNING is run to its end first: where it
    fails nothing is changed.
    """
    if returning is None:
        return done(kind, count)
    shown = session.run(with_rows(returning.query, returning.rows, rows), sql)
    batches = list(shown)
    session.check()
    return Outcome(
        shown.names, shown.types, iter(batches), profile=shown.profile, changed=count, kind=shown.kind
    )
