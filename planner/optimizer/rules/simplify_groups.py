"""Groups by fewer keys: constants and keys that equal another one say nothing.

sql: SELECT t.a, u.c, 'x' AS k, count(*) AS n FROM t JOIN u ON t.a = u.c GROUP BY t.a, u.c, k
before:
    Project a, c, group, count_star
      Aggregate by a, c, 'x' AS group: count(*) AS count_star
        Join INNER on (a = c)
          Scan t [a, b, s, d, p, x]
          Scan u [a:2, c, s:2]
after:
    Project a, c, group, count_star
      Project a, a AS c, 'x' AS group, count_star
        Aggregate by a: count(*) AS count_star
          Join INNER on (a = c)
            Scan t [a, b, s, d, p, x]
            Scan u [a:2, c, s:2]
"""

from __future__ import annotations

from dataclasses import replace

from ...expr import ColumnRef, Comparison, Expr, Literal, conjuncts, ref
from ...logical import Aggregate, Filter, Join, JoinKind, Plan, Project, Scan, Sort, Window, transform_plan
from ..context import OptimizerContext
from ..unnest.domain import is_exact

# Columns of two relations that are equal in every row, told by the smallest id.
Classes = dict[int, int]


def simplify_groups(plan: Plan, context: OptimizerContext) -> Plan:
    """One walk; a projection gives the dropped keys back."""
    return transform_plan(plan, _visit)


def _visit(node: Plan) -> Plan:
    if not isinstance(node, Aggregate) or len(node.groups) < 2:
        return node
    classes = _classes(node.input)
    kept: dict[Expr, int] = {}
    values: dict[int, Expr] = {}
    constants: list[int] = []
    for index, (column, expr) in enumerate(zip(node.group_columns, node.groups, strict=True)):
        if isinstance(expr, Literal):
            constants.append(index)
            values[column.id] = expr
            continue
        key = expr
        if isinstance(expr, ColumnRef):
            key = replace(expr, id=classes.get(expr.id, expr.id))
        if key in kept:
            values[column.id] = ref(node.group_columns[kept[key]])
        else:
            kept[key] = index
    indexes = sorted(kept.values())
    if not indexes:
        # Without any key an empty input would give one row.
        indexes = constants[:1]
        del values[node.group_columns[indexes[0]].id]
    if not values:
        return node
    smaller = replace(
        node,
        group_columns=tuple(node.group_columns[i] for i in indexes),
        groups=tuple(node.groups[i] for i in indexes),
    )
    exprs = tuple(values.get(c.id) or ref(c) for c in node.schema)
    return Project(smaller, node.schema, exprs)


def _classes(plan: Plan) -> Classes:
    """Columns that equal each other in every row, where equal values are interchangeable."""
    known = plan.__dict__.get("_classes")
    if known is None:
        known = plan.__dict__["_classes"] = _derive(plan)
    return known


def _derive(plan: Plan) -> Classes:
    match plan:
        case Scan(predicate=predicate):
            return _united({}, predicate)
        case Filter(input=source, predicate=predicate):
            return _united(_classes(source), predicate)
        case Sort(input=source) | Window(input=source):
            return _classes(source)
        case Project(input=source):
            present = {
                c.id
                for c, e in zip(plan.columns, plan.exprs, strict=True)
                if isinstance(e, ColumnRef) and e.id == c.id
            }
            return {a: b for a, b in _classes(source).items() if a in present and b in present}
        case Join(kind=JoinKind.INNER, left=left, right=right, condition=condition):
            return _united({**_classes(left), **_classes(right)}, condition)
        case Join(
            kind=JoinKind.LEFT | JoinKind.SEMI | JoinKind.ANTI | JoinKind.MARK | JoinKind.SINGLE, left=left
        ):
            return _classes(left)
        case _:
            return {}


def _united(classes: Classes, predicate: Expr | None) -> Classes:
    pairs = [
        (t.left, t.right)
        for t in conjuncts(predicate)
        if isinstance(t, Comparison)
        and t.op == "="
        and isinstance(t.left, ColumnRef)
        and isinstance(t.right, ColumnRef)
    ]
    if not pairs:
        return classes
    result = dict(classes)
    for left, right in pairs:
        if not is_exact(left.type):
            continue
        a, b = result.get(left.id, left.id), result.get(right.id, right.id)
        low = min(a, b)
        for column in {a, b, left.id, right.id} | {c for c, r in result.items() if r in (a, b)}:
            result[column] = low
    return result
