"""Plainer aggregates: count of what is never NULL; DISTINCT and ORDER BY that change nothing.

sql: SELECT count(1), count(DISTINCT n), count(n) FROM (SELECT count(*) AS n FROM t)
before:
    Project count, count:2, count:3
      Aggregate: count(1) AS count, count(DISTINCT count_star) AS count:2, count(count_star) AS count:3
        Project count_star
          Aggregate: count(*) AS count_star
            Scan t [a, b, s, d, p, x]
after:
    Project count, count:2, count:3
      Aggregate: count(*) AS count, count(DISTINCT count_star) AS count:2, count(*) AS count:3
        Project count_star
          Aggregate: count(*) AS count_star
            Scan t [a, b, s, d, p, x]
"""

from __future__ import annotations

from dataclasses import replace

from ...expr import AggregateCall
from ...functions import AGGREGATES
from ...logical import Aggregate, Plan, transform_plan
from ..build import one_row
from ..context import OptimizerContext
from ..nullability import expression_never_null


def simplify_aggregates(plan: Plan, context: OptimizerContext) -> Plan:
    """One walk; each call by itself."""
    return transform_plan(plan, _visit)


def _visit(node: Plan) -> Plan:
    if not isinstance(node, Aggregate):
        return node
    if not node.groups and not node.calls:
        # One row, whatever is below.
        return one_row()
    calls = tuple(_simpler(call, node.input) for call in node.calls)
    if all(a is b for a, b in zip(calls, node.calls, strict=True)):
        return node
    return replace(node, calls=calls)


def _simpler(call: AggregateCall, source: Plan) -> AggregateCall:
    function = AGGREGATES.get(call.function)
    if function is None:
        return call
    if call.order_by and not function.order_sensitive:
        call = replace(call, order_by=())
    if call.distinct and not function.distinct_matters:
        call = replace(call, distinct=False)
    if call.function == "count" and not call.distinct and expression_never_null(call.args[0], source):
        call = replace(call, function="count_star", args=())
    return call
