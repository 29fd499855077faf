"""GROUP BY: expressions, positions, aliases, ALL, sets of them."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator

from sqlglot import exp

from .. import messages_query
from ..errors import Span
from ..expr import Expr
from ..frontend import span_of
from .checks import refuse_unknown
from .grouping_sets import Groups, bind_sets, has_sets
from .select_list import SelectList


def bind_group_by(node: exp.Expr | None, items: SelectList) -> Groups | None:
    """The groups of a level, None without GROUP BY."""
    if node is None:
        return None
    refuse_unknown(node, ("expressions", "all"))
    if node.args.get("all"):
        return Groups(all_items=True)
    if any(map(has_sets, node.expressions)):
        sets = bind_sets(node.expressions, lambda term: _bind(term, items))
        return Groups(list(dict.fromkeys(itertools.chain(*sets))), sets=sets)
    return Groups([_bind(term, items) for term in _terms(node)])


def _terms(node: exp.Expr) -> Iterator[exp.Expr]:
    for term in node.expressions:
        if isinstance(term, exp.Tuple):
            yield from term.expressions
        else:
            yield term


def _bind(term: exp.Expr, items: SelectList) -> Expr:
    """A column wins over an alias; an alias counts only as the whole term."""
    items.scope.clause = "GROUP BY"
    while isinstance(term, exp.Paren):
        term = term.this
    position = items.position(term, "GROUP BY")
    if position is None and isinstance(term, exp.Column) and len(term.parts) == 1:
        name = term.this.this
        if isinstance(name, str) and items.scope.find_column(name, span_of(term)) is None:
            position = items.alias_position(term)
    if position is None:
        position = items.same_subquery(term)
    if position is not None:
        return items.expr(position)
    before, items.scope.alias = items.scope.alias, _refuse_alias(items)
    try:
        return items.bind(term, "GROUP BY")
    finally:
        items.scope.alias = before


def _refuse_alias(items: SelectList) -> Callable[[str, Span | None], Expr | None]:
    known = items.scope.alias
    assert known is not None

    def alias(name: str, span: Span | None) -> Expr | None:
        if known(name, span) is None:
            return None
        raise messages_query.alias_in_group_by(name, span)

    return alias
