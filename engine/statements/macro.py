"""CREATE MACRO and DROP MACRO."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...planner import messages_macros as messages
from ...planner.statements import CreateMacro, Drop
from ..outcome import Outcome, done

if TYPE_CHECKING:
    from ..session import Session


def create_macro(session: Session, statement: CreateMacro, sql: str) -> Outcome:
    """Adds the macro to the catalog."""
    macro = statement.macro
    if macro.name.lower() in session.catalog.snapshot.macros and not statement.or_replace:
        if statement.if_not_exists:
            return done("create")
        raise messages.macro_exists(macro.name)
    session.catalog.put_macro(macro)
    return done("create")


def drop_macro(session: Session, statement: Drop) -> Outcome:
    """Removes the macro."""
    macros = session.catalog.snapshot.macros
    if statement.name.lower() in macros:
        session.catalog.remove_macro(statement.name)
    elif not statement.if_exists:
        raise messages.unknown_macro(statement.name, [macro.name for macro in macros.values()])
    return done("drop")
