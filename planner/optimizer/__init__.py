"""The optimizer: rewrites a bound plan by an ordered list of rules, verified one by one."""

from __future__ import annotations

from ..logical import Plan
from .batches import BATCHES, rule_names
from .context import OptimizerContext
from .driver import run_batches


def optimize(plan: Plan, context: OptimizerContext) -> Plan:
    """A plan with the same rows and output columns that costs less; without subqueries and lateral joins.

    Raises UnsupportedError for what cannot be unnested, and whatever `context.check` raises where it is
    cancelled.
    """
    return run_batches(plan, BATCHES, context)


__all__ = ["OptimizerContext", "optimize", "rule_names"]
