"""Lists, structs and maps as text: as CAST writes them, and how CAST reads them."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from .types import SQLType

# A text inside a nested value is quoted where it holds one of these, is empty, or has spaces at its ends.
# In a form that RE2 reads as well.
NEEDS_QUOTES = r"""[\[\](){},:='"\\]|^\s|\s$|^$|^(?i:null)$"""
_SPECIAL = re.compile(NEEDS_QUOTES)


def format_nested(value: Any, kind: SQLType, member: Callable[[Any, SQLType], str]) -> str:
    """A value in literal form, not NULL, as text. `member` writes what is not nested.

    >>> from .types import INTEGER, VARCHAR, list_of, struct_of
    >>> format_nested((1, None), list_of(INTEGER), lambda v, _: str(v))
    '[1, NULL]'
    >>> format_nested(("it's",), struct_of(("a", VARCHAR)), lambda v, _: v)
    "{'a': 'it\\\\'s'}"
    """

    def write(item: Any, of: SQLType) -> str:
        if item is None:
            return "NULL"
        if of.is_nested:
            return format_nested(item, of, member)
        return _quoted(member(item, of))

    if kind.is_list:
        return "[" + ", ".join(write(item, kind.element) for item in value) + "]"
    if kind.is_map:
        (_, key), (_, held) = kind.fields
        return "{" + ", ".join(f"{write(k, key)}={write(v, held)}" for k, v in value) + "}"
    parts = [write(item, of) for item, (_, of) in zip(value, kind.fields, strict=True)]
    if kind.is_tuple or not parts:
        return "(" + ", ".join(parts) + ")"
    names = [escaped(name) for name, _ in kind.fields]
    return "{" + ", ".join(f"{name}: {part}" for name, part in zip(names, parts, strict=True)) + "}"


def escaped(text: str) -> str:
    """The text in quotes."""
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def _quoted(text: str) -> str:
    return escaped(text) if _SPECIAL.search(text) else text


# Reading ----------------------------------------------------------------------------------------------------
_OPEN = {"[": "]", "{": "}", "(": ")"}


def split_members(text: str, opening: str) -> list[str] | None:
    """The raw members between the outer brackets, None where the text has no such brackets or does not
    close.

    >>> split_members(" [1, [2, 3], 'a,b'] ", "[")
    ['1', '[2, 3]', "'a,b'"]
    """
    text = text.strip()
    if len(text) < 2 or text[0] != opening or text[-1] != _OPEN[opening]:
        return None
    found: list[str] = []
    waiting: list[str] = []
    begin = at = 1
    end = len(text) - 1
    while at < end:
        letter = text[at]
        if letter in "'\"":
            closing = _closing_quote(text, at, end)
            if closing < 0:
                return None
            at = closing
        elif letter in _OPEN:
            waiting.append(_OPEN[letter])
        elif waiting and letter == waiting[-1]:
            waiting.pop()
        elif letter == "\\":
            at += 1
        elif letter == "," and not waiting:
            found.append(text[begin:at].strip())
            begin = at + 1
        at += 1
    if waiting or at > end:
        return None
    last = text[begin:end].strip()
    if found or last:
        found.append(last)
    return None if found and not all(found) else found


def _closing_quote(text: str, at: int, end: int) -> int:
    quote = text[at]
    at += 1
    while at < end:
        if text[at] == "\\":
            at += 1
        elif text[at] == quote:
            return at
        at += 1
    return -1


def plain_member(raw: str) -> str | None:
    r"""What a raw member says: its text without quotes; None for NULL.

    >>> plain_member("'it\\'s'"), plain_member("NULL"), plain_member("a b")
    ("it's", None, 'a b')
    """
    if raw.upper() == "NULL":
        return None
    if len(raw) > 1 and raw[0] in "'\"" and _closing_quote(raw, 0, len(raw)) == len(raw) - 1:
        raw = raw[1:-1]
    return re.sub(r"\\(.)", r"\1", raw, flags=re.DOTALL) if "\\" in raw else raw


def split_pair(raw: str, sign: str) -> tuple[str, str] | None:
    """Name and value of one entry, at the first `sign` outside quotes and brackets."""
    waiting: list[str] = []
    at = 0
    while at < len(raw):
        letter = raw[at]
        if letter in "'\"":
            at = _closing_quote(raw, at, len(raw))
            if at < 0:
                return None
        elif letter in _OPEN:
            waiting.append(_OPEN[letter])
        elif waiting and letter == waiting[-1]:
            waiting.pop()
        elif letter == sign and not waiting:
            return raw[:at].strip(), raw[at + 1 :].strip()
        at += 1
    return None
