"""LIKE and ILIKE, with and without an escape character, by code point.

A constant pattern (the usual one) is taken apart when the expression is compiled; other patterns once for
each distinct one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import pyarrow as pa

from ...planner.expr import Call
from ...planner.types import BOOLEAN, VARCHAR
from .. import compute, messages
from ..dictionary import on_entries
from ..vector import Vector, null_constant
from .registry import Evaluate, scalar
from .rowwise import rowwise

ANY_TEXT, ANY_CHARACTER = object(), object()


@dataclass(frozen=True, slots=True)
class Pattern:
    """A pattern as its parts: strings, ANY_TEXT (%) and ANY_CHARACTER (_), no two strings and no two % side
    by side.
    """

    parts: tuple[object, ...]

    def regex(self) -> str:
        """An expression for the whole string, in the syntax that RE2 and Python share."""
        wild = {ANY_TEXT: ".*", ANY_CHARACTER: "."}
        return "".join(wild[p] if p in wild else _quoted(str(p)) for p in self.parts)


def _quoted(text: str) -> str:
    return "".join(c if c.isalnum() or not c.isascii() else f"\\x{ord(c):02x}" for c in text)


@lru_cache(maxsize=512)
def parse_pattern(pattern: str, escape: str) -> Pattern:
    """Takes a LIKE pattern apart; `escape` is '' or a character that quotes the next one."""
    parts: list[object] = []
    literal = ""
    at = 0
    while at < len(pattern):
        character = pattern[at]
        at += 1
        if character == escape and escape:
            if at == len(pattern):
                raise messages.invalid_input("Like pattern must not end with escape character!")
            literal += pattern[at]
            at += 1
        elif character in "%_":
            if literal:
                parts.append(literal)
                literal = ""
            if character == "_":
                parts.append(ANY_CHARACTER)
            elif not parts or parts[-1] is not ANY_TEXT:
                parts.append(ANY_TEXT)
        else:
            literal += character
    if literal:
        parts.append(literal)
    return Pattern(tuple(parts))


def matcher(pattern: Pattern) -> Callable[[pa.Array], pa.BooleanArray]:
    """A function from a string array to the rows that match; NULL rows are NULL."""
    match pattern.parts:
        case ():
            return lambda array: compute.compare("=", array, pa.scalar(""))
        case (str() as text,):
            return lambda array: compute.compare("=", array, pa.scalar(text))
        case (str() as prefix, end) if end is ANY_TEXT:
            return lambda array: compute.starts_with(array, prefix)
        case (start, str() as suffix) if start is ANY_TEXT:
            return lambda array: compute.ends_with(array, suffix)
        case (start, str() as part, end) if start is ANY_TEXT and end is ANY_TEXT:
            return lambda array: compute.contains(array, part)
    expression = f"(?s)\\A{pattern.regex()}\\z"
    return lambda array: compute.matches_regex(array, expression)


@lru_cache(maxsize=512)
def _compiled(pattern: str, escape: str) -> re.Pattern[str]:
    return re.compile(parse_pattern(pattern, escape).regex(), re.DOTALL)


def like_one(text: str, pattern: str, escape: str = "") -> bool:
    """LIKE of one string.

    >>> like_one("a_c", "a$_%", "$")
    True
    """
    return _compiled(pattern, checked_escape(escape)).fullmatch(text) is not None


def checked_escape(escape: str) -> str:
    """The escape character, '' for none; longer ones are an error."""
    if len(escape) > 1:
        raise messages.invalid_input("Invalid escape string. Escape string must be empty or one character.")
    return escape


@scalar("like", "like_escape")
def like(call: Call) -> Evaluate:
    """Whether the string matches the pattern as a whole."""
    by_row = rowwise(like_one, BOOLEAN)

    def evaluate(args: Sequence[Vector], n: int) -> Vector:
        text, pattern = args[0], args[1]
        escape = args[2] if len(args) == 3 else Vector.constant(VARCHAR, "")
        if text.is_constant or not (pattern.is_constant and escape.is_constant):
            return by_row(args, n)
        if text.valid is not None and not text.valid.any():
            return null_constant(BOOLEAN)
        search = matcher(parse_pattern(pattern.value, checked_escape(escape.value)))
        return on_entries(text, lambda v: Vector.of_array(BOOLEAN, search(v.array)))

    return evaluate


@scalar("ilike", "ilike_escape")
def ilike(call: Call) -> Evaluate:
    """LIKE of the lower-case string and the lower-case pattern."""
    sensitive = like(call)

    def evaluate(args: Sequence[Vector], n: int) -> Vector:
        return sensitive([_lowered(args[0]), _lowered(args[1]), *args[2:]], n)

    return evaluate


def _lowered(vector: Vector) -> Vector:
    if vector.is_constant:
        return Vector.constant(VARCHAR, compute.lower(pa.array([vector.value]))[0].as_py())
    return on_entries(vector, lambda v: Vector.of_array(VARCHAR, compute.lower(v.array)))
