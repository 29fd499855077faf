"""Python values of JSON as columns of SQL types."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pyarrow as pa

from ...physical.arrow_types import result_type, storage_type
from ...physical.file_tables import CsvForm
from ...physical.python_values import to_result
from ...planner.types import BOOLEAN, SQLType, TypeId
from .. import compute
from ..json_text import as_json, text_of
from .csv_values import converter

# In place of a format: the column holds JSON, in which strings have quotes.
JSON_TEXT = "json"
_FORM = CsvForm(b",", -1, -1, -1)


class Unfit(ValueError):
    """A value that has not the type of its column."""

    def __init__(self, row: int, value: Any) -> None:
        super().__init__(row)
        self.row = row
        self.value = value


def build(values: Sequence[Any], kind: SQLType, shape: str | None, *, strict: bool) -> pa.Array:
    """A column in storage form. A value that does not fit raises Unfit, or is NULL without `strict`."""
    if kind.id is TypeId.LIST:
        return _lists(values, kind, shape, strict)
    if kind.id is TypeId.STRUCT:
        return _structs(values, kind, shape, strict)
    if kind.id is TypeId.NULL:
        return pa.nulls(len(values), storage_type(kind))
    if shape == JSON_TEXT:
        return pa.array([None if v is None else as_json(v) for v in values], pa.string())
    plain = _plain(values, kind)
    if plain is not None:
        return plain
    if kind == BOOLEAN:
        values = [str(v).lower() if isinstance(v, bool) else v for v in values]
    made_texts = pa.array([text_of(v) for v in values], pa.string())
    made = converter(kind, shape, _FORM)(made_texts)
    if pa.types.is_dictionary(made.type):
        made = compute.decode_dictionary(made)
    if strict and made.null_count != made_texts.null_count:
        row = next(i for i, v in enumerate(values) if v is not None and not made[i].is_valid)
        raise Unfit(row, values[row])
    return made


def _plain(values: Sequence[Any], kind: SQLType) -> pa.Array | None:
    """The column where all values are of the Python type that stands for it; None where one is not."""
    wanted: tuple[type, ...]
    match kind.id:
        case TypeId.BOOLEAN:
            wanted = (bool,)
        case TypeId.DOUBLE:
            wanted = (float, int)
        case TypeId.VARCHAR:
            return pa.array([text_of(v) for v in values], pa.string())
        case TypeId.BIGINT | TypeId.INTEGER | TypeId.SMALLINT | TypeId.TINYINT:
            wanted = (int,)
        case _:
            return None
    if not {type(v) for v in values} <= {*wanted, type(None)}:
        return None
    try:
        if kind.id is TypeId.DOUBLE:
            values = [None if v is None else float(v) for v in values]
        return pa.array(values, storage_type(kind))
    except (pa.ArrowInvalid, OverflowError):
        return None


def _member(array: pa.Array, kind: SQLType) -> pa.Array:
    """A column as lists and structs store their members."""
    return to_result(array, kind, result_type(kind))


def _lists(values: Sequence[Any], kind: SQLType, shape: str | None, strict: bool) -> pa.Array:
    inner = kind.fields[0][1]
    offsets: list[int | None] = []
    items: list[Any] = []
    for row, value in enumerate(values):
        if value is not None and not isinstance(value, list):
            if strict:
                raise Unfit(row, value)
            value = None
        offsets.append(None if value is None else len(items))
        items.extend(value or ())
    try:
        child = _member(build(items, inner, shape, strict=strict), inner)
    except Unfit as error:
        row = next(i for i in reversed(range(len(values))) if (offsets[i] or 0) <= error.row and values[i])
        raise Unfit(row, error.value) from error
    return pa.ListArray.from_arrays(pa.array([*offsets, len(items)], pa.int32()), child)


def _structs(values: Sequence[Any], kind: SQLType, shape: str | None, strict: bool) -> pa.Array:
    for row, value in enumerate(values):
        if value is not None and not isinstance(value, dict) and strict:
            raise Unfit(row, value)
    kept = [value if isinstance(value, dict) else None for value in values]
    children = [
        _member(build([None if v is None else v.get(name) for v in kept], inner, shape, strict=strict), inner)
        for name, inner in kind.fields
    ]
    fields = [pa.field(name, result_type(inner)) for name, inner in kind.fields]
    missing = pa.array([v is None for v in kept], pa.bool_())
    return pa.StructArray.from_arrays(children, fields=fields, mask=missing)
