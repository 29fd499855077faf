"""The calls of the probe by area; each module's `cases()` gives its own."""

from __future__ import annotations

from ..case import Case
from . import devices, functions, groups, interop, joins, numbers, rows, texts


def all_cases() -> list[Case]:
    """Every call, in a fixed order, each with a name of its own."""
    found = [
        case
        for area in (interop, numbers, rows, groups, joins, texts, functions, devices)
        for case in area.cases()
    ]
    names = [case.name for case in found]
    assert len(set(names)) == len(names), sorted({name for name in names if names.count(name) > 1})
    return found
