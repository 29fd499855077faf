"""Reads row groups of a Parquet file chunk by chunk, and goes on after memory was short."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from ...physical.backend import DeviceMemoryShort
from ...physical.context import Task
from ...physical.parquet_meta import reading
from ..library import Expression
from ..ops import Ops

# Chunks are made no smaller than this.
LEAST_CHUNK = 1 << 16
# Working memory of the reader, in chunks.
_PASS_IN_CHUNKS = 4


class ChunkReader:
    """The rows of `groups` of the file at `path`, of the columns at `places` (at least one), in chunks; with
    a `condition` only those for which the tree that it makes over these columns is true.

    A reader that ran out of memory cannot be trusted with the next chunk: another one, with smaller chunks,
    reads again up to the rows that have been given out. (The rows that satisfy a condition are the same, and
    in the same order, however they are cut into chunks.)
    """

    def __init__(
        self,
        path: str,
        groups: Sequence[int],
        places: Sequence[int],
        ops: Ops,
        condition: Callable[[], Expression] | None = None,
    ) -> None:
        self._path, self._groups, self._places = path, list(groups), list(places)
        self._ops = ops
        self._condition = condition
        # The reader's options hold the tree by its address only.
        self._tree: Expression | None = None
        self._limit = ops.memory.batch_bytes
        self._failed_with_least = False
        self._reader: Any = None
        self._at = 0  # rows that the reader has passed
        self._done = 0  # rows that were given out

    def tables(self, rows: int, task: Task) -> Iterator[list[Any]]:
        """The columns of each chunk with a row; without a condition `rows` rows in all."""
        while self._condition is not None or self._done < rows:
            task.check()
            try:
                found = self._ops.memory.run(self._next, task.check)
            except DeviceMemoryShort:
                if self._failed_with_least:
                    raise
                continue
            if not found:
                return
            self._done += found[0].size()
            yield found
            del found

    def _next(self) -> list[Any]:
        """The next chunk with a row, none at the end of a reader with a condition; a step: `_done` counts
        only what it gave.
        """
        reader, self._reader = self._reader, None
        try:
            if reader is None:
                reader, self._at = self._opened(), 0
            found: list[Any] = []
            while not found:
                with reading(self._path):
                    # How many rows satisfy a condition, only the reader knows.
                    if self._condition is not None and not reader.has_next():
                        break
                    columns = reader.read_chunk().tbl.columns()
                start, self._at = self._at, self._at + columns[0].size()
                if self._at > self._done:
                    skipped = max(self._done - start, 0)
                    found = list(columns)
                    if skipped:
                        found = self._ops.sliced(found, skipped, columns[0].size())
        except BaseException:
            self._failed_with_least = self._limit <= LEAST_CHUNK
            self._limit = max(LEAST_CHUNK, self._limit // 2)
            raise
        self._reader = reader
        return found

    def _opened(self) -> Any:
        io = self._ops.plc.io
        with reading(self._path):
            source = io.types.SourceInfo([self._path])
            builder = io.parquet.ParquetReaderOptions.builder(source)
            # What the writer's Arrow types were does not count, as on the CPU.
            options = builder.column_indices(self._places).use_arrow_schema(False).build()
            options.set_row_groups([self._groups])
            if self._condition is not None:
                self._tree = self._condition()
                options.set_filter(self._tree)
            return io.parquet.ChunkedParquetReader(
                options,
                stream=self._ops.stream,
                chunk_read_limit=self._limit,
                pass_read_limit=_PASS_IN_CHUNKS * self._limit,
            )
