"""CREATE [OR REPLACE] MACRO [IF NOT EXISTS] name(parameter [:= default], ...) AS expression."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlglot import exp
from sqlglot.tokenizer_core import Token, TokenType

from .commands import Ast, CreateMacroCommand, UnsupportedCommand
from .token_reader import span_at

if TYPE_CHECKING:
    from .command_parser import CommandParser


def create_macro(parser: CommandParser, or_replace: bool) -> Ast:
    """From the word MACRO on."""
    first = parser.tokens[0]
    parser.index += 1
    if_not_exists = parser._if_not_exists()
    begin = parser.index
    parser._name()
    name = parser._select_from(parser.tokens[begin : parser.index])
    parameters: list[tuple[exp.Identifier, str | None]] = []
    if not parser._accept("("):
        raise parser._fail()
    while not parser._accept(")"):
        if parameters and not parser._accept(","):
            raise parser._fail()
        token = parser._peek()
        parser._name()
        assert token is not None
        default = None
        if parser._accept(":=", "=>"):
            default = parser._text_until((",", ")"))
        parameters.append((exp.Identifier(this=token.text).update_positions(token), default))
    if not parser._accept("AS"):
        raise parser._fail()
    if parser._word() == "TABLE":
        return UnsupportedCommand("CREATE MACRO ... AS TABLE", span_at(first))
    begin = parser.index
    sql = parser._text_until((",",))
    if parser._peek() is not None:
        return UnsupportedCommand("CREATE MACRO with overloads", span_at(first))
    select = Token(TokenType.SELECT, "SELECT", start=first.start, end=first.start)
    query = parser.parse_query([select, *parser.tokens[begin:]])
    if not isinstance(query, exp.Select) or len(query.expressions) != 1 or query.args.get("from_"):
        raise parser._fail()
    return CreateMacroCommand(name, tuple(parameters), query.expressions[0], sql, or_replace, if_not_exists)
