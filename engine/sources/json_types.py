"""Which SQL type JSON values have in common."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from ...planner.literals import parse_text
from ...planner.types import (
    BIGINT,
    BOOLEAN,
    DATE,
    DOUBLE,
    HUGEINT,
    NULL,
    TIME,
    TIMESTAMP,
    TIMESTAMPTZ,
    VARCHAR,
    SQLType,
    list_of,
    struct_of,
)

_CLOCK = r"\d{1,2}:(?:\d{2}|\d{1,2}:\d{1,2}(?:\.\d+)?)"
_DAY = r"\d{4,6}-\d{1,2}-\d{1,2}"
_TEXTS: tuple[tuple[SQLType, re.Pattern[str]], ...] = (
    (TIME, re.compile(_CLOCK)),
    (DATE, re.compile(_DAY)),
    (TIMESTAMP, re.compile(rf"{_DAY}[T ]{_CLOCK}")),
    (TIMESTAMPTZ, re.compile(rf"{_DAY}[T ]{_CLOCK} ?(?:Z|[+-]\d{{2}}(?::?\d{{2}})?)?")),
)
_ALL_TEXTS = tuple(kind for kind, _ in _TEXTS)


@dataclass
class Shape:
    """What the values seen so far have in common. `kind` is one of null, bool, int, huge, double, text, list,
    struct and any (nothing in common); `texts` are types that all strings have the form of.
    """

    kind: str = "null"
    texts: tuple[SQLType, ...] = _ALL_TEXTS
    item: Shape | None = None
    members: dict[str, Shape] = field(default_factory=dict)

    def add(self, value: Any) -> None:
        """Takes one more value into account."""
        kind = _kind(value)
        if kind == "null" or self.kind == "any":
            return
        self.kind = kind if self.kind == "null" else _both(self.kind, kind)
        if kind == "text" and self.texts:
            self.texts = tuple(known for known in self.texts if _has_form(value, known))
        elif kind == "list":
            if value and self.item is None:
                self.item = Shape()
            for item in value:
                assert self.item is not None
                self.item.add(item)
        elif kind == "struct":
            for key, item in value.items():
                if key not in self.members:
                    self.members[key] = Shape()
                self.members[key].add(item)

    def sql_type(self, depth: int = -1) -> SQLType:
        """The type; below `depth` levels JSON text is VARCHAR."""
        if depth == 0:
            return VARCHAR
        match self.kind:
            case "null":
                return NULL
            case "bool":
                return BOOLEAN
            case "int":
                return BIGINT
            case "huge":
                return HUGEINT
            case "double":
                return DOUBLE
            case "text":
                return self.texts[0] if self.texts else VARCHAR
            case "list":
                # Of empty lists alone nothing is known.
                inner = (
                    VARCHAR if self.item is None or self.item.kind == "any" else self.item.sql_type(depth - 1)
                )
                return list_of(inner)
            case "struct" if self.members:
                return struct_of(*((key, shape.sql_type(depth - 1)) for key, shape in self.members.items()))
            case _:
                return VARCHAR


_NUMBERS = ("int", "huge", "double")


def _both(one: str, two: str) -> str:
    if one == two:
        return one
    if one in _NUMBERS and two in _NUMBERS:
        return max(one, two, key=_NUMBERS.index)
    return "any"


def _kind(value: Any) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return "bool"
        case int():
            return "int" if -(1 << 63) <= value < 1 << 63 else "huge" if 0 < value < 1 << 64 else "double"
        case float():
            return "double"
        case str():
            return "text"
        case list():
            return "list"
        case _:
            return "struct"


def _has_form(text: str, kind: SQLType) -> bool:
    pattern = next(pattern for known, pattern in _TEXTS if known == kind)
    if pattern.fullmatch(text) is None:
        return False
    try:
        parse_text(text, kind)
    except ValueError:
        return False
    return True
