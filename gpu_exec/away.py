"""Packed rows on their way off the device and back: in pinned memory, in ordinary memory, or in a file.

Rows go to pinned memory while the query's budget and the pool have room, and lie there; nobody waits for the
copies before the memory of the device that they read is given back. To and from a file they pass through two
pieces of pinned memory in turn: one is copied while the other is written or read. Without pinned memory they
go through ordinary memory, which is counted.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ..physical.spill import FilePlace, HostShare, SpillStore
from .library import rmm
from .pinned import Pinned, PinnedPool

if TYPE_CHECKING:
    from .ops import Ops


class InMemory:
    """Bytes in host memory."""

    def __init__(self, share: HostShare, pool: PinnedPool, store: SpillStore) -> None:
        self._share = share
        self._pinned = pool.take(share.nbytes, lasting=True)
        if self._pinned is None:
            store.count_unpinned(share.nbytes)
        self._view = memoryview(bytearray(share.nbytes)) if self._pinned is None else self._pinned.view

    def take(self, packer: Any, buffer: Any, stream: Any) -> bool:
        """Copies the rows of a packer, through a buffer of the device. The copies may go on afterwards."""
        at = 0
        try:
            while packer.has_next():
                count = packer.next(buffer)
                rmm().pylibrmm.device_buffer.copy_ptr_to_host(buffer.ptr, self._view[at : at + count], stream)
                at += count
        finally:
            if self._pinned is not None:
                self._pinned.used_by(stream)
        return True

    def bring(self, ops: Ops) -> Any:
        """The bytes on the device."""
        try:
            if self._pinned is None:
                ops.store.count_unpinned(self._share.nbytes)
            return rmm().DeviceBuffer.to_device(self._view, stream=ops.stream)
        finally:
            if self._pinned is not None:
                self._pinned.used_by(ops.stream)


class InFile:
    """Bytes in a file."""

    def __init__(self, place: FilePlace, pool: PinnedPool, store: SpillStore, piece: int) -> None:
        self._place = place
        self._pool = pool
        self._store = store
        self._piece = piece

    def take(self, packer: Any, buffer: Any, stream: Any) -> bool:
        """Writes the rows of a packer; False when the disk takes no more."""
        copied: _Part | None = None
        at = 0
        parts = self._parts(buffer.size)
        while packer.has_next():
            part = next(parts)
            part.count = packer.next(buffer)
            part.at, at = at, at + part.count
            try:
                rmm().pylibrmm.device_buffer.copy_ptr_to_host(buffer.ptr, part.view[: part.count], stream)
            finally:
                part.used_by(stream, self._store)
            if copied is not None and not self._written(copied, stream):
                return False
            copied = part
        return copied is None or self._written(copied, stream)

    def _written(self, part: _Part, stream: Any) -> bool:
        part.wait(stream)
        return self._place.write(part.view[: part.count], part.at)

    def bring(self, ops: Ops) -> Any:
        """The bytes on the device."""
        size = self._place.nbytes
        whole = rmm().DeviceBuffer(size=size, stream=ops.stream)
        parts = self._parts(min(self._piece, size))
        for at in range(0, size, self._piece):
            part = next(parts)
            part.wait(ops.stream)
            part.count = min(self._piece, size - at)
            source = part.view[: part.count]
            self._place.read(source, at)
            try:
                rmm().pylibrmm.device_buffer.copy_host_to_ptr(source, whole.ptr + at, ops.stream)
            finally:
                part.used_by(ops.stream, self._store)
        return whole

    def _parts(self, size: int) -> Iterator[_Part]:
        """Two pieces in turn, the second once it is needed."""
        first = _Part(self._pool.take(size), size)
        yield first
        second = _Part(self._pool.take(size), size)
        while True:
            yield second
            yield first


class _Part:
    """A piece of host memory that bytes pass through: `count` of them, from byte `at` on."""

    def __init__(self, pinned: Pinned | None, size: int) -> None:
        self._pinned = pinned
        self._used = False
        self.view = memoryview(bytearray(size)) if pinned is None else pinned.view
        self.at = self.count = 0

    def used_by(self, stream: Any, store: SpillStore) -> None:
        """The stream copies from or to it."""
        self._used = True
        if self._pinned is not None:
            self._pinned.used_by(stream)
        else:
            store.count_unpinned(self.count)

    def wait(self, stream: Any) -> None:
        """Waits for what the stream copies."""
        if self._pinned is not None:
            self._pinned.wait()
        elif self._used:
            stream.synchronize()


def place_for(size: int, pool: PinnedPool, store: SpillStore, piece: int) -> InMemory | InFile | None:
    """Where `size` bytes may go; None when no place takes them."""
    share = store.in_memory(size)
    if share is not None:
        return InMemory(share, pool, store)
    place = store.in_file(size)
    return None if place is None else InFile(place, pool, store, piece)
