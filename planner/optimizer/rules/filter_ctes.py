"""Filters a shared CTE by what its readers have in common: the OR of their conditions.

sql: WITH c AS (SELECT a, b + 1 AS b1 FROM t)
    SELECT l.a FROM (SELECT * FROM c WHERE a = 1) l, (SELECT * FROM c WHERE a = 2) r
given: push_filters
before:
    Cte c
      Project a, (b + 1) AS b1
        Scan t [a, b, s, d, p, x]
      Project a:2
        Join INNER
          Project a:2, b1:2
            Filter (a:2 = 1)
              CteRef c [a:2, b1:2]
          Project a:3, b1:3
            Filter (a:3 = 2)
              CteRef c [a:3, b1:3]
after:
    Cte c
      Filter (a IN (1, 2))
        Project a, (b + 1) AS b1
          Scan t [a, b, s, d, p, x]
      Project a:2
        Join INNER
          Project a:2, b1:2
            Filter (a:2 = 1)
              CteRef c [a:2, b1:2]
          Project a:3, b1:3
            Filter (a:3 = 2)
              CteRef c [a:3, b1:3]
"""

from __future__ import annotations

from dataclasses import replace

from ...expr import Expr, Literal, Or, conjunction, conjuncts, ref, substitute
from ...logical import Cte, CteRef, Filter, Plan, transform_plan, walk_plan
from ...types import BOOLEAN
from ..context import OptimizerContext
from ..folding.predicates import simplify_predicate
from ..properties import is_volatile, may_fail

# The OR of very many readers' conditions filters little.
_MOST_READERS = 16


def filter_ctes(plan: Plan, context: OptimizerContext) -> Plan:
    """Runs once: what was derived is derived from the same readers again."""
    return transform_plan(plan, _visit)


def _visit(node: Plan) -> Plan:
    if not isinstance(node, Cte):
        return node
    predicates: list[Expr] = []
    readers = 0
    for part in walk_plan(node.body):
        if isinstance(part, CteRef) and part.cte_id == node.cte_id:
            readers += 1
        elif isinstance(part, Filter) and isinstance(part.input, CteRef) and part.input.cte_id == node.cte_id:
            predicate = _for_definition(part, part.input, node.definition)
            if predicate is not None:
                predicates.append(predicate)
    if not predicates or len(predicates) < readers or readers > _MOST_READERS:
        return node
    common = predicates[0] if readers == 1 else simplify_predicate(Or(BOOLEAN, tuple(predicates)))
    if isinstance(common, Literal):
        return node
    return replace(node, definition=Filter(node.definition, common))


def _for_definition(node: Filter, reader: CteRef, definition: Plan) -> Expr | None:
    """The terms of a reader's filter that can be told in the definition's columns."""
    mapping: dict[int, Expr] = {
        c.id: ref(definition.schema[p]) for c, p in zip(reader.columns, reader.positions, strict=True)
    }
    terms = [t for t in conjuncts(node.predicate) if not is_volatile(t) and not may_fail(t)]
    return conjunction(substitute(t, mapping) for t in terms)
