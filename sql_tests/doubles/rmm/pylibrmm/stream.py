"""Streams: what the double computes is done when it returns; copies to and from the host are done later."""

from __future__ import annotations

from enum import IntEnum
from typing import Any

from ... import copies
from ...device import device


class CudaStreamFlags(IntEnum):
    """How a new stream relates to the default one."""

    SYNC_DEFAULT = 0
    NON_BLOCKING = 1


class Stream:
    """A new stream, or a wrapper of one that says its handle by `__cuda_stream__`."""

    def __init__(self, obj: Any = None, flags: CudaStreamFlags | None = None) -> None:
        if obj is None:
            self._handle, self._owner = device.pointer(), None
        elif flags is not None:
            raise ValueError("flags may only be specified when obj is None")
        elif isinstance(obj, Stream):
            self._handle, self._owner = obj._handle, obj._owner
        elif hasattr(obj, "__cuda_stream__"):
            version, self._handle = obj.__cuda_stream__()
            self._owner = obj
            if version != 0:
                raise NotImplementedError(f"CUDA Stream Protocol version '{version}'")
        else:
            raise TypeError(f"Cannot create stream from {type(obj)}")

    @classmethod
    def _of(cls, handle: int) -> Stream:
        made = cls.__new__(cls)
        made._handle, made._owner = handle, None
        return made

    def __cuda_stream__(self) -> tuple[int, int]:
        return (0, self._handle)

    def synchronize(self) -> None:
        """Waits for all work of the stream; counted, as the host does nothing else meanwhile."""
        device.synchronized("Stream.synchronize")
        copies.finish(self._handle)

    def is_default(self) -> bool:
        return self._handle in (0, 1, 2)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Stream) and self._handle == other._handle

    def __hash__(self) -> int:
        return hash(self._handle)


DEFAULT_STREAM = Stream._of(0)
LEGACY_DEFAULT_STREAM = Stream._of(1)
PER_THREAD_DEFAULT_STREAM = Stream._of(2)
