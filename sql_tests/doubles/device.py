"""The device of the doubles: how much memory it has, what lives in it, and what was asked of it.

One instance, `device`, is shared by the doubles of rmm and pylibcudf; a test reads its counters and sets its
limits. All counters are safe to use from several threads.
"""

from __future__ import annotations

import contextlib
import itertools
import threading
import weakref
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

# The largest row count of a libcudf column: its row numbers are signed 32-bit integers.
ROW_LIMIT = 2**31 - 1
CAPACITY = 80 << 30
PINNED_CAPACITY = 16 << 30
# Memory of the device begins at multiples of this power of two, beyond what the host has addresses for.
ADDRESS_BITS = 36


@dataclass
class Device:
    """Counters and limits of the simulated device.

    `capacity` is its memory in bytes. `calls` counts library calls by name. `syncs` counts, by name, what
    waits for the device: reads of data by the host and `Stream.synchronize`; `implicit_syncs` counts calls
    that return a plain number of the host, which libcudf cannot give without waiting either. `seed` chooses
    the order of what has none. `before_call` gets each call's name and number and may raise; `observe` gets
    name and arguments of each call that succeeded. `pinned_capacity` is what the host can pin, and
    `pinned_bytes` what it has pinned; those do not count against the device.
    """

    capacity: int = CAPACITY
    row_limit: int = ROW_LIMIT
    seed: int = 0
    lock: Any = field(default_factory=threading.RLock, repr=False)
    live_bytes: int = 0
    peak_bytes: int = 0
    live_allocations: int = 0
    allocations: int = 0
    pinned_capacity: int = PINNED_CAPACITY
    pinned_bytes: int = 0
    pinned_peak: int = 0
    calls: Counter[str] = field(default_factory=Counter)
    syncs: Counter[str] = field(default_factory=Counter)
    implicit_syncs: Counter[str] = field(default_factory=Counter)
    fail_allocation: Callable[[int, int], bool] | None = None
    before_call: Callable[[str, int], None] | None = None
    observe: Callable[[str, dict[str, Any]], None] | None = None
    _pointers: Iterator[int] = field(default_factory=lambda: itertools.count(1 << 12), repr=False)

    def reset(self) -> None:
        """Zero counters and default limits; what is live stays live and is counted on when it is freed."""
        with self.lock:
            self.capacity, self.row_limit, self.seed = CAPACITY, ROW_LIMIT, 0
            self.peak_bytes, self.allocations = self.live_bytes, 0
            self.pinned_capacity, self.pinned_peak = PINNED_CAPACITY, self.pinned_bytes
            self.calls, self.syncs, self.implicit_syncs = Counter(), Counter(), Counter()
            self.fail_allocation = self.before_call = self.observe = None

    def called(self, name: str) -> None:
        """Counts a library call; the hook may raise."""
        with self.lock:
            self.calls[name] += 1
            hook, number = self.before_call, sum(self.calls.values())
        if hook is not None:
            hook(name, number)

    def synchronized(self, name: str, *, implicit: bool = False) -> None:
        with self.lock:
            (self.implicit_syncs if implicit else self.syncs)[name] += 1

    def pointer(self) -> int:
        """An address of the device: a number that nothing on the host lies at, far from all others."""
        with self.lock:
            return next(self._pointers) << ADDRESS_BITS

    @property
    def host_reads(self) -> int:
        """How often the host waited for the device on purpose."""
        return sum(self.syncs.values())

    @contextlib.contextmanager
    def failing(self, first: int, times: int = 1) -> Iterator[None]:
        """The allocations numbered `first`, `first` + 1, ... (`times` of them; from 1) are out of memory.

        Several allocations make a call: the first of a call fails before it did anything, the others in its
        middle.
        """
        start = self.allocations
        before = self.fail_allocation
        self.fail_allocation = lambda number, _bytes: first <= number - start < first + times
        try:
            yield
        finally:
            self.fail_allocation = before

    def order(self, count: int) -> np.ndarray:
        """The order that rows without one come in: shuffled, the same for the same count and seed."""
        found = np.random.default_rng((self.seed, count)).permutation(count)
        return found[::-1] if count > 1 and bool((found == np.arange(count)).all()) else found


device = Device()


class Allocation:
    """Bytes of a memory resource, freed when the last reference to this is dropped."""

    __slots__ = ("__weakref__", "_finalizer", "nbytes", "ptr")

    def __init__(self, resource: Any, nbytes: int) -> None:
        with device.lock:
            device.allocations += 1
            number, fail = device.allocations, device.fail_allocation
        if fail is not None and fail(number, nbytes):
            raise out_of_memory(nbytes, "injected by the test")
        self.nbytes = nbytes
        self.ptr = resource._take(nbytes)
        with device.lock:
            device.live_bytes += nbytes
            device.live_allocations += 1
            device.peak_bytes = max(device.peak_bytes, device.live_bytes)
        self._finalizer = weakref.finalize(self, _free, resource, self.ptr, nbytes)
        self._finalizer.atexit = False


def _free(resource: Any, ptr: int, nbytes: int) -> None:
    resource._give_back(ptr, nbytes)
    with device.lock:
        device.live_bytes -= nbytes
        device.live_allocations -= 1


def out_of_memory(nbytes: int, why: str) -> MemoryError:
    """What rmm raises where an allocation fails."""
    return MemoryError(f"std::bad_alloc: out_of_memory: RMM failure: {why} (failed to allocate {nbytes} B)")
