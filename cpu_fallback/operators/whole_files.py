"""read_text and read_blob: one row a file, whose content is read only where it is asked for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pyarrow as pa

from ...physical.arrow_types import storage_type
from ...physical.batch import Batch
from ...physical.context import QueryContext, Task
from ...physical.file_tables import WholeFiles
from ...physical.parquet_meta import FileId, check_unchanged
from ...physical.pipeline import Morsel, ScanSource
from ...planner import messages_files as messages
from ...planner.types import SQLType
from .scan import FilteredScan
from .text_blocks import text_errors


class WholeFilesScan(FilteredScan):
    """Rows of WholeFiles that satisfy the node's predicate."""

    def __init__(self, spec: ScanSource) -> None:
        super().__init__(spec)
        table: Any = spec.node.table
        assert isinstance(table, WholeFiles)
        self.files = table.files
        types = {column.name: column.type for column in table.columns}
        self.wants = tuple((name, types[name]) for name in self.names)

    def morsels(self, q: QueryContext) -> Iterator[Morsel]:
        """One a file."""
        for seq, file in enumerate(self.files):
            yield Morsel(seq, file)

    def read(self, morsel: Morsel, task: Task) -> Iterator[Batch]:
        """The file's row."""
        columns = [_value(morsel.payload, name, kind) for name, kind in self.wants]
        found = self.wanted(Batch(self.columns, columns, 1), task)
        if found is not None:
            yield found


def _value(file: FileId, name: str, kind: SQLType) -> pa.Array:
    storage = storage_type(kind)
    match name:
        case "filename":
            value: Any = file.path
        case "size":
            value = file.size
        case "last_modified":
            value = file.mtime_ns // 1000
        case _:
            value = _content(file, kind)
    return pa.array([value], storage)


def _content(file: FileId, kind: SQLType) -> str | bytes:
    with text_errors(file.path):
        check_unchanged(file)
        with open(file.path, "rb") as stream:
            data = stream.read()
    if not kind.is_string:
        return data
    try:
        return data.decode()
    except UnicodeDecodeError:
        raise messages.not_text(file.path) from None
