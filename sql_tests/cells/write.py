"""Writes the cells, a .slt file a type, a record for each (feature, type, NULL pattern), filled from DuckDB.

    python sql_tests/cells/write.py                    all types
    python sql_tests/cells/write.py varchar date       these
    python sql_tests/cells/write.py --list             the cells, and for each whether a file has its record

A record has its cell in the comment above it.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

sys.path[0] = str(Path(__file__).resolve().parents[1])

from cells.features import FEATURES, Feature
from cells.types import TYPES, CellType
from runner.complete import complete

FOLDER = Path(__file__).resolve().parents[1] / "slt" / "cells"
PATTERNS = {
    "no_nulls": "every row has a value",
    "some_nulls": "some rows are NULL, the first and the last among them",
    "all_nulls": "no row has a value",
    "empty": "no rows",
}
ROWS = 9


@dataclass(frozen=True)
class Cell:
    feature: Feature
    type: CellType
    pattern: str

    @property
    def name(self) -> str:
        return f"{self.feature.name} {self.type.name} {self.pattern}"

    def sql(self) -> str:
        first, second = self.type.values[:2]
        names = {"t": self.pattern, "o": "other", "T": self.type.sql, "a": first, "b": second}
        return re.sub(r"\{(\w)\}", lambda found: names[found[1]], self.feature.sql)


def cells(type_: CellType) -> Iterator[Cell]:
    for feature in FEATURES:
        if feature.applies(type_):
            for pattern in PATTERNS:
                yield Cell(feature, type_, pattern)


def recorded(type_: CellType) -> list[str]:
    """The names of the cells whose records the type's file holds."""
    path = FOLDER / f"{type_.name}.slt"
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    return re.findall(r"^# cell: (.+)\nquery ", text, re.MULTILINE)


def table(type_: CellType, pattern: str) -> str:
    """The statements that make the table of a pattern."""
    create = f"statement ok\nCREATE TABLE {pattern}(id INTEGER, g VARCHAR, v {type_.sql})\n"
    if pattern == "empty":
        return create
    rows = ", ".join(f"({i}, {group(i)}, {value(type_, pattern, i)})" for i in range(1, ROWS + 1))
    return f"{create}\nstatement ok\nINSERT INTO {pattern} VALUES {rows}\n"


def group(row: int) -> str:
    return ("'x'", "'y'", "NULL")[row % 3]


def value(type_: CellType, pattern: str, row: int) -> str:
    if pattern == "all_nulls" or (pattern == "some_nulls" and row in (1, 4, ROWS)):
        return "NULL"
    # The first two values several times, the others in turn.
    values = type_.values
    order = [0, 1, *range(2, len(values)), 0, 1, 0]
    return values[order[(row - 1) % len(order)]]


def other(type_: CellType) -> str:
    values = [type_.values[0], type_.values[-1], "NULL", type_.values[0]]
    rows = ", ".join(f"({text})" for text in values)
    return (
        f"statement ok\nCREATE TABLE other(w {type_.sql})\n\nstatement ok\nINSERT INTO other VALUES {rows}\n"
    )


def write(type_: CellType) -> list[str]:
    """Write the file of a type; returns what DuckDB refused."""
    parts = [
        f"# {type_.sql}: a record for each feature and NULL pattern, written by sql_tests/cells/write.py\n"
    ]
    if type_.close:
        parts.insert(0, "# configs: batch_size=1,3,default\n# slow")
    parts += [table(type_, pattern) for pattern in PATTERNS]
    parts.append(other(type_))
    parts += [f"# cell: {cell.name}\nquery I\n{cell.sql()}\n" for cell in cells(type_)]
    FOLDER.mkdir(exist_ok=True)
    path = FOLDER / f"{type_.name}.slt"
    path.write_text("\n".join(parts), encoding="utf-8")
    return complete(path)


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description="Write the .slt files of the cells.")
    parser.add_argument("types", nargs="*", metavar="TYPE", help=", ".join(type_.name for type_ in TYPES))
    parser.add_argument("--list", action="store_true", help="only list the cells")
    options = parser.parse_args(arguments)
    unknown = set(options.types) - {type_.name for type_ in TYPES}
    if unknown:
        parser.error(f"no such type: {', '.join(sorted(unknown))}")
    problems: list[str] = []
    for type_ in TYPES:
        if options.types and type_.name not in options.types:
            continue
        if options.list:
            there = set(recorded(type_))
            for cell in cells(type_):
                print(f"{'recorded' if cell.name in there else 'missing '} {cell.name}")
        else:
            problems += write(type_)
    print("\n\n".join(problems))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
