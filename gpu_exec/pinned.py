"""Pinned host memory: what the device copies to and from by itself, while the host goes on.

A copy to or from ordinary memory goes through a buffer of the driver's, and the host, and the stream's other
work, wait for it. Pinned memory is slow to get and taken from the rest of the machine: there is a bounded
pool of it, from which pieces are taken, used by copies, and given back by dropping them. A piece is handed
out again, or its bytes are looked at, only when the copies that use it are done; until then nobody waits.
"""

from __future__ import annotations

import ctypes
import importlib
import threading
import weakref
from collections import deque
from typing import Any

import numpy as np

from .library import rmm

# The least piece; larger ones are this size times a power of two, so that they can be used again.
_LEAST = 1 << 16
# A piece is given for a wish of at least this part of it, while others can be had.
_LEAST_USE = 4
# The part of the pool that is left to what passes through: rows that lie there for long do not get it.
_PASSING_PART = 4


class Event:
    """The end of what a stream has been given so far."""

    def __init__(self, stream: Any) -> None:
        runtime = _runtime()
        self._event = _given(runtime.cudaEventCreateWithFlags(runtime.cudaEventDisableTiming))
        weakref.finalize(self, runtime.cudaEventDestroy, self._event).atexit = False
        _given(runtime.cudaEventRecord(self._event, stream.__cuda_stream__()[1]))

    @property
    def has_passed(self) -> bool:
        """Whether the stream has come so far."""
        runtime = _runtime()
        (error,) = runtime.cudaEventQuery(self._event)
        if error == runtime.cudaError_t.cudaErrorNotReady:
            return False
        _given((error,))
        return True

    def wait(self) -> None:
        """Waits until it has."""
        _given(_runtime().cudaEventSynchronize(self._event))


class _Block:
    """Pinned memory, and the copies that may still use it."""

    __slots__ = ("_lock", "address", "events", "size")

    def __init__(self, address: int, size: int) -> None:
        self.address = address
        self.size = size
        self.events: list[Event] = []
        # Several tasks may read from one piece at a time.
        self._lock = threading.Lock()

    def is_ready(self) -> bool:
        """Whether no copy uses it any more."""
        with self._lock:
            self.events = [event for event in self.events if not event.has_passed]
            return not self.events

    def add(self, event: Event) -> None:
        """A copy that uses it ends there."""
        self.is_ready()
        with self._lock:
            self.events.append(event)

    def wait(self) -> None:
        """Waits for the copies."""
        while not self.is_ready():
            with self._lock:
                last = self.events[-1] if self.events else None
            if last is not None:
                last.wait()


class Pinned:
    """A piece of pinned memory, of which `view` is the wanted part. Dropped with its views, it is free."""

    __slots__ = ("_block", "address", "view")

    def __init__(self, block: _Block, size: int, returned: deque[_Block]) -> None:
        self._block = block
        self.address = block.address
        memory: Any = (ctypes.c_ubyte * size).from_address(block.address)
        # The memory itself, which every view keeps, and not this object.
        weakref.finalize(memory, returned.append, block).atexit = False
        plain: Any = np.frombuffer(memory, np.uint8)
        self.view = memoryview(plain)

    def used_by(self, stream: Any) -> None:
        """What the stream has been given so far copies from here, or to here."""
        self._block.add(Event(stream))

    def wait(self) -> None:
        """Waits for the copies: then the bytes may be looked at, and changed."""
        self._block.wait()


class PinnedPool:
    """At most `limit` bytes of pinned memory; `size` are pinned now, used or not. Thread-safe."""

    def __init__(self, limit: int) -> None:
        self.limit = self._wanted = limit
        self.size = 0
        self._resource = rmm().mr.PinnedHostMemoryResource()
        self._lock = threading.Lock()
        self._idle: list[_Block] = []
        # Finalizers may run at any point of a thread that holds the lock: what they give back is noted only.
        self._returned: deque[_Block] = deque()

    @property
    def used(self) -> int:
        """Bytes that somebody has."""
        with self._lock:
            self._settle()
            return self.size - sum(block.size for block in self._idle)

    def take(self, size: int, *, lasting: bool = False) -> Pinned | None:
        """A piece of `size` bytes; None when there is not as much left, or the machine refuses it. `lasting`:
        for rows that may lie there until the query ends.
        """
        wanted = max(_LEAST, 1 << (size - 1).bit_length()) if size else _LEAST
        with self._lock:
            self._settle()
            used = self.size - sum(block.size for block in self._idle)
            if lasting and used + wanted > self.limit - self.limit // _PASSING_PART:
                return None
            block = self._ready(wanted) or self._new(wanted) or self._waiting(wanted)
            if block is None and used + wanted <= self.limit:
                self._drop(0)
                block = self._new(wanted)
        if block is None:
            return None
        try:
            block.wait()
        except BaseException:
            self._returned.append(block)
            raise
        return Pinned(block, size, self._returned)

    def trim(self, most: int) -> None:
        """Gives memory back until `most` bytes at most are pinned that nobody has. The machine may be asked
        for more again.
        """
        with self._lock:
            self._settle()
            self._drop(most)
            self.limit = self._wanted

    def _settle(self) -> None:
        while self._returned:
            self._idle.append(self._returned.popleft())

    def _ready(self, wanted: int) -> _Block | None:
        """The least idle piece that fits without waiting."""
        fitting = [b for b in self._idle if wanted <= b.size <= _LEAST_USE * wanted and b.is_ready()]
        return self._taken(min(fitting, key=lambda b: b.size, default=None))

    def _waiting(self, wanted: int) -> _Block | None:
        """The idle piece that was given back first of those that are large enough."""
        return self._taken(next((b for b in self._idle if b.size >= wanted), None))

    def _taken(self, block: _Block | None) -> _Block | None:
        if block is not None:
            self._idle.remove(block)
        return block

    def _new(self, wanted: int) -> _Block | None:
        if self.size + wanted > self.limit:
            return None
        try:
            address = self._resource.allocate(wanted)
        except MemoryError:
            # The machine pins no more: what it has pinned is all, and it is not asked again and again.
            self.limit = self.size
            return None
        self.size += wanted
        return _Block(address, wanted)

    def _drop(self, most: int) -> None:
        self._idle.sort(key=lambda block: block.size)
        while self._idle and sum(block.size for block in self._idle) > most:
            block = self._idle.pop()
            block.wait()
            self._resource.deallocate(block.address, block.size)
            self.size -= block.size


def _runtime() -> Any:
    return importlib.import_module("cuda.bindings.runtime")


def _given(result: Any) -> Any:
    """What a call of the runtime gives beside its error, which is raised."""
    error, *values = result
    if int(error):
        raise RuntimeError(f"the CUDA runtime says {error.name}")
    return values[0] if values else None
