"""BEGIN, COMMIT, ROLLBACK."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...planner.statements import Transaction
from ..outcome import Outcome, done

if TYPE_CHECKING:
    from ..session import Session


def transaction(session: Session, statement: Transaction, sql: str) -> Outcome:
    """Begins or ends a transaction of the session."""
    match statement.kind:
        case "begin":
            session.begin(statement.read_only)
        case "commit":
            session.commit()
        case _:
            session.rollback()
    return done(statement.kind)
