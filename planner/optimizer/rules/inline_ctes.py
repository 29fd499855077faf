"""Moves CTEs to the root, drops unused ones, and puts those in place that are read once or cost nothing.

sql: WITH one AS (SELECT a + 1 AS x FROM t), two AS (SELECT x FROM one WHERE x > 3)
    SELECT l.x FROM two l, two r
before:
    Cte one
      Project (a + 1) AS x:2
        Scan t [a, b, s, d, p, x]
      Cte two
        Project x:3
          Filter (x:3 > 3)
            CteRef one [x:3]
        Project x:4
          Join INNER
            CteRef two [x:4]
            CteRef two [x:5]
after:
    Cte two
      Project x:3
        Filter (x:3 > 3)
          Project x:2 AS x:3
            Project (a + 1) AS x:2
              Scan t [a, b, s, d, p, x]
      Project x:4
        Join INNER
          CteRef two [x:4]
          CteRef two [x:5]
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from ...logical import (
    Cte,
    CteRef,
    Plan,
    Project,
    Recursion,
    Scan,
    Values,
    WorkingRef,
    walk_plan,
    with_inputs,
)
from ..build import is_renaming, renaming
from ..context import OptimizerContext
from ..properties import is_volatile
from ..rename import freshen


def inline_ctes(plan: Plan, context: OptimizerContext) -> Plan:
    """Afterwards all CTEs that are left stand above the rest of the plan, each below those it reads."""
    definitions: dict[int, Cte] = {}
    body = _lifted(plan, definitions)
    if not definitions:
        return plan
    uses = _uses(body, definitions)
    inlined: dict[int, tuple[Plan, bool]] = {}
    kept: list[Cte] = []
    for cte_id, cte in definitions.items():
        if not uses[cte_id]:
            continue
        definition = _replaced(cte.definition, inlined, context)
        if _to_inline(cte, definition, uses[cte_id]):
            inlined[cte_id] = (definition, uses[cte_id] > 1)
        else:
            kept.append(cte if definition is cte.definition else replace(cte, definition=definition))
    result = _replaced(body, inlined, context)
    for cte in reversed(kept):
        result = replace(cte, body=result)
    return plan if _same(plan, result) else result


def _uses(body: Plan, definitions: dict[int, Cte]) -> Counter[int]:
    """How often each CTE is read, by what is read itself."""
    uses: Counter[int] = Counter(n.cte_id for n in walk_plan(body) if isinstance(n, CteRef))
    for cte_id, cte in reversed(definitions.items()):
        if uses[cte_id]:
            uses.update(n.cte_id for n in walk_plan(cte.definition) if isinstance(n, CteRef))
    return uses


def _lifted(plan: Plan, definitions: dict[int, Cte]) -> Plan:
    """The plan without its CTEs, which go into `definitions`, each after those it reads."""
    if isinstance(plan, Cte):
        definition = _lifted(plan.definition, definitions)
        definitions[plan.cte_id] = (
            plan if definition is plan.definition else replace(plan, definition=definition)
        )
        return _lifted(plan.body, definitions)
    if isinstance(plan, Recursion):
        anchor = _lifted(plan.anchor, definitions)
        return with_inputs(plan, (anchor, _lifted_step(plan.step, definitions)))
    return with_inputs(plan, tuple(_lifted(child, definitions) for child in plan.inputs))


def _lifted_step(step: Plan, definitions: dict[int, Cte]) -> Plan:
    """The step of a recursion without its CTEs but those that read what a round leaves to the next: they
    stay in
    it."""
    found: dict[int, Cte] = {}
    body = _lifted(step, found)
    inside: dict[int, Cte] = {}
    for cte_id, cte in found.items():
        if any(_is_of_round(node, inside) for node in walk_plan(cte.definition)):
            inside[cte_id] = cte
        else:
            definitions[cte_id] = cte
    for cte in reversed(inside.values()):
        body = replace(cte, body=body)
    return step if _same(step, body) else body


def _is_of_round(node: Plan, inside: dict[int, Cte]) -> bool:
    return isinstance(node, WorkingRef) or (isinstance(node, CteRef) and node.cte_id in inside)


def _to_inline(cte: Cte, definition: Plan, uses: int) -> bool:
    if cte.materialized is True:
        return False
    if uses == 1:
        return True
    volatile = any(is_volatile(e) for node in walk_plan(definition) for e in node.expressions)
    return not volatile and (cte.materialized is False or _costs_nothing(definition))


def _costs_nothing(plan: Plan) -> bool:
    """Reading a table again is cheaper than keeping a copy of it."""
    while isinstance(plan, Project) and is_renaming(plan):
        plan = plan.input
    if isinstance(plan, Scan):
        return plan.predicate is None
    return isinstance(plan, CteRef) or (isinstance(plan, Values) and len(plan.rows) <= 1)


def _replaced(plan: Plan, inlined: dict[int, tuple[Plan, bool]], context: OptimizerContext) -> Plan:
    """References to inlined CTEs become their definitions, or copies of them."""
    if isinstance(plan, CteRef) and plan.cte_id in inlined:
        definition, shared = inlined[plan.cte_id]
        if shared:
            definition, _ = freshen(definition, context.ids)
        return renaming(definition, [definition.schema[p] for p in plan.positions], plan.columns)
    return with_inputs(plan, tuple(_replaced(child, inlined, context) for child in plan.inputs))


def _same(old: Plan, new: Plan) -> bool:
    """Whether CTEs stand where they stood."""
    while isinstance(old, Cte) and isinstance(new, Cte):
        if old.cte_id != new.cte_id or old.definition is not new.definition:
            return False
        old, new = old.body, new.body
    return old is new
