"""Moves the places that a plan's expressions carry, for queries whose text is not the statement's."""

from __future__ import annotations

from dataclasses import replace

from ..errors import Span
from ..expr import SUBQUERIES, Expr, transform
from ..logical import Plan, map_expressions, transform_plan


def relocate(plan: Plan, span: Span | None) -> Plan:
    """The plan with `span` as the place of every expression: errors at run time inside a view point to its
    use.
    """

    def move(node: Expr) -> Expr:
        if isinstance(node, SUBQUERIES):
            return replace(node, plan=relocate(node.plan, span), span=span)
        return replace(node, span=span)

    return transform_plan(plan, lambda node: map_expressions(node, lambda expr: transform(expr, move)))
