"""Bytes on the device."""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import copies
from ...device import Allocation, device
from .memory_resource import DeviceMemoryResource, get_current_device_resource
from .stream import DEFAULT_STREAM, Stream


class DeviceBuffer:
    """`size` new bytes. Their values can be read by `copy_to_host` and `tobytes` only, which wait."""

    __hash__ = None  # type: ignore[assignment]

    def __init__(
        self,
        *,
        ptr: int = 0,
        size: int = 0,
        stream: Stream = DEFAULT_STREAM,
        mr: DeviceMemoryResource | None = None,
    ) -> None:
        if ptr:
            raise NotImplementedError("the double reads no memory by its address; use to_device")
        if not isinstance(size, int):
            raise TypeError("an integer is required")
        if not isinstance(stream, Stream):
            raise TypeError("stream argument must be a Stream")
        if mr is not None and not isinstance(mr, DeviceMemoryResource):
            raise TypeError(f"Argument 'mr' has incorrect type (got {type(mr).__name__})")
        self.mr = get_current_device_resource() if mr is None else mr
        self.stream = stream
        self._allocation = Allocation(self.mr, size)
        self._size = size
        self._made: np.ndarray | None = None
        copies.at(self.ptr, self)

    @property
    def _bytes(self) -> np.ndarray:
        # New memory holds what it held: never zeros that a caller may have counted on.
        if self._made is None:
            self._made = np.full(self._size, 0xA5, np.uint8)
        return self._made

    @property
    def size(self) -> int:
        return self._size

    @property
    def nbytes(self) -> int:
        return self._size

    @property
    def ptr(self) -> int:
        return self._allocation.ptr

    def __len__(self) -> int:
        return self._size

    def __sizeof__(self) -> int:
        return self._size

    def capacity(self) -> int:
        return self._allocation.nbytes

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        return {
            "data": (self.ptr, False),
            "shape": (self._size,),
            "strides": None,
            "typestr": "|u1",
            "version": 0,
        }

    @staticmethod
    def to_device(b: Any, stream: Stream = DEFAULT_STREAM) -> DeviceBuffer:
        """A copy of bytes of the host."""
        found = np.frombuffer(memoryview(b).cast("B"), np.uint8)
        made = DeviceBuffer(size=len(found), stream=stream)
        made._made = found.copy()
        copies.from_host(found, stream)
        return made

    def copy(self) -> DeviceBuffer:
        made = DeviceBuffer(size=self._size, stream=self.stream, mr=self.mr)
        made._made = self._bytes.copy()
        return made

    def copy_to_host(self, ary: Any = None, stream: Stream = DEFAULT_STREAM) -> Any:
        """The bytes, in `ary` where one is given."""
        device.synchronized("DeviceBuffer.copy_to_host")
        if ary is None:
            return self._bytes.copy()
        target = np.frombuffer(memoryview(ary).cast("B"), np.uint8)
        if len(target) < self._size:
            raise ValueError("Argument `ary` is too small")
        target[: self._size] = self._bytes
        return ary

    def copy_from_host(self, ary: Any, stream: Stream = DEFAULT_STREAM) -> None:
        found = np.frombuffer(memoryview(ary).cast("B"), np.uint8)
        if len(found) > self._size:
            raise ValueError("Argument `ary` is too large")
        self._bytes[: len(found)] = found

    def tobytes(self, stream: Stream = DEFAULT_STREAM) -> bytes:
        device.synchronized("DeviceBuffer.tobytes")
        return self._bytes.tobytes()

    def __bytes__(self) -> bytes:
        return self.tobytes()


def to_device(b: Any, stream: Stream = DEFAULT_STREAM) -> DeviceBuffer:
    return DeviceBuffer.to_device(b, stream)


def copy_ptr_to_host(db: int, hb: Any, stream: Stream = DEFAULT_STREAM) -> None:
    """Bytes at an address of the device come into a host's buffer, as many as it has: once it was waited."""
    target = np.frombuffer(_writable(hb), np.uint8)
    device.called("device_buffer.copy_ptr_to_host")
    copies.to_host(copies.bytes_at(db, len(target)), target, stream)


def copy_host_to_ptr(hb: Any, db: int, stream: Stream = DEFAULT_STREAM) -> None:
    """The bytes of a host's buffer go to an address of the device."""
    source = np.frombuffer(memoryview(hb).cast("B"), np.uint8)
    device.called("device_buffer.copy_host_to_ptr")
    copies.bytes_at(db, len(source))[:] = source
    copies.from_host(source, stream)


def _writable(buffer: Any) -> memoryview:
    view = memoryview(buffer).cast("B")
    if view.readonly:
        raise BufferError("Object is not writable.")
    return view
