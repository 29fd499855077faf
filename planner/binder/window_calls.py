"""The Window nodes of a query level."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..expr import Column, Expr, Over, SortKey, WindowCall, ref, transform, walk
from ..functions import AGGREGATES, WINDOWS
from ..logical import ColumnIds, Plan, Window

_Rows = tuple[tuple[Expr, ...], tuple[SortKey, ...]]


def has_window(expr: Expr) -> bool:
    """Whether a window function of this level stands in a bound expression."""
    return any(isinstance(node, Over) for node in walk(expr))


@dataclass
class WindowCalls:
    """The window functions of a level by how their rows are partitioned and ordered; equal ones are computed
    once."""

    ids: ColumnIds
    _nodes: dict[_Rows, dict[WindowCall, Column]] = field(default_factory=dict)

    @property
    def is_empty(self) -> bool:
        """Whether no window function was met."""
        return not self._nodes

    def rewrite(self, expr: Expr) -> Expr:
        """`expr` over the Window nodes' output."""
        return transform(expr, self._placed) if has_window(expr) else expr

    def _placed(self, node: Expr) -> Expr:
        if not isinstance(node, Over):
            return node
        call = node.call
        calls = self._nodes.setdefault((node.partition, node.order), {})
        column = calls.get(call)
        if column is None:
            column = calls[call] = self.ids.column(call.function, call.type, not _never_null(call))
        return ref(column, node.span)

    def over(self, plan: Plan) -> Plan:
        """The Window nodes over `plan`, once all expressions are rewritten; `plan` itself if there are
        none."""
        for (partition, order), calls in self._nodes.items():
            plan = Window(plan, partition, order, tuple(calls.values()), tuple(calls))
        return plan


def _never_null(call: WindowCall) -> bool:
    if call.function in WINDOWS:
        return WINDOWS[call.function].never_null
    return AGGREGATES[call.function].empty is not None
