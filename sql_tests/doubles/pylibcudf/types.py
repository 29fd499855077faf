"""Types of columns, and the choices that calls take."""

from __future__ import annotations

import functools
from enum import IntEnum
from typing import Any

import pyarrow as pa

from ..errors import logic_error


class Interpolation(IntEnum):
    LINEAR = 0
    LOWER = 1
    HIGHER = 2
    MIDPOINT = 3
    NEAREST = 4
    NEAREST_HALF_UP = 5


class MaskState(IntEnum):
    UNALLOCATED = 0
    UNINITIALIZED = 1
    ALL_VALID = 2
    ALL_NULL = 3


class NanEquality(IntEnum):
    ALL_EQUAL = 0
    UNEQUAL = 1


class NanPolicy(IntEnum):
    NAN_IS_NULL = 0
    NAN_IS_VALID = 1


class NullEquality(IntEnum):
    EQUAL = 0
    UNEQUAL = 1


class NullAware(IntEnum):
    NO = 0
    YES = 1


class OutputNullability(IntEnum):
    PRESERVE = 0
    ALL_VALID = 1


class NullOrder(IntEnum):
    AFTER = 0
    BEFORE = 1


class NullPolicy(IntEnum):
    EXCLUDE = 0
    INCLUDE = 1


class Order(IntEnum):
    ASCENDING = 0
    DESCENDING = 1


class Sorted(IntEnum):
    NO = 0
    YES = 1


class TypeId(IntEnum):
    EMPTY = 0
    INT8 = 1
    INT16 = 2
    INT32 = 3
    INT64 = 4
    UINT8 = 5
    UINT16 = 6
    UINT32 = 7
    UINT64 = 8
    FLOAT32 = 9
    FLOAT64 = 10
    BOOL8 = 11
    TIMESTAMP_DAYS = 12
    TIMESTAMP_SECONDS = 13
    TIMESTAMP_MILLISECONDS = 14
    TIMESTAMP_MICROSECONDS = 15
    TIMESTAMP_NANOSECONDS = 16
    DURATION_DAYS = 17
    DURATION_SECONDS = 18
    DURATION_MILLISECONDS = 19
    DURATION_MICROSECONDS = 20
    DURATION_NANOSECONDS = 21
    DICTIONARY32 = 22
    STRING = 23
    LIST = 24
    DECIMAL32 = 25
    DECIMAL64 = 26
    DECIMAL128 = 27
    STRUCT = 28
    NUM_TYPE_IDS = 29


DECIMALS = {TypeId.DECIMAL32: 9, TypeId.DECIMAL64: 18, TypeId.DECIMAL128: 38}
_UNITS = (("SECONDS", "s"), ("MILLISECONDS", "ms"), ("MICROSECONDS", "us"), ("NANOSECONDS", "ns"))
# The Arrow type of each type that needs no more than its name.
ARROW: dict[TypeId, pa.DataType] = {
    TypeId.EMPTY: pa.null(),
    TypeId.INT8: pa.int8(),
    TypeId.INT16: pa.int16(),
    TypeId.INT32: pa.int32(),
    TypeId.INT64: pa.int64(),
    TypeId.UINT8: pa.uint8(),
    TypeId.UINT16: pa.uint16(),
    TypeId.UINT32: pa.uint32(),
    TypeId.UINT64: pa.uint64(),
    TypeId.FLOAT32: pa.float32(),
    TypeId.FLOAT64: pa.float64(),
    TypeId.BOOL8: pa.bool_(),
    TypeId.STRING: pa.string(),
    TypeId.TIMESTAMP_DAYS: pa.date32(),
    **{TypeId[f"TIMESTAMP_{name}"]: pa.timestamp(unit) for name, unit in _UNITS},
    **{TypeId[f"DURATION_{name}"]: pa.duration(unit) for name, unit in _UNITS},
}
_FROM_ARROW = {
    **{arrow: type_id for type_id, arrow in ARROW.items()},
    pa.large_string(): TypeId.STRING,
    pa.string_view(): TypeId.STRING,
}


