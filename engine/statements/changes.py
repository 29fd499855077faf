"""UPDATE, DELETE and TRUNCATE: the table's next version is made of its rows and put in place at once."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from ...physical.tables import MemoryTable
from ...planner.statements import Delete, Update
from ..outcome import Outcome
from ..table_changes import Change, RowNumbers, deleted, last_of_each, updated
from .checked import changes_checked
from .returning import ended

if TYPE_CHECKING:
    from ..session import Session


def update(
    session: Session, statement: Update, sql: str, start: Callable[[], Outcome] | None = None
) -> Outcome:
    """Writes the new values; a row that comes several times gets its last ones, and counts as often."""
    table = statement.table
    assert isinstance(table, MemoryTable)
    rows = start() if start is not None else session.run(statement.query, sql)
    change, count = update_of(session, table, statement, rows)
    session.check()
    outcome = ended(session, "update", count, statement.returning, change.new_rows, sql)
    session.catalog.change(table, change, "update")
    return outcome


def update_of(session: Session, table: MemoryTable, statement: Update, rows: Outcome) -> tuple[Change, int]:
    """What the rows of an UPDATE's query make of the table, and how many there are."""
    found = list(changes_checked(table, rows, statement.places, statement.checks))
    numbers = [b.columns[0].to_numpy() for b in found]
    count = sum(map(len, numbers))
    order, where = last_of_each(np.concatenate(numbers) if numbers else np.empty(0, np.int64))
    values = [[b.columns[1 + at] for b in found] for at in range(len(statement.places))]
    return updated(session.memory, table, where, order, statement.places, values), count


def delete(
    session: Session, statement: Delete, sql: str, start: Callable[[], Outcome] | None = None
) -> Outcome:
    """Takes the rows away; without a query, all of them."""
    table = statement.table
    assert isinstance(table, MemoryTable)
    where: RowNumbers = np.arange(table.rows, dtype=np.int64)
    if statement.query is not None:
        rows = start() if start is not None else session.run(statement.query, sql)
        parts = [b.columns[0].to_numpy() for b in rows]
        where = np.unique(np.concatenate(parts)) if parts else where[:0]
    change = deleted(session.memory, table, where)
    session.check()
    outcome = ended(session, "delete", len(where), statement.returning, change.old_rows, sql)
    session.catalog.change(table, change, "tuple deletion")
    return outcome
