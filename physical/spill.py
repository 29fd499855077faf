"""Where bytes go that had to leave a device: host memory while the query's budget has room, else files."""

from __future__ import annotations

import os
import tempfile
import threading
import weakref
from bisect import bisect
from collections.abc import Callable
from typing import IO, Any

from ..planner.errors import SqlError
from ..planner.messages_runtime import spill_failed
from .memory import QueryMemory


class Spilled:
    """Bytes that were put away; whoever holds this can read them, as often as wanted. When nobody does any
    more, their place is free again.
    """

    __slots__ = ("__weakref__", "_read", "nbytes")

    def __init__(self, nbytes: int, read: Callable[[], Any]) -> None:
        self.nbytes = nbytes
        self._read = read

    def read(self) -> Any:
        """The bytes, as an object with the buffer interface."""
        return self._read()


class SpillStore:
    """The bytes that a query has put away. Thread-safe.

    A file has no name in its directory from the moment it is made: it ends with the process at the latest,
    however that ends. `host_bytes` and `file_bytes` count all that was ever put away in either place.
    `failure` is why bytes found no place, if the last ones found none.
    """

    def __init__(self, memory: QueryMemory, directory: str) -> None:
        self.host_bytes = 0
        self.file_bytes = 0
        self.failure: SqlError | None = None
        self._memory = memory
        self._directory = directory
        self._lock = threading.Lock()
        self._file: IO[bytes] | None = None
        self._closed = False
        self._end = 0
        self._free: list[tuple[int, int]] = []  # in order, and none next to another
        self._returned: list[tuple[int, int]] = []

    def put(self, data: memoryview) -> Spilled | None:
        """Puts bytes away. None when no place takes them: it may be another query that asks for it, which
        has nothing to do with a full disk of this one, and this one may do without.
        """
        size = data.nbytes
        if not self._memory.try_reserve(size):
            return self._in_file(data)
        with self._lock:
            self.host_bytes += size
        found = Spilled(size, lambda: data)
        weakref.finalize(found, self._memory.give_back, size).atexit = False
        return found

    def _in_file(self, data: memoryview) -> Spilled | None:
        size = data.nbytes
        with self._lock:
            if self._closed:
                return None
            place = self._place(size)
            try:
                file = self._file or self._opened()
                for start in range(0, size, 1 << 26):
                    _write_all(file.fileno(), data[start : start + (1 << 26)], place + start)
            except OSError as error:
                self._give_back(place, size)
                self.failure = spill_failed(self._directory, error.strerror or str(error))
                return None
            self.failure = None
            self.file_bytes += size
        found = Spilled(size, lambda: _read_all(file.fileno(), size, place))
        # Finalizers may run at any point of a thread that holds the lock: the place is only noted.
        weakref.finalize(found, self._returned.append, (place, size)).atexit = False
        return found

    def _opened(self) -> IO[bytes]:
        self._file = tempfile.TemporaryFile(  # noqa: SIM115 - it is the store's until its end
            prefix="tandemdb-", dir=self._directory or None
        )
        return self._file

    def _place(self, size: int) -> int:
        """Where `size` bytes fit: what was given back first, else the file's end."""
        while self._returned:
            self._give_back(*self._returned.pop())
        for index, (place, room) in enumerate(self._free):
            if room >= size:
                if room > size:
                    self._free[index] = place + size, room - size
                else:
                    del self._free[index]
                return place
        self._end += size
        return self._end - size

    def _give_back(self, place: int, size: int) -> None:
        """A place is free again, and one with its neighbours that are free."""
        at = bisect(self._free, (place, size))
        if at < len(self._free) and self._free[at][0] == place + size:
            size += self._free.pop(at)[1]
        if at and sum(self._free[at - 1]) == place:
            before, room = self._free.pop(at - 1)
            place, size = before, room + size
            at -= 1
        if place + size == self._end:
            self._end = place
        else:
            self._free.insert(at, (place, size))

    def close(self) -> None:
        """Gives the disk's place back; nothing can be read from it any more, and nothing put there."""
        with self._lock:
            self._closed = True
            if self._file is not None:
                self._file.close()
                self._file = None


def _write_all(descriptor: int, data: memoryview, place: int) -> None:
    while data.nbytes:
        written = os.pwrite(descriptor, data, place)
        data, place = data[written:], place + written


def _read_all(descriptor: int, size: int, place: int) -> bytearray:
    whole = bytearray(size)
    view = memoryview(whole)
    while view.nbytes:
        count = os.preadv(descriptor, [view[: 1 << 26]], place)
        if not count:
            raise AssertionError("the spill file is shorter than what was written")
        view, place = view[count:], place + count
    return whole
