"""Functions that are written for one row, in Python: for what no vectorised kernel does and is rarely called
on many rows.

Over one string column (the usual call) the function runs once for each distinct string.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import repeat
from typing import Any

import numpy as np
import pyarrow as pa

from ...physical.stored import may_be_wide
from ...planner.types import SQLType, TypeId
from .. import compute
from ..dictionary import on_entries
from ..kernels import arrays
from ..kernels.arrays import TextOverflow, fitting
from ..scalars import arrow_value, literal_array, literal_values
from ..storage import arrow_type, has_values, numpy_dtype
from ..vector import Valid, Vector, combined_valid
from .registry import Evaluate
from .wide import of_ints, to_ints


def rowwise(function: Callable[..., Any], result: SQLType) -> Evaluate:
    """`function` of the row's arguments in literal form, none of them NULL; it may return None for NULL and
    raise SqlError.
    """

    def evaluate(args: Sequence[Vector], n: int) -> Vector:
        varying = [at for at, arg in enumerate(args) if not arg.is_constant]
        if len(varying) == 1 and args[varying[0]].type.is_string:
            at = varying[0]
            encoded = _encoded(args[at], n)

            def of_entries(entries: Vector) -> Vector:
                return _run(function, result, [*args[:at], entries, *args[at + 1 :]], len(entries))

            return on_entries(encoded, of_entries)
        return _run(function, result, args, n)

    return evaluate


def _encoded(vector: Vector, n: int) -> Vector:
    if vector.is_dictionary or n < 64:
        return vector
    return Vector.of_array(vector.type, compute.encode_dictionary(vector.array))


def _run(function: Callable[..., Any], result: SQLType, args: Sequence[Vector], n: int) -> Vector:
    valid = combined_valid(*args)
    columns = [row_values(arg, n) for arg in args]
    rows = zip(*columns, strict=False)
    if valid is None:
        values = (function(*row) for row in rows)
    else:
        values = (function(*row) if ok else None for row, ok in zip(rows, valid.tolist(), strict=False))
    text = result.id in (TypeId.VARCHAR, TypeId.BLOB)
    return of_literals(result, _fitting(values) if text else list(values))


def _fitting(values: Iterable[Any]) -> list[Any]:
    """Strings as a list; TextOverflow as soon as they are too many for one array."""
    kept, size = [], 0
    for value in values:
        kept.append(value)
        if value is not None:
            size += len(value)
            if size > arrays.TEXT_LIMIT:
                raise TextOverflow(f"more than {arrays.TEXT_LIMIT} bytes of strings")
    return kept


def row_values(vector: Vector, n: int) -> Iterable[Any]:
    """The rows in literal form; arbitrary at NULL rows. Constants are repeated without end."""
    if vector.is_constant:
        return repeat(vector.value)
    kind = vector.type
    if may_be_wide(kind):
        return to_ints(vector)
    if has_values(kind) and vector.values.dtype.names is None:
        return vector.values.tolist()
    if kind.is_string or (not has_values(kind) and not kind.is_nested):
        return vector.decoded().array.to_pylist()
    return literal_values(kind, vector.array)


def of_literals(type_: SQLType, values: list[Any]) -> Vector:
    """Rows from values in literal form, None for NULL."""
    if type_.is_nested:
        return Vector.of_array(type_, literal_array(type_, values))
    if not has_values(type_) or numpy_dtype(type_).names is not None:
        array = fitting(pa.array([arrow_value(type_, value) for value in values], arrow_type(type_)))
        return Vector.of_array(type_, array)
    valid: Valid = None
    if any(value is None for value in values):
        valid = np.array([value is not None for value in values], dtype=np.bool_)
        values = [0 if value is None else value for value in values]
    if may_be_wide(type_):
        return of_ints(type_, values, valid)
    return Vector.of_values(type_, np.array(values, dtype=numpy_dtype(type_)), valid)
