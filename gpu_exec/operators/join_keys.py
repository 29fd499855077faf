"""Join keys in the form in which libcudf's equality is SQL's."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pyarrow as pa

from ...physical.nodes import HashJoin, JoinKey
from ...planner.types import SQLType, TypeId
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


def both_keys(
    node: HashJoin, left: Sequence[Any], right: Sequence[Any], ops: Ops
) -> tuple[list[Any], list[Any]]:
    """The key columns of both sides in one form; as many of the node's keys as there are columns."""
    keys = (*node.keys, *node.mark_keys)[: len(left)]
    wide = [is_wide(a) or is_wide(b) for a, b in zip(left, right, strict=False)]
    return key_table(keys, left, wide, ops), key_table(keys, right[: len(left)], wide, ops)


def _without_nulls(column: Any, sql_type: SQLType, ops: Ops) -> Any:
    """Some value of the column's own type in place of NULLs: the column beside it tells them from that value.

    Other batches may have no NULLs, so that the type must stay what it is.
    """
    if not column.null_count():
        return column
    if sql_type.is_float:
        # As `comparable` gives it.
        zero = pa.scalar(0, pa.int32() if sql_type.id is TypeId.FLOAT else pa.int64())
    else:
        value = "" if sql_type.is_string else False if sql_type.id is TypeId.BOOLEAN else 0
        zero = arrow_scalar(sql_type, value, wide=is_wide(column))
    return ops.filled(column, ops.scalar(zero))
