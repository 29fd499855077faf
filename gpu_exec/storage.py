"""How a column of each SQL type lies on the device: which libcudf type, and how it gets there from Arrow.

DECIMAL and HUGEINT are INT64 (scaled) where values are proven small, else DECIMAL128; strings are STRING,
never dictionaries: libcudf's operations want plain ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pyarrow as pa

from ..physical.stored import to_decimal
from ..planner.types import SQLType, TypeId
from .library import Column, DataType, plc

_NAMES: dict[TypeId, str] = {
    TypeId.BOOLEAN: "BOOL8",
    TypeId.TINYINT: "INT8",
    TypeId.SMALLINT: "INT16",
    TypeId.INTEGER: "INT32",
    TypeId.BIGINT: "INT64",
    TypeId.HUGEINT: "INT64",
    TypeId.UTINYINT: "UINT8",
    TypeId.USMALLINT: "UINT16",
    TypeId.UINTEGER: "UINT32",
    TypeId.UBIGINT: "UINT64",
    TypeId.FLOAT: "FLOAT32",
    TypeId.DOUBLE: "FLOAT64",
    TypeId.DECIMAL: "INT64",
    TypeId.VARCHAR: "STRING",
    TypeId.DATE: "TIMESTAMP_DAYS",
    TypeId.TIMESTAMP: "TIMESTAMP_MICROSECONDS",
    TypeId.TIMESTAMP_S: "TIMESTAMP_SECONDS",
    TypeId.TIMESTAMP_MS: "TIMESTAMP_MILLISECONDS",
    TypeId.TIMESTAMP_NS: "TIMESTAMP_NANOSECONDS",
}
STORED = frozenset(_NAMES)

# The integers under dates and times, in which they are computed with.
_INTEGERS: dict[TypeId, str] = {TypeId.DATE: "INT32"} | dict.fromkeys(
    (TypeId.TIMESTAMP, TypeId.TIMESTAMP_S, TypeId.TIMESTAMP_MS, TypeId.TIMESTAMP_NS), "INT64"
)
_ARROW: dict[TypeId, pa.DataType] = {
    TypeId.BOOLEAN: pa.bool_(),
    TypeId.FLOAT: pa.float32(),
    TypeId.DOUBLE: pa.float64(),
    TypeId.VARCHAR: pa.string(),
    TypeId.DATE: pa.date32(),
    TypeId.TIMESTAMP: pa.timestamp("us"),
    TypeId.TIMESTAMP_S: pa.timestamp("s"),
    TypeId.TIMESTAMP_MS: pa.timestamp("ms"),
    TypeId.TIMESTAMP_NS: pa.timestamp("ns"),
    TypeId.TINYINT: pa.int8(),
    TypeId.SMALLINT: pa.int16(),
    TypeId.INTEGER: pa.int32(),
    TypeId.UTINYINT: pa.uint8(),
    TypeId.USMALLINT: pa.uint16(),
    TypeId.UINTEGER: pa.uint32(),
    TypeId.UBIGINT: pa.uint64(),
}


def named_type(name: str, scale: int = 0) -> DataType:
    """A libcudf type by its name; `scale` digits after the point, which libcudf counts as a power of ten."""
    return plc().DataType(getattr(plc().TypeId, name), -scale)


def data_type(type_: SQLType, *, wide: bool = False) -> DataType:
    """The libcudf type of a column of `type_`; with `wide` the DECIMAL128 form of DECIMAL and HUGEINT."""
    return named_type("DECIMAL128", type_.scale) if wide else named_type(_NAMES[type_.id])


def integer_type(type_: SQLType) -> DataType:
    """The integer type under a date or timestamp type."""
    return named_type(_INTEGERS[type_.id])


def is_wide(column: Column) -> bool:
    """Whether a column is DECIMAL128."""
    return column.type().id() == plc().TypeId.DECIMAL128


def arrow_type(type_: SQLType, *, wide: bool = False) -> pa.DataType:
    """The Arrow type that a column of `type_` has on the host."""
    return pa.decimal128(38, type_.scale) if wide else _ARROW.get(type_.id, pa.int64())


def arrow_scalar(type_: SQLType, value: Any, *, wide: bool = False) -> pa.Scalar:
    """A literal's value (see `expr.Literal`) as an Arrow scalar in its storage."""
    return arrow_values(type_, [value], wide=wide)[0]


def arrow_values(type_: SQLType, values: Sequence[Any], *, wide: bool = False) -> pa.Array:
    """Values of literals as an Arrow array in their storage: also dates that Python has none for."""
    kind = arrow_type(type_, wide=wide)
    if wide:
        return pa.array([None if v is None else to_decimal(v, type_.scale) for v in values], kind)
    if type_.id in _INTEGERS:
        integers = pa.int32() if type_.id is TypeId.DATE else pa.int64()
        return pa.array(values, integers).view(kind)
    return pa.array(values, kind)
