"""The double of numba.cuda: compiles for the CPU and runs the grid one thread after the other.

What a thread does is machine code of numba with the arithmetic of the GPU (wrapping integers, no error for
division by zero); which thread it is, `grid` tells. A thread that raises an error ends, and nobody hears of
it.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Any

import numba
import numpy as np
from numba.core import types

from .device import device

_thread = threading.local()
# What the device allows: threads a block, and blocks in x.
_THREADS, _BLOCKS = 1024, 2**31 - 1


def grid(ndim: int) -> int:
    """The number of the running thread, of a grid of one dimension."""
    if ndim != 1:
        raise NotImplementedError("the double has grids of one dimension")
    return _thread.number


def jit(func_or_sig: Any = None, device: bool = False) -> Any:
    """A function that kernels call (`device=True`), or a decorator that makes a kernel of one signature."""
    if device:
        if func_or_sig is None:
            return lambda function: jit(function, device=True)
        return numba.njit(error_model="numpy")(func_or_sig)
    if not isinstance(func_or_sig, numba.core.typing.templates.Signature):
        raise NotImplementedError("the double compiles kernels for the signature that they are given")
    return lambda function: _Kernel(function, func_or_sig)


class _Kernel:
    """A kernel; `kernel[blocks, threads, stream](arguments)` runs it."""

    def __init__(self, function: Callable[..., Any], signature: Any) -> None:
        if signature.return_type != types.void:
            raise TypeError("kernels must have void return type")
        if function.__code__.co_argcount != len(signature.args):
            raise TypeError(f"the kernel takes {function.__code__.co_argcount} arguments")
        self._function, self._signature = function, signature
        # What it calls is compiled now, as on the GPU.
        for called in function.__globals__.values():
            if isinstance(called, numba.core.dispatcher.Dispatcher):
                called.compile((types.int64, *signature.args[1:]))

    def __getitem__(self, config: tuple[int, int, Any]) -> Callable[..., None]:
        blocks, threads, stream = config
        if not 0 < blocks <= _BLOCKS or not 0 < threads <= _THREADS:
            raise ValueError(f"invalid configuration: {blocks} blocks of {threads} threads")
        if not isinstance(stream, _Stream):
            raise TypeError("the double launches on streams that it was told of")
        return lambda *arguments: self._launch(blocks * threads, arguments)

    def _launch(self, threads: int, arguments: Sequence[Any]) -> None:
        for argument, kind in zip(arguments, self._signature.args, strict=True):
            if isinstance(kind, types.Array):
                _check_array(argument, kind)
            elif type(argument) is not int:
                raise TypeError(f"expected an int, got {type(argument).__name__}")
        device.called("numba.cuda.launch")
        held = [a._held if isinstance(a, DeviceArray) else a for a in arguments]
        for number in range(threads):
            _thread.number = number
            try:
                self._function(*held)
            except Exception:  # noqa: BLE001, S112 - the GPU's threads end without a word
                continue


def _check_array(argument: Any, kind: Any) -> None:
    if not isinstance(argument, DeviceArray):
        raise TypeError(f"{type(argument).__name__} is no array on the device")
    if numba.from_dtype(argument.dtype) != kind.dtype:
        raise TypeError(f"an array of {argument.dtype} where {kind.dtype} is expected")


class DeviceArray:
    """An array over device memory."""

    def __init__(self, held: np.ndarray, owner: Any) -> None:
        self._held, self._owner = held, owner

    @property
    def dtype(self) -> np.dtype[Any]:
        return self._held.dtype

    @property
    def size(self) -> int:
        return self._held.size

    def view(self, dtype: Any) -> DeviceArray:
        """The same memory as values of another dtype."""
        return DeviceArray(self._held.view(dtype), self._owner)


def as_cuda_array(obj: Any, sync: bool = True) -> DeviceArray:
    """The memory of an object with `__cuda_array_interface__`; the double reads its own objects only."""
    interface = obj.__cuda_array_interface__
    if interface.get("mask") is not None:
        raise NotImplementedError("Masked arrays are not supported")
    if sync and interface.get("stream") is not None:
        device.synchronized("numba.cuda.as_cuda_array")
    held = obj._bytes
    # Memory of columns that Arrow holds is read-only on the host, which the GPU does not know.
    return DeviceArray(held if held.flags.writeable else held.copy(), obj)


class _Stream:
    def __init__(self, handle: int) -> None:
        self.handle = handle


def external_stream(ptr: int) -> _Stream:
    """A stream made elsewhere."""
    if type(ptr) is not int:
        raise TypeError("a stream is given by its handle")
    return _Stream(ptr)
