"""JSON text to Python values, and their text again."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

_DECODER = json.JSONDecoder()
_BETWEEN = re.compile(r"[\s,]*")


class BadJson(ValueError):
    """Text that is no JSON: `place` is the character at fault, `line` its line from 0."""

    def __init__(self, why: str, text: str, place: int) -> None:
        super().__init__(why)
        self.line = text.count("\n", 0, place)


def decode(data: bytes, *, array: bool) -> list[Any]:
    """All values of a text that holds them side by side, or as what is left of an array's items.

    >>> decode(b'{"a": 1}\\n{"a": 2}', array=False), decode(b',3, 4]', array=True)
    ([{'a': 1}, {'a': 2}], [3, 4])
    """
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        raise BadJson("invalid unicode", data.decode(errors="replace"), error.start) from error
    if not array and text[:1] == "{":
        # One a line, nearly always: one call for all of them.
        try:
            return json.loads("[" + text.strip().replace("\n", ",") + "]")
        except ValueError:
            pass
    return list(_one_by_one(text, array))


def _one_by_one(text: str, array: bool) -> Iterator[Any]:
    place = 0
    while (place := _BETWEEN.match(text, place).end()) < len(text):  # type: ignore[union-attr]
        if array and text[place] == "]":
            if text[place + 1 :].strip():
                raise BadJson("unexpected character", text, place + 1)
            return
        try:
            value, place = _DECODER.raw_decode(text, place)
        except json.JSONDecodeError as error:
            raise BadJson(error.msg, text, error.pos) from error
        yield value


def lines(data: bytes) -> Iterator[Any]:
    """The values of a text with one a line; BadJson in place of a line that is none."""
    for line in data.decode(errors="replace").split("\n"):
        if line.strip():
            try:
                yield json.loads(line)
            except ValueError as error:
                yield BadJson(str(error), line, 0)


def text_of(value: Any) -> str | None:
    """A value as JSON text; of a string the string itself."""
    if value is None or isinstance(value, str):
        return value
    return as_json(value)


def as_json(value: Any) -> str:
    """A value as JSON text, as short as it can be."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
