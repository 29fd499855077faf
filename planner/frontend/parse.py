"""SQL text to syntax trees: one `Parsed` a statement, tokenised and parsed once."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

from sqlglot import exp
from sqlglot.errors import ParseError, TokenError
from sqlglot.tokenizer_core import Token, TokenType

from .. import messages_query as messages
from ..candidates import did_you_mean
from ..errors import Span, SqlError
from ..messages import bad_hex_string, bad_text
from ..messages_runtime import interrupted
from .command_parser import CommandParser
from .commands import Ast, CreateViewCommand, UnsupportedCommand
from .deep import MAX_DEPTH, MAX_TREE_DEPTH, nesting_depth, query_count, run_deep
from .dialect import DIALECT, EXTENSIBLE, SyntaxFailure, TandemParser
from .hints import Hint, read_hints

# What the grammar may give for a whole statement; it also accepts bare expressions.
_STATEMENTS = (exp.Query, exp.Values, exp.Insert, exp.Update, exp.Delete, exp.Alter, exp.Create, exp.Drop)
_FIRST_TOKENS = frozenset(
    {
        TokenType.SELECT, TokenType.WITH, TokenType.FROM, TokenType.VALUES, TokenType.TABLE,
        TokenType.L_PAREN, TokenType.INSERT, TokenType.UPDATE, TokenType.DELETE, TokenType.CREATE,
        TokenType.DROP, TokenType.ALTER, TokenType.PIVOT, TokenType.UNPIVOT, TokenType.SUMMARIZE,
    }
)  # fmt: skip
# Statements that are refused by name, but are wrong already when nothing follows.
_NEVER_ALONE = frozenset({"ALTER", "ATTACH", "CALL", "CREATE", "DELETE", "DROP", "UPDATE", "USE"})
# What the parser raises on some wrong texts instead of an error of its own.
_PARSER_BUGS = (AttributeError, IndexError, KeyError, TypeError, ValueError)


_SURROGATE = re.compile("[\ud800-\udfff]")
_HEX_STRING = re.compile("[xX]'((?:[^']|'')*)'")
_HEX_PAIRS = re.compile("(?:[0-9a-fA-F]{2})*")


@dataclass(frozen=True)
class Parsed:
    """One statement: `sql` is the whole script, of which it takes [start, end). Spans of `ast` are offsets
    in `sql`. `depth` bounds the nesting, for `run_deep`; `hints` are for the whole statement."""

    ast: Ast = field(repr=False)
    sql: str
    start: int
    end: int
    depth: int = 0
    hints: tuple[Hint, ...] = ()

    @property
    def text(self) -> str:
        """The statement's own text, without the semicolon."""
        return self.sql[self.start : self.end]


def parse_script(sql: str, check: Callable[[], None] = lambda: None) -> tuple[Parsed, ...]:
    """Every statement of a script; empty ones are left out. `check` is called now and then and raises where
    the script was cancelled.

    Raises ParserError for the first statement that is wrong.

    >>> [p.text for p in parse_script("SELECT ';' ; SELECT 2")]
    ["SELECT ';'", 'SELECT 2']
    """
    try:
        return tuple(_parse_one(sql, tokens, check) for tokens in _statements(tokenize(sql, check)))
    except SqlError as error:
        error.sql = error.sql or sql
        raise


def parse_stored(sql: str) -> Parsed:
    """The one statement of a text that is bound again and again, a view's: parsed once. The tree is the
    caller's own, since binding may change it.
    """
    (parsed,) = _parsed_once(sql)
    return replace(parsed, ast=parsed.ast.copy()) if isinstance(parsed.ast, exp.Expr) else parsed


@lru_cache(maxsize=512)
def _parsed_once(sql: str) -> tuple[Parsed, ...]:
    return parse_script(sql)


def split_script(sql: str) -> tuple[tuple[int, int], ...]:
    """Where the statements of a script are, [start, end) each, without parsing them. Raises ParserError for
    text that cannot be tokenised."""
    return tuple((tokens[0].start, tokens[-1].end + 1) for tokens in _statements(tokenize(sql)))


