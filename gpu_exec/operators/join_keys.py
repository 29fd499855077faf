"""Join keys in the form in which libcudf's equality is SQL's."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pyarrow as pa

from ...physical.nodes import JoinKey
from ...planner.types import SQLType
from ..ops import Ops
from ..storage import arrow_scalar, is_wide, named_type
from ..values import Evaluation, Value


def even(column: Any, ops: Ops) -> Any:
    """Doubles with one NaN and one zero; other columns as they are."""
    if column.type().id() in (ops.plc.TypeId.FLOAT32, ops.plc.TypeId.FLOAT64):
        return ops.plc.replace.normalize_nans_and_zeros(column, stream=ops.stream)
    return column


def comparable(column: Any, ops: Ops) -> Any:
    """A column whose equal values have equal bits: NaN is equal to itself and -0.0 to 0.0."""
    kinds = ops.plc.TypeId
    bits = {kinds.FLOAT32: "INT32", kinds.FLOAT64: "INT64"}.get(column.type().id())
    return column if bits is None else ops.bits_as(even(column, ops), named_type(bits))


def key_table(keys: Sequence[JoinKey], columns: Sequence[Any], wide: Sequence[bool], ops: Ops) -> list[Any]:
    """The columns to join on with NULL equal to nothing.

    A key by which NULL equals NULL becomes two: whether it is NULL, and its value with something in place of
    NULL. `wide[i]`: key i is compared as 128-bit integers.
    """
    found: list[Any] = []
    for key, column, as_wide in zip(keys, columns, wide, strict=True):
        made = comparable(column, ops)
        if as_wide and not is_wide(made):
            made = Evaluation(ops, made.size()).widened(Value(key.left.type, made))
        if key.null_equal:
            found.append(ops.is_null(made))
            made = _without_nulls(made, key.left.type, ops)
        found.append(made)
    return found


def _without_nulls(column: Any, sql_type: SQLType, ops: Ops) -> Any:
    """Some value of the type in place of NULLs: the column beside it tells them from that value."""
    if not column.null_count():
        return column
    kind = column.type()
    if sql_type.is_string:
        return ops.filled(column, ops.scalar(pa.scalar("", pa.string())))
    zero = ops.scalar(pa.scalar(0, pa.int64()))
    if kind.id() == ops.plc.TypeId.BOOL8:
        zero = ops.truth(False)
    elif kind.id() == ops.plc.TypeId.DECIMAL128:
        zero = ops.scalar(pa.scalar(0, pa.decimal128(38, -kind.scale())))
    elif sql_type.is_temporal:
        zero = ops.scalar(arrow_scalar(sql_type, 0))
    else:
        column = ops.cast(column, named_type("INT64"))
    return ops.filled(column, zero)
