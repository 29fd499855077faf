"""Output formats that are no text: Parquet and Arrow. They take a file, whole or not at all."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from typing import Any, BinaryIO, TextIO

import pyarrow as pa

from ...planner.copy_options import ParquetForm
from ...planner.expr import Column
from ...planner.messages_api import one_result_a_file
from ...planner.parquet_types import refuse_for_parquet
from ..cursor import Cursor
from ..result import result_schema, to_record_batch
from ..sinks.atomic import replacing
from ..sinks.parquet import ParquetFile

ENDINGS = {
    ".parquet": "parquet", ".arrow": "arrow", ".feather": "arrow", ".ipc": "arrow",
    ".csv": "csv", ".tsv": "tsv",
    ".json": "json", ".jsonl": "jsonl", ".ndjson": "jsonl", ".md": "markdown",
}  # fmt: skip


class BinaryOutput(io.TextIOBase):
    """Where binary results go: the file at `path`, or standard output. It takes one result; what else is
    printed is refused, as it would be lost in it.
    """

    def __init__(self, path: str | None) -> None:
        self.path = path
        self._used = False

    def open(self) -> Any:
        """The file, as a context that puts it in its place."""
        if self._used:
            raise one_result_a_file()
        self._used = True
        return nullcontext(sys.stdout.buffer) if self.path is None else replacing(self.path)


def write_parquet(cursor: Cursor, out: TextIO) -> int:
    """A Parquet file."""
    assert cursor.description is not None
    columns = tuple(Column(i, c[0], c[1]) for i, c in enumerate(cursor.description))
    for column in columns:
        refuse_for_parquet(column.name, column.type)

    def write(file: BinaryIO) -> int:
        count, writer = 0, ParquetFile(file, ParquetForm(), columns)
        for batch in cursor.fetch_batches():
            writer.write(batch)
            count += batch.num_rows
        writer.close()
        return count

    return _written(out, write)


def write_arrow(cursor: Cursor, out: TextIO) -> int:
    """An Arrow IPC stream."""
    description: Sequence[Any] = cursor.description or ()
    schema = result_schema([c[0] for c in description], [c[1] for c in description])

    def write(file: BinaryIO) -> int:
        count = 0
        with pa.ipc.new_stream(file, schema) as writer:
            for batch in cursor.fetch_batches():
                writer.write_batch(to_record_batch(batch, schema))
                count += batch.num_rows
        return count

    return _written(out, write)


def _written(out: TextIO, write: Callable[[BinaryIO], int]) -> int:
    assert isinstance(out, BinaryOutput)
    with out.open() as file:
        return write(file)


BINARY_FORMATS = {"parquet": write_parquet, "arrow": write_arrow}