class DataType:
    """A type; `scale` is the power of ten of a decimal: two digits after the point are -2."""

    __slots__ = ("_id", "_scale")

    def __init__(self, type_id: TypeId, scale: int = 0) -> None:
        if not isinstance(type_id, TypeId) or isinstance(scale, bool) or not isinstance(scale, int):
            raise TypeError("an integer is required")
        self._id = type_id
        self._scale = scale if type_id in DECIMALS else 0

    def id(self) -> TypeId:
        return self._id

    def scale(self) -> int:
        return self._scale

    @property
    def typestr(self) -> str:
        """The type in the array interface."""
        arrow = ARROW.get(self._id)
        if arrow is None or not (pa.types.is_primitive(arrow) and not pa.types.is_temporal(arrow)):
            raise NotImplementedError(f"No array interface typestr for DataType {self._id!r}")
        if self._id is TypeId.BOOL8:
            return "|b1"
        width = arrow.bit_width // 8
        letter = "f" if pa.types.is_floating(arrow) else "u" if pa.types.is_unsigned_integer(arrow) else "i"
        return f"{'|' if width == 1 else '<'}{letter}{width}"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, DataType) and (self._id, self._scale) == (other._id, other._scale)

    def __hash__(self) -> int:
        return hash((self._id, self._scale))

    def __reduce__(self) -> tuple[type, tuple[TypeId, int]]:
        return DataType, (self._id, self._scale)

    def to_arrow(self, **kwargs: Any) -> pa.DataType:
        """The Arrow type; decimals need a `precision`, structs `fields`, lists a `value_type`."""
        if self._id in DECIMALS:
            if not kwargs.get("precision"):
                raise ValueError("Precision must be provided for decimal types")
            return pa.decimal128(kwargs["precision"], -self._scale)
        if self._id is TypeId.STRUCT:
            if not kwargs.get("fields"):
                raise ValueError("Fields must be provided for struct types")
            return pa.struct(kwargs["fields"])
        if self._id is TypeId.LIST:
            if not kwargs.get("value_type"):
                raise ValueError("Value type must be provided for list types")
            return pa.list_(kwargs["value_type"])
        if self._id not in ARROW:
            raise TypeError(f"Unable to convert {self._id!r} to arrow datatype")
        return ARROW[self._id]

    @staticmethod
    def from_arrow(pa_typ: pa.DataType) -> DataType:
        """The type that columns of an Arrow type get; TypeError for types that libcudf lacks."""
        return _from_arrow(pa_typ)

    @staticmethod
    def from_py(typ: type) -> DataType:
        found = {bool: "BOOL8", int: "INT64", float: "FLOAT64", str: "STRING", list: "LIST", dict: "STRUCT"}
        if typ not in found:
            raise TypeError(f"Cannot infer DataType from Python type {typ}")
        return DataType(TypeId[found[typ]])


@functools.cache
def _from_arrow(kind: pa.DataType) -> DataType:
    if pa.types.is_decimal(kind) and kind.bit_width <= 128:
        return DataType(TypeId[f"DECIMAL{kind.bit_width}"], -kind.scale)
    if isinstance(kind, pa.StructType):
        for field in kind:
            _from_arrow(field.type)
        return DataType(TypeId.STRUCT)
    if isinstance(kind, pa.ListType):
        _from_arrow(kind.value_type)
        return DataType(TypeId.LIST)
    if kind not in _FROM_ARROW:
        raise TypeError(f"Unable to convert {kind} to cudf datatype")
    return DataType(_FROM_ARROW[kind])


def size_of(t: DataType) -> int:
    """Bytes of a value of fixed width."""
    if t.id() in DECIMALS:
        return {TypeId.DECIMAL32: 4, TypeId.DECIMAL64: 8, TypeId.DECIMAL128: 16}[t.id()]
    if t.id() is TypeId.BOOL8:
        return 1
    if t.id() is TypeId.DURATION_DAYS:
        return 4
    if t.id() not in ARROW or t.id() in (TypeId.STRING, TypeId.EMPTY):
        raise logic_error("Invalid element type.")
    return ARROW[t.id()].bit_width // 8


SIZE_TYPE = DataType(TypeId.INT32)
SIZE_TYPE_ID = TypeId.INT32
BITMASK_TYPE = DataType(TypeId.UINT32)
