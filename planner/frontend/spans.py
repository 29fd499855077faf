"""Where a syntax node stands in the SQL text."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from ..errors import Span


def span_of(node: exp.Expr | None) -> Span | None:
    """The range of characters from the first to the last positioned token under `node`; None when there is
    none.

    sqlglot gives positions to identifiers, literals and function calls only; `end` there is inclusive.
    """
    if node is None:
        return None
    if isinstance(node, exp.Literal):
        return _own(node)
    if _is_known(node):
        return node.meta[_KEY]
    # Bottom-up, each node's span is kept on it: every level of a deep expression asks for its own.
    stack: list[tuple[exp.Expr, bool]] = [(node, False)]
    while stack:
        item, ready = stack.pop()
        if not ready:
            stack.append((item, True))
            stack.extend((part, False) for part in _parts(item) if not _is_known(part))
            continue
        span = _own(item)
        for part in _parts(item):
            inner = _own(part) if isinstance(part, exp.Literal) else part.meta[_KEY]
            if inner is not None:
                span = inner.join(span)
        item.meta[_KEY] = span
    return node.meta[_KEY]


_KEY = "whole_span"


def _own(node: exp.Expr) -> Span | None:
    meta = node._meta
    return Span(meta["start"], meta["end"] + 1) if meta and "start" in meta else None


def _is_known(node: exp.Expr) -> bool:
    return isinstance(node, exp.Literal) or bool(node._meta and _KEY in node._meta)


def _parts(node: exp.Expr) -> Iterator[exp.Expr]:
    """The syntax nodes directly below, those in lists included."""
    for value in node.args.values():
        if isinstance(value, exp.Expr):
            yield value
        elif isinstance(value, list):
            yield from (item for item in value if isinstance(item, exp.Expr))


def token_span(node: exp.Expr) -> Span | None:
    """The position of the node's own token (the name of a function call), or else `span_of`."""
    return _own(node) or span_of(node)
