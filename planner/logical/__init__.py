"""Logical plan nodes: frozen dataclasses over column ids.

Every node has `schema`, the tuple of its output columns. `outer_references` are ids it reads but does not
produce: they make a plan correlated. Behaviour (rules, costs, physical creation) lives in functions
elsewhere, dispatched on the node's type.
"""

from __future__ import annotations

from .base import Plan, Unary
from .ids import ColumnIds
from .joins import Join, JoinKind
from .recursion import Recursion, WorkingRef
from .relations import Aggregate, Distinct, Filter, Limit, Project, Scan, Sort, Unnest, Values, Window
from .sets import Cte, CteRef, SetOp, UnionAll
from .walk import map_expressions, substitute_plan, transform_plan, walk_plan, with_inputs

__all__ = [
    "Aggregate",
    "ColumnIds",
    "Cte",
    "CteRef",
    "Distinct",
    "Filter",
    "Join",
    "JoinKind",
    "Limit",
    "Plan",
    "Project",
    "Recursion",
    "Scan",
    "SetOp",
    "Sort",
    "Unary",
    "UnionAll",
    "Unnest",
    "Values",
    "Window",
    "WorkingRef",
    "map_expressions",
    "substitute_plan",
    "transform_plan",
    "walk_plan",
    "with_inputs",
]
