"""COPY: what is read or written, where, and the options as written."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from sqlglot import exp
from sqlglot.tokenizer_core import Token, TokenType

from .. import messages_query as messages
from ..errors import Span

ParseQuery = Callable[[Sequence[Token]], exp.Expr]
_OPENING = {TokenType.L_PAREN, TokenType.L_BRACKET, TokenType.L_BRACE}
_CLOSING = {TokenType.R_PAREN, TokenType.R_BRACKET, TokenType.R_BRACE}
# The options that may follow without parentheses, as in old PostgreSQL, and whether a value follows.
_BARE_OPTIONS = {
    "BINARY": False, "CSV": False, "HEADER": False, "DELIMITER": True, "DELIMITERS": True, "NULL": True,
    "QUOTE": True, "ESCAPE": True, "ENCODING": True, "FORMAT": True,
}  # fmt: skip


@dataclass(frozen=True)
class CopyOption:
    """An option: its name in lower case, and its value: a Python value, or a tree to be evaluated."""

    name: str
    value: Any
    span: Span


@dataclass(frozen=True)
class CopyCommand:
    """COPY (query) TO path, COPY table [(columns)] TO path (`query` is then a query of the table), or COPY
    table [(columns)] FROM path (`table` and `columns` say where to).
    """

    query: exp.Expr | None
    table: exp.Expr | None
    columns: tuple[exp.Identifier, ...]
    path: exp.Expr
    path_span: Span
    options: tuple[CopyOption, ...]

    @property
    def writes(self) -> bool:
        """Whether it is COPY TO."""
        return self.query is not None


class CopyParser:
    """Parses the tokens of COPY. `query` parses a query."""

    def __init__(self, sql: str, tokens: Sequence[Token], query: ParseQuery) -> None:
        self.sql = sql
        self.tokens = tokens
        self.query = query
        self.index = 1

    def parse(self) -> CopyCommand:
        """The command. ParserError where it is none."""
        first = self._peek()
        if first is None:
            raise self._fail()
        query = table = None
        columns: tuple[exp.Identifier, ...] = ()
        if first.token_type is TokenType.L_PAREN:
            inner = self._bracketed()
            query = self.query(inner)
            self._expect("TO")
        else:
            name = self._table_tokens()
            columns = self._columns() if self._is(TokenType.L_PAREN) else ()
            if self._accept("TO"):
                query = self._table_query(name, columns)
            else:
                self._expect("FROM")
                table = self._table_query(name, ()).args["from_"].this
        path, span = self._path()
        return CopyCommand(query, table, columns, path, span, self._options())

    def _peek(self, ahead: int = 0) -> Token | None:
        place = self.index + ahead
        return self.tokens[place] if place < len(self.tokens) else None

    def _is(self, kind: TokenType) -> bool:
        token = self._peek()
        return token is not None and token.token_type is kind

    def _word(self) -> str:
        token = self._peek()
        if token is None or token.token_type in (TokenType.STRING, TokenType.IDENTIFIER):
            return ""
        return token.text.upper()

    def _accept(self, word: str) -> bool:
        found = self._word() == word
        self.index += found
        return found

    def _expect(self, word: str) -> None:
        if not self._accept(word):
            raise self._fail()

    def _fail(self) -> Exception:
        token = self._peek()
        if token is None:
            end = self.tokens[-1].end + 1
            return messages.syntax_error(None, Span(end, end + 1))
        return messages.syntax_error(self.sql[token.start : token.end + 1], _span(token))

    def _bracketed(self) -> Sequence[Token]:
        """The tokens between the bracket here and its partner, which are passed."""
        begin, depth = self.index, 0
        while (token := self._peek()) is not None:
            depth += (token.token_type in _OPENING) - (token.token_type in _CLOSING)
            self.index += 1
            if depth == 0:
                inner = self.tokens[begin + 1 : self.index - 1]
                if not inner:
                    self.index -= 1
                    raise self._fail()
                return inner
        raise self._fail()

    def _table_tokens(self) -> list[Token]:
        tokens: list[Token] = []
        while (token := self._peek()) is not None:
            if token.token_type is TokenType.L_PAREN or self._word() in ("TO", "FROM"):
                break
            tokens.append(token)
            self.index += 1
        if not tokens:
            raise self._fail()
        return tokens

    def _columns(self) -> tuple[exp.Identifier, ...]:
        names = []
        for place, token in enumerate(self._bracketed()):
            if place % 2 == 0:
                quoted = token.token_type is TokenType.IDENTIFIER
                if not quoted and not (token.text[:1].isalpha() or token.text[:1] == "_"):
                    raise messages.syntax_error(token.text, _span(token))
                names.append(exp.Identifier(this=token.text, quoted=quoted).update_positions(token))
            elif token.token_type is not TokenType.COMMA:
                raise messages.syntax_error(token.text, _span(token))
        return tuple(names)

    def _table_query(self, name: Sequence[Token], columns: Sequence[exp.Identifier]) -> exp.Expr:
        """SELECT [columns] FROM table."""
        first = name[0]
        query = self.query([Token(TokenType.FROM, "FROM", start=first.start, end=first.start), *name])
        source = query.args["from_"].this
        plain = isinstance(source, exp.Table) and isinstance(source.this, exp.Identifier)
        if not plain or source.args.get("alias"):
            raise messages.syntax_error(first.text, _span(first))
        if columns:
            query.set("expressions", [exp.Column(this=column) for column in columns])
        return query

    def _path(self) -> tuple[exp.Expr, Span]:
        token = self._peek()
        if token is None:
            raise self._fail()
        if token.token_type is TokenType.L_PAREN:
            begin = self.index
            inner: Sequence[Token] = self._bracketed()
            span = _span(self.tokens[begin]).join(_span(self.tokens[self.index - 1]))
            return self._expression(inner), span
        length = 2 if token.token_type is TokenType.PARAMETER else 1
        if token.token_type not in (TokenType.STRING, TokenType.PARAMETER, TokenType.PLACEHOLDER):
            raise self._fail()
        tokens = self.tokens[self.index : self.index + length]
        self.index += length
        return self._expression(tokens), _span(tokens[0]).join(_span(tokens[-1]))

    def _expression(self, tokens: Sequence[Token]) -> exp.Expr:
        first = tokens[0]
        select = Token(TokenType.SELECT, "SELECT", start=first.start, end=first.start)
        query = self.query([select, *tokens])
        if not isinstance(query, exp.Select) or len(query.expressions) != 1 or query.args.get("from_"):
            raise messages.syntax_error(first.text, _span(first))
        return query.expressions[0]

    def _options(self) -> tuple[CopyOption, ...]:
        self._accept("WITH")
        options: list[CopyOption] = []
        listed = self._is(TokenType.L_PAREN)
        if listed:
            begin, inner = self.index, self._bracketed()
            end, self.index = self.index, begin + 1
            stop = begin + 1 + len(inner)
            while self.index < stop:
                options.append(self._option(stop))
                if self.index < stop and self.tokens[self.index].token_type is not TokenType.COMMA:
                    raise self._fail()
                self.index += 1
            self.index = end
        while (token := self._peek()) is not None:
            word = self._word()
            if listed or word not in _BARE_OPTIONS:
                raise self._fail()
            self.index += 1
            value: Any = True
            if word == "CSV":
                word, value = "FORMAT", "csv"
            elif _BARE_OPTIONS[word]:
                self._accept("AS")
                following = self._peek()
                if following is None:
                    raise self._fail()
                value = following.text
                self.index += 1
            options.append(CopyOption(word.lower(), value, _span(token)))
        return tuple(options)

    def _option(self, stop: int) -> CopyOption:
        token = self.tokens[self.index]
        if not (token.text[:1].isalpha() or token.text[:1] == "_"):
            raise self._fail()
        self.index += 1
        begin, depth = self.index, 0
        while self.index < stop:
            kind = self.tokens[self.index].token_type
            if depth == 0 and kind is TokenType.COMMA:
                break
            depth += (kind in _OPENING) - (kind in _CLOSING)
            self.index += 1
        value = self.tokens[begin : self.index]
        if value and value[0].token_type is TokenType.EQ:
            value = value[1:]
        return CopyOption(token.text.lower(), self._value(value), _span(token))

    def _value(self, tokens: Sequence[Token]) -> Any:
        """The value of an option: True for none, `*`, a list of names, a word as its text, or a tree."""
        if not tokens:
            return True
        first = tokens[0]
        if len(tokens) == 1:
            word = first.text.lower()
            if first.token_type is TokenType.STRING:
                return first.text
            if word in ("true", "false"):
                return word == "true"
            if first.token_type is not TokenType.NUMBER:
                return first.text
        if first.token_type is TokenType.L_PAREN and tokens[-1].token_type is TokenType.R_PAREN:
            parts = tokens[1:-1]
            if all(t.token_type is TokenType.COMMA for t in parts[1::2]):
                return [t.text for t in parts[::2]]
        return self._expression(tokens)


def _span(token: Token) -> Span:
    return Span(token.start, token.end + 1)
