"""SET, RESET, SHOW."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...planner.errors import Error
from ...planner.statements import Accepted, ResetVariable, SetVariable, Show
from ...planner.types import BOOLEAN, VARCHAR
from ..devices import device_notice
from ..outcome import Outcome, done, rows_outcome
from ..settings import SETTINGS, find_setting

if TYPE_CHECKING:
    from ..session import Session


def set_variable(session: Session, statement: SetVariable, sql: str) -> Outcome:
    """Sets a session setting. SET device = 'gpu' without a GPU gives a notice, or is refused."""
    before = session.settings["device"]
    session.settings.set(statement.name, statement.value)
    if find_setting(statement.name).name == "device":
        try:
            notice = device_notice(session.settings)
        except Error:
            session.settings.set("device", before)
            raise
        if notice is not None:
            session.notices.append(notice)
    _applied(session)
    return done("set")


def reset_variable(session: Session, statement: ResetVariable, sql: str) -> Outcome:
    """Back to the default."""
    session.settings.reset(statement.name)
    _applied(session)
    return done("set")


def accept(session: Session, statement: Accepted, sql: str) -> Outcome:
    """Does nothing."""
    return done("pragma")


def _applied(session: Session) -> None:
    session.memory.limit = session.settings["memory_limit"]


def show(session: Session, statement: Show, sql: str) -> Outcome:
    """SHOW TABLES, SHOW ALL, SHOW name."""
    if statement.what == "tables":
        return rows_outcome(["name"], [VARCHAR], [(name,) for name in session.catalog.snapshot.names()])
    if statement.what == "databases":
        return rows_outcome(["database_name"], [VARCHAR], [("memory",)])
    if statement.what == "schemas":
        names = ["database_name", "schema_name", "current"]
        return rows_outcome(names, [VARCHAR, VARCHAR, BOOLEAN], [("memory", "main", True)])
    if statement.what == "settings":
        rows = [(s.name, session.settings.shown(s.name), s.help, s.type) for s in SETTINGS.values()]
        return rows_outcome(["name", "value", "description", "input_type"], [VARCHAR] * 4, sorted(rows))
    name = find_setting(statement.name).name
    return rows_outcome([name], [VARCHAR], [(session.settings.shown(name),)])
