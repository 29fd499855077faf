"""The SQL dialect as sqlglot parses it: DuckDB's, with every function call left as written.

sqlglot maps well-known functions to classes, rearranges their arguments and checks their number with
messages of its own.
A binder needs the call as the user wrote it, so here every ordinary call is an `exp.Anonymous`. Only syntax
that is not an
ordinary argument list (CAST, EXTRACT, SUBSTRING ... FROM, POSITION ... IN, TRIM, ...) keeps its own node.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib.machinery import EXTENSION_SUFFIXES
from typing import Any, ClassVar, NoReturn, TypeVar

import sqlglot.parser
from sqlglot import exp
from sqlglot.dialects.duckdb import DuckDB
from sqlglot.errors import ParseError
from sqlglot.parser import Parser as BaseParser
from sqlglot.parsers.duckdb import DuckDBParser
from sqlglot.tokenizer_core import Token, TokenType

from .intervals import IntervalsParser, is_unit
from .keywords import RESERVED
from .spans import span_of

T = TypeVar("T")

# The package sqlglotc replaces sqlglot's modules by compiled ones, whose classes have no other subclasses.
EXTENSIBLE = not sqlglot.parser.__file__.endswith(tuple(EXTENSION_SUFFIXES))


class SyntaxFailure(ParseError):
    """What the parser raises instead of sqlglot's formatted error: only the token matters (None: end of
    input)."""

    def __init__(self, token: Token | None) -> None:
        super().__init__("syntax error", [{}])  # sqlglot writes into the first entry where it retries
        self.token = token


class Caret(exp.Pow):
    """`a ^ b`: the power, as `a ** b`, but a column of it is called as it was written."""


class UnaryPlus(exp.Unary):
    """`+ a`, which sqlglot leaves out."""


def _at(node: exp.Expr, token: Token) -> exp.Expr:
    return node.update_positions(token)


def _number(parser: Any, token: Token) -> exp.Expr:
    """A number; meta["text"] is how it was written (1_000)."""
    if token.text[-1] in "eE":
        parser.raise_error("exponent expected", token)
    node = _at(exp.Literal(this=token.text, is_string=False), token)
    node.meta["text"] = parser.sql[token.start : token.end + 1]
    return node


def _hex_string(parser: Any, token: Token) -> exp.Expr:
    """x'AB': a BLOB, as a cast of its escaped text."""
    pairs = [token.text[i : i + 2] for i in range(0, len(token.text), 2)]
    text = _at(exp.Literal.string("".join(f"\\x{pair.upper()}" for pair in pairs)), token)
    cast = exp.Cast(this=text, to=exp.DataType(this=exp.DataType.Type.VARBINARY))
    cast.meta["text"] = f"X'{token.text}'"
    return cast


def _star(parser: Any, token: Token) -> exp.Expr:
    node = parser._parse_star_ops()
    if isinstance(node, exp.Anonymous):
        node.meta["unpack"] = True  # *COLUMNS(...)
    return node


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
_SYNTAX_FUNCTIONS = ("CAST", "TRY_CAST", "TRIM")


def _extract(parser: Any) -> exp.Expr:
    """EXTRACT(part FROM value); the part is a word or a string."""
    part = parser._parse_var_or_string(upper=True)
    if part is None or not parser._match(TokenType.FROM):
        parser.raise_error("FROM expected")
    return parser.expression(exp.Extract(this=part, expression=parser._parse_bitwise()))


def _position(parser: Any) -> exp.Expr:
    """POSITION(part IN text)."""
    part = parser._parse_bitwise()
    if not parser._match(TokenType.IN):
        parser.raise_error("IN expected")
    return parser.expression(exp.StrPosition(this=parser._parse_bitwise(), substr=part))


def _not(parser: Any) -> exp.Expr:
    """NOT; sqlglot reads ! as the same word."""
    if parser._prev.text == "!":
        parser.raise_error("not an operator", parser._prev)
    return parser.expression(exp.Not(this=parser._parse_equality()))


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


def _overlay(parser: Any) -> exp.Expr:
    """OVERLAY(text PLACING new FROM start FOR length) and the ordinary form, both as a call of overlay."""
    args = [parser._parse_bitwise()] if parser._curr.token_type != TokenType.R_PAREN else []
    if parser._match_text_seq("PLACING"):
        args.append(parser._parse_bitwise())
        if not parser._match(TokenType.FROM):
            parser.raise_error("FROM expected")
        args.append(parser._parse_bitwise())
        if parser._match(TokenType.FOR):
            args.append(parser._parse_bitwise())
    while parser._match(TokenType.COMMA):
        args.append(parser._parse_bitwise())
    return parser.expression(exp.Anonymous(this="overlay", expressions=args))


def _literal_first(node: exp.Expr, first: Token | None) -> exp.Expr:
    """DATE '2020-01-01'::VARCHAR casts the date; sqlglot reads it as a DATE of the cast text."""
    if first is None or first.token_type in (TokenType.STRING, TokenType.NUMBER):
        return node
    if type(node) is not exp.Cast or first.text.upper() in ("CAST", "TRY_CAST"):
        return node
    innermost = node.this
    while isinstance(innermost, exp.Cast) and not isinstance(innermost.this, exp.Literal):
        innermost = innermost.this
    if not isinstance(innermost, exp.Cast) or not innermost.this.is_string:
        return node
    outer = node.this
    node.set("this", innermost.this)
    innermost.set("this", node)
    return outer


def _reserved(token: Token) -> bool:
    """Whether the token is a word that names nothing; AS itself is another matter."""
    kind = token.token_type
    if kind in (TokenType.IDENTIFIER, TokenType.ALIAS, TokenType.STRING):
        return False
    return token.text.lower() in RESERVED


# Words that name types, and functions or values.
_CALLED_TYPES = (TokenType.LIST, TokenType.NULL, TokenType.MAP, TokenType.STRUCT)


def _no_name(token: Token) -> bool:
    """Whether the token is no name even after AS: a number, a sign, or words read as one token (GROUP BY)."""
    if token.token_type in (TokenType.IDENTIFIER, TokenType.STRING):
        return False
    return " " in token.text or not (token.text[:1].isalpha() or token.text[:1] == "_")


class TandemParser(IntervalsParser):
    """DuckDB's grammar; see the module's text."""

    FUNCTIONS: ClassVar[dict[str, Callable[..., Any]]] = {}
    FUNCTION_PARSERS: ClassVar[dict[str, Callable[..., Any]]] = {
        **{name: BaseParser.FUNCTION_PARSERS[name] for name in _SYNTAX_FUNCTIONS},
        "EXTRACT": _extract,
        "POSITION": _position,
        "OVERLAY": _overlay,
        "SUBSTRING": _substring,
    }
    SUBQUERY_TOKENS: ClassVar[set[TokenType]] = {*DuckDBParser.SUBQUERY_TOKENS, TokenType.VALUES}
    UNARY_PARSERS: ClassVar[dict[TokenType, Callable[..., Any]]] = {
        **DuckDBParser.UNARY_PARSERS,
        TokenType.NOT: _not,
        TokenType.PLUS: lambda self: self.expression(UnaryPlus(this=self._parse_unary())),
    }
    EXPONENT: ClassVar[dict[TokenType, type[exp.Expr]]] = {
        **DuckDBParser.EXPONENT,
        TokenType.CARET: Caret,
    }
    # Operators of other dialects.
    RANGE_PARSERS: ClassVar[dict[TokenType, Callable[..., Any]]] = {
        kind: parse
        for kind, parse in DuckDBParser.RANGE_PARSERS.items()
        if kind not in (TokenType.RLIKE, TokenType.IRLIKE)
    }
    EQUALITY: ClassVar[dict[TokenType, type[exp.Expr]]] = {
        TokenType.EQ: exp.EQ,
        TokenType.NEQ: exp.NEQ,
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
        TokenType.NUMBER: _number,
        TokenType.HEX_STRING: _hex_string,
    }
    OPTIONAL_ALIAS_TOKEN_CTE = False
    ARRAY_CONSTRUCTORS: ClassVar[dict[str, type[exp.Expr]]] = {"ARRAY": exp.Array}
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

    def _parse_type(self, *args: Any, **kwargs: Any) -> exp.Expr | None:
        """A typed literal is one value, to which `::` applies."""
        first = self._curr
        if first.token_type in _CALLED_TYPES and self._next.token_type in (
            TokenType.L_PAREN,
            TokenType.L_BRACKET,
        ):
            return self._parse_column()  # list(x)[1] is no type
        node = super()._parse_type(*args, **kwargs)
        return node if node is None else _literal_first(node, first)

    def _parse_statement(self) -> exp.Expr | None:
        """VALUES may follow WITH, but the node of VALUES takes no WITH: then it is read as SELECT * FROM
        (VALUES ...).
        """
        if not self._match(TokenType.VALUES, advance=False):
            return super()._parse_statement()
        after_with = self._prev.token_type == TokenType.R_PAREN
        values = self._parse_query_modifiers(self._parse_select())
        return self._values_to_select(values) if after_with and isinstance(values, exp.Values) else values

    def _parse_projections(self) -> tuple[list[exp.Expr], list[exp.Expr] | None]:
        """SELECT AS belongs to other dialects; sqlglot has taken the AS by now."""
        if self._prev.token_type == TokenType.ALIAS:
            self.raise_error("wrong AS", self._prev)
        return super()._parse_projections()

    def _parse_group(self, *args: Any, **kwargs: Any) -> exp.Group | None:
        """GROUP BY ALL stands alone, and there is no GROUP BY DISTINCT."""
        group = super()._parse_group(*args, **kwargs)
        if group is not None:
            all_ = group.args.get("all")
            if all_ is False or bool(all_) == bool(group.expressions):
                self.raise_error("wrong GROUP BY", self._prev)
        return group

    def _parse_limit(self, *args: Any, **kwargs: Any) -> exp.Expr | None:
        """No LIMIT offset, count."""
        if self._curr.token_type == TokenType.LIMIT and self._next.token_type == TokenType.COMMA:
            self.raise_error("count expected", self._next)
        limit = super()._parse_limit(*args, **kwargs)
        if isinstance(limit, exp.Limit) and limit.args.get("offset") is not None:
            self.raise_error("wrong LIMIT", self._prev)
        return limit

    def _parse_table_alias(self, *args: Any, **kwargs: Any) -> exp.TableAlias | None:
        """A string is an alias after AS only, and a parameter is none."""
        if self._curr.token_type == TokenType.STRING:
            return None
        first = self._curr
        if _reserved(first):
            return None
        if first.token_type == TokenType.ALIAS and _no_name(self._next):
            self.raise_error("name expected", self._next)
        alias = super()._parse_table_alias(*args, **kwargs)
        if alias is not None and not isinstance(alias.this, exp.Identifier):
            self.raise_error("name expected", first)
        if alias is None and self._prev.token_type == TokenType.ALIAS:
            self.raise_error("name expected")
        return alias

    def _parse_alias(self, this: exp.Expr | None, explicit: bool = False) -> exp.Expr | None:
        """A reserved word or a unit of time is an alias only after AS, and AS wants one."""
        if _reserved(self._curr) or is_unit(self._curr):
            return this
        named = self._curr.token_type == TokenType.ALIAS
        if named and this is not None and _reserved(self._next):
            aliased = self._parse_reserved_alias(this)
            if aliased is not None:
                return aliased
        if named and (this is None or _no_name(self._next)):
            self.raise_error("wrong AS", self._curr if this is None else self._next)
        result = super()._parse_alias(this, explicit)
        if result is this and self._prev.token_type == TokenType.ALIAS:
            self.raise_error("name expected")
        return result

    def _parse_window(self, this: exp.Expr | None, alias: bool = False) -> exp.Expr | None:
        """Keeps where the window stands, and whether in parentheses: OVER w is not OVER (w)."""
        if isinstance(this, exp.Window):
            if self._curr.token_type == TokenType.OVER:
                self.raise_error("one OVER")
            return this
        node = super()._parse_window(this, alias)
        if isinstance(node, exp.Window):
            node.meta["parenthesised"] = self._prev.token_type == TokenType.R_PAREN
            place = span_of(this)
            if place is not None:
                node.meta.update(start=place.start, end=self._prev.end)
        return node

    def _parse_ordered(self, *args: Any, **kwargs: Any) -> exp.Ordered | None:
        """Notes whether NULLS FIRST or LAST is written: what is not goes by the session's settings."""
        node = super()._parse_ordered(*args, **kwargs)
        if node is not None:
            last, before = self._prev, self._tokens[max(self._index - 2, 0)]
            node.meta["nulls"] = last.text.upper() in ("FIRST", "LAST") and before.text.upper() == "NULLS"
        return node

    def _parse_id_var(self, any_token: bool = True, tokens: Any = None) -> exp.Expr | None:
        """GROUPS begins a frame, it is no name of a window."""
        if tokens is self.WINDOW_ALIAS_TOKENS and self._curr.text.upper() == "GROUPS":
            return None
        return super()._parse_id_var(any_token, tokens)

    def _parse_map(self) -> exp.Expr | None:
        """MAP {key: value, ...}, whose keys are expressions, and the function map."""
        start = self._prev
        if self._curr.token_type == TokenType.L_PAREN:
            self._advance()
            call = exp.Anonymous(this="map", expressions=self._parse_csv(self._parse_lambda))
            self._match_r_paren()
            return _at(call, start)
        if not self._match(TokenType.L_BRACE):
            self.raise_error("{ expected")
        pairs = self._parse_csv(self._parse_map_entry)
        if not self._match(TokenType.R_BRACE):
            self.raise_error("} expected")
        return _at(exp.ToMap(this=exp.Struct(expressions=pairs)), start)

    def _parse_map_entry(self) -> exp.Expr | None:
        key = self._parse_disjunction()
        if key is None:
            return None
        if not self._match(TokenType.COLON):
            self.raise_error(": expected")
        return exp.PropertyEQ(this=key, expression=self._parse_disjunction())

    def _parse_bracket(self, this: exp.Expr | None = None) -> exp.Expr | None:
        """Keeps that a list was written ARRAY[...]."""
        node = super()._parse_bracket(this)
        if isinstance(node, exp.Array) and isinstance(this, exp.Column | exp.Identifier):
            node.meta["array"] = True
        return node

    def _parse_in(self, this: exp.Expr | None, alias: bool = False) -> exp.In:
        """`IN [1, 2]` looks into a list; sqlglot takes the brackets for parentheses."""
        if self._curr.token_type == TokenType.L_BRACKET:
            return self.expression(exp.In(this=this, field=self._parse_bitwise()))
        return super()._parse_in(this, alias)

    def _parse_value(self, values: bool = True) -> exp.Tuple | None:
        """A row of VALUES has parentheses."""
        if values and self._curr.token_type != TokenType.L_PAREN:
            if self._prev.token_type == TokenType.COMMA:
                return None
            self.raise_error("( expected")
        return super()._parse_value(values)

    def _parse_using_identifiers(self) -> list[exp.Expr]:
        """USING has parentheses."""
        if self._curr.token_type != TokenType.L_PAREN:
            self.raise_error("( expected")
        return self._parse_wrapped_id_vars()

    def _parse_csv(self, parse_method: Callable[[], T | None], sep: TokenType = TokenType.COMMA) -> list[T]:
        """A comma may follow the last item, as in DuckDB, but nothing is left out between commas."""
        items: list[T] = []
        while (item := parse_method()) is not None:
            items.append(item)
            if not self._match(sep):
                return items
        if self._curr.token_type == sep:
            self.raise_error("item expected")
        return items

    def _parse_star_op(self, *keywords: str) -> list[exp.Expr] | None:
        """EXCLUDE, REPLACE and RENAME are followed by their list."""
        before = self._index
        items = super()._parse_star_op(*keywords)
        if self._index != before and not items:
            self.raise_error("names expected")
        return items

    def _parse_pipe_syntax_query(self, query: exp.Query) -> NoReturn:  # type: ignore[override]
        """No pipe syntax."""
        self.raise_error("operator")

    def _parse_function_call(self, *args: Any, **kwargs: Any) -> exp.Expr | None:
        """A quoted name is an ordinary call whatever it is called; ALL(list) is no call."""
        first = self._curr
        if first.token_type == TokenType.IDENTIFIER:
            kwargs["anonymous"] = True
        node = super()._parse_function_call(*args, **kwargs)
        if (
            first.token_type == TokenType.ALL
            and isinstance(node, exp.Anonymous)
            and len(node.expressions) == 1
        ):
            return exp.All(this=node.expressions[0])
        return node

    def _parse_types(self, *args: Any, **kwargs: Any) -> Any:
        """Keeps the type's name as written, and where."""
        first = self._curr
        node = super()._parse_types(*args, **kwargs)
        if type(node) is exp.DataType and first and self._prev and "text" not in node.meta:
            node.update_positions(first)
            node.meta["end"] = self._prev.end
            node.meta["text"] = self.sql[first.start : self._prev.end + 1]
        return node

    def _parse_user_defined_type(self, identifier: exp.Identifier) -> exp.Expr:
        """A type name that is no keyword; sqlglot parses it again as text of its own and loses its place."""
        return exp.DataType(this=exp.DataType.Type.USERDEFINED, kind=identifier.name)

    def _parse_primary(self) -> exp.Expr | None:
        """Numbers written as .5 and columns written as #1 keep their place."""
        point, number = self._curr, self._next
        if point.token_type == TokenType.HASH and number.token_type == TokenType.NUMBER:
            if not number.text.isdigit():
                self.raise_error("not a place", number)
            self._advance(2)
            node = exp.PositionalColumn(this=exp.Literal.number(number.text)).update_positions(point)
            node.meta["end"] = number.end
            return node
        if point.token_type == TokenType.DOT and number.token_type == TokenType.NUMBER:
            if number.start != point.end + 1:
                self.raise_error("digits expected")
            self._advance(2)
            node = exp.Literal.number(f"0.{number.text}").update_positions(point)
            node.meta.update(end=number.end, text=self.sql[point.start : number.end + 1])
            return node
        return super()._parse_primary()

    def raise_error(self, message: str, token: Token | None = None) -> NoReturn:  # type: ignore[override]
        """Stops at `token`, or at the current one; sqlglot's wording and highlighting are not used."""
        raise SyntaxFailure(token or self._curr or None)

    def _parse_case(self) -> exp.Expr | None:
        """sqlglot blames the token before the one that should have been END."""
        try:
            return super()._parse_case()
        except SyntaxFailure as failure:
            if failure.token is self._prev:
                raise SyntaxFailure(self._curr or None) from None
            raise

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
        IDENTIFIERS: ClassVar[list[str | tuple[str, str]]] = ['"', "`"]
        HEX_STRINGS: ClassVar[list[tuple[str, str]]] = [("x'", "'"), ("X'", "'")]
        KEYWORDS: ClassVar[dict[str, TokenType]] = {
            k: v for k, v in DuckDB.Tokenizer.KEYWORDS.items() if k not in ("DIV", "?::")
        } | {"PIVOT_LONGER": TokenType.UNPIVOT}

    Parser = TandemParser
    # Subscripts stay as written.
    INDEX_OFFSET = 0


DIALECT = Tandem()
