"""Memory accounting: one broker a device with a budget; operators reserve before they allocate."""

from __future__ import annotations

import threading

from ..planner.errors import OutOfMemoryError


class MemoryBroker:
    """Tracks reserved bytes against `limit` (None: no limit). Thread-safe."""

    def __init__(self, limit: int | None, setting: str = "memory_limit") -> None:
        self.limit = limit
        self.setting = setting
        self.used = 0
        self.peak = 0
        self._lock = threading.Lock()

    def reserve(self, size: int, what: str) -> None:
        """Reserves `size` bytes for `what`; OutOfMemoryError names the setting to change when the budget is
        spent.
        """
        with self._lock:
            if self.limit is not None and self.used + size > self.limit:
                raise OutOfMemoryError(
                    "out_of_memory",
                    f"{what} needs {human_bytes(size)} more, but {human_bytes(self.used)} of the "
                    f"{human_bytes(self.limit)} allowed are in use",
                    hint=f"raise the limit (SET {self.setting} = '...') or reduce the data with a filter",
                )
            self.used += size
            self.peak = max(self.peak, self.used)

    def release(self, size: int) -> None:
        """Gives `size` reserved bytes back."""
        with self._lock:
            self.used -= size
            assert self.used >= 0


class Reservation:
    """One owner's share of a broker; grows and shrinks, released as a whole at the end of the query."""

    def __init__(self, broker: MemoryBroker, what: str) -> None:
        self._broker = broker
        self._what = what
        self.size = 0

    def resize(self, size: int) -> None:
        """Makes the reservation `size` bytes in all."""
        if size > self.size:
            self._broker.reserve(size - self.size, self._what)
        else:
            self._broker.release(self.size - size)
        self.size = size

    def grow(self, size: int) -> None:
        """Adds `size` bytes."""
        self.resize(self.size + size)

    def release(self) -> None:
        """Gives everything back; may be called again."""
        self.resize(0)


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
