"""Runtime join filters: what a hash join's build side learns reaches the scan on its probe side.

A key column of the probe side is followed down to the table scan that produces it; the scan is then told
which join's build side can say which of its rows cannot match. Allowed only where a probe row without a match
leaves the result anyway.
"""

from __future__ import annotations

from dataclasses import replace

from ..planner.expr import Column, ColumnRef
from ..planner.logical import JoinKind
from ..planner.types import TYPES
from . import nodes
from .nodes import Node, RuntimeFilter

_DROPS_UNMATCHED = {JoinKind.INNER, JoinKind.SEMI, JoinKind.RIGHT, JoinKind.RIGHT_SEMI, JoinKind.RIGHT_ANTI}
# The left input's rows of these joins may be thinned: a row more or less on the left changes only that row's
# own output.
_LEFT_TRANSPARENT = {
    JoinKind.INNER,
    JoinKind.LEFT,
    JoinKind.SEMI,
    JoinKind.ANTI,
    JoinKind.MARK,
    JoinKind.SINGLE,
}
_RIGHT_TRANSPARENT = {JoinKind.INNER, JoinKind.RIGHT, JoinKind.RIGHT_SEMI, JoinKind.RIGHT_ANTI}


def attach_runtime_filters(root: Node) -> Node:
    """The plan with runtime filters on its scans."""
    found: dict[int, list[RuntimeFilter]] = {}
    for node in nodes.walk_nodes(root):
        if isinstance(node, nodes.HashJoin):
            for index, key in enumerate(node.keys):
                if isinstance(key.left, ColumnRef) and may_filter(node, index):
                    scan = _producer(node.left, key.left.id)
                    if scan is not None and node.right.rows < scan[0].rows:
                        target = RuntimeFilter(node.join_id, index, scan[1])
                        found.setdefault(id(scan[0]), []).append(target)
    if not found:
        return root

    def visit(node: Node) -> Node:
        filters = found.get(id(node))
        new = nodes.with_inputs(node, tuple(visit(child) for child in node.inputs))
        return replace(new, runtime_filters=tuple(filters)) if filters else new

    return visit(root)


def may_filter(node: nodes.HashJoin, index: int) -> bool:
    """Whether a scan may be told of a join's key: rows without a match leave, and NULL matches nothing."""
    key = node.keys[index]
    plain = isinstance(key.left, ColumnRef) and not key.null_equal
    return node.kind in _DROPS_UNMATCHED and plain and TYPES[key.left.type.id].key != "none"


def _producer(node: Node, column_id: int) -> tuple[nodes.TableScan, Column] | None:
    """The scan from which a column comes unchanged, if thinning that scan is safe, and the scan's own
    column.
    """
    while True:
        match node:
            case nodes.TableScan():
                column = next((c for c in node.columns if c.id == column_id), None)
                return None if column is None else (node, column)
            case nodes.Filter() | nodes.Sort():
                node = node.input
            case nodes.Project():
                source = next(
                    (e for c, e in zip(node.columns, node.exprs, strict=True) if c.id == column_id), None
                )
                if not isinstance(source, ColumnRef):
                    return None
                node, column_id = node.input, source.id
            case nodes.HashAggregate():
                pairs = zip(node.group_columns, node.groups, strict=True)
                source = next((e for c, e in pairs if c.id == column_id), None)
                if not isinstance(source, ColumnRef):
                    return None
                node, column_id = node.input, source.id
            case nodes.HashJoin() | nodes.NestedLoopJoin():
                if any(c.id == column_id for c in node.left.schema):
                    if node.kind not in _LEFT_TRANSPARENT:
                        return None
                    node = node.left
                else:
                    if node.kind not in _RIGHT_TRANSPARENT:
                        return None
                    node = node.right
            case _:
                return None
