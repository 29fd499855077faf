"""Characters as people see them by their place, accents and normal forms, and texts put into texts."""

from __future__ import annotations

import re
import unicodedata

from ...planner import messages_values as messages
from ...planner.expr import Call
from ...planner.types import BIGINT, VARCHAR
from .graphemes import graphemes
from .registry import Evaluate, scalar
from .rowwise import rowwise

# What RE2's QuoteMeta leaves as it is.
_QUOTED = re.compile(r"[\x00-\x7f]")


@scalar("length_grapheme")
def length_grapheme(call: Call) -> Evaluate:
    """Number of clusters."""
    return rowwise(lambda text: len(graphemes(text)), BIGINT)


def _left(text: str, count: int) -> str:
    return "".join(graphemes(text)[:count])


def _right(text: str, count: int) -> str:
    clusters = graphemes(text)
    first = len(clusters) - count if count >= 0 else -count
    return "".join(clusters[max(first, 0) :])


@scalar("left_grapheme")
def left_grapheme(call: Call) -> Evaluate:
    """The first clusters; with a negative number all but so many at the end."""
    return rowwise(_left, VARCHAR)


@scalar("right_grapheme")
def right_grapheme(call: Call) -> Evaluate:
    """The last clusters; with a negative number all but so many at the start."""
    return rowwise(_right, VARCHAR)


def _substring(text: str, start: int, length: int | None = None) -> str:
    clusters = graphemes(text)
    size = len(clusters)
    first = start - 1 if start >= 0 else size + start
    last = size if length is None else first + length
    if last < first:
        first, last = last, first
    return "".join(clusters[max(first, 0) : max(min(last, size), 0)])


@scalar("substring_grapheme")
def substring_grapheme(call: Call) -> Evaluate:
    """As substring, by clusters."""
    return rowwise(_substring, VARCHAR)


def _without_accents(text: str) -> str:
    if text.isascii():
        return text
    parts = unicodedata.normalize("NFD", text)
    kept = "".join(c for c in parts if unicodedata.category(c) != "Mn")
    return unicodedata.normalize("NFC", kept)


@scalar("strip_accents")
def strip_accents(call: Call) -> Evaluate:
    """Letters without the marks that Unicode's decomposition puts behind them."""
    return rowwise(_without_accents, VARCHAR)


@scalar("nfc_normalize")
def nfc_normalize(call: Call) -> Evaluate:
    """Unicode's normal form C."""
    return rowwise(lambda text: unicodedata.normalize("NFC", text), VARCHAR)


def _escaped(match: re.Match[str]) -> str:
    character = match.group()
    if character.isalnum() or character == "_":
        return character
    return "\\x00" if character == "\0" else "\\" + character


@scalar("regexp_escape")
def regexp_escape(call: Call) -> Evaluate:
    """A backslash before every ASCII character that is no letter, digit or underscore."""
    return rowwise(lambda text: _QUOTED.sub(_escaped, text), VARCHAR)


def _overlay(text: str, new: str, start: int, length: int | None = None) -> str:
    first = max(start - 1, 0)
    count = len(new) if length is None or length < 0 else length
    last = max(start - 1 + count, 0)
    return text[:first] + new + text[last:]


@scalar("overlay")
def overlay(call: Call) -> Evaluate:
    """`new` in place of the code points from `start` on."""
    return rowwise(_overlay, VARCHAR)


@scalar("error")
def error(call: Call) -> Evaluate:
    """Raises the text."""

    def one(text: str) -> None:
        raise messages.invalid_input(text)

    return rowwise(one, call.type)
