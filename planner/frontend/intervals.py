"""INTERVAL in front of a value: a string, a number or an expression in parentheses, and maybe a unit."""

from __future__ import annotations

from typing import Any, NoReturn

from sqlglot import exp
from sqlglot.tokenizer_core import Token, TokenType

from .clause_order import ClauseOrderParser

_PLURALS = {"century": "centuries", "millennium": "millennia"}


def plural(unit: str) -> str:
    """Several of a unit, in small letters: 'days', 'centuries'."""
    return _PLURALS.get(unit, unit + "s")


# The keywords that name a unit behind INTERVAL; they are no alias of a select item without AS.
UNIT_WORDS = {
    spelling: unit
    for unit in (
        *("microsecond", "millisecond", "second", "minute", "hour", "day", "week"),
        *("month", "quarter", "year", "decade", "century", "millennium"),
    )
    for spelling in (unit, plural(unit))
}
_CONSTANTS = frozenset(
    {
        TokenType.STRING, TokenType.NUMBER, TokenType.HEREDOC_STRING, TokenType.RAW_STRING,
        TokenType.BYTE_STRING,
    }
)  # fmt: skip


def is_unit(token: Token) -> bool:
    """Whether the token is the keyword of a unit."""
    return token.token_type != TokenType.IDENTIFIER and token.text.lower() in UNIT_WORDS


class IntervalsParser(ClauseOrderParser):
    """DuckDB's grammar of INTERVAL. sqlglot takes any term as the value, splits strings and keeps one unit
    of them: '1 day 05:30' became 1 day."""

    def _parse_interval(self, *args: Any, **kwargs: Any) -> exp.Interval | None:  # type: ignore[override]
        first, value = self._curr, self._next
        starts = value.token_type in _CONSTANTS or value.token_type in (TokenType.L_PAREN, TokenType.DOT)
        if first.token_type != TokenType.INTERVAL or not starts:
            return None
        index = self._index
        self._advance()
        number = self._interval_value()
        if number is None:
            self._retreat(index)
            return None
        text = self.sql[value.start : self._prev.end + 1]
        if value.token_type in _CONSTANTS and value.token_type != TokenType.NUMBER:
            text = "'" + number.this.replace("'", "''") + "'"
        node = exp.Interval(this=number, unit=self._interval_unit()).update_positions(first)
        node.meta.update(end=self._prev.end, text=text)
        return node

    def _interval_value(self) -> exp.Expr | None:
        token = self._curr
        if token.token_type == TokenType.DOT:
            # .5; a name with a dot is no interval.
            return self._parse_primary() if self._next.token_type == TokenType.NUMBER else None
        if self._match(TokenType.L_PAREN):
            inner = self._parse_disjunction()
            if inner is None or not self._match(TokenType.R_PAREN):
                self._refuse()
            return exp.Paren(this=inner)
        self._advance()
        return self.PRIMARY_PARSERS[token.token_type](self, token)

    def _interval_unit(self) -> exp.Expr | None:
        if not is_unit(self._curr):
            return None
        unit = exp.Var(this=UNIT_WORDS[self._curr.text.lower()].upper())
        self._advance()
        if not self._match_text_seq("TO"):
            return unit
        if not is_unit(self._curr):
            self._refuse()
        self._advance()
        return exp.IntervalSpan(this=unit, expression=exp.Var(this=self._prev.text.upper()))

    def _refuse(self) -> NoReturn:
        self.raise_error("wrong INTERVAL")
        raise AssertionError("raise_error returned")
