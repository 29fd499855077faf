"""What the cells try: the queries of features.txt, over the tables of one NULL pattern.

In a query `{t}` is the table `(id INTEGER, g VARCHAR, v TYPE)` of the pattern, `{o}` another table `(w TYPE)`
that shares values with it, `{a}` and `{b}` are literals of the type, `{T}` is its name.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from cells.types import CellType


@dataclass(frozen=True)
class Feature:
    """`kinds`: the type has one of them; none given: every type. `never`: it has none of these."""

    name: str
    sql: str
    kinds: frozenset[str] = frozenset()
    never: frozenset[str] = frozenset()

    def applies(self, type_: CellType) -> bool:
        return (not self.kinds or bool(self.kinds & type_.kinds)) and not self.never & type_.kinds


def _read(path: Path) -> Iterator[Feature]:
    kinds = never = frozenset[str]()
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            of, _, without = line.partition("]")[2].partition(" not ")
            kinds, never = frozenset(of.split()), frozenset(without.split())
        elif line and not line.startswith("#"):
            name, sql = line.split(": ", 1)
            yield Feature(name, sql, kinds, never)


FEATURES = tuple(_read(Path(__file__).parent / "features.txt"))
