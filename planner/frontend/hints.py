"""Hints: comments `/*+ name(argument) ... */` directly after a statement's first SELECT.

The tokenizer drops comments, but between SELECT and the next token there is nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sqlglot.tokenizer_core import Token, TokenType

from .. import messages_query as messages
from ..errors import Span


@dataclass(frozen=True)
class Hint:
    """A hint as written: its name in lower case, its argument ('' if it has none), and where each is."""

    name: str
    argument: str
    span: Span
    argument_span: Span


_HINT = re.compile(r"[\s,]*(?:(?P<name>[^\W\d]\w*)\s*(?:\((?P<argument>[^()]*)\))?|(?P<wrong>\S+))")


def read_hints(sql: str, tokens: Sequence[Token]) -> tuple[Hint, ...]:
    """The hints of a statement. ParserError where one is not of the form `name` or `name(argument)`, or
    stands at another SELECT than the first of the outermost ones: a hint is for the whole statement.
    """
    if "/*+" not in sql[tokens[0].start : tokens[-1].end + 1]:
        return ()
    selects = list(_selects(tokens))
    outermost = min((depth for depth, _, _ in selects), default=0)
    first = next((place for depth, place, _ in selects if depth == outermost), -1)
    hints: list[Hint] = []
    for _, place, end in selects:
        for start, stop in _blocks(sql, tokens[place].end + 1, end):
            if place != first:
                raise messages.misplaced_hint(Span(start, stop))
            hints.extend(_read_block(sql, start + len("/*+"), stop - len("*/")))
    return tuple(hints)


def _selects(tokens: Sequence[Token]) -> Iterator[tuple[int, int, int]]:
    """Depth and place of every SELECT, and where the token after it starts."""
    depth = 0
    for place, token in enumerate(tokens[:-1]):
        depth += {TokenType.L_PAREN: 1, TokenType.R_PAREN: -1}.get(token.token_type, 0)
        if token.token_type is TokenType.SELECT:
            yield depth, place, tokens[place + 1].start


def _blocks(sql: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Where the hint comments among the comments of sql[start:end] are. Comments nest."""
    while start < end:
        if sql.startswith("--", start):
            line = sql.find("\n", start, end)
            start = end if line < 0 else line
        elif sql.startswith("/*", start):
            stop, open_ = start + 2, 1
            while open_:
                mark = re.compile(r"/\*|\*/").search(sql, stop, end)
                if mark is None:
                    return
                open_ += 1 if mark.group() == "/*" else -1
                stop = mark.end()
            if sql.startswith("/*+", start):
                yield start, stop
            start = stop
        else:
            start += 1


def _read_block(sql: str, start: int, end: int) -> Iterator[Hint]:
    while start < end:
        match = _HINT.match(sql, start, end)
        if match is None:
            return
        if match["wrong"] is not None:
            raise messages.bad_hint(match["wrong"], Span(*match.span("wrong")))
        name, argument = Span(*match.span("name")), match["argument"]
        inside = name if argument is None else Span(*match.span("argument"))
        yield Hint(match["name"].lower(), (argument or "").strip(), name, inside)
        start = match.end()
