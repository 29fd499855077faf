"""Value numbers: equal subexpressions get equal numbers, without comparing trees.

A node's number is found from its class, its own fields and the numbers of its children, children first and
without recursion; a shared subexpression (the binder shares the argument of NULLIF and BETWEEN) is looked
at once, however often it stands in the tree.
"""

from __future__ import annotations

import struct
from typing import Any

from ..planner.expr import Call, Cast, ColumnRef, Comparison, Expr, Literal, UserCall, children
from .functions.registry import implementation


class Numbers:
    """The numbering of one compilation."""

    def __init__(self) -> None:
        self._by_key: dict[Any, int] = {}
        self._by_node: dict[int, int] = {}
        self._kept: list[Expr] = []  # nodes are known by identity, so they must live on

    def of(self, expr: Expr) -> int:
        """The number of an expression."""
        known = self._by_node
        if id(expr) in known:
            return known[id(expr)]
        stack = [expr]
        while stack:
            node = stack[-1]
            if id(node) in known:
                stack.pop()
                continue
            parts = children(node)
            missing = [part for part in parts if id(part) not in known]
            if missing:
                stack.extend(missing)
                continue
            key = (type(node), node.type, _own(node), tuple(known[id(part)] for part in parts))
            known[id(node)] = self._by_key.setdefault(key, len(self._by_key))
            self._kept.append(node)
            stack.pop()
        return known[id(expr)]


def _own(node: Expr) -> Any:
    """What tells a node from others with the same class, type and children."""
    match node:
        case Literal(value=float(value)):
            # 0.0 = -0.0, but 1 / x tells them apart.
            return struct.pack("<d", value)
        case Literal(value=value):
            return value
        case ColumnRef(id=id_):
            return id_
        case Call(function=name):
            return (name, id(node)) if implementation(name).volatile else name
        case UserCall(function=function):
            return (function.number, id(node)) if function.is_volatile else function.number
        case Comparison(op=op):
            return op
        case Cast(safe=safe):
            return safe
    return None
