"""The one form in which values of a SQL type are compared, hashed and ordered, however they are stored."""

from __future__ import annotations

import pyarrow as pa

from ...physical.stored import may_be_wide
from ...planner.types import SQLType, TypeId
from ..storage import arrow_type
from .concat import widened


def comparable(type_: SQLType, column: pa.Array) -> pa.Array:
    """Intervals by length, LIST and STRUCT as bytes, decimals in one storage; other columns as they are."""
    if type_.id is TypeId.INTERVAL:
        from .intervals import lengths

        return lengths(column)
    if type_.is_nested:
        from .nested import encoded

        return encoded(type_, column)
    return widened(column, type_) if may_be_wide(type_) else column


def comparable_type(type_: SQLType) -> pa.DataType:
    """The arrow type of `comparable` columns (strings may be dictionary-encoded too)."""
    if type_.id is TypeId.INTERVAL:
        return pa.decimal128(38, 0)
    if type_.is_nested:
        return pa.binary()
    return arrow_type(type_, wide=may_be_wide(type_))


def is_text(type_: SQLType) -> bool:
    """Whether values are compared as bytes of any length."""
    return type_.id in (TypeId.VARCHAR, TypeId.BLOB) or type_.is_nested


def is_one_way(type_: SQLType) -> bool:
    """Whether the values cannot be had back from their comparable form."""
    return type_.id is TypeId.INTERVAL or type_.is_nested
