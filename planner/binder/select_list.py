"""The SELECT list: stars expanded, items bound once, aliases visible in other clauses as DuckDB allows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sqlglot import exp

from .. import messages_query
from ..errors import Span
from ..expr import AggregateCall, ColumnRef, Expr, has_subquery, walk
from ..frontend import span_of, token_span
from .columns import expand, expanded_terms
from .environment import Environment
from .expression import BindQuery, bind_expression
from .names import expression_name
from .scope import Scope
from .star import expand_star, is_star
from .unnests import expanded, is_unnest
from .volatile import is_volatile
from .window_calls import has_window


@dataclass
class Item:
    """One column of the result. `node` is None for a column of a star; `expr` is filled when it is bound."""

    name: str
    node: exp.Expr | None
    expr: Expr | None
    alias: str | None = None


class SelectList:
    """Items in order. `expr(i)` binds on first use, so that an alias used in WHERE is bound there and only
    once.
    """

    def __init__(
        self,
        nodes: Sequence[exp.Expr],
        scope: Scope,
        env: Environment,
        bind_query: BindQuery,
        *,
        has_from: bool,
    ) -> None:
        self.scope = scope
        self._env = env
        self._bind_query = bind_query
        self._items: list[Item] = []
        for node in nodes:
            if is_star(node):
                if not has_from:
                    raise messages_query.star_without_from(span_of(node))
                for name, part, expr in expand_star(node, scope):
                    self._items.append(Item(name, part, expr))
                continue
            if fields := self._unnested(node):
                self._items.extend(Item(name, None, expr) for name, expr in fields)
                continue
            alias = node.args["alias"].this if isinstance(node, exp.Alias) else None
            target = node.this if isinstance(node, exp.Alias) else node
            copies = expand(target, scope)
            if copies is None:
                self._items.append(Item(alias or "", target, None, alias))
                continue
            if not has_from:
                raise messages_query.star_without_from(span_of(node))
            for copy in copies:
                given = None if alias is None else copy.alias(alias)
                self._items.append(Item(given or copy.name, copy.node, None, given))
        if not self._items:
            raise messages_query.star_empty(span_of(nodes[0]) if nodes else None)
        self._aliases: dict[str, int] = {}
        for position, item in enumerate(self._items):
            if item.alias is not None:
                self._aliases[item.alias.lower()] = position  # of several, the last, as in DuckDB
        self._binding: list[int] = []

    def _unnested(self, node: exp.Expr) -> list[tuple[str, Expr]] | None:
        """The columns that unnest(...) as a whole item makes of a struct."""
        inner = node.this if isinstance(node, exp.Alias) else node
        return expanded(inner, lambda part: self.bind(part, "SELECT")) if is_unnest(inner) else None

    def __len__(self) -> int:
        return len(self._items)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the result's columns; all items must be bound."""
        return tuple(item.name or _name_of(item) for item in self._items)

    def bind(self, node: exp.Expr, clause: str) -> Expr:
        """A bound expression of a clause of this level."""
        return bind_expression(node, self.scope, self._env, self._bind_query, clause)

    def expr(self, position: int) -> Expr:
        """The bound item."""
        item = self._items[position]
        if item.expr is None:
            assert item.node is not None
            self._binding.append(position)
            try:
                clause = self.scope.clause if self._binding[1:] or self.scope.calls is None else "SELECT"
                item.expr = self.bind(item.node, clause)
            finally:
                self._binding.pop()
        return item.expr

    def alias(self, name: str, span: Span | None) -> Expr | None:
        """What an alias stands for, None if there is no such alias. While an item is bound only earlier ones
        are visible.
        """
        position = self._aliases.get(name.lower())
        if position is None:
            return None
        if self._binding and position >= self._binding[-1]:
            raise messages_query.alias_too_early(name, span)
        expr = self.expr(position)
        if has_subquery(expr):
            raise messages_query.alias_of_subquery(name, "a subquery", span)
        if is_volatile(expr):
            raise messages_query.alias_of_subquery(name, "a function that changes from call to call", span)
        return expr

    def has_alias(self, name: str) -> bool:
        """Whether an item has this alias."""
        return name.lower() in self._aliases

    def alias_position(self, node: exp.Expr) -> int | None:
        """The item whose alias `node` is, as a whole."""
        if isinstance(node, exp.Column) and len(node.parts) == 1 and isinstance(node.this, exp.Identifier):
            return self._aliases.get(node.this.this.lower())
        return None

    def same_subquery(self, node: exp.Expr) -> int | None:
        """The item that is written as `node`, a term with a subquery: bound twice they would differ."""
        if node.find(exp.Query) is None:
            return None
        return next((i for i, item in enumerate(self._items) if item.node == node), None)

    def position(self, node: exp.Expr, clause: str) -> int | None:
        """The item that an integer literal counts, None for other nodes. Raises BinderError if there is no
        such item.
        """
        number = integer_literal(node)
        if number is None and isinstance(node, exp.PositionalColumn) and clause != "GROUP BY":
            number = integer_literal(node.this)
        if number is None:
            return None
        if not 1 <= number <= len(self._items):
            raise messages_query.position_out_of_range(clause, number, len(self._items), token_span(node))
        return number - 1

    def terms(self, nodes: Sequence[exp.Expr]) -> list[exp.Expr]:
        """Terms of a list, those with COLUMNS once a column."""
        return list(expanded_terms(nodes, self.scope))

    def term(self, node: exp.Expr, clause: str) -> Expr | int:
        """A term of ORDER BY or DISTINCT ON: a position, an alias, or an expression. An alias wins over a
        column if it is the whole term.
        """
        position = self.position(node, clause)
        if position is None:
            position = self.alias_position(node)
        return self.bind(node, clause) if position is None else position

    def without_aggregates(self) -> Iterable[Expr]:
        """The items that hold no aggregate or window function of this level: what GROUP BY ALL groups by."""
        for position in range(len(self._items)):
            expr = self.expr(position)
            if not _has_aggregate(expr) and not has_window(expr):
                yield expr

    def has_aggregates(self, others: Iterable[Expr]) -> bool:
        """Whether an item or one of `others` holds an aggregate of this level."""
        return any(_has_aggregate(e) for e in (*(i.expr for i in self._items if i.expr is not None), *others))


def _has_aggregate(expr: Expr) -> bool:
    return any(isinstance(node, AggregateCall) for node in walk(expr))


def _name_of(item: Item) -> str:
    assert item.node is not None
    if isinstance(item.node, (exp.Column, exp.PositionalColumn)) and isinstance(item.expr, ColumnRef):
        return item.expr.name
    if isinstance(item.node, exp.Column):
        return item.node.parts[-1].name  # the field of a struct
    return expression_name(item.node)


def integer_literal(node: exp.Expr) -> int | None:
    """The value of an integer literal, also a negative one."""
    if isinstance(node, exp.Neg):
        value = integer_literal(node.this)
        return None if value is None else -value
    if isinstance(node, exp.Literal) and not node.is_string and node.this.isdigit():
        return int(node.this)
    return None
