"""INTERSECT and EXCEPT from operators that exist anyway.

Both sides go into one union with a tag column a side (1 for a row of that side, else 0); grouping by all
columns and summing the tags counts the copies on each side; a filter keeps the groups, and for ALL each group
is repeated as often as the standard says.
"""

from __future__ import annotations

from collections.abc import Callable

from ..planner.expr import AggregateCall, Call, Case, Column, Comparison, Expr, Literal, conjunction, ref
from ..planner.logical import SetOp
from ..planner.types import BIGINT, BOOLEAN
from . import nodes
from .nodes import Node

_ZERO, _ONE = Literal(BIGINT, 0), Literal(BIGINT, 1)


def create_set_op(plan: SetOp, left: Node, right: Node, fresh: Callable[[str], Column]) -> Node:
    """The physical plan of a set operation over its two sides; `fresh` makes a BIGINT column.

    EXCEPT keeps rows that only the left side has; INTERSECT rows that both have; EXCEPT ALL max(m - n, 0)
    copies; INTERSECT ALL min(m, n). NULLs are equal, as in grouping.
    """
    tags = (fresh("left_tag"), fresh("right_tag"))
    union = nodes.UnionAll(
        branches=(_tagged(left, tags, (_ONE, _ZERO), fresh), _tagged(right, tags, (_ZERO, _ONE), fresh)),
        columns=(*plan.columns, *tags),
        rows=left.rows + right.rows,
    )
    counts = (fresh("left_count"), fresh("right_count"))
    grouped = nodes.HashAggregate(
        input=union,
        group_columns=plan.columns,
        groups=tuple(ref(c) for c in plan.columns),
        call_columns=counts,
        calls=tuple(
            AggregateCall(BIGINT, "count_star", (), filter=Comparison(BOOLEAN, "=", ref(tag), _ONE))
            for tag in tags
        ),
        rows=left.rows,
    )
    here, there = (ref(c) for c in counts)
    is_except = plan.kind == "except"
    if plan.all:
        copies: Expr = Call(BIGINT, "-", (here, there))
        if not is_except:
            copies = Case(BIGINT, ((Comparison(BOOLEAN, "<", here, there), here),), there)
        count = fresh("copies")
        counted = nodes.Project(
            input=grouped,
            columns=(*plan.columns, count),
            exprs=(*(ref(c) for c in plan.columns), copies),
            rows=left.rows,
        )
        return nodes.Repeat(input=counted, count=count, rows=left.rows)
    right_side = Comparison(BOOLEAN, "=" if is_except else ">", there, _ZERO)
    keep = conjunction((Comparison(BOOLEAN, ">", here, _ZERO), right_side))
    assert keep is not None
    kept = nodes.Filter(input=grouped, predicate=keep, rows=left.rows)
    return nodes.Project(
        input=kept, columns=plan.columns, exprs=tuple(ref(c) for c in plan.columns), rows=left.rows
    )


def _tagged(
    side: Node, tags: tuple[Column, Column], values: tuple[Expr, Expr], fresh: Callable[[str], Column]
) -> Node:
    own = tuple(fresh(tag.name) for tag in tags)
    return nodes.Project(
        input=side,
        columns=(*side.schema, *own),
        exprs=(*(ref(c) for c in side.schema), *values),
        rows=side.rows,
    )
