"""Regular expressions of libcudf's dialect."""

from __future__ import annotations

import functools
import re

from ...arguments import check
from ...errors import logic_error
from .regex_flags import RegexFlags

_LETTERS = frozenset("wWsSdDbBAZtnrfa")


class RegexProgram:
    """A pattern, checked when it is made."""

    def __init__(self) -> None:
        raise ValueError("Do not instantiate RegexProgram directly, use create")

    @staticmethod
    def create(pattern: str, flags: RegexFlags) -> RegexProgram:
        check("pattern", str, pattern)
        if not isinstance(flags, int):
            raise TypeError("an integer is required")
        program = RegexProgram.__new__(RegexProgram)
        program._compiled = compiled(pattern, int(flags))
        program._pattern = pattern
        return program

    _compiled: re.Pattern[str]
    _pattern: str


def _invalid(why: str) -> RuntimeError:
    return logic_error(f"invalid regex pattern: {why}")


@functools.cache
def compiled(pattern: str, flags: int) -> re.Pattern[str]:
    """The same pattern for Python's engine. What libcudf has no syntax for is an error here too."""
    text = _translated(pattern, multiline=bool(flags & RegexFlags.MULTILINE))
    used = re.MULTILINE if flags & RegexFlags.MULTILINE else 0
    used |= re.DOTALL if flags & RegexFlags.DOTALL else 0
    used |= re.IGNORECASE if flags & RegexFlags.IGNORECASE else 0
    try:
        found = re.compile(text, used)
    except re.error as error:
        raise _invalid(str(error)) from None
    return found


def _translated(pattern: str, *, multiline: bool) -> str:
    parts: list[str] = []
    place, depth, alone = 0, 0, True
    while place < len(pattern):
        at, character = place, pattern[place]
        place += 1
        if character == "\\":
            piece, place = _escape(pattern, at)
            alone = False
        elif character == "[":
            piece, place = _class(pattern, at)
            alone = False
        elif character in "*+?" or (character == "{" and (alone or re.match(r"\{\d*,?\d*\}", pattern[at:]))):
            piece, place = _repeat(pattern, at, alone)
            alone = True
        elif character == "(":
            if pattern[place : place + 1] == "?" and pattern[place + 1 : place + 2] != ":":
                raise _invalid(f"nothing to repeat at position {place}")
            depth += 1
            piece = "(?:" if pattern[place : place + 2] == "?:" else "("
            place += 2 if piece == "(?:" else 0
            alone = True
        elif character == ")":
            depth -= 1
            if depth < 0:
                raise logic_error("unmatched left parenthesis")
            piece, alone = ")", False
        elif character == "|":
            if alone and not parts:
                raise _invalid("nothing to repeat at position 0")
            piece, alone = "|", True
        elif character == "$":
            # Like Python's it stands before a last line feed too, in any mode (libcudf's source; not yet
            # observed).
            piece, alone = "$", True
        elif character == "^":
            piece, alone = "^", True
        else:
            piece, alone = re.escape(character) if character in "{}]" else character, False
        parts.append(piece)
    if depth:
        raise logic_error("unmatched left parenthesis")
    return "".join(parts)


def _escape(pattern: str, at: int) -> tuple[str, int]:
    letter = pattern[at + 1 : at + 2]
    if not letter or (letter.isalpha() and letter.isascii() and letter not in _LETTERS and letter != "x"):
        raise _invalid(f"bad escape character at position {at + 1}")
    if letter == "x":
        if not re.match(r"\\x[0-9A-Fa-f]{2}", pattern[at:]):
            raise _invalid(f"bad escape character at position {at + 1}")
        return pattern[at : at + 4], at + 4
    if letter.isdigit():
        # Digits are characters by their octal number: there are no back-references.
        digits = re.match(r"[0-7]{1,3}", pattern[at + 1 :])
        text = digits[0] if digits else letter
        return re.escape(chr(int(text, 8)) if digits else letter), at + 1 + len(text)
    return "\\" + letter, at + 2


def _class(pattern: str, at: int) -> tuple[str, int]:
    place = at + 1
    piece = "["
    if pattern[place : place + 1] == "^":
        piece, place = "[^", place + 1
    first = place
    while place < len(pattern) and (pattern[place] != "]" or place == first):
        if pattern[place] == "\\":
            piece += _escape(pattern, place)[0]
            place = _escape(pattern, place)[1]
        else:
            piece += "\\" + pattern[place] if pattern[place] in "[]&~|" else pattern[place]
            place += 1
    if place >= len(pattern):
        raise _invalid(f"bad escape character at position {place}")
    return piece + "]", place + 1


def _repeat(pattern: str, at: int, alone: bool) -> tuple[str, int]:
    if alone:
        raise _invalid(f"nothing to repeat at position {at}")
    place = at + 1
    piece = pattern[at]
    if piece == "{":
        match = re.match(r"\{(\d*)(,?)(\d*)\}", pattern[at:])
        assert match is not None
        if any(number and int(number) > 999 for number in (match[1], match[3])):
            raise logic_error("unsupported repeat value at 1")
        low, comma, high = match[1] or "0", match[2], match[3]
        piece = "{" + low + comma + high + "}"
        place = at + len(match[0])
    if pattern[place : place + 1] == "?":
        return piece + "?", place + 1
    return piece, place
