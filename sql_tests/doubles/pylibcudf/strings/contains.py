"""Strings that match a pattern."""

from __future__ import annotations

import re
from typing import Any

import pyarrow.compute as pc

from ...arguments import library
from ...errors import expects, invalid_argument
from .._strings import BOOL, INT32, numbers, of_array, texts_of
from ..column import Column
from .regex_program import RegexProgram


@library
def contains_re(input: Column, prog: RegexProgram, stream: Any = None, mr: Any = None) -> Column:
    """Whether the pattern matches anywhere."""
    return numbers(input, lambda text: prog._compiled.search(text) is not None, BOOL)


@library
def matches_re(input: Column, prog: RegexProgram, stream: Any = None, mr: Any = None) -> Column:
    """Whether the pattern matches at the beginning."""
    return numbers(input, lambda text: prog._compiled.match(text) is not None, BOOL)


@library
def count_re(input: Column, prog: RegexProgram, stream: Any = None, mr: Any = None) -> Column:
    """How often the pattern matches."""
    return numbers(input, lambda text: sum(1 for _ in prog._compiled.finditer(text)), INT32)


@library
def like(
    input: Column, pattern: str, escape_character: str | None = None, stream: Any = None, mr: Any = None
) -> Column:
    """Whether the whole text matches: `%` any characters, `_` one, unless the escape is before them."""
    escape = escape_character or ""
    expects(len(escape.encode()) <= 1, invalid_argument("Escape character must be a single ASCII character"))
    return of_array(BOOL, pc.match_substring_regex(texts_of(input), like_expression(pattern, escape)))


def like_expression(pattern: str, escape: str) -> str:
    """The pattern as a regular expression.

    >>> like_expression("a!%_%", "!")
    '(?s)\\\\Aa%..*\\\\z'
    """
    parts: list[str] = []
    place = 0
    while place < len(pattern):
        character = pattern[place]
        place += 1
        if escape and character == escape and place < len(pattern):
            parts.append(_quoted(pattern[place]))
            place += 1
        else:
            parts.append({"%": ".*", "_": "."}.get(character) or _quoted(character))
    return f"(?s)\\A{''.join(parts)}\\z"


def _quoted(character: str) -> str:
    return re.escape(character) if character.isascii() and not character.isspace() else character
