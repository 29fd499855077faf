"""Ends of strings removed."""

from __future__ import annotations

from typing import Any

from ...arguments import library
from .._strings import each, text_of
from ..column import Column
from ..scalar import Scalar
from .side_type import SideType


def _blank(character: str) -> bool:
    return character <= " "


@library
def strip(
    input: Column,
    side: SideType = SideType.BOTH,
    to_strip: Scalar | None = None,
    stream: Any = None,
    mr: Any = None,
) -> Column:
    """Without the characters of `to_strip` at its ends; without blanks and controls where it is empty."""
    characters = "" if to_strip is None else text_of(to_strip, "to_strip")

    def goes(character: str) -> bool:
        return character in characters if characters else _blank(character)

    def stripped(text: str) -> str:
        begin, end = 0, len(text)
        if side is not SideType.RIGHT:
            while begin < end and goes(text[begin]):
                begin += 1
        if side is not SideType.LEFT:
            while end > begin and goes(text[end - 1]):
                end -= 1
        return text[begin:end]

    return each(input, stripped)
