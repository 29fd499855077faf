"""Drops conditions of scans that exact statistics decide: true for every row, or for none.

sql: SELECT o_orderkey FROM orders WHERE o_custkey > 0
given: push_filters, prune_columns
before:
    Project o_orderkey
      Scan orders [o_orderkey, o_custkey] WHERE (o_custkey > 0)
after:
    Project o_orderkey
      Scan orders [o_orderkey, o_custkey]
"""

from __future__ import annotations

from dataclasses import replace

from ...expr import ColumnRef, Comparison, Expr, Literal, conjunction, conjuncts
from ...logical import Filter, Plan, Scan, transform_plan
from ..build import FALSE
from ..context import OptimizerContext
from ..folding.comparisons import holds
from ..folding.values import compare


def prove_conditions(plan: Plan, context: OptimizerContext) -> Plan:
    """One walk. Bounds say nothing about NaN, so conditions on floating-point columns stay."""
    return transform_plan(plan, _visit)


def _visit(node: Plan) -> Plan:
    if not isinstance(node, Scan) or node.predicate is None:
        return node
    kept: list[Expr] = []
    terms = conjuncts(node.predicate)
    for term in terms:
        verdict = _verdict(node, term)
        if verdict is False:
            return Filter(replace(node, predicate=None), FALSE)
        if verdict is None:
            kept.append(term)
    return node if len(kept) == len(terms) else replace(node, predicate=conjunction(kept))


def _verdict(scan: Scan, term: Expr) -> bool | None:
    """Whether a condition holds for every row (True) or no row (False) of a table."""
    if not isinstance(term, Comparison) or term.op not in ("=", "<>", "<", "<=", ">", ">="):
        return None
    column, literal = term.left, term.right
    if not isinstance(column, ColumnRef) or not isinstance(literal, Literal) or literal.value is None:
        return None
    name = next(n for c, n in zip(scan.columns, scan.names, strict=True) if c.id == column.id)
    stats = scan.table.column_stats(name)
    if stats is None or not stats.exact or column.type.is_float:
        return None
    if stats.low is None or stats.high is None:
        return None
    low = compare(stats.low, literal.value, column.type)
    high = compare(stats.high, literal.value, column.type)
    if low is None or high is None:
        return None
    if term.op in ("=", "<>"):
        outside = low > 0 or high < 0
        only = low == high == 0
        sure = (outside, only) if term.op == "<>" else (only, outside)
    else:
        sure = (
            holds(term.op, low) and holds(term.op, high),
            not holds(term.op, low) and not holds(term.op, high),
        )
    if sure[1]:
        return False
    return True if sure[0] and stats.nulls == 0 else None
