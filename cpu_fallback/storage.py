"""How a value of each SQL type is stored in CPU batches: arrow type, numpy dtype, and the range of stored
integers.

The integer-like types (integers, DECIMAL, DATE, TIME, TIMESTAMPs) are computed with as numpy integers.
DECIMAL and HUGEINT have two storages, int64 where every value fits and decimal128 otherwise; only the
second is called *wide* here.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa

from ..physical.arrow_types import result_type
from ..planner.types import SQLType, TypeId

_ARROW: dict[TypeId, pa.DataType] = {
    TypeId.NULL: pa.null(),
    TypeId.BOOLEAN: pa.bool_(),
    TypeId.TINYINT: pa.int8(),
    TypeId.SMALLINT: pa.int16(),
    TypeId.INTEGER: pa.int32(),
    TypeId.BIGINT: pa.int64(),
    TypeId.HUGEINT: pa.int64(),
    TypeId.UTINYINT: pa.uint8(),
    TypeId.USMALLINT: pa.uint16(),
    TypeId.UINTEGER: pa.uint32(),
    TypeId.UBIGINT: pa.uint64(),
    TypeId.FLOAT: pa.float32(),
    TypeId.DOUBLE: pa.float64(),
    TypeId.DECIMAL: pa.int64(),
    TypeId.VARCHAR: pa.string(),
    TypeId.BLOB: pa.binary(),
    TypeId.DATE: pa.date32(),
    TypeId.TIME: pa.time64("us"),
    TypeId.TIMESTAMP: pa.timestamp("us"),
    TypeId.TIMESTAMP_S: pa.timestamp("s"),
    TypeId.TIMESTAMP_MS: pa.timestamp("ms"),
    TypeId.TIMESTAMP_NS: pa.timestamp("ns"),
    TypeId.TIMESTAMPTZ: pa.timestamp("us", "UTC"),
    TypeId.INTERVAL: pa.month_day_nano_interval(),
}

# The layout of one value of an arrow month_day_nano_interval.
INTERVAL_DTYPE = np.dtype([("months", np.int32), ("days", np.int32), ("nanos", np.int64)])

_NUMPY: dict[TypeId, np.dtype[Any]] = {
    TypeId.BOOLEAN: np.dtype(np.bool_),
    TypeId.TINYINT: np.dtype(np.int8),
    TypeId.SMALLINT: np.dtype(np.int16),
    TypeId.INTEGER: np.dtype(np.int32),
    TypeId.BIGINT: np.dtype(np.int64),
    TypeId.HUGEINT: np.dtype(np.int64),
    TypeId.UTINYINT: np.dtype(np.uint8),
    TypeId.USMALLINT: np.dtype(np.uint16),
    TypeId.UINTEGER: np.dtype(np.uint32),
    TypeId.UBIGINT: np.dtype(np.uint64),
    TypeId.FLOAT: np.dtype(np.float32),
    TypeId.DOUBLE: np.dtype(np.float64),
    TypeId.DECIMAL: np.dtype(np.int64),
    TypeId.DATE: np.dtype(np.int32),
    TypeId.TIME: np.dtype(np.int64),
    TypeId.TIMESTAMP: np.dtype(np.int64),
    TypeId.TIMESTAMP_S: np.dtype(np.int64),
    TypeId.TIMESTAMP_MS: np.dtype(np.int64),
    TypeId.TIMESTAMP_NS: np.dtype(np.int64),
    TypeId.TIMESTAMPTZ: np.dtype(np.int64),
    TypeId.INTERVAL: INTERVAL_DTYPE,
}


def arrow_type(type_: SQLType, *, wide: bool = False) -> pa.DataType:
    """The arrow type a column of `type_` is held in; with `wide` the decimal128 form of DECIMAL and
    HUGEINT.
    """
    if wide:
        assert type_.id in (TypeId.DECIMAL, TypeId.HUGEINT), type_
        return pa.decimal128(38, type_.scale)
    return result_type(type_) if type_.is_nested else _ARROW[type_.id]


def numpy_dtype(type_: SQLType) -> np.dtype[Any]:
    """The dtype of the stored values of a fixed-width type (DECIMAL and HUGEINT: of their int64 storage)."""
    return _NUMPY[type_.id]


def has_values(type_: SQLType) -> bool:
    """Whether values of the type are computed with as one numpy array (strings and nested types are not)."""
    return type_.id in _NUMPY
