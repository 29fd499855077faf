"""The order in which clauses stand: sqlglot takes any, and ORDER BY before UNION too."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from sqlglot import exp
from sqlglot.parsers.duckdb import DuckDBParser
from sqlglot.tokenizer_core import TokenType

from .pivots import PivotsParser

_TAIL = ("order", "limit", "offset")
# Clauses behind FROM in their order.
_CLAUSE_ORDER = {
    TokenType.WHERE: 1, TokenType.GROUP_BY: 2, TokenType.HAVING: 3, TokenType.WINDOW: 4,
    TokenType.QUALIFY: 5, TokenType.ORDER_BY: 6, TokenType.LIMIT: 7, TokenType.OFFSET: 7, TokenType.FETCH: 7,
}  # fmt: skip


def _has_tail(query: exp.Expr | None) -> bool:
    """Whether a query ends in ORDER BY, LIMIT or OFFSET; a set operation's last part may hold them yet."""
    if isinstance(query, exp.SetOperation) and _has_tail(query.expression):
        return True
    return query is not None and any(query.args.get(key) is not None for key in _TAIL)


def _in_order(kind: TokenType, parse: Callable[..., Any]) -> Callable[..., Any]:
    """The parser of a clause, which first checks that no later one came before it."""

    def checked(parser: Any) -> Any:
        if _CLAUSE_ORDER[kind] < parser._clause:
            parser.raise_error("clause out of order")
        parser._clause = _CLAUSE_ORDER[kind]
        return parse(parser)

    return checked


class ClauseOrderParser(PivotsParser):
    """DuckDB's grammar with the clauses of a query in their one order."""

    _clause = 0
    QUERY_MODIFIER_PARSERS: ClassVar[dict[TokenType, Callable[..., Any]]] = {
        kind: _in_order(kind, parse) if kind in _CLAUSE_ORDER else parse
        for kind, parse in DuckDBParser.QUERY_MODIFIER_PARSERS.items()
    }

    def parse_set_operation(self, this: exp.Expr | None, *args: Any, **kwargs: Any) -> Any:
        """A left side with ORDER BY or LIMIT of its own needs parentheses."""
        word = self._curr
        result = super().parse_set_operation(this, *args, **kwargs)
        if result is not None and _has_tail(this):
            self.raise_error("parentheses expected", word)
        return result

    def _parse_query_modifiers(self, this: Any) -> Any:
        """Clauses come in one order; sqlglot takes any."""
        outer, self._clause = self._clause, 0
        try:
            return super()._parse_query_modifiers(this)
        finally:
            self._clause = outer
