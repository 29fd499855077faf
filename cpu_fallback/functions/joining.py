"""Strings put together: ||, concat, concat_ws."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pyarrow as pa

from ...planner.expr import Call
from ...planner.types import BLOB, VARCHAR
from .. import compute
from ..storage import arrow_type
from ..vector import Vector, null_constant
from .registry import Evaluate, scalar


def _parts(args: Sequence[Vector]) -> list[Any]:
    return [arg.scalar if arg.is_constant else arg.decoded().array for arg in args]


@scalar("||")
def concatenation(call: Call) -> Evaluate:
    """Both strings or blobs; NULL if either is."""
    separator = b"" if call.type == BLOB else ""
    return lambda args, n: Vector.of_array(call.type, compute.join(_parts(args), separator, skip_nulls=False))


@scalar("concat")
def concat(call: Call) -> Evaluate:
    """All arguments; NULL is left out."""

    def evaluate(args: Sequence[Vector], n: int) -> Vector:
        return Vector.of_array(VARCHAR, compute.join(_parts(_arrays_first(args, n)), "", skip_nulls=True))

    return evaluate


@scalar("concat_ws")
def concat_ws(call: Call) -> Evaluate:
    """The arguments after the first with it between them; NULL ones are left out, a NULL separator makes
    NULL.
    """

    def evaluate(args: Sequence[Vector], n: int) -> Vector:
        separator, *rest = args
        if separator.is_null:
            return null_constant(VARCHAR)
        parts = _parts(_arrays_first(rest, n))
        between = separator.scalar if separator.is_constant else separator.decoded().array
        return Vector.of_array(VARCHAR, compute.join_between(parts, between))

    return evaluate


def _arrays_first(args: Sequence[Vector], n: int) -> list[Vector]:
    """The arguments, at least one of them not constant."""
    if any(not arg.is_constant for arg in args):
        return list(args)
    first = args[0]
    if first.is_null:
        return [Vector.of_array(VARCHAR, pa.nulls(n, arrow_type(VARCHAR))), *args[1:]]
    return [first.expand(n), *args[1:]]