def tokenize(sql: str, check: Callable[[], None] = lambda: None) -> list[Token]:
    """The tokens of a text. `check` is as in `parse_script`. Raises ParserError for an unterminated string,
    comment or quoted name."""
    if not is_unicode(sql):
        place = _SURROGATE.search(sql)
        assert place is not None
        error = bad_text("The statement", Span(place.start(), place.end()))
        error.sql = _SURROGATE.sub("\ufffd", sql)
        raise error
    if not EXTENSIBLE:
        raise messages.compiled_parser()
    tokenizer = DIALECT.tokenizer()
    try:
        tokens = _without_hex_numbers(sql, _scan(tokenizer._core, sql, check))
    except (TokenError, IndexError):
        start = min(tokenizer._core._start, max(len(sql) - 1, 0))
        _refuse_bad_hex(sql, start)
        raise messages.unterminated(sql[start : start + 1], Span(start, min(start + 1, len(sql)))) from None
    _refuse_empty_names(sql, tokens)
    for token in tokens if "x'" in sql or "X'" in sql else ():
        if token.token_type is TokenType.HEX_STRING:
            _refuse_bad_hex(sql, token.start)
    return tokens


class _PolledTokens(list[Token]):
    """The list that the tokenizer fills. It asks now and then whether the statement was cancelled, which
    sqlglot knows nothing of."""

    def __init__(self, check: Callable[[], None]) -> None:
        super().__init__()
        self._check = check

    def append(self, token: Token) -> None:
        if len(self) % _TOKENS_BETWEEN_CHECKS == 0:
            self._check()
        super().append(token)


_TOKENS_BETWEEN_CHECKS = 2_000


def _scan(core: Any, sql: str, check: Callable[[], None]) -> list[Token]:
    """What the tokenizer's `tokenize` does, into a list of ours."""
    core.reset()
    core.tokens, core.sql, core.size = _PolledTokens(check), sql, len(sql)
    core._scan()
    return core.tokens


def is_unicode(text: str) -> bool:
    """Whether a text can be stored as UTF-8: Python's strings may hold halves of UTF-16 pairs."""
    return text.isascii() or _SURROGATE.search(text) is None


def _refuse_empty_names(sql: str, tokens: list[Token]) -> None:
    for token in tokens if '""' in sql or "``" in sql else ():
        if token.token_type is TokenType.IDENTIFIER and not token.text:
            raise messages.empty_name(Span(token.start, token.end + 1))


def _refuse_bad_hex(sql: str, start: int) -> None:
    """The tokenizer tells only some wrong digits of x'...', and in the same way as a missing quote."""
    if found := _HEX_STRING.match(sql, start):
        text = found[1].replace("''", "'")
        if _HEX_PAIRS.fullmatch(text) is None:
            raise bad_hex_string(text, Span(start, found.end()))


def _without_hex_numbers(sql: str, tokens: list[Token]) -> list[Token]:
    """DuckDB has no hexadecimal numbers: 0x10 is the number 0 and the name x10."""
    if "0x" not in sql and "0X" not in sql:
        return tokens
    result: list[Token] = []
    for token in tokens:
        if token.token_type is TokenType.HEX_STRING and sql[token.start] == "0":
            at = token.start
            result.append(Token(TokenType.NUMBER, "0", token.line, token.col, at, at))
            name = sql[at + 1 : token.end + 1]
            result.append(Token(TokenType.VAR, name, token.line, token.col, at + 1, token.end))
        else:
            result.append(token)
    return result


def _statements(tokens: Sequence[Token]) -> list[list[Token]]:
    parts: list[list[Token]] = [[]]
    for token in tokens:
        if token.token_type is TokenType.SEMICOLON:
            parts.append([])
        else:
            parts[-1].append(token)
    return [part for part in parts if part]


def _parse_one(sql: str, tokens: list[Token], check: Callable[[], None]) -> Parsed:
    check()
    brackets, depth = nesting_depth(tokens)
    first = Span(tokens[0].start, tokens[0].end + 1)
    if brackets > MAX_DEPTH:
        raise messages.too_deep(brackets, MAX_DEPTH, first)
    if depth > MAX_TREE_DEPTH:
        raise messages.too_long(MAX_TREE_DEPTH, first)
    stopped = threading.Event()

    def polled() -> None:
        if stopped.is_set():
            raise interrupted()
        check()

    ast = run_deep(lambda: _parse_tokens(sql, tokens, polled), depth, stopped.set)
    depth += query_count(tokens)
    hints = read_hints(sql, tokens)
    if hints and isinstance(ast, CreateViewCommand):
        # Statements that read the view have hints of their own.
        raise messages.misplaced_hint(hints[0].span)
    return Parsed(ast, sql, tokens[0].start, tokens[-1].end + 1, depth, hints)


