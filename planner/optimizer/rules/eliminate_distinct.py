"""DISTINCT of rows that are distinct already disappears; other DISTINCT is grouping by all columns.

sql: SELECT DISTINCT a, n FROM (SELECT a, count(*) AS n FROM t GROUP BY a)
before:
    Distinct
      Project a, count_star
        Project a, count_star
          Aggregate by a: count(*) AS count_star
            Scan t [a, b, s, d, p, x]
after:
    Project a, count_star
      Project a, count_star
        Aggregate by a: count(*) AS count_star
          Scan t [a, b, s, d, p, x]
"""

from __future__ import annotations

from ...expr import ColumnRef, ref
from ...logical import Aggregate, Distinct, Plan, transform_plan
from ..build import with_schema
from ..context import OptimizerContext
from ..uniqueness import keys


def eliminate_distinct(plan: Plan, context: OptimizerContext) -> Plan:
    """One walk from the leaves up."""
    return transform_plan(plan, _visit)


def _visit(node: Plan) -> Plan:
    if not isinstance(node, Distinct):
        return node
    source = node.input
    ids = frozenset(e.id for e in node.on if isinstance(e, ColumnRef))
    if any(key <= (ids if node.on else source.ids) for key in keys(source)):
        return source
    if node.on and not source.ids <= ids:
        return node
    columns = tuple({c.id: c for c in source.schema}.values())
    if not columns or any(c.type.is_nested for c in columns):
        return node
    return with_schema(Aggregate(source, columns, tuple(map(ref, columns)), (), ()), source.schema)
