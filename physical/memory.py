"""Memory accounting: one broker a device with a budget; operators reserve before they allocate."""

from __future__ import annotations

import gc
import os
import threading
from collections import deque

from ..planner.messages_runtime import out_of_memory


class MemoryBroker:
    """Tracks reserved bytes of all queries against `limit` (None: no limit). Thread-safe."""

    def __init__(self, limit: int | None, setting: str = "memory_limit") -> None:
        self.limit = limit
        self.setting = setting
        self.used = 0
        self._lock = threading.Lock()
        self._returned: deque[int] = deque()

    def reserve(self, size: int, what: str) -> None:
        """Reserves `size` bytes for `what`; OutOfMemoryError names the setting to change when the budget is
        spent.
        """
        if not self.take(size):
            # Dropped tables may still be held by cycles of objects that nothing refers to.
            gc.collect()
            if not self.take(size):
                more, used, limit = (human_bytes(n) for n in (size, self.used, self.limit or 0))
                raise out_of_memory(what, more, used, limit, self.setting)

    def take(self, size: int) -> bool:
        """Reserves `size` bytes; False when there is no room."""
        with self._lock:
            while self._returned:
                self.used -= self._returned.popleft()
            if self.limit is not None and self.used + size > self.limit:
                return False
            self.used += size
            return True

    def has_room(self, size: int) -> bool:
        """Whether `size` bytes could be reserved now."""
        with self._lock:
            while self._returned:
                self.used -= self._returned.popleft()
            return self.limit is None or self.used + size <= self.limit

    def release(self, size: int) -> None:
        """Gives `size` reserved bytes back."""
        with self._lock:
            self.used -= size
            assert self.used >= 0

    def give_back(self, size: int) -> None:
        """As `release`, for finalizers: they may run at any point of a thread that holds the lock, so the
        bytes are only noted, and counted when the next are reserved.
        """
        self._returned.append(size)


class QueryMemory:
    """One query's share of a broker: what its operators hold now and held at most. Thread-safe."""

    def __init__(self, broker: MemoryBroker) -> None:
        self.used = 0
        self.peak = 0
        self._broker = broker
        self._lock = threading.Lock()
        self._returned: deque[int] = deque()

    def reserve(self, size: int, what: str) -> None:
        """As the broker's, which must have room."""
        self._settle()
        self._broker.reserve(size, what)
        self._count(size)

    def try_reserve(self, size: int) -> bool:
        """Reserves `size` bytes if there is room for them at once."""
        self._settle()
        if not self._broker.take(size):
            return False
        self._count(size)
        return True

    def has_room(self, size: int) -> bool:
        """Whether `size` bytes could be reserved now."""
        return self._broker.has_room(size)

    def _count(self, size: int) -> None:
        with self._lock:
            self.used += size
            self.peak = max(self.peak, self.used)

    def release(self, size: int) -> None:
        """Gives `size` reserved bytes back."""
        with self._lock:
            self.used -= size
            assert self.used >= 0
        self._broker.release(size)

    def give_back(self, size: int) -> None:
        """As `release`, for finalizers: see the broker's. It may come when the query has ended."""
        self._broker.give_back(size)
        self._returned.append(size)

    def _settle(self) -> None:
        """Counts what finalizers gave back."""
        with self._lock:
            while self._returned:
                self.used -= self._returned.popleft()


class Reservation:
    """One owner's share of a query's memory; grows and shrinks, released as a whole when the query ends."""

    def __init__(self, memory: QueryMemory, what: str) -> None:
        self._memory = memory
        self._what = what
        self.size = 0

    def resize(self, size: int) -> None:
        """Makes the reservation `size` bytes in all."""
        if size > self.size:
            self._memory.reserve(size - self.size, self._what)
        else:
            self._memory.release(self.size - size)
        self.size = size

    def grow(self, size: int) -> None:
        """Adds `size` bytes."""
        self.resize(self.size + size)

    def release(self) -> None:
        """Gives everything back; may be called again."""
        self.resize(0)


def machine_memory() -> int:
    """Bytes of memory this process may use: the machine's, or the control group's limit when that is
    lower.
    """
    total = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    for path in ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"):
        try:
            with open(path, encoding="ascii") as file:
                text = file.read().strip()
        except OSError:
            continue  # no such control group version here
        if text.isdigit():
            total = min(total, int(text))
    return total


def human_bytes(size: float) -> str:
    """Bytes for people.

    >>> human_bytes(1536)
    '1.5 KiB'
    """
    for unit in ("B", "KiB", "MiB", "GiB"):
        if size < 1024:
            return f"{size:.0f} {unit}" if unit == "B" else f"{size:.1f} {unit}"
        size /= 1024
    return f"{size:.1f} TiB"