def _parse_tokens(sql: str, tokens: Sequence[Token], check: Callable[[], None]) -> Ast:
    command = CommandParser(
        sql,
        tokens,
        query=lambda rest: _parse_grammar(sql, rest, (exp.Query, exp.Values), check),
        statement=lambda rest: _parse_tokens(sql, rest, check),
    ).parse()
    if isinstance(command, UnsupportedCommand) and len(tokens) == 1 and command.name in _NEVER_ALONE:
        raise _syntax_error(sql, tokens, None)
    if command is not None:
        return command
    if tokens[0].token_type not in _FIRST_TOKENS:
        raise _syntax_error(sql, tokens, tokens[0])
    return _parse_grammar(sql, tokens, _STATEMENTS, check)


def _parse_grammar(
    sql: str, tokens: Sequence[Token], wanted: tuple[type, ...], check: Callable[[], None]
) -> exp.Expr:
    first = tokens[0]
    parser = DIALECT.parser()
    assert isinstance(parser, TandemParser)
    parser.check = check
    try:
        (tree,) = parser.parse(list(tokens), sql)
    except (ParseError, *_PARSER_BUGS) as failure:
        token = failure.token if isinstance(failure, SyntaxFailure) else parser._curr or None
        raise _syntax_error(sql, tokens, token) from None
    if isinstance(tree, exp.Insert) and tree.expression is None and not tree.args.get("default"):
        last = tokens[-1]
        raise messages.syntax_error(_token_text(sql, last), Span(last.start, last.end + 1))
    if isinstance(tree, exp.Update) and not tree.expressions:
        last = tokens[-1]
        raise messages.syntax_error(_token_text(sql, last), Span(last.start, last.end + 1))
    if isinstance(tree, exp.Delete) and tree.args.get("tables"):
        raise messages.syntax_error(_token_text(sql, tokens[1]), Span(tokens[1].start, tokens[1].end + 1))
    if tree is None or not isinstance(tree, wanted):
        raise messages.syntax_error(_token_text(sql, first), Span(first.start, first.end + 1))
    return tree


# Words whose misspelling makes a statement fall apart somewhere behind them.
_STARTS = (
    "SELECT",
    "WITH",
    "FROM",
    "VALUES",
    "INSERT",
    "UPDATE",
    "DELETE",
    "TRUNCATE",
    "CREATE",
    "DROP",
    "EXPLAIN",
    "DESCRIBE",
    "SHOW",
    "SET",
)
_CLAUSES = (
    "FROM",
    "WHERE",
    "GROUP",
    "ORDER",
    "HAVING",
    "LIMIT",
    "OFFSET",
    "JOIN",
    "UNION",
    "DISTINCT",
    "VALUES",
)


def _syntax_error(sql: str, tokens: Sequence[Token], token: Token | None) -> SqlError:
    """The error at `token`, or at the first word where that starts no statement; with a hint if a word there
    looks misspelt.
    """
    first, last = tokens[0], tokens[-1]
    if first.token_type is TokenType.VAR:
        hint = _misspelt(first, _STARTS)
        return messages.syntax_error(_token_text(sql, first), Span(first.start, first.end + 1), hint)
    if token is None:
        return messages.syntax_error(None, Span(last.end + 1, last.end + 2))
    place = next((i for i, t in enumerate(tokens) if t is token), 0)
    hint = _misspelt(token, _CLAUSES) or (_misspelt(tokens[place - 1], _CLAUSES) if place else None)
    return messages.syntax_error(_token_text(sql, token), Span(token.start, token.end + 1), hint)


def _misspelt(token: Token, words: Sequence[str]) -> str | None:
    if token.token_type is not TokenType.VAR:
        return None
    word = token.text.upper()
    if word in words:
        return f"Did you mean {word} BY?" if word in ("GROUP", "ORDER") else None
    return did_you_mean(word, words, limit=1, cutoff=0.7, affixes=False, quote="")


def _token_text(sql: str, token: Token) -> str:
    return sql[token.start : token.end + 1]
