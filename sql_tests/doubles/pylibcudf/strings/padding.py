"""Strings filled up to a width."""

from __future__ import annotations

from typing import Any

from ...arguments import library
from ...errors import expects, logic_error
from .._strings import each
from ..column import Column
from .side_type import SideType


@library
def pad(
    input: Column, width: int, side: SideType, fill_char: str, stream: Any = None, mr: Any = None
) -> Column:
    """At least `width` characters; none is cut."""
    expects(bool(fill_char), logic_error("fill_char parameter must not be empty"))
    fill = fill_char[0]

    def filled(text: str) -> str:
        missing = max(width - len(text), 0)
        if side is SideType.LEFT:
            return fill * missing + text
        if side is SideType.RIGHT:
            return text + fill * missing
        # Of an odd number the right side gets one more.
        return fill * (missing // 2) + text + fill * (missing - missing // 2)

    return each(input, filled)


@library
def zfill(input: Column, width: int, stream: Any = None, mr: Any = None) -> Column:
    """Zeros on the left, after a sign."""
    return each(input, lambda text: text.zfill(width))
