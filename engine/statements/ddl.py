"""CREATE TABLE, CREATE VIEW, DROP."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ...physical.batch import Batch
from ...physical.tables import MemoryTable
from ...planner import messages_catalog as messages
from ...planner.catalog import View
from ...planner.expr import Column
from ...planner.statements import CreateTable, CreateView, Drop
from ..catalog import new_uid
from ..outcome import Outcome, done
from ..table_memory import keep
from .index import drop_index
from .macro import drop_macro

if TYPE_CHECKING:
    from ..session import Session


def _exists(session: Session, name: str) -> bool:
    snapshot = session.catalog.snapshot
    return name.lower() in snapshot.tables or name.lower() in snapshot.views


def may_create(session: Session, name: str, statement: CreateTable | CreateView, kind: str) -> bool:
    """False when IF NOT EXISTS makes the statement do nothing; CatalogError when the name is taken."""
    if not _exists(session, name):
        return True
    is_view = name.lower() in session.catalog.snapshot.views
    if (kind == "view") != is_view:
        raise messages.name_is_other_kind(name, "view" if is_view else "table", kind)
    if statement.or_replace:
        return True
    if statement.if_not_exists:
        return False
    raise messages.already_exists(kind, name)


def create_table(
    session: Session, statement: CreateTable, sql: str, start: Callable[[], Outcome] | None = None
) -> Outcome:
    """Creates the table; with AS, from the rows of the query, all or nothing. `start` starts the query if it
    has been planned.
    """
    if not may_create(session, statement.name, statement, "table"):
        return done("create")
    batches: tuple[Batch, ...] = ()
    memory: tuple[object, ...] = ()
    count = None
    if statement.query is not None:
        schema = tuple(Column(i, c.name, c.type) for i, c in enumerate(statement.columns))
        rows = start() if start is not None else session.run(statement.query, sql)
        own = (compacted(Batch(schema, b.columns, b.num_rows), b) for b in rows)
        batches, memory = keep(session.memory, statement.name, own)
        count = sum(b.num_rows for b in batches)
        session.check()
    session.catalog.put_table(
        MemoryTable(statement.name, statement.columns, new_uid(), 0, batches, memory, statement.constraints)
    )
    return done("create", count)


def compacted(batch: Batch, source: Batch) -> Batch:
    """The batch with the source's bounds under its own column ids."""
    bounds = {
        own.id: source.bounds[other.id]
        for own, other in zip(batch.schema, source.schema, strict=True)
        if other.id in source.bounds
    }
    return Batch(batch.schema, batch.columns, batch.num_rows, bounds=bounds)


def create_view(session: Session, statement: CreateView, sql: str) -> Outcome:
    """Creates the view."""
    if may_create(session, statement.name, statement, "view"):
        session.catalog.put_view(View(statement.name, statement.sql, statement.aliases, statement.columns))
    return done("create")


def drop(session: Session, statement: Drop, sql: str) -> Outcome:
    """Drops a table or view."""
    snapshot = session.catalog.snapshot
    if statement.kind == "index":
        return drop_index(session, statement)
    if statement.kind == "macro":
        return drop_macro(session, statement)
    wanted, other = (
        (snapshot.tables, snapshot.views) if statement.kind == "table" else (snapshot.views, snapshot.tables)
    )
    key = statement.name.lower()
    if key in wanted:
        session.catalog.remove(statement.name)
    elif key in other:
        raise messages.name_is_other_kind(
            statement.name, "view" if statement.kind == "table" else "table", statement.kind
        )
    elif snapshot.lake is not None and snapshot.lake.table(statement.name) is not None:
        raise messages.lake_is_read_only(statement.name)
    elif not statement.if_exists:
        raise messages.unknown_to_drop(
            statement.kind, statement.name, [entry.name for entry in wanted.values()]
        )
    return done("drop")
