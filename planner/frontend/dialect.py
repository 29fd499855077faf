"""The SQL dialect as sqlglot parses it: DuckDB's, with every function call left as written.

sqlglot maps well-known functions to classes, rearranges their arguments and checks their number with
messages of its own.
A binder needs the call as the user wrote it, so here every ordinary call is an `exp.Anonymous`. Only syntax
that is not an
ordinary argument list (CAST, EXTRACT, SUBSTRING ... FROM, POSITION ... IN, TRIM, ...) keeps its own node.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, NoReturn

from sqlglot import exp
from sqlglot.dialects.duckdb import DuckDB
from sqlglot.errors import ParseError
from sqlglot.parser import Parser as BaseParser
from sqlglot.parsers.duckdb import DuckDBParser
from sqlglot.tokenizer_core import Token, TokenType


class SyntaxFailure(ParseError):
    """What the parser raises instead of sqlglot's formatted error: only the token matters (None: end of
    input)."""

    def __init__(self, token: Token | None) -> None:
        super().__init__("syntax error")
        self.token = token


def _at(node: exp.Expr, token: Token) -> exp.Expr:
    return node.update_positions(token)


def _star(parser: Any, token: Token) -> exp.Expr:
    return parser._parse_star_ops()


def _positional(parser: Any) -> exp.Expr:
    """`?`, optionally followed directly by its number as DuckDB allows (?1)."""
    token = parser._prev
    number = parser._curr
    if number and number.token_type == TokenType.NUMBER and number.start == token.end + 1:
        parser._advance()
        node = exp.Placeholder(this=number.text)
        node.update_positions(token)
        node.meta["end"] = number.end
        return node
    return _at(exp.Placeholder(), token)


def _named(parser: Any) -> exp.Expr | None:
    """`$1` and `$name`."""
    token = parser._prev
    if not (parser._match(TokenType.NUMBER) or parser._match_set(parser.ID_VAR_TOKENS)):
        return None
    node = exp.Placeholder(this=parser._prev.text)
    node.update_positions(token)
    node.meta["end"] = parser._prev.end
    return node


# Keyword syntax inside the parentheses; everything else is an ordinary argument list.
_SYNTAX_FUNCTIONS = ("CAST", "TRY_CAST", "EXTRACT", "OVERLAY", "POSITION", "TRIM")


def _substring(parser: Any) -> exp.Expr:
    """SUBSTRING(text FROM a FOR b) and the ordinary form, both as a call of substring."""
    args = parser._parse_function_args(False)
    start = length = None
    while parser._curr:
        if start is None and parser._match(TokenType.FROM):
            start = parser._parse_bitwise()
        elif length is None and parser._match(TokenType.FOR):
            length = parser._parse_bitwise()
        else:
            break
    if length is not None and start is None:
        start = exp.Literal.number(1)
    args.extend(a for a in (start, length) if a is not None)
    return parser.expression(exp.Anonymous(this="substring", expressions=args))


class TandemParser(DuckDBParser):
    """DuckDB's grammar; see the module's text."""

    FUNCTIONS: ClassVar[dict[str, Callable[..., Any]]] = {}
    FUNCTION_PARSERS: ClassVar[dict[str, Callable[..., Any]]] = {
        **{name: BaseParser.FUNCTION_PARSERS[name] for name in _SYNTAX_FUNCTIONS},
        "SUBSTRING": _substring,
    }
    NO_PAREN_FUNCTION_PARSERS: ClassVar[dict[str, Callable[..., Any]]] = {
        name: parse
        for name, parse in DuckDBParser.NO_PAREN_FUNCTION_PARSERS.items()
        if name in ("CASE", "ANY", "@", "MAP")
    }
    PRIMARY_PARSERS: ClassVar[dict[TokenType, Callable[..., Any]]] = {
        **DuckDBParser.PRIMARY_PARSERS,
        TokenType.NULL: lambda self, token: _at(exp.Null(), token),
        TokenType.TRUE: lambda self, token: _at(exp.Boolean(this=True), token),
        TokenType.FALSE: lambda self, token: _at(exp.Boolean(this=False), token),
        TokenType.STAR: _star,
    }
    PLACEHOLDER_PARSERS: ClassVar[dict[TokenType, Callable[..., Any]]] = {
        TokenType.PLACEHOLDER: _positional,
        TokenType.PARAMETER: _named,
    }

    def _parse_join(self, *args: Any, **kwargs: Any) -> exp.Join | None:
        """Marks the joins written as a comma: it binds weaker than JOIN and has no condition."""
        comma = self._curr.token_type == TokenType.COMMA
        join = super()._parse_join(*args, **kwargs)
        if comma and join is not None:
            join.meta["comma"] = True
        return join

    def raise_error(self, message: str, token: Token | None = None) -> NoReturn:  # type: ignore[override]
        """Stops at `token`, or at the current one; sqlglot's wording and highlighting are not used."""
        raise SyntaxFailure(token or self._curr or None)

    def _parse_as_command(self, start: Token) -> NoReturn:  # type: ignore[override]
        """sqlglot keeps statements it cannot parse as raw text; here they are syntax errors."""
        raise SyntaxFailure(self._curr or None)

    def _parse_command(self) -> NoReturn:  # type: ignore[override]
        raise SyntaxFailure(self._prev or None)


class Tandem(DuckDB):
    """DuckDB with the changes above. Statements that sqlglot would keep as raw text are tokenised like all
    others, so that a
    semicolon inside a string of theirs is no end of statement."""

    class Tokenizer(DuckDB.Tokenizer):
        COMMANDS: ClassVar[set[TokenType]] = set()

    Parser = TandemParser


DIALECT = Tandem()
