"""First letters in upper case."""

from __future__ import annotations

from typing import Any

from ...arguments import library
from .._strings import BOOL, each, numbers, text_of
from ..column import Column
from ..scalar import Scalar
from .case import lower, upper
from .char_types import StringCharacterTypes, is_of


def _titled(text: str, types: int) -> str:
    found, inside = [], False
    for character in text:
        if is_of(character, types):
            found.append(lower(character) if inside else upper(character))
            inside = True
        else:
            found.append(character)
            inside = False
    return "".join(found)


@library
def title(
    input: Column,
    sequence_type: StringCharacterTypes = StringCharacterTypes.ALPHA,
    stream: Any = None,
    mr: Any = None,
) -> Column:
    """The first letter of each word in upper case, the others in lower case."""
    return each(input, lambda text: _titled(text, sequence_type))


@library
def capitalize(input: Column, delimiters: Scalar | None = None, stream: Any = None, mr: Any = None) -> Column:
    """The first character, and those after a delimiter, in upper case, the others in lower case."""
    ends = "" if delimiters is None else text_of(delimiters, "delimiters")

    def changed(text: str) -> str:
        return "".join(
            upper(c) if i == 0 or (text[i - 1] in ends and c not in ends) else lower(c)
            for i, c in enumerate(text)
        )

    return each(input, changed)


@library
def is_title(input: Column, stream: Any = None, mr: Any = None) -> Column:
    return numbers(input, lambda text: text.istitle(), BOOL)
