"""Holds the double to a record of the probe: the same calls must give the same.

python -m doubles.replay RECORD, in sql_tests, lists every difference.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tandemdb.gpu_exec.probe.case import Order
from tandemdb.gpu_exec.probe.cases import all_cases
from tandemdb.gpu_exec.probe.evaluate import Library
from tandemdb.gpu_exec.probe.forms import from_json

# Doubles that are this close, relatively, are the same: devices round functions differently in the last bits.
TOLERANCE = 1e-12


@dataclass(frozen=True)
class Difference:
    """A call for which the double gives something else than the record holds."""

    name: str
    what: str
    recorded: Any
    double: Any

    def __str__(self) -> str:
        return f"{self.name}: {self.what}: recorded {self.recorded!r:.200}, double {self.double!r:.200}"


def replay(record: dict[str, Any], library: Library) -> list[Difference]:
    """All differences, by name."""
    found = []
    for name, entry in record["cases"].items():
        gives = library.result(from_json(entry["call"]))
        # Through JSON, so that tuples are lists on both sides.
        gives = json.loads(json.dumps(gives))
        what = compared(entry["gives"], gives, Order(entry["order"]), sets="collect_set" in name)
        if what is not None:
            found.append(Difference(name, what, entry["gives"], gives))
    return found


def unprobed(record: dict[str, Any]) -> list[str]:
    """Cases of today that the record does not have."""
    return [case.name for case in all_cases() if case.name not in record["cases"]]


def compared(recorded: Any, double: Any, order: Order, *, sets: bool = False) -> str | None:
    """What differs, or None. Errors are the same if their types are; `sets`: lists are sets."""
    errors = [gives.get("error") if isinstance(gives, dict) else None for gives in (recorded, double)]
    if errors[0] or errors[1]:
        return None if errors[0] == errors[1] else "error"
    (left, left_columns), (right, right_columns) = _split(recorded), _split(double)
    if not _close(left, right):
        return "shape" if left_columns else "value"
    if [_kind(c) for c in left_columns] != [_kind(c) for c in right_columns]:
        return "types"
    sizes = [[_length(c) for c in columns] for columns in (left_columns, right_columns)]
    if sizes[0] != sizes[1]:
        return "row counts"
    if order is Order.NONE:
        return None
    if [c.get("nulls") for c in left_columns] != [c.get("nulls") for c in right_columns]:
        return "null counts"
    if order is Order.EXACT:
        same = all(_close(a["values"], b["values"]) for a, b in zip(left_columns, right_columns, strict=True))
        return None if same else "values"
    return None if _same_rows(left_columns, right_columns, sets) else "rows"


def _split(gives: Any) -> tuple[Any, list[dict[str, Any]]]:
    """A result without its columns, and its columns one after another."""
    columns: list[dict[str, Any]] = []

    def without(value: Any) -> Any:
        if isinstance(value, dict) and "values" in value:
            columns.append(value)
            return "column"
        if isinstance(value, dict):
            return {key: without(part) for key, part in value.items()}
        return [without(part) for part in value] if isinstance(value, list) else value

    return without(gives), columns


def _kind(column: dict[str, Any]) -> tuple[str, str]:
    return json.dumps(column.get("dtype")), json.dumps(column["type"])


def _length(column: dict[str, Any]) -> int:
    dictionary = isinstance(column["type"], list) and column["type"][0] == "dictionary"
    return len(column["values"][0] if dictionary else column["values"])


def _close(a: Any, b: Any) -> bool:
    """Equal, but for the last bits of doubles; both are written as hexadecimal texts, or are numbers."""
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(_close, a, b))
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(_close(a[key], b[key]) for key in a)
    if type(a) is not type(b):
        return False
    if a == b:
        return True
    x, y = _double(a), _double(b)
    if x is None or y is None or math.isinf(x) or math.isinf(y):
        return False
    return (math.isnan(x) and math.isnan(y)) or math.isclose(x, y, rel_tol=TOLERANCE)


def _double(value: Any) -> float | None:
    if isinstance(value, float):
        return value
    if isinstance(value, str) and (value.lstrip("-").startswith("0x") or value == "nan"):
        return float.fromhex(value)
    return None


def _same_rows(left: list[dict[str, Any]], right: list[dict[str, Any]], sets: bool) -> bool:
    """The same rows, in any order: columns of one length belong together."""
    for size in {_length(column) for column in left}:
        here, there = ([c["values"] for c in columns if _length(c) == size] for columns in (left, right))
        a, b = (Counter(_row(row, sets) for row in zip(*columns, strict=True)) for columns in (here, there))
        left_rows, right_rows = ([json.loads(row) for row in sorted(count.elements())] for count in (a, b))
        if a != b and not _close(left_rows, right_rows):
            return False
    return True


def _row(row: tuple[Any, ...], sets: bool) -> str:
    cells = [sorted(cell, key=repr) if sets and isinstance(cell, list) else cell for cell in row]
    return json.dumps(cells)


def main(arguments: list[str]) -> int:
    """Exit code 1 where the double differs from the record."""
    import doubles

    parser = argparse.ArgumentParser(description="Compare the double with a record of the probe.")
    parser.add_argument("record", type=Path)
    record = json.loads(parser.parse_args(arguments).record.read_text())
    with doubles.install(), tempfile.TemporaryDirectory() as folder:
        import pylibcudf
        import rmm

        found = replay(record, Library(pylibcudf, rmm, Path(folder)))
    for difference in found:
        print(difference)
    print(f"{len(record['cases'])} calls, {len(found)} differences, {len(unprobed(record))} cases unprobed")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
