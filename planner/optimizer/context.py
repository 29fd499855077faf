"""What a rule may use besides the plan."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ..logical import ColumnIds


def _never_cancelled() -> None:
    """The check of a context that nobody can cancel."""


@dataclass
class OptimizerContext:
    """One a statement.

    `ids` hands out fresh column and CTE ids (the binder's object, so that ids stay unique). `disabled_rules`
    are names from `batches.rule_names()`, or 'all' for every rule that may be switched off. `check` raises
    where the statement was cancelled. `trace` receives (rule, milliseconds, changed) for every run of a rule.
    """

    ids: ColumnIds
    disabled_rules: frozenset[str] = frozenset()
    check: Callable[[], None] = _never_cancelled
    settings: Mapping[str, Any] = field(default_factory=dict)
    trace: list[tuple[str, float, bool]] = field(default_factory=list)
