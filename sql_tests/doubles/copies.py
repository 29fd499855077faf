"""Copies between host and device that are done later than the call that asks for them, as on a device.

What a stream was asked to write into the host's memory is there when the stream, or an event behind it, has
been waited for, and rubbish before. What it was asked to read from pinned memory must not change before: that
is an AssertionError when it is found out. The default streams, and reads from ordinary memory, are done at
once, as the driver does those.
"""

from __future__ import annotations

import bisect
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np
import pyarrow as pa

from .device import ADDRESS_BITS, device

_RUBBISH = 0xA5
_DEFAULT_STREAMS = (0, 1, 2)
# By stream: how much of its work was done, and what is left.
_done: dict[int, int] = {}
_left: dict[int, list[Callable[[], None]]] = {}
# What lies at the addresses of the device, by their first ones.
_memory: weakref.WeakValueDictionary[int, Any] = weakref.WeakValueDictionary()
# Pinned memory of the host by its addresses.
_pinned: dict[int, np.ndarray] = {}


def at(pointer: int, owner: Any) -> None:
    """Says whose memory is at an address of the device: its `_bytes`."""
    _memory[pointer] = owner


def bytes_at(pointer: int, count: int) -> np.ndarray:
    """The bytes at an address of the device."""
    start = pointer & ((1 << ADDRESS_BITS) - 1)
    owner = _memory.get(pointer - start)
    assert owner is not None, f"no memory of the device is at {pointer:#x}"
    found = owner._bytes[start : start + count]
    assert len(found) == count, f"{count} bytes at {pointer:#x} are more than there are"
    return found


def pin(count: int) -> int:
    """New pinned memory, by its address."""
    found = np.full(count, _RUBBISH, np.uint8)
    address = found.ctypes.data
    with device.lock:
        _pinned[address] = found
        device.pinned_bytes += count
        device.pinned_peak = max(device.pinned_peak, device.pinned_bytes)
    return address


def unpin(address: int) -> None:
    with device.lock:
        found = _pinned.pop(address)
        device.pinned_bytes -= len(found)


def _pinned_at(address: int, count: int) -> np.ndarray | None:
    """The pinned memory at an address, if it is that. What is at work on it keeps nobody's object alive."""
    with device.lock:
        starts = sorted(_pinned)
        place = bisect.bisect_right(starts, address) - 1
        if place < 0:
            return None
        found = _pinned[starts[place]][address - starts[place] :][:count]
        return found if len(found) else None


def to_host(source: np.ndarray, target: np.ndarray, stream: Any) -> None:
    """The bytes as they are now come into `target`, later."""
    values, address = source.copy(), target.ctypes.data
    ordinary = None if _pinned_at(address, len(values)) is not None else target

    def copy() -> None:
        into = _pinned_at(address, len(values)) if ordinary is None else ordinary
        assert into is not None, "pinned memory was given back before a copy into it was done"
        into[:] = values

    target[:] = _RUBBISH
    _later(stream, copy)


def from_host(source: np.ndarray, stream: Any) -> None:
    """The bytes are read, later, if they are pinned."""
    values, address = source.copy(), source.ctypes.data
    if _pinned_at(address, len(values)) is None:
        return

    def compare() -> None:
        now = _pinned_at(address, len(values))
        assert now is not None, "pinned memory was given back before a copy from it was done"
        assert np.array_equal(now, values), "pinned memory was changed before a copy from it was done"

    _later(stream, compare)


def array_from_host(array: pa.Array, stream: Any) -> pa.Array:
    """The array, in memory of its own where it was read from pinned memory."""
    buffers = [None if b is None else np.frombuffer(b, np.uint8) for b in array.buffers()]
    pinned = [part for part in buffers if part is not None and _pinned_at(part.ctypes.data, 1) is not None]
    if not pinned:
        return array
    for part in pinned:
        from_host(part, stream)
    copied = [None if part is None else pa.py_buffer(part.tobytes()) for part in buffers]
    return pa.Array.from_buffers(array.type, len(array), copied, array.null_count, array.offset)


def _later(stream: Any, work: Callable[[], None]) -> None:
    handle = 0 if stream is None else stream.__cuda_stream__()[1]
    if handle in _DEFAULT_STREAMS:
        work()
        return
    with device.lock:
        _left.setdefault(handle, []).append(work)


def position(handle: int) -> int:
    """Behind all that the stream has been asked for."""
    with device.lock:
        return _done.get(handle, 0) + len(_left.get(handle, ()))


def is_done(handle: int, place: int) -> bool:
    """Whether the stream has come to a place."""
    with device.lock:
        return _done.get(handle, 0) >= place


def finish(handle: int, place: int | None = None) -> None:
    """The stream has done its work up to a place, or all."""
    with device.lock:
        left = _left.get(handle, [])
        count = len(left) if place is None else min(len(left), max(0, place - _done.get(handle, 0)))
        work, _left[handle] = left[:count], left[count:]
        _done[handle] = _done.get(handle, 0) + count
        for step in work:
            step()


def forget() -> None:
    """No stream has anything to do: those of another test are gone."""
    with device.lock:
        _left.clear()
