"""The double of cuda.bindings.runtime: events, the card, and plain copies, on the host's memory.

Each call gives its error first, as the real ones do.
"""

from __future__ import annotations

import ctypes
import enum
import types
from typing import Any

from . import copies
from .device import device


class cudaError_t(enum.IntEnum):
    """What a call gives first."""

    cudaSuccess = 0
    cudaErrorInvalidValue = 1
    cudaErrorInvalidResourceHandle = 400
    cudaErrorNotReady = 600


class cudaMemcpyKind(enum.IntEnum):
    """From where to where."""

    cudaMemcpyHostToHost = 0
    cudaMemcpyHostToDevice = 1
    cudaMemcpyDeviceToHost = 2
    cudaMemcpyDeviceToDevice = 3


cudaEventDisableTiming = 2
cudaHostAllocDefault = 0
_FINE = cudaError_t.cudaSuccess
_VERSION = 13000
_memory: dict[int, Any] = {}


class cudaEvent_t:
    """A place in the work of a stream."""

    def __init__(self) -> None:
        self._stream, self._place = 0, 0
        self._destroyed = False


def cudaEventCreateWithFlags(flags: int) -> tuple[cudaError_t, cudaEvent_t | None]:
    return (_FINE, cudaEvent_t()) if flags in (0, 1, 2) else (cudaError_t.cudaErrorInvalidValue, None)


def cudaEventRecord(event: cudaEvent_t, stream: int) -> tuple[cudaError_t]:
    """The event is behind all that the stream, by its handle, was asked for."""
    if event._destroyed:
        return (cudaError_t.cudaErrorInvalidResourceHandle,)
    event._stream, event._place = int(stream), copies.position(int(stream))
    return (_FINE,)


def cudaEventQuery(event: cudaEvent_t) -> tuple[cudaError_t]:
    """Not ready, until somebody waited: that nothing is ever ready by itself is the hardest case."""
    if event._destroyed:
        return (cudaError_t.cudaErrorInvalidResourceHandle,)
    return (_FINE if copies.is_done(event._stream, event._place) else cudaError_t.cudaErrorNotReady,)


def cudaEventSynchronize(event: cudaEvent_t) -> tuple[cudaError_t]:
    if event._destroyed:
        return (cudaError_t.cudaErrorInvalidResourceHandle,)
    device.synchronized("cudaEventSynchronize")
    copies.finish(event._stream, event._place)
    return (_FINE,)


def cudaEventDestroy(event: cudaEvent_t) -> tuple[cudaError_t]:
    event._destroyed = True
    return (_FINE,)


def cudaGetDeviceCount() -> tuple[cudaError_t, int]:
    return _FINE, 1


def cudaGetDeviceProperties(device: int) -> tuple[cudaError_t, Any]:
    return _FINE, types.SimpleNamespace(name=b"a double\0", major=9, minor=0, multiProcessorCount=1)


def cudaMemGetInfo() -> tuple[cudaError_t, int, int]:
    return _FINE, device.capacity, device.capacity


def cudaDriverGetVersion() -> tuple[cudaError_t, int]:
    return _FINE, _VERSION


def cudaRuntimeGetVersion() -> tuple[cudaError_t, int]:
    return _FINE, _VERSION


def cudaDeviceSynchronize() -> tuple[cudaError_t]:
    return (_FINE,)


def cudaHostAlloc(size: int, flags: int) -> tuple[cudaError_t, int]:
    return cudaMalloc(size)


def cudaMalloc(size: int) -> tuple[cudaError_t, int]:
    found = ctypes.create_string_buffer(size)
    _memory[ctypes.addressof(found)] = found
    return _FINE, ctypes.addressof(found)


def cudaFree(devPtr: int) -> tuple[cudaError_t]:
    del _memory[devPtr]
    return (_FINE,)


def cudaFreeHost(ptr: int) -> tuple[cudaError_t]:
    return cudaFree(ptr)


def cudaMemcpy(dst: int, src: int, count: int, kind: cudaMemcpyKind) -> tuple[cudaError_t]:
    assert isinstance(kind, cudaMemcpyKind)
    ctypes.memmove(dst, src, count)
    return (_FINE,)
