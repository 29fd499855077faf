"""Window nodes over plain columns: what their keys, arguments and frames compute is computed by a Project
below, so that the operators of all devices need no expressions and what one device cannot compute is bridged
there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from ..planner.expr import Case, Column, ColumnRef, Expr, Literal, WindowCall, children, ref, with_children
from ..planner.logical import Window
from ..planner.optimizer.printer_expressions import expression_text
from ..planner.optimizer.properties import may_fail
from ..planner.types import SQLType
from . import nodes
from .nodes import Node


def create_window(
    plan: Window, required: frozenset[int], below: Node, fresh: Callable[[str, SQLType], Column]
) -> Node:
    """The physical plan of the calls of `plan` whose columns are `required`, over `below`, which has all
    columns that they read. `fresh` makes a column."""
    pairs = [(c, e) for c, e in zip(plan.call_columns, plan.calls, strict=True) if c.id in required]
    computed = _Computed(below, fresh)
    partition = tuple(dict.fromkeys(computed.key(e) for e in plan.partition if not isinstance(e, Literal)))
    order = tuple(replace(k, expr=computed.key(k.expr)) for k in plan.order)
    calls = tuple(computed.call(call) for _, call in pairs)
    kept = tuple(c for c in below.schema if c.id in required)
    return nodes.Window(
        input=computed.over(),
        kept=kept,
        partition=partition,
        order=order,
        call_columns=tuple(c for c, _ in pairs),
        calls=calls,
    )


def _text(expr: Expr) -> str:
    """The expression, as the name by which EXPLAIN tells its column."""
    return expression_text(expr, lambda _, name: name)


@dataclass
class _Computed:
    """Columns for expressions over a node; equal expressions share one."""

    below: Node
    fresh: Callable[[str, SQLType], Column]

    def __post_init__(self) -> None:
        self._columns: dict[Expr, Column] = {}

    def key(self, expr: Expr) -> ColumnRef:
        """The column with the values of an expression, also of a literal."""
        if isinstance(expr, ColumnRef):
            return expr
        column = self._columns.get(expr)
        if column is None:
            column = self._columns[expr] = self.fresh(_text(expr), expr.type)
        return ref(column, expr.span)

    def call(self, call: WindowCall) -> WindowCall:
        """The call over columns and literals. Arguments that can fail are computed only where FILTER lets the
        row count; a row that does not count has a frame all the same."""
        parts: list[Expr] = []
        for place, part in enumerate(children(call)):
            if isinstance(part, Literal):
                parts.append(part)
                continue
            if call.filter is not None and place < len(call.args) and may_fail(part):
                part = Case(part.type, ((call.filter, part),), Literal(part.type, None))
            parts.append(self.key(part))
        made = with_children(call, tuple(parts))
        assert isinstance(made, WindowCall)
        return made

    def over(self) -> Node:
        """The node with the computed columns added."""
        if not self._columns:
            return self.below
        columns = self.below.schema
        return nodes.Project(
            input=self.below,
            columns=(*columns, *self._columns.values()),
            exprs=(*(ref(c) for c in columns), *self._columns),
            rows=self.below.rows,
        )
