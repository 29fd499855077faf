"""Turns every subquery and lateral join into plain joins.

Neumann and Kemper, "Unnesting Arbitrary Queries" (BTW 2015); see `unnest/`.
"""

from __future__ import annotations

from ...logical import Plan
from ..context import OptimizerContext
from ..unnest.flatten import Flattener


def unnest_subqueries(plan: Plan, context: OptimizerContext) -> Plan:
    """No subquery stands in an expression afterwards, except one that a LIMIT runs first."""
    return Flattener(context.ids).flatten(plan)
