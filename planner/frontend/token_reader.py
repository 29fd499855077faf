"""Reading one statement's tokens from left to right."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot.tokenizer_core import Token, TokenType

from .. import messages_query as messages
from ..errors import Span

_NAME_TYPES = frozenset({TokenType.VAR, TokenType.IDENTIFIER})


class TokenReader:
    """Tokens, and the place of the next one."""

    def __init__(self, sql: str, tokens: Sequence[Token]) -> None:
        self.sql = sql
        self.tokens = tokens
        self.index = 0

    def _peek(self, ahead: int = 0) -> Token | None:
        index = self.index + ahead
        return self.tokens[index] if index < len(self.tokens) else None

    def _word(self, ahead: int = 0) -> str:
        token = self._peek(ahead)
        if token is None or token.token_type in (TokenType.STRING, TokenType.IDENTIFIER):
            return ""
        return token.text.upper()

    def _accept(self, *words: str) -> str:
        word = self._word()
        if word and word in words:
            self.index += 1
            return word
        return ""

    def _rest(self) -> Sequence[Token]:
        return self.tokens[self.index :]

    def _fail(self) -> Exception:
        token = self._peek()
        if token is None:
            end = self.tokens[-1].end + 1
            return messages.syntax_error(None, Span(end, end + 1))
        return messages.syntax_error(self.sql[token.start : token.end + 1], span_at(token))

    def _end(self) -> None:
        if self._peek() is not None:
            raise self._fail()

    def _name(self) -> tuple[str, Span]:
        """A possibly dotted name; any word counts, since settings are called like keywords."""
        token = self._peek()
        if token is None or not (
            token.token_type in _NAME_TYPES or token.text[:1].isalpha() or token.text[:1] == "_"
        ):
            raise self._fail()
        self.index += 1
        text, span = token.text, span_at(token)
        while self._word() == "." and self._peek(1) is not None:
            token = self.tokens[self.index + 1]
            self.index += 2
            text, span = f"{text}.{token.text}", span.join(span_at(token))
        return text, span

    def _if_not_exists(self) -> bool:
        found = self._word() == "IF"
        if found and not (self._accept("IF") and self._accept("NOT") and self._accept("EXISTS")):
            raise self._fail()
        return found

    def _text_until(self, ends: tuple[str, ...]) -> str:
        """The text from here to one of some signs outside of brackets, which is not taken."""
        depth, begin = 0, self.index
        while (token := self._peek()) is not None and not (depth == 0 and self._word() in ends):
            depth += {TokenType.L_PAREN: 1, TokenType.R_PAREN: -1}.get(token.token_type, 0)
            depth += {TokenType.L_BRACKET: 1, TokenType.R_BRACKET: -1}.get(token.token_type, 0)
            self.index += 1
        if self.index == begin:
            raise self._fail()
        return self.sql[self.tokens[begin].start : self.tokens[self.index - 1].end + 1]


def span_at(token: Token) -> Span:
    """Where a token stands."""
    return Span(token.start, token.end + 1)
