"""PREPARE, EXECUTE, DEALLOCATE and SET VARIABLE: methods of the command parser, in a file of their own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from sqlglot import exp
from sqlglot.tokenizer_core import Token, TokenType

from .. import messages_prepared as messages
from ..errors import Span
from .commands import (
    Ast,
    DeallocateCommand,
    ExecuteCommand,
    PrepareCommand,
    SetUserVariableCommand,
)

if TYPE_CHECKING:
    from .command_parser import CommandParser

_PARAMETERS = (TokenType.PLACEHOLDER, TokenType.PARAMETER)
_NOT_PREPARED = ("PREPARE", "EXECUTE", "DEALLOCATE")
_OPENING, _CLOSING = (TokenType.L_PAREN, TokenType.L_BRACKET), (TokenType.R_PAREN, TokenType.R_BRACKET)


def prepare(parser: CommandParser) -> Ast:
    """PREPARE name AS statement."""
    parser.index += 1
    name, _ = parser._name()
    if not parser._accept("AS") or not parser._rest():
        raise parser._fail()
    rest = parser._rest()
    if rest[0].text.upper() in _NOT_PREPARED:
        raise messages.not_preparable(rest[0].text.upper(), Span(rest[0].start, rest[0].end + 1))
    statement = parser.parse_statement(rest)
    open_ = any(token.token_type in _PARAMETERS for token in rest)
    text = parser.sql[rest[0].start : rest[-1].end + 1]
    return PrepareCommand(name, text, None if open_ else statement)


def execute(parser: CommandParser) -> Ast:
    """EXECUTE name, with values in parentheses if it has parameters."""
    first = parser.tokens[0]
    parser.index += 1
    name, span = parser._name()
    span = Span(first.start, first.end + 1).join(span)
    rest = parser._rest()
    if not rest:
        return ExecuteCommand(name, None, (), span)
    if rest[0].token_type is not TokenType.L_PAREN or rest[-1].token_type is not TokenType.R_PAREN:
        raise parser._fail()
    values: list[exp.Expr] = []
    names: list[str] = []
    for argument in _arguments(rest[1:-1]):
        if len(argument) > 2 and argument[1].token_type is TokenType.COLON_EQ:
            names.append(argument[0].text)
            argument = argument[2:]
        values.append(value(parser, argument))
    if names and len(names) < len(values):
        raise parser._fail()
    return ExecuteCommand(name, exp.Select(expressions=values) if values else None, tuple(names), span)


def _arguments(tokens: Sequence[Token]) -> list[list[Token]]:
    """The tokens between commas outside of brackets."""
    parts: list[list[Token]] = [[]]
    depth = 0
    for token in tokens:
        depth += (token.token_type in _OPENING) - (token.token_type in _CLOSING)
        if token.token_type is TokenType.COMMA and depth == 0:
            parts.append([])
        else:
            parts[-1].append(token)
    return [part for part in parts if part]


def value(parser: CommandParser, tokens: Sequence[Token]) -> exp.Expr:
    """One expression."""
    if not tokens:
        raise parser._fail()
    start = tokens[0].start
    query = parser.parse_query([Token(TokenType.SELECT, "SELECT", start=start, end=start), *tokens])
    plain = isinstance(query, exp.Select) and len(query.expressions) == 1 and not query.args.get("from_")
    if not plain or isinstance(query.expressions[0], exp.Alias):
        raise parser._fail()
    return query.expressions[0]


def deallocate(parser: CommandParser) -> Ast:
    """DEALLOCATE [PREPARE] name."""
    parser.index += 1
    parser._accept("PREPARE")
    name, _ = parser._name()
    parser._end()
    return DeallocateCommand(name)


def set_user_variable(parser: CommandParser) -> Ast:
    """What follows SET VARIABLE or RESET VARIABLE."""
    resets = parser.tokens[0].text.upper() == "RESET"
    parser.index += 1
    token = parser.tokens[parser.index] if parser._rest() else None
    name, _ = parser._name()
    name = name if token is None else token.text
    if resets:
        parser._end()
        return SetUserVariableCommand(name, None)
    if not parser._accept("=", "TO"):
        raise parser._fail()
    rest = parser._rest()
    if len(rest) == 1 and rest[0].text.upper() == "DEFAULT":
        return SetUserVariableCommand(name, None)
    return SetUserVariableCommand(name, exp.Select(expressions=[value(parser, rest)]))
