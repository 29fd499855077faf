"""Arrow arrays as JSON, to the bit: doubles as hexadecimal, decimals as text, times as integers."""

from __future__ import annotations

import math
from typing import Any

import pyarrow as pa

_PLAIN = {
    str(kind): kind
    for kind in (
        pa.bool_(),
        pa.int8(),
        pa.int16(),
        pa.int32(),
        pa.int64(),
        pa.uint8(),
        pa.uint16(),
        pa.uint32(),
        pa.uint64(),
        pa.float32(),
        pa.float64(),
        pa.string(),
        pa.large_string(),
        pa.binary(),
        pa.date32(),
        *(pa.timestamp(unit) for unit in ("s", "ms", "us", "ns")),
        *(pa.duration(unit) for unit in ("s", "ms", "us", "ns")),
    )
}


def type_text(kind: pa.DataType) -> Any:
    """A type's JSON form: its name, or a list for a type made of others.

    >>> type_text(pa.decimal64(9, 2)), type_text(pa.list_(pa.int64()))
    (['decimal64', 9, 2], ['list', 'int64'])
    """
    if pa.types.is_decimal(kind):
        return [f"decimal{kind.bit_width}", kind.precision, kind.scale]
    if pa.types.is_list(kind):
        return ["list", type_text(kind.value_type)]
    if pa.types.is_struct(kind):
        return ["struct", *([f.name, type_text(f.type)] for f in kind)]
    if pa.types.is_dictionary(kind):
        return ["dictionary", type_text(kind.index_type), type_text(kind.value_type)]
    if str(kind) not in _PLAIN:
        raise ValueError(f"no JSON form for the Arrow type {kind}")
    return str(kind)


def type_from_text(text: Any) -> pa.DataType:
    """The type that `type_text` wrote."""
    match text:
        case str():
            return _PLAIN[text]
        case ["decimal32", precision, scale]:
            return pa.decimal32(precision, scale)
        case ["decimal64", precision, scale]:
            return pa.decimal64(precision, scale)
        case ["decimal128", precision, scale]:
            return pa.decimal128(precision, scale)
        case ["list", kind]:
            return pa.list_(type_from_text(kind))
        case ["struct", *fields]:
            return pa.struct([(name, type_from_text(kind)) for name, kind in fields])
        case ["dictionary", index, value]:
            return pa.dictionary(type_from_text(index), type_from_text(value))
        case _:
            raise ValueError(f"not a type: {text}")


def encode_array(array: pa.Array) -> dict[str, Any]:
    """An array's JSON form: its type and its values."""
    return {"type": type_text(array.type), "values": _encode(array)}


def decode_array(form: dict[str, Any]) -> pa.Array:
    """The array that `encode_array` wrote: the same type and values."""
    return _decode(form["values"], type_from_text(form["type"]))


def _storage(kind: pa.DataType) -> pa.DataType | None:
    """The integer type under a type of dates and times; None for the others."""
    if pa.types.is_date32(kind):
        return pa.int32()
    return pa.int64() if pa.types.is_timestamp(kind) or pa.types.is_duration(kind) else None


def _encode(array: pa.Array) -> list[Any]:
    kind = array.type
    if (storage := _storage(kind)) is not None:
        return array.view(storage).to_pylist()
    if pa.types.is_floating(kind):
        return [None if v is None else _float_text(v) for v in array.to_pylist()]
    if pa.types.is_decimal(kind):
        return [None if v is None else format(v, "f") for v in array.to_pylist()]
    if pa.types.is_binary(kind):
        return [None if v is None else v.hex() for v in array.to_pylist()]
    if pa.types.is_list(kind):
        return [None if v.values is None else _encode(v.values) for v in array]
    if pa.types.is_struct(kind):
        fields = [_encode(array.field(i)) for i in range(kind.num_fields)]
        rows = [list(row) for row in zip(*fields, strict=True)] if fields else [[] for _ in array]
        return [row if valid else None for row, valid in zip(rows, array.is_valid().to_pylist(), strict=True)]
    if pa.types.is_dictionary(kind):
        return [array.indices.to_pylist(), _encode(array.dictionary)]
    return array.to_pylist()


def _decode(values: list[Any], kind: pa.DataType) -> pa.Array:
    if (storage := _storage(kind)) is not None:
        return pa.array(values, storage).view(kind)
    if pa.types.is_floating(kind):
        return pa.array([None if v is None else _float_value(v) for v in values], kind)
    if pa.types.is_decimal(kind):
        return pa.array(values, pa.string()).cast(pa.decimal128(38, kind.scale)).cast(kind)
    if pa.types.is_binary(kind):
        return pa.array([None if v is None else bytes.fromhex(v) for v in values], kind)
    if pa.types.is_list(kind):
        flat = _decode([x for v in values if v is not None for x in v], kind.value_type)
        ends = [0]
        for v in values:
            ends.append(ends[-1] + (0 if v is None else len(v)))
        offsets = pa.array(
            [None if i < len(values) and values[i] is None else end for i, end in enumerate(ends)], pa.int32()
        )
        return pa.ListArray.from_arrays(offsets, flat, type=kind)
    if pa.types.is_struct(kind):
        nothing = [None] * kind.num_fields
        columns = (
            list(zip(*(nothing if v is None else v for v in values), strict=True)) or [()] * kind.num_fields
        )
        arrays = [_decode(list(c), kind.field(i).type) for i, c in enumerate(columns)]
        return pa.StructArray.from_arrays(
            arrays, fields=list(kind), mask=pa.array([v is None for v in values], pa.bool_())
        )
    if pa.types.is_dictionary(kind):
        indices, dictionary = values
        return pa.DictionaryArray.from_arrays(
            pa.array(indices, kind.index_type), _decode(dictionary, kind.value_type)
        )
    return pa.array(values, kind)


def _float_text(value: float) -> str:
    return value.hex() if math.isfinite(value) else str(value)


def _float_value(text: str) -> float:
    return float.fromhex(text)
