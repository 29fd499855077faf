"""Copies of a plan with ids of their own, so that both may stand in one statement."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from ..expr import Column, Expr, ref, substitute
from ..logical import (
    Aggregate,
    ColumnIds,
    Cte,
    CteRef,
    Join,
    Plan,
    Project,
    Recursion,
    Scan,
    SetOp,
    UnionAll,
    Unnest,
    Values,
    Window,
    WorkingRef,
    map_expressions,
    with_inputs,
)

_COLUMN_FIELDS: dict[type[Plan], tuple[str, ...]] = {
    Scan: ("columns",),
    Values: ("columns",),
    Project: ("columns",),
    Aggregate: ("group_columns", "call_columns"),
    Window: ("call_columns",),
    Unnest: ("columns",),
    UnionAll: ("columns",),
    SetOp: ("columns",),
    CteRef: ("columns",),
    Recursion: ("anchor_columns", "step_columns", "columns"),
    WorkingRef: ("columns",),
}


def freshen(
    plan: Plan, ids: ColumnIds, given: Mapping[int, Column] | None = None
) -> tuple[Plan, dict[int, Column]]:
    """A copy whose columns all have new ids, and the new column of every old id. `given` fixes new columns of
    some old ids.
    """
    columns: dict[int, Column] = dict(given or {})
    ctes: dict[int, int] = {}
    mapping: dict[int, Expr] = {old: ref(new) for old, new in columns.items()}

    def renamed(old: tuple[Column, ...]) -> tuple[Column, ...]:
        found = []
        for column in old:
            new = columns.get(column.id)
            if new is None:
                new = columns[column.id] = replace(column, id=ids.fresh())
                mapping[column.id] = ref(new)
            found.append(new)
        return tuple(found)

    def visit(node: Plan) -> Plan:
        if isinstance(node, (Cte, Recursion)):
            ctes.setdefault(node.cte_id, ids.fresh())
        node = with_inputs(node, tuple(visit(child) for child in node.inputs))
        # Ids of the inputs are known by now, those of the node itself after its columns are renamed.
        updates: dict[str, object] = {
            name: renamed(getattr(node, name)) for name in _COLUMN_FIELDS.get(type(node), ())
        }
        if isinstance(node, Unnest) and node.ordinality is not None:
            updates["ordinality"] = renamed((node.ordinality,))[0]
        if isinstance(node, Join) and node.mark is not None:
            updates["mark"] = renamed((node.mark,))[0]
        if isinstance(node, (Cte, CteRef, Recursion, WorkingRef)) and node.cte_id in ctes:
            updates["cte_id"] = ctes[node.cte_id]
        if updates:
            node = replace(node, **updates)
        return map_expressions(node, lambda e: substitute(e, mapping))

    return visit(plan), columns
