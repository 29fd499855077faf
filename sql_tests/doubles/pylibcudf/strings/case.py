"""Letters' case, one code point to one."""

from __future__ import annotations

from typing import Any

import pyarrow.compute as pc

from ...arguments import library
from .._strings import STRING, each, of_array, texts_of
from ..column import Column


def upper(character: str) -> str:
    """
    >>> upper("é"), upper("ß")
    ('É', 'ß')
    """
    found = character.upper()
    return found if len(found) == 1 else character


def lower(character: str) -> str:
    found = character.lower()
    return found if len(found) == 1 else character


def _swapped(character: str) -> str:
    return lower(character) if character.isupper() else upper(character)


def _plain(input: Column) -> bool:
    """Whether all characters are ASCII."""
    return bool(pc.all(pc.string_is_ascii(texts_of(input)), min_count=0).as_py())


@library
def to_lower(input: Column, stream: Any = None, mr: Any = None) -> Column:
    if _plain(input):
        return of_array(STRING, pc.ascii_lower(input._rows))
    return each(input, lambda text: "".join(map(lower, text)))


@library
def to_upper(input: Column, stream: Any = None, mr: Any = None) -> Column:
    if _plain(input):
        return of_array(STRING, pc.ascii_upper(input._rows))
    return each(input, lambda text: "".join(map(upper, text)))


@library
def swapcase(input: Column, stream: Any = None, mr: Any = None) -> Column:
    return each(input, lambda text: "".join(map(_swapped, text)))
