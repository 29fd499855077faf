"""One value on the device."""

from __future__ import annotations

import datetime
import decimal
import functools
import math
from typing import Any

import numpy as np
import pyarrow as pa

from ..arguments import check, check_stream, library, resource
from ..device import Allocation, device
from ._kinds import Kind, arrow, kind_of, nulls, storage_type, stored
from .traits import is_fixed_point, is_floating_point
from .types import DataType, TypeId

_UNIT_NS = {
    "DAYS": 86_400 * 10**9,
    "SECONDS": 10**9,
    "MILLISECONDS": 10**6,
    "MICROSECONDS": 10**3,
    "NANOSECONDS": 1,
}
_TO_PY = {
    *(TypeId[f"{sign}INT{width}"] for sign in ("", "U") for width in (8, 16, 32, 64)),
    TypeId.BOOL8,
    TypeId.FLOAT32,
    TypeId.FLOAT64,
    TypeId.STRING,
    TypeId.DECIMAL128,
}


class Scalar:
    """A value or NULL; `to_py`, `to_arrow` and `is_valid` read it, and wait for the device."""

    __hash__ = None  # type: ignore[assignment]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        raise ValueError("Scalar should be constructed with a factory")

    @classmethod
    def _of(cls, kind: Kind, row: pa.Array) -> Scalar:
        """A scalar of the only row of an array in storage form."""
        scalar = cls.__new__(cls)
        scalar._kind, scalar._row = kind, row
        scalar._owner = Allocation(resource(), 16)
        return scalar

    def type(self) -> DataType:
        return self._kind.dtype

    @property
    def _valid(self) -> bool:
        return not self._row.null_count and not pa.types.is_null(self._row.type)

    def is_valid(self, stream: Any = None) -> bool:
        check_stream(stream)
        device.synchronized("Scalar.is_valid")
        return self._valid

    def to_arrow(self, metadata: Any = None, stream: Any = None) -> Any:
        check_stream(stream)
        device.synchronized("Scalar.to_arrow")
        return arrow(self._row, self._kind, getattr(metadata, "precision", None))[0]

    def to_py(self, stream: Any = None) -> Any:
        """The value, or None; NotImplementedError for dates, times and short decimals."""
        check_stream(stream)
        device.synchronized("Scalar.to_py")
        if not self._valid:
            return None
        if self.type().id() not in _TO_PY:
            raise NotImplementedError(
                f"Converting to Python scalar for type {self.type().id()!r} is not supported."
            )
        return arrow(self._row, self._kind)[0].as_py()

    @staticmethod
    @library
    def from_arrow(pa_val: Any, dtype: DataType | None = None, stream: Any = None) -> Scalar:
        if not isinstance(pa_val, pa.Scalar):
            raise AttributeError(f"'{type(pa_val).__name__}' object has no attribute 'type'")
        if dtype is not None:
            raise NotImplementedError("Creating a Column with the dtype argument specified.")
        array = pa.repeat(pa_val, 1) if pa_val.is_valid else pa.nulls(1, pa_val.type)
        kind = kind_of(array.type)
        return Scalar._of(kind, stored(array, kind))

    @classmethod
    @library
    def from_py(
        cls, py_val: Any, dtype: DataType | None = None, stream: Any = None, mr: Any = None
    ) -> Scalar:
        """A scalar of a Python value; the type follows from it where none is given."""
        if py_val is None:
            if dtype is None:
                raise ValueError("Must specify a dtype for a None value.")
            return Scalar._of(Kind(dtype), nulls(Kind(dtype), 1))
        kind, value = _converted(py_val, dtype)
        return Scalar._of(Kind(kind), _row(kind, value))

    @classmethod
    @library
    def from_numpy(cls, np_val: Any, stream: Any = None, mr: Any = None) -> Scalar:
        if isinstance(np_val, (np.datetime64, np.timedelta64)):
            raise NotImplementedError(f"{type(np_val).__name__} is currently not supported.")
        if not isinstance(np_val, np.generic):
            raise TypeError(f"{type(np_val).__name__} cannot be converted to pylibcudf.Scalar")
        array = pa.array([np_val.item()], pa.from_numpy_dtype(np_val.dtype))
        return Scalar._of(kind_of(array.type), array)


def _row(kind: DataType, value: Any) -> pa.Array:
    if is_fixed_point(kind):
        return pa.array([decimal.Decimal(value)], pa.decimal128(38, 0))
    return pa.array([value], storage_type(Kind(kind)))


