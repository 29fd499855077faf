"""Resources that take memory from the device or the host."""

from __future__ import annotations

import re
from collections.abc import Callable

from .... import copies
from ....device import device, out_of_memory
from ..stream import DEFAULT_STREAM, Stream

_UNITS = {
    "": 1,
    "b": 1,
    "kb": 10**3,
    "mb": 10**6,
    "gb": 10**9,
    "kib": 1 << 10,
    "mib": 1 << 20,
    "gib": 1 << 30,
}


def size_in_bytes(size: int | str | None) -> int | None:
    """A size as rmm takes it: a number of bytes or a text such as "1 GiB"."""
    if size is None or isinstance(size, int):
        return size
    match = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([A-Za-z]*)\s*", size)
    if match is None or match[2].lower() not in _UNITS:
        raise ValueError(f"Could not parse {size}")
    return int(float(match[1]) * _UNITS[match[2].lower()])


class DeviceMemoryResource:
    """What all resources have: `allocate` gives an address, `deallocate` takes it back."""

    def allocate(self, nbytes: int, stream: Stream = DEFAULT_STREAM) -> int:
        """The address of `nbytes` new bytes; MemoryError where there are not as many."""
        if not isinstance(nbytes, int):
            raise TypeError("an integer is required")
        if nbytes < 0:
            raise OverflowError("can't convert negative value to size_t")
        if not isinstance(stream, Stream):
            raise TypeError("stream argument must be a Stream")
        return self._take(nbytes)

    def deallocate(self, ptr: int, nbytes: int, stream: Stream = DEFAULT_STREAM) -> None:
        self._give_back(ptr, nbytes)

    def _take(self, nbytes: int) -> int:
        raise NotImplementedError

    def _give_back(self, ptr: int, nbytes: int) -> None:
        raise NotImplementedError


class _OfDevice(DeviceMemoryResource):
    """Memory of the device itself, shared by all resources of this kind."""

    taken = 0

    def _take(self, nbytes: int) -> int:
        with device.lock:
            if _OfDevice.taken + nbytes > device.capacity:
                raise out_of_memory(nbytes, "cudaErrorMemoryAllocation out of memory")
            _OfDevice.taken += nbytes
        return device.pointer()

    def _give_back(self, ptr: int, nbytes: int) -> None:
        with device.lock:
            _OfDevice.taken -= nbytes


class CudaMemoryResource(_OfDevice):
    """cudaMalloc and cudaFree."""

    def __init__(self) -> None:
        pass


class CudaAsyncMemoryResource(_OfDevice):
    """The driver's own pool."""

    def __init__(
        self,
        initial_pool_size: int | str | None = None,
        release_threshold: int | None = None,
        enable_ipc: bool = False,
        enable_fabric: bool = False,
    ) -> None:
        self._sizes = size_in_bytes(initial_pool_size), size_in_bytes(release_threshold)


class _OfHost(DeviceMemoryResource):
    """Memory of the host that the device reaches; it does not count against the device."""

    def __init__(self) -> None:
        pass

    def _take(self, nbytes: int) -> int:
        return device.pointer()

    def _give_back(self, ptr: int, nbytes: int) -> None:
        pass


class ManagedMemoryResource(_OfHost):
    """Memory that moves between host and device by itself."""


class PinnedHostMemoryResource(DeviceMemoryResource):
    """Page-locked memory of the host: real memory, which ctypes may read at its address."""

    def __init__(self) -> None:
        pass

    def _take(self, nbytes: int) -> int:
        if device.pinned_bytes + nbytes > device.pinned_capacity:
            raise out_of_memory(nbytes, "cudaErrorMemoryAllocation out of memory")
        return copies.pin(nbytes)

    def _give_back(self, ptr: int, nbytes: int) -> None:
        copies.unpin(ptr)


class CallbackMemoryResource(DeviceMemoryResource):
    """Two functions in place of a resource."""

    def __init__(
        self,
        allocate_func: Callable[[int, Stream], int],
        deallocate_func: Callable[[int, int, Stream], None],
    ) -> None:
        self._allocate, self._deallocate = allocate_func, deallocate_func

    def _take(self, nbytes: int) -> int:
        return self._allocate(nbytes, DEFAULT_STREAM)

    def _give_back(self, ptr: int, nbytes: int) -> None:
        self._deallocate(ptr, nbytes, DEFAULT_STREAM)
