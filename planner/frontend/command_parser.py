"""Statements recognised by their first words: EXPLAIN, SET, SHOW, ... and everything that is refused by
name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar

from sqlglot import exp
from sqlglot.tokenizer_core import Token, TokenType

from .. import messages_query as messages
from .commands import (
    Ast,
    CreateViewCommand,
    DescribeCommand,
    ExplainCommand,
    ResetCommand,
    SetCommand,
    ShowCommand,
    TransactionCommand,
    TruncateCommand,
    UnsupportedCommand,
)
from .copy_command import CopyParser
from .macro_command import create_macro
from .pragmas import PRAGMAS, plain_pragma, pragma_query
from .prepared import deallocate, execute, prepare, set_user_variable
from .token_reader import TokenReader, span_at

ParseQuery = Callable[[Sequence[Token]], exp.Expr]
ParseStatement = Callable[[Sequence[Token]], Ast]

_UNSUPPORTED = frozenset(
    """ANALYZE ATTACH CALL CHECKPOINT COMMENT DETACH EXPORT FORCE IMPORT INSTALL KILL LOAD MERGE REINDEX
    RELEASE REPLACE USE VACUUM GRANT REVOKE CONNECT DISCONNECT""".split()
)
_CREATE_NOISE = frozenset(
    {
        "OR",
        "REPLACE",
        "TEMP",
        "TEMPORARY",
        "LOCAL",
        "GLOBAL",
        "PERSISTENT",
        "UNLOGGED",
        "MATERIALIZED",
        "UNIQUE",
    }
)
_VALUE_TYPES = frozenset(
    {TokenType.STRING, TokenType.IDENTIFIER, TokenType.TRUE, TokenType.FALSE, TokenType.NULL}
)
_EXPLAIN_OPTIONS = ("FORMAT", "ANALYZE", "ANALYSE", "COST", "VERBOSE", "COSTS")
_TRANSACTIONS = {
    "BEGIN": "begin",
    "START": "begin",
    "COMMIT": "commit",
    "END": "commit",
    "ROLLBACK": "rollback",
    "ABORT": "rollback",
}


class CommandParser(TokenReader):
    """Parses one statement's tokens. `query` parses a query, `statement` any statement (for EXPLAIN)."""

    def __init__(
        self, sql: str, tokens: Sequence[Token], query: ParseQuery, statement: ParseStatement
    ) -> None:
        super().__init__(sql, tokens)
        self.parse_query = query
        self.parse_statement = statement

    def parse(self) -> Ast | None:
        """The command, or None when the statement is one for the SQL grammar."""
        word = self._word()
        method = self._METHODS.get(word)
        if method is not None:
            return method(self)
        if word in _UNSUPPORTED and self.tokens[0].token_type is not TokenType.IDENTIFIER:
            return UnsupportedCommand(word, span_at(self.tokens[0]))
        return None

    # Statements ---------------------------------------------------------------------------------------------
    def _explain(self) -> Ast:
        self.index += 1
        analyze = bool(self._accept("ANALYZE", "ANALYSE"))
        form, cost = "text", False
        if self._word() == "(" and self._word(1) in _EXPLAIN_OPTIONS:
            self.index += 1
            while True:
                option = self._accept("ANALYZE", "ANALYSE", "FORMAT", "COST")
                token = self._peek()
                if option == "FORMAT" and token is not None:
                    self.index += 1
                    form = token.text.lower()
                    if form not in ("text", "json"):
                        raise messages.explain_format(token.text, span_at(token))
                elif option in ("ANALYZE", "ANALYSE"):
                    analyze = self._switch()
                elif option == "COST":
                    cost = self._switch()
                else:
                    raise self._fail()
                if self._accept(")"):
                    break
                if not self._accept(","):
                    raise self._fail()
        if self._peek() is None:
            raise self._fail()
        return ExplainCommand(self.parse_statement(self._rest()), analyze, form, cost)

    def _switch(self) -> bool:
        """What follows the name of an option: TRUE, FALSE, or nothing for TRUE."""
        on = not self._accept("FALSE")
        self._accept("TRUE")
        return on

    def _set(self) -> Ast:
        self.index += 1
        if self._word() in ("SESSION", "GLOBAL", "LOCAL") and self._word(1) not in ("=", "TO"):
            self.index += 1
        elif self._word() == "VARIABLE" and self._word(1) not in ("=", "TO"):
            return set_user_variable(self)
        if self._word() == "TIME" and self._word(1) == "ZONE":
            zone = span_at(self.tokens[self.index])
            self.index += 2
            return SetCommand("timezone", self._set_value(), zone)
        name, span = self._name()
        if not self._accept("=", "TO"):
            raise self._fail()
        return SetCommand(name.lower(), self._set_value(), span)

    def _set_value(self) -> exp.Expr | None:
        rest = self._rest()
        if not rest:
            raise self._fail()
        if len(rest) == 1 and rest[0].text.upper() == "DEFAULT":
            return None
        if len(rest) == 1 and rest[0].token_type not in _VALUE_TYPES and rest[0].text[:1].isalpha():
            # A bare word (SET x = on, auto, 8GB) is its own text.
            return exp.Literal.string(rest[0].text).update_positions(rest[0])
        query = self.parse_query(
            [Token(TokenType.SELECT, "SELECT", start=rest[0].start, end=rest[0].start), *rest]
        )
        if not isinstance(query, exp.Select) or len(query.expressions) != 1 or query.args.get("from_"):
            raise self._fail()
        return query.expressions[0]

    def _pragma(self) -> Ast:
        """PRAGMA name, PRAGMA name(arguments), and PRAGMA name = value, which is SET."""
        self.index += 1
        place = self.index
        name, span = self._name()
        if self._accept("="):
            return SetCommand(name.lower(), self._set_value(), span)
        arguments = self._rest()
        query = pragma_query(self.tokens[place], arguments)
        if query is not None:
            return self.parse_query(query)
        if arguments:
            raise self._fail()
        command = plain_pragma(name, span)
        if command is None:
            raise messages.unknown_pragma(name, PRAGMAS, span)
        return command

    def _reset(self) -> Ast:
        self.index += 1
        if self._word() == "VARIABLE" and self._peek(1) is not None:
            return set_user_variable(self)
        if self._word() in ("SESSION", "GLOBAL", "LOCAL") and self._peek(1) is not None:
            self.index += 1
        name, span = self._name()
        self._end()
        return ResetCommand(name.lower(), span)

    def _show(self) -> Ast:
        first = span_at(self.tokens[0])
        self.index += 1
        if self._peek() is None:
            return ShowCommand("tables", "", first)
        if self._word() in ("TABLES", "ALL") and self._peek(1) is None:
            return ShowCommand("tables" if self._word() == "TABLES" else "settings", "", first)
        if self._word() in ("DATABASES", "SCHEMAS") and self._peek(1) is None:
            return ShowCommand(self._word().lower(), "", first)
        if self._word() == "ALL" and self._word(1) == "TABLES" and self._peek(2) is None:
            return ShowCommand("all tables", "", first)
        if self._word(1) == "FROM":
            return UnsupportedCommand(f"SHOW {' '.join(t.text.upper() for t in self._rest())}", first)
        if self._starts_query():
            return DescribeCommand(self.parse_query(self._rest()))
        name, span = self._name()
        self._end()
        return ShowCommand("name", name, span)

    def _starts_query(self) -> bool:
        return self._word() in ("SELECT", "WITH", "FROM", "VALUES", "(", "TABLE")

    def _describe(self) -> Ast:
        first = self.tokens[0]
        self.index += 1
        if self._peek() is None:
            return ShowCommand("tables", "", span_at(first))
        if self._starts_query() and self._word() != "TABLE":
            return DescribeCommand(self.parse_query(self._rest()))
        self._accept("TABLE")
        return DescribeCommand(
            self.parse_query([Token(TokenType.FROM, "FROM", start=first.start, end=first.end), *self._rest()])
        )

    def _create(self) -> Ast | None:
        self.index += 1
        or_replace = self._word() == "OR" and self._word(1) == "REPLACE"
        words = []
        while self._word() in _CREATE_NOISE:
            words.append(self._accept(self._word()))
        kind = self._word()
        if kind == "TABLE" and not {"MATERIALIZED", "UNIQUE"} & set(words):
            return None
        if kind == "INDEX" and set(words) <= {"UNIQUE"}:
            return None
        if kind in ("MACRO", "FUNCTION") and not {"MATERIALIZED", "UNIQUE"} & set(words):
            return create_macro(self, or_replace)
        if kind != "VIEW" or "MATERIALIZED" in words:
            described = " ".join(
                ["CREATE", *(w for w in words if w in ("MATERIALIZED", "UNIQUE")), kind]
            ).strip()
            return UnsupportedCommand(
                described, span_at(self.tokens[0]).join(span_at(self._peek() or self.tokens[-1]))
            )
        self.index += 1
        if_not_exists = self._if_not_exists()
        depth, begin = 0, self.index
        while (token := self._peek()) is not None and not (
            depth == 0 and token.token_type is TokenType.ALIAS
        ):
            depth += {TokenType.L_PAREN: 1, TokenType.R_PAREN: -1}.get(token.token_type, 0)
            self.index += 1
        header, self.index = self.tokens[begin : self.index], self.index + 1
        body = self._rest()
        if not header or not body:
            self.index = len(self.tokens)
            raise self._fail()
        # `FROM name(a, b)` would be a function call; `FROM name AS x(a, b)` is a table with column names.
        split = next((i for i, t in enumerate(header) if t.token_type is TokenType.L_PAREN), len(header))
        source = self._select_from([*header[:split]])
        columns = self._column_names(header[split:])
        text = self.sql[body[0].start : body[-1].end + 1]
        return CreateViewCommand(source, columns, self.parse_query(body), text, or_replace, if_not_exists)

    def _select_from(self, tokens: Sequence[Token]) -> exp.Expr:
        first = tokens[0]
        query = self.parse_query([Token(TokenType.FROM, "FROM", start=first.start, end=first.start), *tokens])
        source = query.args["from_"].this
        if (
            not isinstance(source, exp.Table)
            or not isinstance(source.this, exp.Identifier)
            or source.args.get("alias")
        ):
            raise messages.syntax_error(first.text, span_at(first))
        return source

    def _column_names(self, tokens: Sequence[Token]) -> tuple[exp.Identifier, ...]:
        names = []
        for position, token in enumerate(tokens):
            if position % 2 == 0:
                wanted = TokenType.L_PAREN if position == 0 else TokenType.COMMA
                last = position == len(tokens) - 1
                if token.token_type is not (TokenType.R_PAREN if last and position else wanted):
                    raise messages.syntax_error(token.text, span_at(token))
            elif token.token_type in (
                TokenType.L_PAREN,
                TokenType.R_PAREN,
                TokenType.COMMA,
                TokenType.STRING,
                TokenType.NUMBER,
            ):
                raise messages.syntax_error(token.text, span_at(token))
            else:
                quoted = token.token_type is TokenType.IDENTIFIER
                names.append(exp.Identifier(this=token.text, quoted=quoted).update_positions(token))
        return tuple(names)

    def _truncate(self) -> Ast:
        self.index += 1
        self._accept("TABLE")
        if self._peek() is None:
            raise self._fail()
        return TruncateCommand(self._select_from(self._rest()))

    def _transaction(self) -> Ast:
        kind = _TRANSACTIONS[self._word()]
        self.index += 1
        self._accept("TRANSACTION", "WORK")
        read_only = False
        if kind == "begin" and self._accept("READ"):
            mode = self._accept("ONLY", "WRITE")
            if not mode:
                raise self._fail()
            read_only = mode == "ONLY"
        self._end()
        return TransactionCommand(kind, read_only)

    def _alter(self) -> Ast | None:
        """The grammar wants the word COLUMN, which may be left out."""
        if self._word(1) not in ("TABLE", "VIEW"):
            return UnsupportedCommand(f"ALTER {self._word(1)}".strip(), span_at(self.tokens[0]))
        self.index = 2
        if self._accept("IF"):
            self._accept("EXISTS")
        self._name()
        word, follows = self._word(), self._word(1)
        if (word == "DROP" and follows not in ("COLUMN", "CONSTRAINT", "PRIMARY")) or (
            word == "RENAME" and follows not in ("COLUMN", "TO", "CONSTRAINT")
        ):
            token = self.tokens[self.index]
            column = Token(TokenType.COLUMN, "COLUMN", start=token.start, end=token.end)
            before, after = self.tokens[: self.index + 1], self.tokens[self.index + 1 :]
            return self.parse_statement([*before, column, *after])
        return None

    def _drop(self) -> Ast | None:
        kind = self._word(1)
        if kind in ("TABLE", "VIEW", "INDEX", "FUNCTION"):
            return None
        if kind == "MACRO":
            function = Token(
                TokenType.FUNCTION, "FUNCTION", start=self.tokens[1].start, end=self.tokens[1].end
            )
            return self.parse_statement([self.tokens[0], function, *self.tokens[2:]])
        return UnsupportedCommand(
            f"DROP {kind}".strip(), span_at(self.tokens[0]).join(span_at(self._peek(1) or self.tokens[0]))
        )

    def _copy(self) -> Ast:
        if self._word(1) == "FROM" and self._word(2) == "DATABASE":
            return UnsupportedCommand("COPY FROM DATABASE", span_at(self.tokens[0]))
        return CopyParser(self.sql, self.tokens, self.parse_query).parse()

    _METHODS: ClassVar[dict[str, Callable[[CommandParser], Ast | None]]] = {
        "COPY": _copy,
        "EXPLAIN": _explain,
        "SET": _set,
        "PRAGMA": _pragma,
        "PREPARE": prepare,
        "EXECUTE": execute,
        "DEALLOCATE": deallocate,
        "RESET": _reset,
        "SHOW": _show,
        "DESCRIBE": _describe,
        "DESC": _describe,
        "CREATE": _create,
        "DROP": _drop,
        "ALTER": _alter,
        "TRUNCATE": _truncate,
        **dict.fromkeys(_TRANSACTIONS, _transaction),
    }