@functools.singledispatch
def _converted(value: Any, dtype: DataType | None) -> tuple[DataType, Any]:
    """The type of a value and the number or text that stands for it."""
    raise TypeError(f"{type(value).__name__} cannot be converted to pylibcudf.Scalar")


@_converted.register(list)
@_converted.register(dict)
def _(value: Any, dtype: DataType | None) -> tuple[DataType, Any]:
    raise NotImplementedError(f"Conversion from {type(value).__name__} is currently not supported.")


def _refused(value: Any, dtype: DataType) -> TypeError:
    return TypeError(f"Cannot convert {type(value).__name__} to Scalar with dtype {dtype.id().name}")


@_converted.register
def _(value: bool, dtype: DataType | None) -> tuple[DataType, Any]:
    found = dtype or DataType(TypeId.BOOL8)
    if found.id() is not TypeId.BOOL8:
        raise _refused(value, found)
    return found, value


@_converted.register
def _(value: str, dtype: DataType | None) -> tuple[DataType, Any]:
    found = dtype or DataType(TypeId.STRING)
    if found.id() is not TypeId.STRING:
        raise _refused(value, found)
    return found, value


@_converted.register
def _(value: float, dtype: DataType | None) -> tuple[DataType, Any]:
    found = dtype or DataType(TypeId.FLOAT64)
    if not is_floating_point(found):
        raise _refused(value, found)
    if found.id() is TypeId.FLOAT32 and math.isfinite(value) and abs(value) > np.finfo(np.float32).max:
        raise OverflowError(f"{value} out of range for FLOAT32 scalar")
    return found, value


@_converted.register
def _(value: int, dtype: DataType | None) -> tuple[DataType, Any]:
    found = dtype or DataType(TypeId.INT64)
    name = found.id().name
    if is_floating_point(found):
        return _converted(float(value), found)
    if is_fixed_point(found):
        # The result is a DECIMAL128 whatever decimal was asked for.
        scale = found.scale()
        unscaled = abs(value) // 10**scale * (-1 if value < 0 else 1) if scale > 0 else value * 10**-scale
        return DataType(TypeId.DECIMAL128, scale), unscaled
    if found.id() is TypeId.BOOL8:
        if value not in (0, 1):
            raise ValueError(f"Cannot convert {value} to BOOL8 scalar")
        return found, bool(value)
    if name.startswith("DURATION_"):
        if value > (2**31 if name == "DURATION_DAYS" else 2**63) - 1:
            raise OverflowError(f"{value} out of range")
        return found, value
    if "INT" not in name:
        raise _refused(value, found)
    width = int(name.removeprefix("U").removeprefix("INT"))
    if name.startswith("U") and value < 0:
        raise ValueError(f"Cannot assign negative value to {name} scalar")
    low, high = (0, 2**width) if name.startswith("U") else (-(2 ** (width - 1)), 2 ** (width - 1))
    if not low <= value < high:
        raise OverflowError(f"{value} out of range for {name} scalar")
    return found, value


@_converted.register
def _(value: datetime.timedelta, dtype: DataType | None) -> tuple[DataType, Any]:
    found = dtype or DataType(TypeId.DURATION_MICROSECONDS)
    if not found.id().name.startswith("DURATION_"):
        raise _refused(value, found)
    return found, _units(value.total_seconds(), found)


@_converted.register
def _(value: datetime.date, dtype: DataType | None) -> tuple[DataType, Any]:
    found = dtype or DataType(TypeId.TIMESTAMP_MICROSECONDS)
    if not found.id().name.startswith("TIMESTAMP_"):
        raise TypeError(f"Cannot convert datetime to Scalar with dtype {found.id().name}")
    if isinstance(value, datetime.datetime):
        aware = value.replace(tzinfo=datetime.UTC) if value.tzinfo is None else value
        return found, _units(aware.timestamp(), found)
    return found, _units((value - datetime.date(1970, 1, 1)).total_seconds(), found)


def _units(seconds: float, dtype: DataType) -> int:
    """Through a double, as the real library does: microseconds of far years are not exact."""
    unit = dtype.id().name.split("_")[1]
    if unit == "DAYS":
        return int(seconds // 86400)
    found = int(seconds * (10**9 // _UNIT_NS[unit]))
    if found > 2**63 - 1:
        raise OverflowError(f"{found} {unit.lower()} out of range for INT64 limit.")
    return found


@_converted.register
def _(value: decimal.Decimal, dtype: DataType | None) -> tuple[DataType, Any]:
    exponent = value.as_tuple().exponent
    check("scale", int, exponent)
    return DataType(TypeId.DECIMAL128, int(exponent)), int(value.scaleb(-int(exponent)))
