"""ALTER TABLE and ALTER VIEW."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ...physical.tables import MemoryTable
from ...planner import messages_alter as messages
from ...planner.expr import Column
from ...planner.statements import Alter, RenameView
from ..outcome import Outcome, done
from ..table_memory import keep
from .checked import checked

if TYPE_CHECKING:
    from ..session import Session


def alter(session: Session, statement: Alter, sql: str) -> Outcome:
    """Puts the table's next version in place: other columns or constraints, and perhaps rows made anew."""
    table = statement.table
    if table is None:
        return done("alter")
    assert isinstance(table, MemoryTable)
    new_name = statement.new_name
    if new_name is not None and new_name.lower() != table.name.lower():
        _refuse_taken(session, table.name, new_name)
    new = replace(
        table,
        name=new_name or table.name,
        columns=statement.columns,
        constraints=statement.constraints,
        _cache={},
    )
    if statement.query is not None:
        schema = tuple(Column(i, c.name, c.type) for i, c in enumerate(new.columns))
        rows = checked(new, session.run(statement.query, sql), schema, ())
        batches, memory = keep(session.memory, table.name, rows)
        new = replace(new, batches=batches, memory=memory)
    session.check()
    session.catalog.alter(table, new)
    return done("alter")


def _refuse_taken(session: Session, old: str, new: str) -> None:
    snapshot = session.catalog.snapshot
    if new.lower() in snapshot.tables or new.lower() in snapshot.views:
        raise messages.name_taken(old, new)


def rename_view(session: Session, statement: RenameView, sql: str) -> Outcome:
    """The view under another name."""
    if statement.new_name.lower() != statement.name.lower():
        _refuse_taken(session, statement.name, statement.new_name)
    view = session.catalog.snapshot.views[statement.name.lower()]
    session.catalog.remove(statement.name)
    session.catalog.put_view(replace(view, name=statement.new_name))
    return done("alter")
