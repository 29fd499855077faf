"""Single values: between the literal form of a SQL type (planner.types.TYPES), numpy scalars and arrow
scalars.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa

from ..physical.stored import INT64_HIGH, INT64_LOW, may_be_wide, to_decimal, to_scaled
from ..planner import messages_values as messages
from ..planner.types import SQLType, TypeId
from .storage import arrow_type, numpy_dtype


def numpy_scalar(type_: SQLType, value: Any) -> Any:
    """A literal value as a numpy scalar of the stored dtype; 0 for NULL."""
    dtype = numpy_dtype(type_)
    if type_.id is TypeId.INTERVAL:
        months, days, micros = value or (0, 0, 0)
        return np.array((months, days, _nanoseconds(micros)), dtype=dtype)[()]
    return dtype.type(0 if value is None else value)


def _nanoseconds(micros: int) -> int:
    """What Arrow's intervals hold, which ends after 292 years. Raises OutOfRangeError beyond it."""
    value = micros * 1000
    if not INT64_LOW <= value <= INT64_HIGH:
        raise messages.out_of_range(f"Interval value {micros} microseconds out of range")
    return value


def arrow_scalar(type_: SQLType, value: Any) -> pa.Scalar:
    """A literal value as an arrow scalar in the storage of its type."""
    if value is None:
        return pa.scalar(None, arrow_type(type_))
    if may_be_wide(type_) and not INT64_LOW <= value <= INT64_HIGH:
        return pa.scalar(to_decimal(value, type_.scale), arrow_type(type_, wide=True))
    return pa.array([arrow_value(type_, value)], arrow_type(type_))[0]


def arrow_value(type_: SQLType, value: Any) -> Any:
    """A literal value in the form pyarrow's constructors take for the storage type."""
    if value is None:
        return None
    if type_.id is TypeId.INTERVAL:
        months, days, micros = value
        return pa.MonthDayNano([months, days, _nanoseconds(micros)])
    if type_.id is TypeId.LIST:
        return [arrow_value(type_.fields[0][1], item) for item in value]
    if type_.id is TypeId.STRUCT:
        return {name: arrow_value(kind, item) for (name, kind), item in zip(type_.fields, value, strict=True)}
    return value


def literal_value(type_: SQLType, array: pa.Array, row: int) -> Any:
    """Row `row` of a stored array in literal form."""
    scalar = array[row]
    if not scalar.is_valid:
        return None
    return _literal(type_, scalar)


def _literal(type_: SQLType, scalar: Any) -> Any:
    if not scalar.is_valid:
        return None
    kind = type_.id
    if kind in (TypeId.DECIMAL, TypeId.HUGEINT):
        if not pa.types.is_decimal(scalar.type):
            return scalar.as_py()
        return to_scaled(scalar.as_py(), type_.scale)
    if kind is TypeId.INTERVAL:
        months, days, nanos = scalar.as_py()
        return months, days, nanos // 1000
    if kind is TypeId.LIST:
        element = type_.fields[0][1]
        return tuple(_literal(element, item) for item in scalar)
    if kind is TypeId.STRUCT:
        return tuple(_literal(field, scalar[name]) for name, field in type_.fields)
    if type_.is_temporal:
        return scalar.value
    return scalar.as_py()
