"""Single characters replaced by others."""

from __future__ import annotations

from typing import Any

from ...arguments import library
from ...errors import expects, logic_error
from .._strings import each
from ..column import Column


def _character(value: int | str) -> str:
    """A code point, or the text of one."""
    text = chr(value) if isinstance(value, int) else value
    # The real wrapper reads the bytes of the text as one number, which only one character makes sense of.
    expects(len(text) == 1, logic_error("a table of characters has texts of one character"))
    return text


@library
def translate(
    input: Column, chars_table: dict[int | str, int | str], stream: Any = None, mr: Any = None
) -> Column:
    """Each character by the table; one that becomes 0 is left out."""
    pairs = {_character(old): _character(new) for old, new in chars_table.items()}
    table = str.maketrans({old: "" if new == "\0" else new for old, new in pairs.items()})
    return each(input, lambda text: text.translate(table))
