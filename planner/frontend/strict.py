"""Forms that sqlglot's grammar takes or gives in a way that DuckDB's does not."""

from __future__ import annotations

from typing import Any

from sqlglot import exp
from sqlglot.tokenizer_core import TokenType

from .operands import OperandsParser


class StrictParser(OperandsParser):
    """DuckDB's grammar of windows, SUMMARIZE and aliases that are reserved words."""

    def _parse_partition_by(self) -> list[exp.Expr]:
        """PARTITION BY wants an expression."""
        before = self._index
        terms = super()._parse_partition_by()
        if self._index != before and not terms:
            self.raise_error("expression expected")
        return terms

    def _parse_window_spec(self) -> dict[str, Any]:
        """BETWEEN wants AND."""
        between = TokenType.BETWEEN in (self._prev.token_type, self._curr.token_type)
        spec = super()._parse_window_spec()
        if between and self._curr.token_type != TokenType.AND:
            self.raise_error("AND expected")
        return spec

    def _parse_named_window(self) -> exp.Expr | None:
        """WINDOW name AS (...)."""
        name = self._parse_id_var()
        if self._curr.token_type != TokenType.ALIAS:
            self.raise_error("AS expected")
        return self._parse_window(name, alias=True)

    def _parse_select_query(self, *args: Any, **kwargs: Any) -> exp.Expr | None:
        """SUMMARIZE is a query: SELECT * FROM (SUMMARIZE ...)."""
        summarize = self._curr.token_type == TokenType.SUMMARIZE
        node = super()._parse_select_query(*args, **kwargs)
        if not summarize:
            return node
        inner = exp.Subquery(this=node)
        return exp.Select(expressions=[exp.Star()], from_=exp.From(this=inner))

    def _parse_reserved_alias(self, this: exp.Expr) -> exp.Expr | None:
        """`this AS word` where the word is reserved: behind AS any word is a name."""
        word = self._next
        if word.token_type in (TokenType.IDENTIFIER, TokenType.STRING) or not word.text.isidentifier():
            return None
        self._advance(2)
        alias = exp.Identifier(this=word.text, quoted=False)
        return exp.Alias(this=this, alias=alias.update_positions(word))
