"""The Parquet files that a task has open: few of them, however many it reads."""

from __future__ import annotations

from collections.abc import Callable, Hashable

import pyarrow.parquet as pq


class OpenFiles:
    """The last files that a task has read: opening one builds its schema anew each time, and a process may
    have a limited number of them open.
    """

    def __init__(self, most: int = 8) -> None:
        self._most = most
        self._files: dict[Hashable, pq.ParquetFile] = {}

    def open(self, key: Hashable, make: Callable[[], pq.ParquetFile]) -> pq.ParquetFile:
        """The file of the key, opened by `make` unless it is open. It is good until the next call."""
        file = self._files.pop(key, None)
        if file is None:
            if len(self._files) >= self._most:
                self._files.pop(next(iter(self._files))).close(force=True)
            file = make()
        self._files[key] = file
        return file

    def close(self) -> None:
        """Closes all files."""
        while self._files:
            self._files.popitem()[1].close(force=True)
