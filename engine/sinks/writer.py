"""What writes rows to one open file, by format."""

from __future__ import annotations

from typing import Any, BinaryIO, Protocol

import pyarrow as pa

from ...physical.batch import Batch
from ...planner.copy_options import CsvForm, Destination, JsonForm, ParquetForm
from ...planner.expr import Column


class Writer(Protocol):
    """Writes batches to a file that others open and close."""

    def write(self, batch: Batch) -> None:
        """Appends the rows."""
        ...

    def close(self) -> None:
        """Writes what is due at the end."""
        ...


def open_writer(file: BinaryIO, where: Destination, columns: tuple[Column, ...]) -> Writer:
    """The writer of the destination's format. `columns` have the types that the query's columns had before
    they were made texts.
    """
    form = where.form
    match form:
        case ParquetForm():
            from .parquet import ParquetFile

            return ParquetFile(file, form, columns)
        case CsvForm():
            from .csv import CsvFile

            return CsvFile(_compressed(file, where.compression), form, columns)
        case JsonForm():
            from .json import JsonFile

            return JsonFile(_compressed(file, where.compression), form, columns)


def _compressed(file: BinaryIO, compression: str) -> Any:
    """The file, or a stream that compresses what is written; closing the latter leaves the file open."""
    if compression == "none":
        return file
    return pa.CompressedOutputStream(pa.PythonFile(_Open(file), mode="w"), compression)


class _Open:
    """A file that is not closed by those who were lent it."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self.closed = False
        self.write = file.write
        self.flush = file.flush
        self.tell = file.tell

    def writable(self) -> bool:
        return True

    def readable(self) -> bool:
        return False

    def seekable(self) -> bool:
        return False

    def close(self) -> None:
        self.closed = True
