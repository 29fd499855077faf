"""Names of Parquet columns that have no or no unique name, as DuckDB makes them."""

from __future__ import annotations

from collections.abc import Iterable
from string import ascii_lowercase, ascii_uppercase

_FOLD = str.maketrans(ascii_uppercase, ascii_lowercase)


def folded(name: str) -> str:
    """A name as names are compared: letters A to Z in lower case, all others as they are.

    >>> folded("Año")
    'año'
    """
    return name.translate(_FOLD)


class UniqueNames:
    """Hands out names; one that was there before gets _1, _2, ... appended."""

    def __init__(self) -> None:
        self._seen: dict[str, int] = {}

    def add(self, name: str) -> str:
        """The name to use.

        >>> names = UniqueNames()
        >>> [names.add(n) for n in ("a", "a", "A", "a_1")]
        ['a', 'a_1', 'A_2', 'a_1_1']
        """
        while (key := folded(name)) in self._seen:
            name = f"{name}_{self._seen[key]}"
            self._seen[key] += 1
        self._seen[key] = 1
        return name


def unique(names: Iterable[str]) -> tuple[str, ...]:
    """All names, made unique from left to right."""
    seen = UniqueNames()
    return tuple(map(seen.add, names))


def visible(names: Iterable[str]) -> tuple[str, ...]:
    """Unique names with those that are empty called after their position.

    >>> visible(("", "b"))
    ('C0', 'b')
    """
    return unique(name or f"C{index}" for index, name in enumerate(names))
