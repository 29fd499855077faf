"""A lake: a folder in which every Parquet file, and every folder of Parquet files, is a table."""

from __future__ import annotations

import os
from collections.abc import Iterator

from ...physical.tables import ParquetTable
from ...planner import messages_files as messages
from .file_options import FileOptions
from .filesystem import expand
from .parquet_source import parquet_source

_SUFFIX = ".parquet"


class Lake:
    """Tables of a folder, found when asked for, so that a new file is seen by the next statement.

    `DIR/name.parquet` and `DIR/name/...parquet` are the table `name`; both at once is an error when the table
    is used.
    """

    def __init__(self, folder: str) -> None:
        self.folder = folder
        if not os.path.isdir(folder):
            raise messages.no_lake(folder)

    def _entries(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        try:
            entries = sorted(os.scandir(self.folder), key=lambda e: e.name)
        except OSError as error:
            raise messages.unreadable_lake(self.folder, error.strerror) from None
        for entry in entries:
            if entry.name[0] in "._":
                continue
            # Not entry.is_dir(), which fails on a link to itself. A link to nothing is a table, too: whoever
            # uses it is told.
            if os.path.isdir(entry.path):
                if _has_parquet(entry.path):
                    found.setdefault(entry.name, []).append(entry.path)
            elif entry.name.lower().endswith(_SUFFIX):
                found.setdefault(entry.name[: -len(_SUFFIX)], []).append(entry.path)
        return found

    def names(self) -> Iterator[str]:
        """Names of the tables."""
        yield from self._entries()

    def table(self, name: str) -> ParquetTable | None:
        """The table of this name, in any case; None when there is none."""
        for path in (os.path.join(self.folder, name + _SUFFIX), os.path.join(self.folder, name)):
            other = path[: -len(_SUFFIX)] if path.endswith(_SUFFIX) else path + _SUFFIX
            if (
                os.path.exists(path)
                and not os.path.exists(other)
                and (os.path.isfile(path) or _has_parquet(path))
            ):
                return self._table(name, path)
        for known, paths in self._entries().items():
            if known.lower() == name.lower():
                if len(paths) > 1:
                    raise messages.ambiguous_table(known, paths)
                return self._table(known, paths[0])
        return None

    def _table(self, name: str, path: str) -> ParquetTable:
        return parquet_source(name, expand(path), FileOptions(), below=self.folder)


def _has_parquet(folder: str) -> bool:
    return any(
        name.lower().endswith(_SUFFIX) and name[0] not in "._"
        for _, _, names in os.walk(folder)
        for name in names
    )
