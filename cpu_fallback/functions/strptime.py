"""strptime and try_strptime: timestamps read from text in a format."""

from __future__ import annotations

import re
from functools import lru_cache

from ...planner import messages_values as messages
from ...planner.date_units import MICROS_DAY
from ...planner.errors import SqlError
from ...planner.expr import Call
from ...planner.temporal import days_from_civil, month_length
from ...planner.time_formats import DAYS, MONTHS, pieces
from ...planner.types import TIMESTAMP
from .registry import Evaluate, scalar
from .rowwise import rowwise

_NAMES = {
    "%a": [day[:3] for day in DAYS],
    "%A": list(DAYS),
    "%b": [month[:3] for month in MONTHS],
    "%B": list(MONTHS),
    "%p": ["AM", "PM"],
}
_DIGITS = {
    **dict.fromkeys(
        ("%d", "%-d", "%m", "%-m", "%y", "%-y", "%H", "%-H", "%I", "%-I", "%M", "%-M"), r"\d{1,2}+"
    ),
    **dict.fromkeys(("%S", "%-S", "%U", "%W", "%V"), r"\d{1,2}+"),
    "%w": r"[0-6]",
    "%u": r"[1-7]",
    "%Y": r"[+-]?\d{1,4}+",
    "%G": r"\d{1,4}+",
    "%j": r"\d{1,3}+",
    "%-j": r"\d{1,3}+",
    "%f": r"\d{1,6}+",
    "%g": r"\d{1,3}+",
    "%n": r"\d{1,9}+",
    "%z": r"[+-]\d{2}(?::?\d{2})?|Z",
    "%Z": r"[A-Za-z0-9_/+-]*",
}


@lru_cache(maxsize=512)
def _expression(text: str) -> tuple[re.Pattern[str], tuple[str, ...]]:
    """An expression with a group for each specifier, and the specifiers. Numbers take all digits they can."""
    out, found = [], []
    for piece, is_specifier in pieces(text):
        if not is_specifier:
            out.append(r"\s+" if piece.isspace() else re.escape(piece))
            continue
        found.append(piece)
        names = _NAMES.get(piece)
        out.append(f"({'|'.join(names)})" if names else f"({_DIGITS[piece]})")
    return re.compile("".join(out), re.IGNORECASE), tuple(found)


def parse_moment(text: str, form: str) -> int:
    """Microseconds since 1970-01-01; parts that the format lacks are those of 1900-01-01 00:00:00.

    >>> parse_moment("02/01/1970", "%d/%m/%Y") == 86400 * 10**6
    True
    """
    expression, specifiers = _expression(form)
    match = expression.fullmatch(text.strip(" \t\n\r\f\v"))
    if match is None:
        raise _mismatch(text, form)
    given: dict[str, str] = {}
    for specifier, value in zip(specifiers, match.groups(), strict=True):
        given[specifier[-1]] = value
    days = _days(given, text, form)
    return days * MICROS_DAY + _clock(given, text, form)


def _mismatch(text: str, form: str) -> SqlError:
    return messages.invalid_input(f'Could not parse string "{text}" according to format specifier "{form}"')


def _days(given: dict[str, str], text: str, form: str) -> int:
    if "Y" in given:
        year = int(given["Y"])
    elif "y" in given:
        short = int(given["y"])
        year = short + (2000 if short < 69 else 1900)
    else:
        year = 1900
    if "j" in given and not ({"d", "m", "b", "B"} & given.keys()):
        return days_from_civil(year, 1, 1) + int(given["j"]) - 1
    month, day = int(given.get("m", 1)), int(given.get("d", 1))
    for letter in ("b", "B"):
        if letter in given:
            month = [name.lower() for name in _NAMES["%" + letter]].index(given[letter].lower()) + 1
    if not (1 <= month <= 12 and 1 <= day <= 31):
        raise _mismatch(text, form)
    if day > month_length(year, month):
        raise messages.conversion(f"Date out of range: {year}-{month}-{day}")
    return days_from_civil(year, month, day)


def _clock(given: dict[str, str], text: str, form: str) -> int:
    """Microseconds of the day, less the offset from UTC."""
    hour, minute, second = (int(given.get(letter, 0)) for letter in "HMS")
    if "I" in given:
        hour = int(given["I"])
        if not 1 <= hour <= 12:
            raise _mismatch(text, form)
        hour = hour % 12 + (12 if given.get("p", "AM").upper() == "PM" else 0)
    if hour > 23 or minute > 59 or second > 59:
        raise _mismatch(text, form)
    fraction = 0
    for letter in "fgn":
        if letter in given:
            fraction = int(given[letter][:6].ljust(6, "0"))
    offset = 0
    zone = given.get("z", "Z")
    if zone not in "Zz":
        digits = zone[1:].replace(":", "").ljust(4, "0")
        offset = (int(digits[:2]) * 60 + int(digits[2:])) * (-60 if zone[0] == "-" else 60)
    return ((hour * 60 + minute) * 60 + second - offset) * 1_000_000 + fraction


@scalar("strptime")
def strptime(call: Call) -> Evaluate:
    """The timestamp; text that does not fit is an error."""
    return rowwise(parse_moment, TIMESTAMP)


@scalar("try_strptime")
def try_strptime(call: Call) -> Evaluate:
    """The timestamp; NULL for text that does not fit."""

    def one(text: str, form: str) -> int | None:
        pieces(form)
        try:
            return parse_moment(text, form)
        except SqlError:
            return None

    return rowwise(one, TIMESTAMP)
