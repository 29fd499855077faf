"""JSON files: an object a line, or an array of objects."""

from __future__ import annotations

import json
from typing import Any, BinaryIO

import pyarrow as pa

from ...cpu_fallback import compute
from ...physical.batch import Batch
from ...physical.python_values import python_values
from ...planner.copy_options import JsonForm
from ...planner.expr import Column
from ...planner.types import TypeId
from ..nested_texts import plain
from .texts import text_array

_CONTROLS = "[\\x00-\\x1f]"
_FLOATS = {"inf": "Infinity", "-inf": "-Infinity", "nan": "NaN"}


class JsonFile:
    """Writes JSON. `columns` have the types that the texts stand for: numbers and truth values are bare."""

    def __init__(self, file: BinaryIO, form: JsonForm, columns: tuple[Column, ...]) -> None:
        self.file = file
        self.form = form
        self.columns = columns
        self.rows = 0
        keys = [json.dumps(column.name, ensure_ascii=False) + ":" for column in columns]
        self.heads = ["{" + key if place == 0 else "," + key for place, key in enumerate(keys)]
        if form.array:
            file.write(b"[\n\t")

    def write(self, batch: Batch) -> None:
        parts: list[Any] = []
        for array, own, column, head in zip(
            batch.columns, batch.schema, self.columns, self.heads, strict=True
        ):
            parts += [pa.scalar(head, pa.string()), _values(array, own, column)]
        rows = compute.join([*parts, pa.scalar("}", pa.string())], "").to_pylist()
        if self.form.array:
            text = (",\n\t" if self.rows else "") + ",\n\t".join(rows)
        else:
            text = "\n".join(rows) + "\n"
        self.file.write(text.encode())
        self.rows += batch.num_rows

    def close(self) -> None:
        if self.form.array:
            self.file.write(b"\n]\n")
        if isinstance(self.file, pa.NativeFile):
            self.file.close()


def _values(array: pa.Array, own: Column, column: Column) -> pa.Array:
    """The JSON form of each value."""
    kind = column.type
    if kind.is_nested:
        values = python_values(array, own.type)
        return pa.array([json.dumps(plain(v), ensure_ascii=False, separators=(",", ":")) for v in values])
    texts = text_array(array, own)
    if kind.is_numeric or kind.id is TypeId.BOOLEAN:
        if kind.is_float:
            texts = compute.replace(texts, "e+", "e")
            if compute.any_true(compute.matches_regex(texts, "[a-df-z]")):
                texts = pa.array([_FLOATS.get(t, t) if t else t for t in texts.to_pylist()], pa.string())
        return compute.fill_null(texts, "null")
    if compute.any_true(compute.matches_regex(texts, _CONTROLS)):
        found = [None if t is None else json.dumps(t, ensure_ascii=False) for t in texts.to_pylist()]
        return compute.fill_null(pa.array(found, pa.string()), "null")
    texts = compute.replace(compute.replace(texts, "\\", "\\\\"), '"', '\\"')
    quote = pa.scalar('"', pa.string())
    return compute.fill_null(compute.join([quote, texts, quote], ""), "null")
