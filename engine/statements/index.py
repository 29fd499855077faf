"""CREATE INDEX and DROP INDEX."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...planner import messages_catalog
from ...planner import messages_constraints as messages
from ...planner.catalog import Key
from ...planner.statements import CreateIndex, Drop
from ..outcome import Outcome, done

if TYPE_CHECKING:
    from ..session import Session


def create_index(session: Session, statement: CreateIndex, sql: str) -> Outcome:
    """Adds the index to the catalog; a unique one is a key of its table from now on."""
    snapshot = session.catalog.snapshot
    if statement.name.lower() in snapshot.indexes:
        if statement.if_not_exists:
            return done("create")
        raise messages.index_exists(statement.name)
    table = snapshot.tables.get(statement.table.lower())
    if table is None:
        raise messages_catalog.lake_is_read_only(statement.table)
    key = None if statement.key is None else Key(statement.key, index=statement.name)
    session.catalog.add_index(statement.name, table, key)
    return done("create")


def drop_index(session: Session, statement: Drop) -> Outcome:
    """Removes the index."""
    indexes = session.catalog.snapshot.indexes
    if statement.name.lower() in indexes:
        session.catalog.remove_index(statement.name)
    elif not statement.if_exists:
        raise messages.unknown_index(statement.name, [name for name, _ in indexes.values()])
    return done("drop")
