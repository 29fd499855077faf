"""Resources over another one: a pool, a limit, counters, a watcher of failures."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import Any

from ....device import device, out_of_memory
from ...statistics import Statistics
from .resources import CudaMemoryResource, DeviceMemoryResource, size_in_bytes

# Pools and limits count in blocks of this many bytes.
ALIGNMENT = 256


def aligned(nbytes: int) -> int:
    """
    >>> aligned(1), aligned(256), aligned(0)
    (256, 256, 0)
    """
    return -(-nbytes // ALIGNMENT) * ALIGNMENT


class UpstreamResourceAdaptor(DeviceMemoryResource):
    """What stands over another resource."""

    def __init__(self, upstream_mr: DeviceMemoryResource, *args: Any, **kwargs: Any) -> None:
        if not isinstance(upstream_mr, DeviceMemoryResource):
            raise TypeError(
                "Argument 'upstream_mr' has incorrect type (expected "
                "rmm.pylibrmm.memory_resource._memory_resource.DeviceMemoryResource, "
                f"got {type(upstream_mr).__name__})"
            )
        self.upstream_mr = upstream_mr

    def get_upstream(self) -> DeviceMemoryResource:
        return self.upstream_mr

    def _take(self, nbytes: int) -> int:
        return self.upstream_mr._take(nbytes)

    def _give_back(self, ptr: int, nbytes: int) -> None:
        self.upstream_mr._give_back(ptr, nbytes)


class PoolMemoryResource(UpstreamResourceAdaptor):
    """Takes large pieces of its upstream and hands them out; it never gives one back while it lives."""

    def __init__(
        self,
        upstream_mr: DeviceMemoryResource,
        initial_pool_size: int | str | None = None,
        maximum_pool_size: int | str | None = None,
    ) -> None:
        super().__init__(upstream_mr)
        first = size_in_bytes(initial_pool_size)
        first = device.capacity // 2 // ALIGNMENT * ALIGNMENT if first is None else first
        self._maximum = size_in_bytes(maximum_pool_size)
        for size in (first, self._maximum or 0):
            if size % ALIGNMENT:
                raise RuntimeError(
                    f"RMM failure: Error, pool size required to be a multiple of {ALIGNMENT} bytes"
                )
        if self._maximum is not None and first > self._maximum:
            raise RuntimeError("RMM failure: Initial pool size exceeds the maximum pool size!")
        self._used = 0
        self._pieces: list[tuple[int, int]] = []
        self._finalizer = weakref.finalize(self, _release, upstream_mr, self._pieces)
        self._finalizer.atexit = False
        self._grow(first)

    def _grow(self, nbytes: int) -> None:
        if nbytes:
            self._pieces.append((self.upstream_mr._take(nbytes), nbytes))

    def pool_size(self) -> int:
        """Bytes taken from the upstream."""
        return sum(size for _, size in self._pieces)

    def _take(self, nbytes: int) -> int:
        size = aligned(nbytes)
        with device.lock:
            missing = self._used + size - self.pool_size()
            if missing > 0:
                if self._maximum is not None and self.pool_size() + missing > self._maximum:
                    raise out_of_memory(nbytes, "Maximum pool size exceeded")
                self._grow(missing)
            self._used += size
        return device.pointer()

    def _give_back(self, ptr: int, nbytes: int) -> None:
        with device.lock:
            self._used -= aligned(nbytes)


def _release(upstream: DeviceMemoryResource, pieces: list[tuple[int, int]]) -> None:
    for ptr, size in pieces:
        upstream._give_back(ptr, size)


class LimitingResourceAdaptor(UpstreamResourceAdaptor):
    """At most `allocation_limit` bytes at a time, counted in whole blocks."""

    def __init__(self, upstream_mr: DeviceMemoryResource, allocation_limit: int) -> None:
        super().__init__(upstream_mr)
        if not isinstance(allocation_limit, int):
            raise TypeError("an integer is required")
        if not 0 <= allocation_limit < 1 << 64:
            raise OverflowError("Python int too large to convert to C unsigned long")
        self._limit, self._allocated = allocation_limit, 0

    def get_allocated_bytes(self) -> int:
        return self._allocated

    def get_allocation_limit(self) -> int:
        return self._limit

    def _take(self, nbytes: int) -> int:
        size = aligned(nbytes)
        with device.lock:
            if self._allocated + size > self._limit:
                raise out_of_memory(nbytes, "Exceeded memory limit")
            found = self.upstream_mr._take(nbytes)
            self._allocated += size
        return found

    def _give_back(self, ptr: int, nbytes: int) -> None:
        with device.lock:
            self._allocated -= aligned(nbytes)
        self.upstream_mr._give_back(ptr, nbytes)


class StatisticsResourceAdaptor(UpstreamResourceAdaptor):
    """Counts; `push_counters` begins a nested count, `pop_counters` ends it and adds it to the outer one."""

    def __init__(self, upstream_mr: DeviceMemoryResource) -> None:
        super().__init__(upstream_mr)
        self._stack = [Statistics(0, 0, 0, 0, 0, 0)]

    @property
    def allocation_counts(self) -> Statistics:
        with device.lock:
            return Statistics(**vars(self._stack[-1]))

    def push_counters(self) -> Statistics:
        with device.lock:
            before = self.allocation_counts
            self._stack.append(Statistics(0, 0, 0, 0, 0, 0))
        return before

    def pop_counters(self) -> Statistics:
        with device.lock:
            if len(self._stack) == 1:
                raise IndexError("cannot pop the last counter pair")
            inner, outer = self._stack.pop(), self._stack[-1]
            outer.peak_bytes = max(outer.peak_bytes, outer.current_bytes + inner.peak_bytes)
            outer.peak_count = max(outer.peak_count, outer.current_count + inner.peak_count)
            outer.current_bytes += inner.current_bytes
            outer.current_count += inner.current_count
            outer.total_bytes += inner.total_bytes
            outer.total_count += inner.total_count
        return inner

    def _take(self, nbytes: int) -> int:
        found = self.upstream_mr._take(nbytes)
        with device.lock:
            now = self._stack[-1]
            now.current_bytes += nbytes
            now.current_count += 1
            now.total_bytes += nbytes
            now.total_count += 1
            now.peak_bytes = max(now.peak_bytes, now.current_bytes)
            now.peak_count = max(now.peak_count, now.current_count)
        return found

    def _give_back(self, ptr: int, nbytes: int) -> None:
        self.upstream_mr._give_back(ptr, nbytes)
        with device.lock:
            self._stack[-1].current_bytes -= nbytes
            self._stack[-1].current_count -= 1


class TrackingResourceAdaptor(UpstreamResourceAdaptor):
    """Knows each allocation that was not given back."""

    def __init__(self, upstream_mr: DeviceMemoryResource, capture_stacks: bool = False) -> None:
        super().__init__(upstream_mr)
        self._live: dict[int, int] = {}

    def get_allocated_bytes(self) -> int:
        return sum(self._live.values())

    def get_outstanding_allocations_str(self) -> str:
        return "".join(f"{ptr:#x}: {size} B\n" for ptr, size in self._live.items())

    def _take(self, nbytes: int) -> int:
        found = self.upstream_mr._take(nbytes)
        self._live[found] = nbytes
        return found

    def _give_back(self, ptr: int, nbytes: int) -> None:
        self._live.pop(ptr, None)
        self.upstream_mr._give_back(ptr, nbytes)


class FailureCallbackResourceAdaptor(UpstreamResourceAdaptor):
    """Asks `callback` on failure: where it answers true, the allocation is tried again."""

    def __init__(self, upstream_mr: DeviceMemoryResource, callback: Callable[[int], bool]) -> None:
        super().__init__(upstream_mr)
        self._callback = callback

    def _take(self, nbytes: int) -> int:
        while True:
            try:
                return self.upstream_mr._take(nbytes)
            except MemoryError:
                if not self._callback(nbytes):
                    raise


DEFAULT_RESOURCE = CudaMemoryResource()
