"""Predicates of types."""

from __future__ import annotations

from .types import DECIMALS, DataType, TypeId, size_of

_SIGNED = {TypeId.INT8, TypeId.INT16, TypeId.INT32, TypeId.INT64}
_UNSIGNED = {TypeId.UINT8, TypeId.UINT16, TypeId.UINT32, TypeId.UINT64}
_FLOATS = {TypeId.FLOAT32, TypeId.FLOAT64}
_TIMESTAMPS = {t for t in TypeId if t.name.startswith("TIMESTAMP_")}
_DURATIONS = {t for t in TypeId if t.name.startswith("DURATION_")}


def is_integral_not_bool(typ: DataType) -> bool:
    return typ.id() in _SIGNED | _UNSIGNED


def is_boolean(typ: DataType) -> bool:
    return typ.id() is TypeId.BOOL8


def is_integral(typ: DataType) -> bool:
    return is_integral_not_bool(typ) or is_boolean(typ)


def is_unsigned(typ: DataType) -> bool:
    return typ.id() in _UNSIGNED or is_boolean(typ)


def is_index_type(typ: DataType) -> bool:
    return is_integral_not_bool(typ)


def is_floating_point(typ: DataType) -> bool:
    return typ.id() in _FLOATS


def is_numeric(typ: DataType) -> bool:
    return is_integral(typ) or is_floating_point(typ)


def is_numeric_not_bool(typ: DataType) -> bool:
    return is_integral_not_bool(typ) or is_floating_point(typ)


def is_fixed_point(typ: DataType) -> bool:
    return typ.id() in DECIMALS


def is_timestamp(typ: DataType) -> bool:
    return typ.id() in _TIMESTAMPS


def is_duration(typ: DataType) -> bool:
    return typ.id() in _DURATIONS


def is_chrono(typ: DataType) -> bool:
    return is_timestamp(typ) or is_duration(typ)


def is_dictionary(typ: DataType) -> bool:
    return typ.id() is TypeId.DICTIONARY32


def is_fixed_width(typ: DataType) -> bool:
    return is_numeric(typ) or is_chrono(typ) or is_fixed_point(typ)


def is_nested(typ: DataType) -> bool:
    return typ.id() in (TypeId.LIST, TypeId.STRUCT)


def is_compound(typ: DataType) -> bool:
    return is_nested(typ) or is_dictionary(typ) or typ.id() is TypeId.STRING


def is_relationally_comparable(typ: DataType) -> bool:
    return is_fixed_width(typ) or is_dictionary(typ) or typ.id() is TypeId.STRING


def is_equality_comparable(typ: DataType) -> bool:
    return is_relationally_comparable(typ)


def is_bit_castable(source: DataType, target: DataType) -> bool:
    """Same width; nothing but itself is as wide as DECIMAL128."""
    if not (is_fixed_width(source) and is_fixed_width(target)):
        return False
    return size_of(source) == size_of(target)
