"""Where a syntax node stands in the SQL text."""

from __future__ import annotations

from sqlglot import exp

from ..errors import Span


def span_of(node: exp.Expr | None) -> Span | None:
    """The range of characters from the first to the last positioned token under `node`; None when there is
    none.

    sqlglot gives positions to identifiers, literals and function calls only; `end` there is inclusive.
    """
    if node is None:
        return None
    low, high = None, -1
    stack: list[object] = [node]
    while stack:
        item = stack.pop()
        if isinstance(item, exp.Expr):
            meta = item._meta
            if meta and "start" in meta:
                start, end = meta["start"], meta["end"] + 1
                low = start if low is None or start < low else low
                high = max(high, end)
            stack.extend(item.args.values())
        elif isinstance(item, list):
            stack.extend(item)
    return None if low is None else Span(low, high)


def token_span(node: exp.Expr) -> Span | None:
    """The position of the node's own token (the name of a function call), or else `span_of`."""
    meta = node._meta
    if meta and "start" in meta:
        return Span(meta["start"], meta["end"] + 1)
    return span_of(node)
