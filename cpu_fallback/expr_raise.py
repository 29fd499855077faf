"""What can be told of an expression before it runs: whether it can fail for some row, whether it is costly,
how large its integers get.

Terms that cannot fail are evaluated for all rows, which is fastest; those that can are evaluated only where
SQL asks for their value.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..physical.stored import range_of, stored_range
from ..planner.expr import (
    Call,
    Case,
    Cast,
    Coalesce,
    Comparison,
    Expr,
    InList,
    Literal,
    UserCall,
    children,
)
from ..planner.types import TypeId
from .casts import can_fail
from .functions.registry import implementation
from .storage import has_values

Bounds = tuple[int, int]
_ARITHMETIC = frozenset({"+", "-", "*", "neg"})
_QUICK = _ARITHMETIC | {"/", "//", "%"}


def can_raise(expr: Expr) -> bool:
    """Whether evaluating the expression may end in an error for some value of its columns."""
    return _known(expr, "_can_raise", _can_raise)


def is_costly(expr: Expr) -> bool:
    """Whether the expression does work of more than a few nanoseconds a row, so that choosing rows first
    can pay.
    """
    return _known(expr, "_is_costly", _is_costly)


def is_quick(node: Expr) -> bool:
    """Whether the node by itself takes a few nanoseconds a row whatever the values, so that no batch is too
    large for it: arithmetic and comparisons of values of fixed width.
    """
    if isinstance(node, (Cast, InList)) or (isinstance(node, Call) and node.function not in _QUICK):
        return False
    return all(has_values(part.type) for part in (node, *children(node)))


def static_bounds(expr: Expr) -> Bounds | None:
    """Inclusive bounds of the stored integers of an expression that follow from types and literals; None
    where values are not integers.
    """
    return _known(expr, "_static_bounds", _static_bounds)


def _known(expr: Expr, name: str, find: Callable[[Expr], Any]) -> Any:
    """What `find` says of the node, kept in it; it is asked for children first, so that it can ask for theirs
    without recursion.

    Trees share parts, so that they can have far more paths than nodes.
    """
    if name in expr.__dict__:
        return expr.__dict__[name]
    stack = [expr]
    while stack:
        node = stack[-1]
        missing = [child for child in children(node) if name not in child.__dict__]
        if missing:
            stack.extend(missing)
            continue
        stack.pop()
        if name not in node.__dict__:
            node.__dict__[name] = find(node)
    return expr.__dict__[name]


def _can_raise(node: Expr) -> bool:
    return any(can_raise(child) for child in children(node)) or _node_can_raise(node)


def _is_costly(node: Expr) -> bool:
    return any(is_costly(child) for child in children(node)) or _node_is_costly(node)


def _static_bounds(node: Expr) -> Bounds | None:
    implied = stored_range(node.type)
    if implied is None:
        return None
    if isinstance(node, Literal):
        return (0, 0) if node.value is None else (node.value, node.value)
    if isinstance(node, Call) and node.function in _ARITHMETIC:
        exact = _exact_bounds(node)
        if exact is not None:
            return max(exact[0], implied[0]), min(exact[1], implied[1])
    return implied


def _exact_bounds(expr: Call) -> Bounds | None:
    """Range of the exact result of + - * and negation over integers and decimals (of equal scale for + and
    -); None for other types.
    """
    if not all(arg.type.is_integer or arg.type.is_decimal for arg in expr.args):
        return None
    parts = [static_bounds(arg) for arg in expr.args]
    assert parts[0] is not None
    if expr.function == "neg" or len(parts) == 1:
        return -parts[0][1], -parts[0][0]
    assert parts[1] is not None
    return range_of(expr.function, parts[0], parts[1])


def _node_can_raise(node: Expr) -> bool:
    if isinstance(node, Call):
        if node.function in _ARITHMETIC:
            if node.type.is_float:
                return False
            exact, implied = _exact_bounds(node), stored_range(node.type)
            if exact is not None and implied is not None:
                return exact[0] < implied[0] or exact[1] > implied[1]
        return not implementation(node.function).safe
    if isinstance(node, Cast):
        return not node.safe and can_fail(node.arg.type, node.type, static_bounds(node.arg))
    return isinstance(node, UserCall)


def _node_is_costly(node: Expr) -> bool:
    if isinstance(node, (Comparison, InList)):
        return _is_long(children(node)[0])
    if isinstance(node, (Case, Coalesce, UserCall)):
        return True
    if isinstance(node, (Call, Cast)):
        return any(_is_long(part) for part in (node, *children(node)))
    return False


def _is_long(expr: Expr) -> bool:
    return expr.type.id in (TypeId.VARCHAR, TypeId.BLOB) or expr.type.is_nested
