"""Single values: between the literal form of a SQL type (planner.types.TYPES), numpy scalars and arrow
scalars.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from ..physical.arrow_types import result_type
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
    if type_.is_nested:
        return literal_array(type_, [value])[0]
    return pa.array([arrow_value(type_, value)], arrow_type(type_))[0]


def arrow_value(type_: SQLType, value: Any) -> Any:
    """A literal value in the form pyarrow's constructors take for the storage type."""
    if value is None:
        return None
    if type_.id is TypeId.INTERVAL:
        months, days, micros = value
        return pa.MonthDayNano([months, days, _nanoseconds(micros)])
    assert not type_.is_nested, type_
    return value


def literal_array(type_: SQLType, values: Sequence[Any]) -> pa.Array:
    """Values in literal form as an array, of nested types and of their members."""
    from .nested import list_array, struct_array  # which are built of vectors

    if not type_.is_nested:
        return _member_array(type_, values)
    valid = None
    if any(value is None for value in values):
        valid = np.array([value is not None for value in values], dtype=np.bool_)
    if type_.is_struct:
        fields = [
            literal_array(kind, [None if value is None else value[at] for value in values])
            for at, (_, kind) in enumerate(type_.fields)
        ]
        return struct_array(type_, fields, len(values), valid)
    lengths = np.array([0 if value is None else len(value) for value in values], dtype=np.int64)
    items = [item for value in values if value is not None for item in value]
    return list_array(type_, lengths, literal_array(type_.element, items), valid)


def _member_array(type_: SQLType, values: Sequence[Any]) -> pa.Array:
    if type_.id in (TypeId.DECIMAL, TypeId.HUGEINT):
        values = [None if value is None else to_decimal(value, type_.scale) for value in values]
    elif type_.id is TypeId.INTERVAL:
        values = [arrow_value(type_, value) for value in values]
    return pa.array(values, result_type(type_))


def literal_value(type_: SQLType, array: pa.Array, row: int) -> Any:
    """Row `row` of a stored array in literal form."""
    if type_.is_nested:
        return literal_values(type_, array.slice(row, 1))[0]
    return _literal(type_, array[row])


def literal_values(type_: SQLType, array: pa.Array) -> list[Any]:
    """All rows of a stored array, or of one of members, in literal form."""
    if not type_.is_nested:
        return [_literal(type_, scalar) for scalar in array]
    valid = array.is_valid().to_pylist()
    if type_.is_struct:
        if not type_.fields:
            return [() if ok else None for ok in valid]
        columns = [literal_values(kind, array.field(at)) for at, (_, kind) in enumerate(type_.fields)]
        return [row if ok else None for row, ok in zip(zip(*columns, strict=True), valid, strict=True)]
    offsets = array.offsets.to_pylist()
    first = offsets[0] if offsets else 0
    items = literal_values(type_.element, array.values.slice(first, (offsets[-1] if offsets else 0) - first))
    return [
        tuple(items[start - first : stop - first]) if ok else None
        for start, stop, ok in zip(offsets, offsets[1:], valid, strict=False)
    ]


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
    if type_.is_temporal:
        return scalar.value
    return scalar.as_py()
