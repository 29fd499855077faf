"""The table of scalar functions on the device, by canonical name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from importlib import import_module

from ...planner.expr import Call
from ...planner.functions import SCALARS, Nulls
from ..storage import STORED
from ..support_functions import LITERALS
from ..values import Evaluation, Value, null_value

Function = Callable[[Call, Sequence[Value], Evaluation], Value]

FUNCTIONS: dict[str, Function] = {}
_FAMILIES = (
    "arithmetic",
    "bits",
    "cases",
    "date_diff",
    "date_make",
    "date_parts",
    "date_trunc",
    "elementary",
    "numbers",
    "regexp",
    "rounding",
    "strftime",
    "string_parts",
    "strings",
)


def scalar(*names: str) -> Callable[[Function], Function]:
    """Registers a function under canonical names. It never sees the constant NULL where NULL gives NULL, and
    where all arguments are constants one that need not be is made a column; it need not pass on its
    arguments' failures.
    """

    def register(function: Function) -> Function:
        for name in names:
            assert name not in FUNCTIONS, name
            FUNCTIONS[name] = _prepared(function, name, strict=SCALARS[name].nulls is Nulls.PROPAGATE)
        return function

    return register


def _prepared(function: Function, name: str, *, strict: bool) -> Function:
    literals = LITERALS.get(name, ())

    def call(node: Call, args: Sequence[Value], run: Evaluation) -> Value:
        if strict and any(arg.is_null for arg in args):
            return null_value(node.type).failing(*args)
        if args and all(arg.is_constant for arg in args):
            place = next(i for i in range(len(args)) if i not in literals and args[i].type.id in STORED)
            args = list(args)
            args[place] = Value(args[place].type, run.column(args[place]), bounds=args[place].bounds)
        made = function(node, args, run)
        return (_in_valid_rows(made, args, run) if strict else made).failing(*args)

    return call


def _in_valid_rows(made: Value, args: Sequence[Value], run: Evaluation) -> Value:
    """A row with a NULL among the arguments does not fail."""
    if not made.failures:
        return made
    masks = [run.ops.is_valid(a.column) for a in args if a.column is not None and a.column.null_count()]
    failures = made.failures
    for mask in masks:
        failures = run.only_where(failures, mask)
    return replace(made, failures=tuple(failures))


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
