"""Fields of CSV files as columns of SQL types."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from ...physical.arrow_types import storage_type
from ...physical.batch import Batch
from ...physical.file_tables import CsvForm
from ...planner.expr import Call, Cast, Column, Expr, Literal, ref
from ...planner.types import DATE, TIMESTAMP, TIMESTAMPTZ, VARCHAR, SQLType
from .. import compute
from ..expressions import compile_expression

Convert = Callable[[pa.Array], pa.Array]


def converter(kind: SQLType, shape: str | None, form: CsvForm) -> Convert:
    """From texts to values of a type, NULL where a text has no such value: by the strptime format `shape`, or
    as CAST reads them.
    """
    if kind == VARCHAR:
        return lambda array: array
    own = Column(0, "field", VARCHAR)
    program = compile_expression(_value(ref(own), kind, shape))

    def convert(array: pa.Array) -> pa.Array:
        if form.thousands and kind.is_numeric:
            array = compute.replace(array, form.thousands, "")
        if form.decimal != "." and (kind.is_float or kind.is_decimal):
            array = compute.replace(array, form.decimal, ".")
        return program(Batch((own,), [array], len(array))).to_array(len(array))

    return convert


def _value(text: Expr, kind: SQLType, shape: str | None) -> Expr:
    if shape is None:
        return Cast(kind, text, safe=True)
    # The format's own result, then its date or its zone.
    made: Expr = Call(TIMESTAMP, "try_strptime", (text, Literal(VARCHAR, shape)))
    if kind in (DATE, TIMESTAMPTZ):
        made = Cast(kind, made, safe=True)
    return made


def null_texts(array: pa.Array, nulls: Sequence[str]) -> pa.Array:
    """The texts with those that stand for NULL as NULL."""
    if tuple(nulls) == ("",):
        offsets = np.frombuffer(array.buffers()[1], np.int32, len(array) + 1)
        filled = offsets[1:] != offsets[:-1]
        if filled.all():
            return array
        return with_validity(array, filled)
    if not nulls:
        return array
    known = compute.is_in(array, pa.array(list(nulls), pa.string()))
    return with_validity(array, ~known.to_numpy(zero_copy_only=False))


def with_validity(array: pa.Array, valid: npt.NDArray[np.bool_]) -> pa.Array:
    """The strings of an array without NULLs, those that are not `valid` as NULL."""
    buffers = array.buffers()
    bits = pa.py_buffer(np.packbits(valid, bitorder="little"))
    return pa.Array.from_buffers(array.type, len(array), [bits, *buffers[1:]])


def constant_column(value: Any, kind: SQLType, count: int) -> pa.Array:
    """A column of one value, given in the literal form of its type."""
    storage = storage_type(kind)
    if value is None:
        return pa.nulls(count, storage)
    return pa.repeat(pa.scalar(value, storage), count)
