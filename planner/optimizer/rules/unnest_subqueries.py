"""Turns every subquery and lateral join into plain joins.

    sql: SELECT a FROM t WHERE b > (SELECT 2 * max(c) FROM u WHERE u.c = t.a)
    before:
        Project a
          Filter (b > (subquery))
            Scan t [a, b, s, d, p, x]
    after:
        Project a
          Project a, b, s, d, p, x
            Filter (b > (2 * max(c)))
              Join LEFT on (a = c)
                Scan t [a, b, s, d, p, x]
                Project (2 * max(c)), c, TRUE AS matched
                  Project (2 * max) AS (2 * max(c)), c
                    Aggregate by c: max(c) AS max
                      Scan u [a:2, c, s:2]

Neumann and Kemper, "Unnesting Arbitrary Queries" (BTW 2015); see `unnest/`.
"""

from __future__ import annotations

from ...logical import Plan
from ..context import OptimizerContext
from ..unnest.flatten import Flattener


def unnest_subqueries(plan: Plan, context: OptimizerContext) -> Plan:
    """No subquery stands in an expression afterwards, except one that a LIMIT runs first."""
    return Flattener(context.ids).flatten(plan)
