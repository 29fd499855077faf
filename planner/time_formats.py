"""The specifiers of strftime and strptime, taken apart once for each format."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from . import messages_values as messages

# Specifiers with a '-' form that drops leading zeros.
_UNPADDED = frozenset("dmHIMSjy")
_KNOWN = frozenset("aAwudbBmyYGVHIpMSfgnzZjUWcxX%")
_COMPOSED = {"c": "%Y-%m-%d %H:%M:%S", "x": "%Y-%m-%d", "X": "%H:%M:%S"}


# Names that are written and read; Sunday is day 0, January month 1.
DAYS = ("Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday")
MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)


class Piece(NamedTuple):
    """A part of a format: literal text, or a specifier such as '%d' or '%-d'."""

    text: str
    is_specifier: bool


@lru_cache(maxsize=512)
def pieces(text: str) -> tuple[Piece, ...]:
    """Literals and specifiers of a format in order; composed specifiers are written out, '%%' is a literal.

    >>> [piece.text for piece in pieces("%d/%m%%")]
    ['%d', '/', '%m', '%']
    """
    if not text:
        raise messages.invalid_input("Empty format string")
    found: list[Piece] = []
    literal = ""
    at = 0
    while at < len(text):
        if text[at] != "%":
            literal += text[at]
            at += 1
            continue
        plain = text[at + 1 : at + 2] == "-"
        letter = text[at + 2 : at + 3] if plain else text[at + 1 : at + 2]
        if not letter:
            raise _bad(text, "Trailing format character %")
        specifier = f"%-{letter}" if plain else f"%{letter}"
        if letter not in _KNOWN or (plain and letter not in _UNPADDED):
            raise _bad(text, f"Unrecognized format for strftime/strptime: {specifier}")
        at += len(specifier)
        if letter == "%":
            literal += "%"
            continue
        if literal:
            found.append(Piece(literal, False))
            literal = ""
        found.extend(pieces(_COMPOSED[letter]) if letter in _COMPOSED else (Piece(specifier, True),))
    if literal:
        found.append(Piece(literal, False))
    return tuple(found)


def _bad(text: str, problem: str) -> Exception:
    return messages.invalid_input(f"Failed to parse format specifier {text}: {problem}")
