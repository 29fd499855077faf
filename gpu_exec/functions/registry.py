"""The table of scalar functions on the device, by canonical name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module

from ...planner.expr import Call
from ...planner.functions import SCALARS, Nulls
from ..values import Evaluation, Value, null_value

Function = Callable[[Call, Sequence[Value], Evaluation], Value]

FUNCTIONS: dict[str, Function] = {}
_FAMILIES = ("arithmetic", "elementary", "texts", "patterns", "dates")


def scalar(*names: str) -> Callable[[Function], Function]:
    """Registers a function under canonical names. It never sees the constant NULL where NULL gives NULL, and
    its first argument is a column where all are constants; it need not pass on its arguments' failures.
    """

    def register(function: Function) -> Function:
        for name in names:
            assert name not in FUNCTIONS, name
            FUNCTIONS[name] = _prepared(function, strict=SCALARS[name].nulls is Nulls.PROPAGATE)
        return function

    return register


def _prepared(function: Function, *, strict: bool) -> Function:
    def call(node: Call, args: Sequence[Value], run: Evaluation) -> Value:
        if strict and any(arg.is_null for arg in args):
            return null_value(node.type).failing(*args)
        if args and all(arg.is_constant for arg in args):
            args = [Value(args[0].type, run.column(args[0]), bounds=args[0].bounds), *args[1:]]
        return function(node, args, run).failing(*args)

    return call


def function(name: str) -> Function:
    """The function of that name; `support.py` says which there are."""
    if name not in FUNCTIONS:
        load_all()
    return FUNCTIONS[name]


def is_built(name: str) -> bool:
    """Whether there is a function of that name."""
    if name not in FUNCTIONS:
        load_all()
    return name in FUNCTIONS


def load_all() -> None:
    """Imports every family."""
    for family in _FAMILIES:
        import_module(f".{family}", __package__)
