"""The statements PIVOT and UNPIVOT: read as SELECT * FROM their table with the PIVOT of SQL's standard."""

from __future__ import annotations

from sqlglot import exp
from sqlglot.tokenizer_core import TokenType

from .strict import StrictParser


class PivotsParser(StrictParser):
    """DuckDB's grammar, in which these statements are queries."""

    def _parse_simplified_pivot(self, is_unpivot: bool | None = None) -> exp.Expr:  # type: ignore[override]
        table = self._parse_table()
        items = self._parse_csv(self._parse_pivot_item) if self._match(TokenType.ON) else []
        into = self._parse_unpivot_columns() if is_unpivot else None
        using = self._parse_csv(self._parse_pivot_aggregate) if self._match(TokenType.USING) else []
        group = self._parse_group()
        if table is None or not (items or using) or (is_unpivot and not items):
            self.raise_error("ON expected")
        assert table is not None
        pivot = exp.Pivot(
            expressions=items, using=using, group=group, unpivot=bool(is_unpivot), into=into, simplified=True
        )
        table.set("pivots", [*(table.args.get("pivots") or ()), pivot])
        query = exp.Select(expressions=[exp.Star()], from_=exp.From(this=table))
        return self._parse_query_modifiers(query)

    def _parse_ddl_select(self) -> exp.Expr | None:
        """CREATE TABLE ... AS PIVOT."""
        if self._match_set((TokenType.PIVOT, TokenType.UNPIVOT)):
            return self._parse_simplified_pivot(self._prev.token_type == TokenType.UNPIVOT)
        return super()._parse_ddl_select()

    def _parse_pivot_item(self) -> exp.Expr | None:
        """An expression of ON, with IN and its list, or with an alias."""
        node = self._parse_bitwise()
        while node is not None and self._match_set({*self.COMPARISON, *self.EQUALITY}):
            kind = self.COMPARISON.get(self._prev.token_type) or self.EQUALITY[self._prev.token_type]
            node = kind(this=node, expression=self._parse_bitwise())
        if self._match(TokenType.IN):
            return exp.In(this=node, expressions=self._parse_wrapped_csv(self._parse_pivot_value))
        return self._parse_alias(node) if self._curr.token_type == TokenType.ALIAS else node

    def _parse_pivot_value(self) -> exp.Expr | None:
        """A value of IN, perhaps with an alias."""
        value = self._parse_disjunction()
        if value is not None and (
            self._match(TokenType.ALIAS) or self._curr.token_type not in (TokenType.COMMA, TokenType.R_PAREN)
        ):
            alias = self._parse_id_var() or self._parse_string()
            if alias is None:
                self.raise_error("name expected")
            return exp.PivotAlias(this=value, alias=alias)
        return value

    def _parse_pivot_aggregate(self) -> exp.Expr | None:
        return self._parse_alias(self._parse_bitwise())
