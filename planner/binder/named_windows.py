"""The WINDOW clause: every OVER of a query level gets the clauses of the windows that it names."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sqlglot import exp

from .. import messages_windows as messages
from ..frontend import span_of, token_span
from .guard import reject_unknown_args

_CLAUSES = {"partition_by": "PARTITION BY", "order": "ORDER BY"}


def with_windows(node: exp.Select) -> exp.Select:
    """The SELECT without WINDOW clause and names of windows; a copy if it has any. Raises ParserError for
    names that do not exist, and clauses given twice."""
    if not node.args.get("windows") and not any(w.args.get("alias") for w in _windows_of(node)):
        return node
    node = node.copy()
    known: dict[str, Any] = {}
    for window in node.args.get("windows") or ():
        reject_unknown_args(window, "this", "partition_by", "order", "spec", "alias")
        name = window.this.name
        if name.lower() in known:
            raise messages.duplicate_window(name, token_span(window.this))
        _inherit(window, known, based=True)
        known[name.lower()] = window
    node.set("windows", None)
    for window in _windows_of(node):
        # OVER w takes the window as it is, OVER (w) and OVER (w ...) are based on it.
        _inherit(window, known, based=window.meta.get("parenthesised", False))
    return node


def _windows_of(node: exp.Select) -> Iterator[Any]:
    """The OVERs of this level; queries inside have windows of their own."""
    pruned = (exp.Select, exp.SetOperation, exp.Subquery)
    for part in node.walk(prune=lambda n: n is not node and isinstance(n, pruned)):
        if isinstance(part, exp.Window) and part.args.get("over"):
            yield part


def _inherit(window: Any, known: dict[str, Any], *, based: bool) -> None:
    alias = window.args.get("alias")
    if alias is None:
        return
    name, span = alias.name, token_span(alias)
    base = known.get(name.lower())
    if base is None:
        raise messages.unknown_window(name, list(known), span or span_of(window))
    if based and base.args.get("spec") is not None:
        raise messages.based_on_frame(name, span)
    for clause, words in _CLAUSES.items():
        if window.args.get(clause) and base.args.get(clause):
            raise messages.overrides(words, name, span)
    for clause in ("partition_by", "order", "spec"):
        inherited = base.args.get(clause)
        if inherited and not window.args.get(clause):
            copies = [part.copy() for part in inherited] if isinstance(inherited, list) else inherited.copy()
            window.set(clause, copies)
    window.set("alias", None)
