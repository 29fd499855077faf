"""CSV scan: blocks of whole rows, whose wanted columns become values."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from ...physical.batch import Batch
from ...physical.context import QueryContext, Task
from ...physical.file_tables import CsvForm, CsvTable, TextFile
from ...physical.pipeline import Morsel, ScanSource
from ...planner import messages_csv as messages
from ...planner.errors import SqlError
from ..kernels.csv_fields import MALFORMED, Dialect, Fields, last_row_end, split, texts
from . import rows as row
from .csv_values import Convert, constant_column, converter, null_texts
from .scan import FilteredScan
from .text_blocks import Block, read_blocks


def dialect_of(form: CsvForm) -> Dialect:
    """The characters of a table's files."""
    return Dialect(form.delimiter, form.quote, form.escape, form.comment)


class CsvScan(FilteredScan):
    """Rows of a CsvTable that satisfy the node's predicate and its runtime filters."""

    def __init__(self, spec: ScanSource) -> None:
        super().__init__(spec)
        table: Any = spec.node.table
        assert isinstance(table, CsvTable)
        self.table = table
        self.dialect = dialect_of(table.form)
        numbers = {column.name: number for number, column in enumerate(table.columns)}
        self.numbers = tuple(numbers[name] for name in self.names)
        formats = table.form.formats or (None,) * len(table.columns)
        self.converters: tuple[Convert, ...] = tuple(
            converter(table.columns[number].type, formats[number], table.form) for number in self.numbers
        )

    def morsels(self, q: QueryContext) -> Iterator[Morsel]:
        """The blocks of all files, in order."""
        seq = 0
        for number, file in enumerate(self.table.files):
            for block in read_blocks(number, file, lambda data: last_row_end(data, self.dialect)):
                yield Morsel(seq, block)
                seq += 1

    def read(self, morsel: Morsel, task: Task) -> Iterator[Batch]:
        """The block's wanted rows in batches."""
        whole = _Rows(self, morsel.payload)
        if not whole.count:
            return
        task.check()
        columns = [
            whole.column(number, convert)
            for number, convert in zip(self.numbers, self.converters, strict=True)
        ]
        batch = whole.good(Batch(self.columns, columns, whole.count))
        for start in range(0, batch.num_rows, task.query.batch_size):
            found = self.wanted(batch.slice(start, task.query.batch_size), task)
            if found is not None:
                yield found


class _Rows:
    """The rows of a block: those that have the table's number of fields."""

    def __init__(self, scan: CsvScan, block: Block) -> None:
        self.table = scan.table
        self.form = scan.table.form
        self.dialect = scan.dialect
        self.block = block
        self.file: TextFile = self.table.files[block.file]
        self.data = np.frombuffer(block.data, np.uint8)
        self.fields: Fields = split(self.data, self.dialect)
        self.rows = self._chosen()
        self.count = len(self.rows)
        self.bad = np.zeros(self.count, np.bool_)

    def _chosen(self) -> npt.NDArray[np.int64]:
        """Numbers of the rows to be read. An empty line is none, unless there is one column."""
        fields, form = self.fields, self.form
        counts = fields.counts
        wrong = counts != self.file.width
        if self.file.width > 1:
            firsts = fields.rows[:-1]
            empty = (
                (counts == 1) & (fields.ends[firsts] == fields.starts[firsts]) & (fields.flags[firsts] == 0)
            )
        else:
            empty = np.zeros(len(counts), np.bool_)
        if form.null_padding:
            wrong = counts > self.file.width
        malformed = (fields.flags & MALFORMED) != 0
        if malformed.any():
            rows = np.searchsorted(fields.rows, np.flatnonzero(malformed), side="right") - 1
            broken = np.zeros(len(counts), np.bool_)
            broken[rows] = True
            if form.strict and not form.ignore_errors:
                row = int(np.argmax(broken))
                raise messages.unterminated_quote(*self._where(row))
            if form.ignore_errors:
                wrong |= broken
        wrong &= ~empty
        if wrong.any() and not form.ignore_errors:
            row = int(np.argmax(wrong))
            raise messages.wrong_field_count(*self._where(row), self.file.width, int(counts[row]))
        return np.flatnonzero(~(empty | wrong))

    def _where(self, row: int) -> tuple[str, int, str]:
        """The file, the line and the text of a row."""
        begin, end = int(self.fields.begins[row]), int(self.fields.begins[row + 1])
        line = self.block.line + self.block.data.count(b"\n", 0, begin)
        return self.file.file.path, line, self.block.data[begin:end].decode(errors="replace").strip("\r\n")

    def column(self, number: int, convert: Convert) -> pa.Array:
        """The values of a column of the table."""
        column = self.table.columns[number]
        place = self.file.places[number]
        if place < 0:
            return constant_column(dict(self.file.constants).get(number), column.type, self.count)
        fields = self.fields
        places = fields.rows[self.rows] + place
        if self.form.null_padding:
            places = np.where(place < fields.counts[self.rows], places, -1)
        found = texts(self.data, fields, places, self.dialect)
        self._check_unicode(found)
        if number not in self.form.not_null:
            found = null_texts(found, self.form.nulls)
        made = convert(found)
        if made.null_count != found.null_count:
            self._check_values(number, found, made)
        return made

    def _check_unicode(self, found: pa.Array) -> None:
        try:
            found.validate(full=True)
        except pa.ArrowInvalid:
            pass
        else:
            return
        for place in range(self.count):
            try:
                found.slice(place, 1).validate(full=True)
            except pa.ArrowInvalid:
                raise messages.not_utf8(*self._where(int(self.rows[place]))) from None

    def _check_values(self, number: int, found: pa.Array, made: pa.Array) -> None:
        """Rows with a text that has no value: an error, or left out with `ignore_errors`."""
        failed = _mask(made.is_null()) & _mask(found.is_valid())
        if self.form.ignore_errors:
            self.bad |= failed
        elif failed.any():
            row = int(np.argmax(failed))
            column = self.table.columns[number]
            raise self._conversion(row, column, found[row].as_py())

    def _conversion(self, row: int, column: Any, text: str) -> SqlError:
        where = self._where(int(self.rows[row]))
        return messages.csv_conversion(*where, column.name, text, column.type, self.form.detected)

    def good(self, batch: Batch) -> Batch:
        """The rows without those that were left out."""
        if not self.bad.any():
            return batch
        return row.take(batch, np.flatnonzero(~self.bad).astype(np.int32))


def _mask(array: pa.Array) -> npt.NDArray[np.bool_]:
    return array.to_numpy(zero_copy_only=False)
