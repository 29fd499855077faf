"""How many columns of a terminal a text takes."""

from __future__ import annotations

import unicodedata


def display_width(text: str) -> int:
    """Columns a text takes: wide East Asian characters take two, combining marks and joiners none.

    >>> display_width("a漢e\\u0301")
    4
    """
    if text.isascii():
        return len(text)
    return sum(map(_width, text))


def _width(character: str) -> int:
    if unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1
