"""Strings put together: ||, concat, concat_ws."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pyarrow as pa

from ...planner.expr import Call
from ...planner.types import BLOB, VARCHAR
from .. import compute
from ..vector import Vector, null_constant
from .registry import Evaluate, scalar
from .rowwise import of_literals


def _parts(args: Sequence[Vector]) -> list[Any]:
    return [arg.scalar if arg.is_constant else arg.decoded().array for arg in args]


@scalar("||")
def concatenation(call: Call) -> Evaluate:
    """Both strings or blobs; NULL if either is."""
    if call.type.is_list:
        from .lists import concat_lists

        return concat_lists(call)
    separator = b"" if call.type == BLOB else ""
    return lambda args, n: Vector.of_array(call.type, compute.join(_parts(args), separator))


@scalar("concat")
def concat(call: Call) -> Evaluate:
    """All arguments; NULL is left out."""

    def evaluate(args: Sequence[Vector], n: int) -> Vector:
        return Vector.of_array(VARCHAR, compute.join(_parts(_not_all_constant(args, n)), "", null_as=""))

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
        if not separator.is_constant:
            return _joined_by_row(args, n)
        lead = separator.value
        pieces = [
            compute.join([lead, part], "")
            for part in _parts(_not_all_constant(rest, n))
            if _may_have_value(part)
        ]
        if not pieces:
            return Vector.constant(VARCHAR, "")
        joined = compute.join([*pieces, pa.repeat("", n)], "", null_as="")
        return Vector.of_array(VARCHAR, compute.slice_code_points(joined, len(lead), None))

    return evaluate


def _may_have_value(part: Any) -> bool:
    return not isinstance(part, pa.Scalar) or part.is_valid


def _joined_by_row(args: Sequence[Vector], n: int) -> Vector:
    columns = [arg.to_array(n).to_pylist() for arg in args]
    values = [
        None if between is None else between.join(part for part in parts if part is not None)
        for between, *parts in zip(*columns, strict=True)
    ]
    return of_literals(VARCHAR, values)


def _not_all_constant(args: Sequence[Vector], n: int) -> list[Vector]:
    """The same arguments, at least one of them not constant."""
    if any(not arg.is_constant for arg in args):
        return list(args)
    return [args[0].expand(n), *args[1:]]
