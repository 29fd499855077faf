"""INSERT."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from ...physical.batch import Batch
from ...physical.tables import MemoryTable
from ...planner import messages_catalog as messages
from ...planner.expr import Column
from ...planner.statements import Insert, OnConflict
from ..compaction import with_more
from ..outcome import Outcome
from ..table_memory import keep
from .changes import update_of
from .checked import checked
from .returning import ended, with_rows

if TYPE_CHECKING:
    from ..session import Session


def insert(
    session: Session, statement: Insert, sql: str, start: Callable[[], Outcome] | None = None
) -> Outcome:
    """Appends the query's rows, all or nothing; the table's next version holds them. `start` starts the
    query if it has been planned.
    """
    table = session.catalog.snapshot.tables.get(statement.table.lower())
    if table is None:
        raise messages.lake_is_read_only(statement.table)
    schema = tuple(Column(i, c.name, c.type) for i, c in enumerate(table.columns))
    rows = start() if start is not None else session.run(statement.query, sql)
    new = checked(table, rows, schema, statement.checks)
    if statement.conflict is not None:
        return _with_conflicts(session, statement, statement.conflict, table, new, sql)
    batches, held = keep(session.memory, table.name, new)
    session.check()
    count = sum(b.num_rows for b in batches)
    outcome = ended(session, "insert", count, statement.returning, batches, sql)
    session.catalog.append(table, batches, held)
    return outcome


def _with_conflicts(
    session: Session,
    statement: Insert,
    conflict: OnConflict,
    table: MemoryTable,
    new: Iterable[Batch],
    sql: str,
) -> Outcome:
    """Of rows with the same key the first counts; then the table changes once, for updates and new rows."""
    update, rows = conflict.update, conflict.rows
    keys = table.constraints.keys if conflict.key is None else (conflict.key,)
    fresh, taken = session.catalog.split_by_keys(table, keys, list(new))
    batches, held = keep(session.memory, table.name, fresh)
    count = sum(b.num_rows for b in batches)
    if update is None or rows is None or not taken:
        session.check()
        outcome = ended(session, "insert", count, statement.returning, batches, sql)
        session.catalog.append(table, batches, held)
        return outcome
    old = update.table
    assert isinstance(old, MemoryTable)
    change, updated = update_of(session, old, update, session.run(with_rows(update.query, rows, taken), sql))
    session.check()
    shown = (*change.new_rows, *batches)
    outcome = ended(session, "insert", count + updated, statement.returning, shown, sql)
    session.catalog.change(old, with_more(old, change, batches, held), "update")
    return outcome
