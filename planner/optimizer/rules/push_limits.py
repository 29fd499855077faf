"""Moves LIMIT down, and makes ORDER BY with LIMIT one top-N.

sql: SELECT a + 1 AS z FROM (SELECT a FROM t ORDER BY b) LIMIT 3
given: merge_projects
before:
    Limit 3
      Project (a + 1) AS z
        Sort b
          Project a, b
            Scan t [a, b, s, d, p, x]
after:
    Project (a + 1) AS z
      Project a, b
        Limit 3 by b
          Scan t [a, b, s, d, p, x]
"""

from __future__ import annotations

from dataclasses import replace

from ...expr import ColumnRef, Expr, ref, references, substitute
from ...logical import Cte, Join, JoinKind, Limit, Plan, Project, Sort, UnionAll, with_inputs
from ..build import empty
from ..context import OptimizerContext
from ..properties import is_volatile


def push_limits(plan: Plan, context: OptimizerContext) -> Plan:
    """One walk from the root down."""
    if isinstance(plan, Limit):
        plan = _limit(plan)
    return with_inputs(plan, tuple(push_limits(child, context) for child in plan.inputs))


def _limit(node: Limit) -> Plan:
    """Moves one LIMIT as far as it goes."""
    limit, offset, source = node.limit, node.offset, node.input
    if limit == 0:
        return empty(node.schema)
    if limit is None and offset == 0:
        return source
    if not isinstance(offset, int) or not (limit is None or isinstance(limit, int)):
        return node
    match source:
        case Project() if not node.keys and not any(is_volatile(e) for e in source.exprs):
            return with_inputs(source, (_again(node, source.input),))
        case Project() if node.keys:
            return _below_projection(node, source)
        case Cte():
            return with_inputs(source, (source.definition, _again(node, source.body)))
        case Sort() if not node.keys and limit is not None:
            return _again(replace(node, keys=source.keys), source.input)
        case Sort() if node.keys:
            return _again(node, source.input)
        case Limit() if (
            not node.keys and isinstance(source.offset, int) and not hasattr(source.limit, "type")
        ):
            return _merged(limit, offset, source)
        case UnionAll() if limit is not None:
            return _into_branches(node, source, limit + offset)
        case Join(kind=JoinKind.LEFT | JoinKind.SINGLE | JoinKind.MARK) if limit is not None:
            return _into_left(node, source, limit + offset)
        case _:
            return node


def _below_projection(node: Limit, source: Project) -> Plan:
    """Top-N before a projection, so that only its rows are computed, where the keys are columns there too."""
    mapping: dict[int, Expr] = {c.id: e for c, e in zip(source.columns, source.exprs, strict=True)}
    wanted = [mapping[column] for key in node.keys for column in references(key.expr)]
    if not all(isinstance(e, ColumnRef) for e in wanted) or any(is_volatile(e) for e in source.exprs):
        return node
    keys = tuple(replace(k, expr=substitute(k.expr, mapping)) for k in node.keys)
    return with_inputs(source, (_limit(replace(node, input=source.input, keys=keys)),))


def _again(node: Limit, source: Plan) -> Plan:
    return _limit(replace(node, input=source))


def _merged(limit: int | None, offset: int, inner: Limit) -> Plan:
    """LIMIT of LIMIT."""
    assert isinstance(inner.offset, int)
    rest = inner.limit
    if rest is not None:
        assert isinstance(rest, int)
        rest = max(0, rest - offset)
        rest = rest if limit is None else min(limit, rest)
    else:
        rest = limit
    return _limit(Limit(inner.input, rest, inner.offset + offset, inner.keys))


def _into_branches(node: Limit, union: UnionAll, most: int) -> Plan:
    """No branch needs to give more rows than the whole."""
    branches = []
    for branch in union.branches:
        mapping = {c.id: ref(s) for c, s in zip(union.columns, branch.schema, strict=True)}
        keys = tuple(replace(k, expr=substitute(k.expr, dict(mapping))) for k in node.keys)
        branches.append(_at_most(branch, most, keys))
    return with_inputs(node, (with_inputs(union, tuple(branches)),))


def _into_left(node: Limit, join: Join, most: int) -> Plan:
    """Every left row gives a row at least, so the first ones come from the first ones."""
    if any(not references(k.expr) <= join.left.ids for k in node.keys):
        return node
    left = _at_most(join.left, most, node.keys)
    return with_inputs(node, (with_inputs(join, (left, join.right)),))


def _at_most(plan: Plan, most: int, keys: tuple) -> Plan:
    """The plan limited to `most` rows, unless it is already."""
    below = plan
    while isinstance(below, Project):
        below = below.input
    if isinstance(below, Limit) and isinstance(below.limit, int) and below.limit <= most:
        return plan
    return Limit(plan, most, 0, keys)
