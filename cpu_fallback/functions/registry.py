"""The table of scalar function implementations, by canonical name (planner/functions has the signatures)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module

from ...planner.expr import Call
from ..vector import Vector

# Arguments (at least one is not constant, unless there is none) and the number of rows.
Evaluate = Callable[[Sequence[Vector], int], Vector]
# Chooses by the argument types and prepares literal arguments, once an expression is compiled.
Build = Callable[[Call], Evaluate]


@dataclass(frozen=True, slots=True)
class Implementation:
    """One function. `strict`: NULL if any argument is; then `build`'s result never sees the constant NULL.
    `safe`: never raises.
    """

    name: str
    build: Build
    strict: bool
    volatile: bool
    safe: bool


IMPLEMENTATIONS: dict[str, Implementation] = {}

# The modules that register functions, imported when the first function is looked up.
_FAMILIES = ("arithmetic",)


def scalar(
    *names: str, strict: bool = True, volatile: bool = False, safe: bool = False
) -> Callable[[Build], Build]:
    """Registers a builder under the canonical names: `build(call) -> evaluate(args, n) -> Vector`."""

    def register(build: Build) -> Build:
        for name in names:
            assert name not in IMPLEMENTATIONS, name
            IMPLEMENTATIONS[name] = Implementation(name, build, strict, volatile, safe)
        return build

    return register


def implementation(name: str) -> Implementation:
    """The implementation of a function; the families are imported one after the other until it is found."""
    found = IMPLEMENTATIONS.get(name)
    if found is None:
        for family in _FAMILIES:
            import_module(f".{family}", __package__)
        found = IMPLEMENTATIONS.get(name)
    assert found is not None, f"no CPU implementation of {name}"
    return found
