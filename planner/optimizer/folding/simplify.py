"""The walk that applies the steps of this package to a whole expression, with every result remembered on its
node.
"""

from __future__ import annotations

from ...expr import (
    SUBQUERIES,
    And,
    Call,
    Case,
    Cast,
    Coalesce,
    Comparison,
    Expr,
    InList,
    IsNull,
    Literal,
    Not,
    Or,
    UserCall,
    children,
    is_constant,
    with_children,
)
from ...functions import SCALARS, Nulls, Volatility
from ...types import BOOLEAN
from ..properties import may_fail
from .calls import fold_call
from .casts import fold_cast
from .comparisons import simplify_comparison, simplify_in
from .logic import simplify_case, simplify_coalesce, simplify_connective, simplify_not
from .values import UNKNOWN


def simplify(expr: Expr) -> Expr:
    """An expression of the same value (NULLs included) on every row; the same object if it is simple already.

    Nothing is evaluated that could fail: such parts stay for execution, where the rows that reach them
    decide.
    """
    known = expr.__dict__.get("_simplified")
    if known is not None:
        return expr if known is True else known
    old = children(expr)
    node = expr
    if old:
        new = tuple(simplify(child) for child in old)
        if any(a is not b for a, b in zip(old, new, strict=True)):
            node = with_children(expr, new)
    result = _step(node)
    if result is not node:
        # A step may have built parts that are not simple themselves.
        result = simplify(result)
    if result is expr:
        expr.__dict__["_simplified"] = True
    else:
        expr.__dict__["_simplified"] = result
        result.__dict__["_simplified"] = True
    return result


def _step(node: Expr) -> Expr:
    kind = type(node)
    if kind is Comparison:
        return simplify_comparison(node)  # type: ignore[arg-type]
    if kind is And or kind is Or:
        return simplify_connective(node)  # type: ignore[arg-type]
    if kind is Call:
        return _call(node)  # type: ignore[arg-type]
    if kind is UserCall:
        return _user_call(node)  # type: ignore[arg-type]
    if kind is Not:
        return simplify_not(node)  # type: ignore[arg-type]
    if kind is InList:
        return simplify_in(node)  # type: ignore[arg-type]
    if kind is Cast:
        return _cast(node)  # type: ignore[arg-type]
    if kind is IsNull:
        return _is_null(node)  # type: ignore[arg-type]
    if kind is Case:
        return simplify_case(node)  # type: ignore[arg-type]
    if kind is Coalesce:
        return simplify_coalesce(node)  # type: ignore[arg-type]
    return node


def _call(node: Call) -> Expr:
    function = SCALARS.get(node.function)
    if function is None or function.volatility is not Volatility.IMMUTABLE:
        return node
    if function.nulls is Nulls.PROPAGATE and any(is_constant(a, None) for a in node.args):
        # An argument that would fail keeps its chance to do so.
        return node if any(may_fail(a) for a in node.args) else Literal(node.type, None, span=node.span)
    return fold_call(node)


def _user_call(node: UserCall) -> Expr:
    null = any(is_constant(a, None) for a in node.args)
    if not null or not node.function.is_strict or any(may_fail(a) for a in node.args):
        return node
    return Literal(node.type, None, span=node.span)


def _cast(node: Cast) -> Expr:
    if node.arg.type == node.type:
        return node.arg
    if isinstance(node.arg, Literal):
        value = fold_cast(node.arg.value, node.arg.type, node.type)
        return node if value is UNKNOWN else Literal(node.type, value, span=node.span)
    return node


def _is_null(node: IsNull) -> Expr:
    arg = node.arg
    if isinstance(arg, Literal):
        return Literal(BOOLEAN, arg.value is None)
    if isinstance(arg, IsNull) or (
        isinstance(arg, Comparison) and arg.op in ("is distinct from", "is not distinct from")
    ):
        return Literal(BOOLEAN, False)
    # Lossless casts keep NULL and nothing else becomes it; other casts may fail, and must.
    if isinstance(arg, Cast) and not arg.safe and not may_fail(arg) and not isinstance(arg.arg, SUBQUERIES):
        return IsNull(BOOLEAN, arg.arg, span=node.span)
    return node
