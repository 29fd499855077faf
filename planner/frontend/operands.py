"""A short way through the grammar for constants and plain names, and a look at cancellation on the way."""

from __future__ import annotations

from collections.abc import Callable

from sqlglot import exp
from sqlglot.parsers.duckdb import DuckDBParser
from sqlglot.tokenizer_core import TokenType

_STEPS_BETWEEN_CHECKS = 500
# What may follow a constant or a plain name that is a whole operand: none of these binds tighter.
_AFTER_OPERAND = frozenset(
    {
        TokenType.COMMA, TokenType.R_PAREN, TokenType.AND, TokenType.OR, TokenType.EQ, TokenType.NEQ,
        TokenType.LTE, TokenType.GTE, TokenType.WHEN, TokenType.THEN, TokenType.ELSE, TokenType.END,
        TokenType.IN, TokenType.BETWEEN, TokenType.SEMICOLON,
    }
)  # fmt: skip
# What may follow one that is a whole item of a list.
_AFTER_ITEM = frozenset({TokenType.COMMA, TokenType.R_PAREN})
_CONSTANTS = frozenset(
    {TokenType.NUMBER, TokenType.STRING, TokenType.NULL, TokenType.TRUE, TokenType.FALSE}
)  # fmt: skip


class OperandsParser(DuckDBParser):
    """DuckDB's grammar, in which long lists of constants cost little. `check` is called
    now and then and raises where the statement was cancelled."""

    check: Callable[[], None] = staticmethod(lambda: None)
    _steps = 0

    def _poll(self) -> None:
        """Asks now and then whether the statement was cancelled."""
        self._steps += 1
        if self._steps % _STEPS_BETWEEN_CHECKS == 0:
            self.check()

    def _plain_operand(self, ends: frozenset[TokenType]) -> exp.Expr | None:
        """A constant or a plain name directly before one of `ends`; None for all else, which takes the way
        through every level of the grammar. Long lists of constants would spend most of their time there."""
        kind = self._curr.token_type
        if self._next.token_type not in ends:
            return None
        if kind in _CONSTANTS:
            token = self._curr
            self._advance()
            return self.PRIMARY_PARSERS[kind](self, token)
        if kind is TokenType.VAR and self._curr.text.upper() not in self.NO_PAREN_FUNCTION_PARSERS:
            token = self._curr
            self._advance()
            return exp.Column(this=exp.Identifier(this=token.text, quoted=False).update_positions(token))
        return None

    def _parse_bitwise(self) -> exp.Expr | None:
        """An operand of a comparison."""
        self._poll()
        return self._plain_operand(_AFTER_OPERAND) or super()._parse_bitwise()

    def _parse_disjunction(self) -> exp.Expr | None:
        """A whole condition."""
        return self._plain_operand(_AFTER_ITEM) or super()._parse_disjunction()

    def _parse_expression(self) -> exp.Expr | None:
        """An item of a list, maybe with an alias."""
        self._poll()
        return self._plain_operand(_AFTER_ITEM) or super()._parse_expression()

    def _parse_select_or_expression(self, alias: bool = False) -> exp.Expr | None:
        """An item of an IN list, or its query."""
        return self._plain_operand(_AFTER_ITEM) or super()._parse_select_or_expression(alias)
