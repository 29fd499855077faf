"""PREPARE, EXECUTE, DEALLOCATE, and SET VARIABLE."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...cpu_fallback.scalars import literal_value
from ...planner import messages_prepared as messages
from ...planner.expr import Literal
from ...planner.frontend.parse import parse_script
from ...planner.statements import Deallocate, Execute, Prepare, Query, SetUserVariable
from ..outcome import Outcome, done

if TYPE_CHECKING:
    from ..session import Session


def prepare(session: Session, statement: Prepare, sql: str) -> Outcome:
    """Keeps the statement's text under its name, in place of another one."""
    session.prepared[statement.name.lower()] = statement.sql
    return done("prepare")


def execute(session: Session, statement: Execute, sql: str) -> Outcome:
    """Executes a prepared statement with values, which are computed first."""
    text = session.prepared.get(statement.name.lower())
    if text is None:
        raise messages.unknown_prepared(statement.name, session.prepared, statement.span)
    values = [] if statement.values is None else one_row(session, statement.values, sql)
    given: Any = dict(zip(statement.names, values, strict=True)) if statement.names else values
    (parsed,) = parse_script(text, session.check)
    return session.execute_inner(parsed, given)


def deallocate(session: Session, statement: Deallocate, sql: str) -> Outcome:
    """Forgets a prepared statement, if there is one of the name."""
    session.prepared.pop(statement.name.lower(), None)
    return done("deallocate")


def set_user_variable(session: Session, statement: SetUserVariable, sql: str) -> Outcome:
    """Computes the value and keeps it for getvariable()."""
    if statement.query is None:
        session.variables.pop(statement.name.lower(), None)
    else:
        (session.variables[statement.name.lower()],) = one_row(session, statement.query, sql)
    return done("set")


def one_row(session: Session, query: Query, sql: str) -> list[Literal]:
    """The values of a query of one row."""
    rows = [
        [
            Literal(column.type, literal_value(column.type, array, 0))
            for column, array in zip(batch.schema, batch.columns, strict=True)
        ]
        for batch in session.run(query, sql)
        if batch.num_rows
    ]
    return rows[0]
