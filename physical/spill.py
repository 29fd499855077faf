"""Where bytes go that had to leave a device: host memory while the query's budget has room, else files."""

from __future__ import annotations

import os
import tempfile
import threading
import time
import weakref
from bisect import bisect
from typing import IO

from ..planner.errors import SqlError
from ..planner.messages_runtime import spill_failed
from .memory import QueryMemory

# For how long a disk is taken to be full, unless something of it is given back.
_FULL_SECONDS = 2.0


class HostShare:
    """Room for bytes in host memory, which is given back when nobody holds this any more."""

    __slots__ = ("__weakref__", "nbytes")

    def __init__(self, nbytes: int) -> None:
        self.nbytes = nbytes


class FilePlace:
    """Room for `nbytes` bytes in a file. When nobody holds this any more, their place is free again."""

    __slots__ = ("__weakref__", "_place", "_store", "nbytes")

    def __init__(self, store: SpillStore, place: int, nbytes: int) -> None:
        self.nbytes = nbytes
        self._store = store
        self._place = place

    def write(self, data: memoryview, start: int = 0) -> bool:
        """Writes bytes from byte `start` of the place on; False when the disk takes no more."""
        return self._store.write(data, self._place + start)

    def read(self, into: memoryview, start: int = 0) -> None:
        """Reads so many bytes as there are in `into`."""
        self._store.read(into, self._place + start)


class SpillStore:
    """Where a query puts bytes away. Thread-safe.

    A file has no name in its directory from the moment it is made: it ends with the process at the latest,
    however that ends. `host_bytes` and `file_bytes` count all that was ever put away in either place,
    `unpinned_bytes` all that went to or from a device through memory that is not pinned.
    `failure` is why bytes found no place, if the last ones found none: it may be another query that asks for
    it, which has nothing to do with a full disk of this one, and this one may do without.
    """

    def __init__(self, memory: QueryMemory, directory: str) -> None:
        self.host_bytes = 0
        self.file_bytes = 0
        self.unpinned_bytes = 0
        self.failure: SqlError | None = None
        self._memory = memory
        self._directory = directory
        self._lock = threading.Lock()
        self._file: IO[bytes] | None = None
        self._closed = False
        self._full_until: float | None = None
        self._end = 0
        self._free: list[tuple[int, int]] = []  # in order, and none next to another
        self._returned: list[tuple[int, int]] = []

    def in_memory(self, size: int) -> HostShare | None:
        """Room in host memory; None when the query's budget has none."""
        if not self._memory.try_reserve(size):
            return None
        with self._lock:
            self.host_bytes += size
        found = HostShare(size)
        weakref.finalize(found, self._memory.give_back, size).atexit = False
        return found

    def may_take(self, size: int) -> bool:
        """Whether it is worth the work to prepare `size` bytes: not while the disk is known to be full and
        there is no room in host memory either.
        """
        with self._lock:
            full = self._is_full()
        return not full or self._memory.has_room(size)

    def _is_full(self) -> bool:
        """Whether the disk took no more, a short while ago, and nothing was given back since."""
        if self._full_until is not None and (self._returned or time.monotonic() >= self._full_until):
            self._full_until = None
        return self._full_until is not None

    def in_file(self, size: int) -> FilePlace | None:
        """Room in a file; None when there can be none."""
        with self._lock:
            if self._closed or self._is_full():
                return None
            try:
                if self._file is None:
                    self._opened()
            except OSError as error:
                self._failed(error)
                return None
            place = self._found(size)
        found = FilePlace(self, place, size)
        # Finalizers may run at any point of a thread that holds the lock: the place is only noted.
        weakref.finalize(found, self._returned.append, (place, size)).atexit = False
        return found

    def write(self, data: memoryview, place: int) -> bool:
        """Writes bytes into the file; False when that fails."""
        with self._lock:
            if self._file is None:
                return False
            try:
                _write_all(self._file.fileno(), data, place)
            except OSError as error:
                self._failed(error)
                return False
            self.failure = None
            self.file_bytes += data.nbytes
        return True

    def read(self, into: memoryview, place: int) -> None:
        """Reads bytes of the file, which were written."""
        file = self._file
        assert file is not None
        _read_all(file.fileno(), into, place)

    def count_unpinned(self, size: int) -> None:
        """Bytes were copied to or from a device, slowly, because there was no pinned memory for them."""
        with self._lock:
            self.unpinned_bytes += size

    def _failed(self, error: OSError) -> None:
        self.failure = spill_failed(self._directory, error.strerror or str(error))
        self._full_until = time.monotonic() + _FULL_SECONDS

    def _opened(self) -> None:
        self._file = tempfile.TemporaryFile(  # noqa: SIM115 - it is the store's until its end
            prefix="tandemdb-", dir=self._directory or None
        )

    def _found(self, size: int) -> int:
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
        written = os.pwrite(descriptor, data[: 1 << 26], place)
        data, place = data[written:], place + written


def _read_all(descriptor: int, into: memoryview, place: int) -> None:
    while into.nbytes:
        count = os.preadv(descriptor, [into[: 1 << 26]], place)
        if not count:
            raise AssertionError("the spill file is shorter than what was written")
        into, place = into[count:], place + count
