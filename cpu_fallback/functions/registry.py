"""The table of scalar function implementations, by canonical name (planner/functions has the signatures)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module

from ...planner.expr import Call
from ...planner.functions import SCALARS, Nulls, Volatility
from ..vector import Vector

# Raises once the query is cancelled.
Check = Callable[[], None]
# Arguments (at least one is not constant, unless there is none) and the number of rows.
Evaluate = Callable[[Sequence[Vector], int], Vector]


@dataclass(frozen=True, slots=True)
class Interruptible:
    """A function that may take long for a single row, and therefore looks at cancellation by itself."""

    function: Callable[[Sequence[Vector], int, Check], Vector]

    def __call__(self, args: Sequence[Vector], n: int) -> Vector:
        return self.function(args, n, lambda: None)

    def checked(self, check: Check) -> Evaluate:
        """The same, with a check to call now and then."""
        return lambda args, n: self.function(args, n, check)


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
_FAMILIES = (
    "arithmetic",
    "strings",
    "string_parts",
    "pattern",
    "regexp",
    "joining",
    "codes",
    "encodings",
    "hashes",
    "characters",
    "similarity",
    "paths",
    "formatting",
    "date_parts",
    "date_trunc",
    "date_diff",
    "date_make",
    "date_names",
    "time_bucket",
    "time_zones",
    "strftime",
    "strptime",
    "numbers",
    "rounding",
    "elementary",
    "bits",
    "lists",
    "list_values",
    "list_numbers",
    "list_texts",
    "lambdas",
    "structs",
)


def scalar(*names: str) -> Callable[[Build], Build]:
    """Registers a builder under canonical names: `build(call) -> evaluate(args, n) -> Vector`.

    Whether a function is strict, volatile or can fail is read from the planner's registry.
    """

    def register(build: Build) -> Build:
        for name in names:
            assert name not in IMPLEMENTATIONS, name
            known = SCALARS[name]
            IMPLEMENTATIONS[name] = Implementation(
                name,
                build,
                strict=known.nulls is Nulls.PROPAGATE,
                volatile=known.volatility is Volatility.VOLATILE,
                safe=not known.can_fail,
            )
        return build

    return register


def implementation(name: str) -> Implementation:
    """The implementation of a function."""
    if name not in IMPLEMENTATIONS:
        load_all()
    return IMPLEMENTATIONS[name]


def load_all() -> None:
    """Imports every family."""
    for family in _FAMILIES:
        import_module(f".{family}", __package__)
