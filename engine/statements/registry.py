"""Which function executes which statement kind."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ...planner.statements import Statement

if TYPE_CHECKING:
    from ..outcome import Outcome
    from ..session import Session

Execute = Callable[["Session", Any, str], "Outcome"]
EXECUTORS: dict[type[Statement], Execute] = {}


def executes(kind: type[Statement]) -> Callable[[Execute], Execute]:
    """Registers the function for a statement kind; it gets the session, the bound statement and the
    statement's SQL text.
    """

    def register(function: Execute) -> Execute:
        EXECUTORS[kind] = function
        return function

    return register
