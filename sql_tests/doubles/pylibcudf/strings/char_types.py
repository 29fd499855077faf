"""Kinds of characters."""

from __future__ import annotations

from enum import IntEnum


class StringCharacterTypes(IntEnum):
    DECIMAL = 1
    NUMERIC = 2
    DIGIT = 4
    ALPHA = 8
    ALPHANUM = 15
    SPACE = 16
    UPPER = 32
    LOWER = 64
    CASE_TYPES = 96
    ALL_TYPES = 127


def is_of(character: str, types: int) -> bool:
    """Whether a character is of any of the kinds."""
    kinds = {
        StringCharacterTypes.DECIMAL: character.isdecimal(),
        StringCharacterTypes.NUMERIC: character.isnumeric(),
        StringCharacterTypes.DIGIT: character.isdigit(),
        StringCharacterTypes.ALPHA: character.isalpha(),
        StringCharacterTypes.SPACE: character.isspace(),
        StringCharacterTypes.UPPER: character.isupper(),
        StringCharacterTypes.LOWER: character.islower(),
    }
    return any(true for kind, true in kinds.items() if types & kind)
