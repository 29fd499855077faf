"""Expressions whose value differs from call to call."""

from __future__ import annotations

from ..expr import Call, Expr, LambdaCall, walk

_VOLATILE = frozenset({"random", "gen_random_uuid", "uuid", "nextval", "setseed", "error"})


def is_volatile(expr: Expr) -> bool:
    """Whether evaluating `expr` twice for the same row may give two values."""
    return any(
        (isinstance(node, Call) and node.function in _VOLATILE)
        or (isinstance(node, LambdaCall) and node.body is not None and is_volatile(node.body))
        for node in walk(expr)
    )
