"""Deterministic text of a logical plan, without ids: for tests, examples and people.

Columns are shown by name; where two columns of a plan share a name, later ones get a number.
"""

from __future__ import annotations

from collections.abc import Iterable

from ..expr import Column, ColumnRef, Expr
from ..logical import (
    Aggregate,
    Cte,
    CteRef,
    Distinct,
    Filter,
    Join,
    Limit,
    Plan,
    Project,
    Recursion,
    Scan,
    SetOp,
    Sort,
    UnionAll,
    Unnest,
    Values,
    Window,
    WorkingRef,
)
from .printer_expressions import expression_text, keys_text


def plan_text(plan: Plan) -> str:
    """One line a node, inputs indented below it; a Cte shows its definition first."""
    labels = _Labels()
    _collect(plan, labels)
    lines: list[str] = []
    stack: list[tuple[Plan, int]] = [(plan, 0)]
    while stack:
        node, depth = stack.pop()
        lines.append("  " * depth + _node_text(node, labels))
        stack.extend((child, depth + 1) for child in reversed(node.inputs))
    return "\n".join(lines)


class _Labels:
    """A name for every column id; the first column of a name has it plain."""

    def __init__(self) -> None:
        self.by_id: dict[int, str] = {}
        self.used: dict[str, int] = {}

    def __call__(self, column: int, name: str) -> str:
        label = self.by_id.get(column)
        if label is None:
            count = self.used.get(name, 0) + 1
            self.used[name] = count
            label = self.by_id[column] = name if count == 1 else f"{name}:{count}"
        return label

    def columns(self, columns: Iterable[Column]) -> str:
        return ", ".join(self(c.id, c.name) for c in columns)


def _collect(plan: Plan, labels: _Labels) -> None:
    """Names columns from the leaves up, so that a table's column keeps its plain name."""
    for child in plan.inputs:
        _collect(child, labels)
    for column in plan.schema:
        labels(column.id, column.name)


def _node_text(node: Plan, labels: _Labels) -> str:
    def text(expr: Expr) -> str:
        return expression_text(expr, labels)

    def computed(columns: Iterable[Column], exprs: Iterable[Expr]) -> str:
        shown = []
        for column, expr in zip(columns, exprs, strict=True):
            label = labels(column.id, column.name)
            value = text(expr)
            plain = isinstance(expr, ColumnRef) and expr.id == column.id
            shown.append(label if plain else f"{value} AS {label}")
        return ", ".join(shown)

    match node:
        case Scan(table=table, alias=alias, columns=columns, predicate=predicate):
            named = table.name if alias in ("", table.name) else f"{table.name} AS {alias}"
            where = "" if predicate is None else f" WHERE {text(predicate)}"
            return f"Scan {named} [{labels.columns(columns)}]{where}"
        case Values(columns=columns, rows=rows):
            shown = ", ".join("(" + ", ".join(text(e) for e in row) + ")" for row in rows[:5])
            more = f" and {len(rows) - 5} more" if len(rows) > 5 else ""
            return (
                f"Values [{labels.columns(columns)}] {shown}{more}".rstrip()
                if rows
                else f"Empty [{labels.columns(columns)}]"
            )
        case Filter(predicate=predicate):
            return f"Filter {text(predicate)}"
        case Project(columns=columns, exprs=exprs):
            return f"Project {computed(columns, exprs)}".rstrip()
        case Join(kind=kind, condition=condition, mark=mark, mark_terms=terms):
            parts = [f"Join {kind.value}"]
            if node.lateral:
                parts.append("LATERAL")
            if condition is not None:
                parts.append(f"on {text(condition)}")
            if mark is not None:
                parts.append(f"mark {labels(mark.id, mark.name)}")
            if terms:
                parts.append("= " + " AND ".join(text(t) for t in terms))
            return " ".join(parts)
        case Aggregate():
            groups = computed(node.group_columns, node.groups)
            calls = computed(node.call_columns, node.calls)
            return "Aggregate" + (f" by {groups}" if groups else "") + (f": {calls}" if calls else "")
        case Window(partition=partition, order=order):
            by = f" by {', '.join(text(e) for e in partition)}" if partition else ""
            along = f" along {keys_text(order, labels)}" if order else ""
            return f"Window{by}{along}: {computed(node.call_columns, node.calls)}"
        case Unnest(lists=lists, columns=columns, keep=keep):
            counted = (
                "" if node.ordinality is None else f" {labels(node.ordinality.id, node.ordinality.name)}"
            )
            return f"Unnest{' keeping all' if keep else ''}: {computed(columns, lists)}{counted}"
        case Distinct(on=on, order=order):
            shown = f" on {', '.join(text(e) for e in on)}" if on else ""
            return f"Distinct{shown}" + (f" first by {keys_text(order, labels)}" if order else "")
        case Sort(keys=keys):
            return f"Sort {keys_text(keys, labels)}"
        case Limit(limit=limit, offset=offset, keys=keys):
            count = "all" if limit is None else text(limit) if isinstance(limit, Expr) else str(limit)
            skip = text(offset) if isinstance(offset, Expr) else str(offset) if offset else ""
            by = f" by {keys_text(keys, labels)}" if keys else ""
            return f"Limit {count}" + (f" offset {skip}" if skip else "") + by
        case UnionAll(columns=columns):
            return f"UnionAll {labels.columns(columns)}".rstrip()
        case SetOp(kind=kind, all=all_, columns=columns):
            return f"{kind.upper()}{' ALL' if all_ else ''} {labels.columns(columns)}"
        case Cte(name=name):
            return f"Cte {name}"
        case Recursion(name=name, distinct=distinct, columns=columns):
            word = "UNION" if distinct else "UNION ALL"
            return f"Recursion {name} {word} [{labels.columns(columns)}]"
        case WorkingRef(name=name, columns=columns):
            return f"WorkingRef {name} [{labels.columns(columns)}]"
        case CteRef(name=name, columns=columns):
            return f"CteRef {name} [{labels.columns(columns)}]"
        case _:
            raise AssertionError(type(node))
