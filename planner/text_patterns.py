"""Patterns of LIKE and GLOB as regular expressions, in what RE2 and Python read alike (with DOTALL)."""

from __future__ import annotations

import re


def like_to_regex(pattern: str, escape: str = "") -> str:
    r"""LIKE's pattern as a regular expression for a whole name.

    >>> like_to_regex("a_%")
    'a..*'
    """
    parts, i = [], 0
    while i < len(pattern):
        c = pattern[i]
        if escape and c == escape and i + 1 < len(pattern):
            i += 1
            parts.append(re.escape(pattern[i]))
        else:
            parts.append(".*" if c == "%" else "." if c == "_" else re.escape(c))
        i += 1
    return "".join(parts)


def glob_to_regex(pattern: str) -> str | None:
    r"""GLOB's pattern as a regular expression for a whole text; None for one that matches none.

    >>> glob_to_regex("a?[!b-c]*")
    'a.[^b-c].*'
    """
    parts, i = [], 0
    while i < len(pattern):
        c = pattern[i]
        i += 1
        if c == "*":
            parts.append(".*")
        elif c == "?":
            parts.append(".")
        elif c == "\\":
            if i == len(pattern):
                return None
            parts.append(quoted(pattern[i]))
            i += 1
        elif c == "[":
            found = _char_class(pattern, i)
            if found is None:
                return None
            part, i = found
            parts.append(part)
        else:
            parts.append(quoted(c))
    return "".join(parts)


def quoted(char: str) -> str:
    """A character as itself, for Python's expressions and RE2's."""
    return char if char.isalnum() or not char.isascii() else f"\\x{ord(char):02x}"


def _char_class(pattern: str, i: int) -> tuple[str, int] | None:
    """The class that begins behind a bracket at `i`, and where it ends; None if it does not."""
    negated = pattern[i : i + 1] == "!"
    i += negated
    items: list[str] = []
    first = True
    while i < len(pattern) and (first or pattern[i] != "]"):
        first = False
        low = pattern[i]
        i += 1
        if pattern[i : i + 1] == "-" and i + 1 < len(pattern) and pattern[i + 1] != "]":
            high = pattern[i + 1]
            i += 2
            if low <= high:
                items.append(f"{quoted(low)}-{quoted(high)}")
        else:
            items.append(quoted(low))
    if i >= len(pattern):
        return None
    if not items:
        return (".", i + 1) if negated else None
    return f"[{'^' if negated else ''}{''.join(items)}]", i + 1
