"""Blocks of whole rows of text files, read one after another: few bytes in memory, however large the file."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from ...physical.file_tables import TextFile
from ...physical.parquet_meta import check_unchanged
from ...planner import messages_files as messages

BLOCK_BYTES = 4 << 20


@dataclass(frozen=True)
class Block:
    """Whole rows: the bytes of file number `file`, which begin in line `line`."""

    file: int
    line: int
    data: bytes


def open_text(path: str, compression: str) -> Any:
    """A stream of the file's text. IoError when it is not there or not compressed so."""
    if compression == "none":
        return open(path, "rb")
    return pa.CompressedInputStream(pa.OSFile(path), compression)


def read_blocks(
    number: int, file: TextFile, cut: Callable[[bytes], int], size: int = BLOCK_BYTES
) -> Iterator[Block]:
    """The blocks of a file. `cut` says how many bytes of a block are whole rows."""
    with text_errors(file.file.path):
        check_unchanged(file.file)
        with open_text(file.file.path, file.compression) as stream:
            skip(stream, file.start)
            line, left = file.line, b""
            while True:
                more = stream.read(size)
                data = left + more
                whole = cut(data) if more else len(data)
                if whole:
                    yield Block(number, line, data[:whole])
                    line += data.count(b"\n", 0, whole)
                left = data[whole:]
                if not more:
                    return
                # A row longer than a block: the next look is at twice as much, not at every step again.
                size = max(size, len(left))


def skip(stream: Any, count: int) -> None:
    """Passes over bytes of a stream, which may not be able to seek."""
    while count > 0:
        passed = len(stream.read(min(count, BLOCK_BYTES)))
        if not passed:
            return
        count -= passed


class text_errors:
    """Tells what the system refuses inside as an IoError that names the file."""

    def __init__(self, path: str) -> None:
        self.path = path

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        if isinstance(error, OSError):
            raise messages.unreadable(self.path, error.strerror or str(error)) from error
