"""CSV files: whole columns of a batch at a time."""

from __future__ import annotations

import re
from typing import BinaryIO

import pyarrow as pa

from ...cpu_fallback import compute
from ...physical.batch import Batch
from ...planner.copy_options import CsvForm
from ...planner.expr import Column
from .texts import text_array


class CsvFile:
    """Writes CSV: a field is quoted where it holds what a reader would take for the end of a field or row, a
    comment, or NULL.
    """

    def __init__(self, file: BinaryIO, form: CsvForm, columns: tuple[Column, ...]) -> None:
        self.file = file
        self.form = form
        special = [form.delimiter[:1], form.quote, "\n", "\r", "#"]
        self.special = "|".join(re.escape(part) for part in special if part)
        self.due = ""  # a newline that no suffix may follow
        if form.prefix is not None:
            self._put(form.prefix)
        if form.header:
            names = [pa.array([column.name], pa.string()) for column in columns]
            self._put(self._lines(names, 1))

    def write(self, batch: Batch) -> None:
        columns = [text_array(a, c) for a, c in zip(batch.columns, batch.schema, strict=True)]
        self._put(self._lines(columns, batch.num_rows))

    def close(self) -> None:
        if self.form.suffix is not None:
            self.due = self.form.suffix
        self._put("")
        if not isinstance(self.file, pa.NativeFile):
            return
        self.file.close()

    def _put(self, text: str) -> None:
        whole = self.due + text
        ended = self.form.suffix is not None and whole.endswith(self.form.newline)
        self.due = self.form.newline if ended else ""
        self.file.write(whole.removesuffix(self.due).encode())

    def _lines(self, columns: list[pa.Array], count: int) -> str:
        fields = [self._fields(array, place) for place, array in enumerate(columns)]
        rows = fields[0] if len(fields) == 1 else compute.join(fields, self.form.delimiter)
        ends = [self.form.newline] if count else []
        return "".join(part for row in rows.to_pylist() for part in (row, *ends))

    def _fields(self, array: pa.Array, place: int) -> pa.Array:
        form = self.form
        if form.quote:
            if place in form.force_quote:
                array = self._quoted(array)
            else:
                marked = compute.matches_regex(array, self.special)
                if compute.any_true(marked):
                    array = compute.if_else(marked, self._quoted(array), array)
                same = compute.compare("=", array, pa.scalar(form.null, pa.string()))
                if compute.any_true(same):
                    array = compute.if_else(same, form.quote + form.null + form.quote, array)
        return compute.fill_null(array, form.null) if array.null_count else array

    def _quoted(self, array: pa.Array) -> pa.Array:
        form = self.form
        if form.escape and form.escape != form.quote:
            array = compute.replace(array, form.escape, form.escape * 2)
        if form.escape:
            array = compute.replace(array, form.quote, form.escape + form.quote)
        quote = pa.scalar(form.quote, pa.string())
        return compute.join([quote, array, quote], "")
