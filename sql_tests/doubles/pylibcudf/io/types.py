"""Where files are, and what a reader gives."""

from __future__ import annotations

import errno
import io
import os
import re
from collections.abc import Sequence
from enum import IntEnum
from typing import Any

from ..column import Column
from ..table import Table


class CompressionType(IntEnum):
    NONE = 0
    AUTO = 1
    SNAPPY = 2
    GZIP = 3
    BZIP2 = 4
    BROTLI = 5
    ZIP = 6
    XZ = 7
    ZLIB = 8
    LZ4 = 9
    LZO = 10
    ZSTD = 11


class SourceInfo:
    """Files by path, or their bytes on the host; all of one kind."""

    def __init__(self, sources: Sequence[Any]) -> None:
        self._sources: list[Any] = []
        for source in sources:
            if not isinstance(source, (str, os.PathLike, bytes, io.BytesIO)):
                raise ValueError(
                    "Sources must be a list of str/paths, FilepathSource, "
                    "bytes, io.BytesIO, io.StringIO, or a Datasource"
                )
            if _kind(source) is not _kind(sources[0]):
                raise ValueError("All sources must be of the same type!")
            if isinstance(source, (str, os.PathLike)):
                if not os.path.isfile(source) and not SourceInfo._is_remote_uri(source):
                    raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), source)
                self._sources.append(str(source))
            else:
                self._sources.append(io.BytesIO(source if isinstance(source, bytes) else source.getvalue()))

    @staticmethod
    def _is_remote_uri(path: str | os.PathLike[Any]) -> bool:
        return re.match(r"^[a-zA-Z][a-zA-Z0-9+.\-]*://", str(path)) is not None


def _kind(source: Any) -> type:
    return next(kind for kind in (str, os.PathLike, bytes, io.BytesIO) if isinstance(source, kind))


class TableWithMetadata:
    """A table and the names of its columns."""

    def __init__(self, tbl: Table, column_names: list[Any]) -> None:
        self.tbl = tbl
        self._names = column_names

    @property
    def columns(self) -> tuple[Column, ...]:
        return self.tbl.columns()

    def column_names(self, include_children: bool = False) -> list[Any]:
        return [(name, []) for name in self._names] if include_children else list(self._names)

    @property
    def child_names(self) -> dict[str, Any]:
        return {name: {} for name in self._names}
