"""The table of casts: one builder for each pair of type constructors, and what casts share."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from importlib import import_module

import numpy as np

from ...planner.errors import SqlError
from ...planner.types import INTEGER_RANGES, SQLType, TypeId
from ..functions.registry import Evaluate
from ..vector import Mask, Valid

# (source, target, safe) -> evaluate. With `safe`, a value that cannot be converted becomes NULL instead of
# an error.
Build = Callable[[SQLType, SQLType, bool], Evaluate]

INTEGERS = tuple(INTEGER_RANGES)
FLOATS = (TypeId.FLOAT, TypeId.DOUBLE)
TIMESTAMPS = (
    TypeId.TIMESTAMP,
    TypeId.TIMESTAMP_S,
    TypeId.TIMESTAMP_MS,
    TypeId.TIMESTAMP_NS,
    TypeId.TIMESTAMPTZ,
)

CASTS: dict[tuple[TypeId, TypeId], Build] = {}
_FAMILIES = ("numeric", "floats", "temporal", "from_text", "to_text", "nested")


def cast(sources: Iterable[TypeId], targets: Iterable[TypeId]) -> Callable[[Build], Build]:
    """Registers a builder for every pair of a source and a different or equal target."""

    def register(build: Build) -> Build:
        for source in sources:
            for target in targets:
                assert (source, target) not in CASTS, (source, target)
                CASTS[source, target] = build
        return build

    return register


def find_cast(source: SQLType, target: SQLType) -> Build:
    """The builder of a cast; the planner has refused pairs that have none."""
    pair = source.id, target.id
    if pair not in CASTS:
        for family in _FAMILIES:
            import_module(f".{family}", __package__)
    return CASTS[pair]


def reject(wrong: Mask, valid: Valid, safe: bool, error: Callable[[int], SqlError]) -> Valid:
    """Valid rows that are `wrong` raise `error(row)` for the first of them, or with `safe` are left out of
    the mask that is returned.
    """
    if valid is not None:
        wrong = wrong & valid
    if not wrong.any():
        return valid
    if not safe:
        raise error(int(np.argmax(wrong)))
    return ~wrong if valid is None else valid & ~wrong
