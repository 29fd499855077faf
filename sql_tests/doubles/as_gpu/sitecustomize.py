"""With this folder on PYTHONPATH every Python process has a GPU: the double. For rehearsals.

The part of the CUDA runtime that tells of the card and copies bytes is played here, on the host's memory.
"""

from __future__ import annotations

import ctypes
import enum
import importlib.machinery
import sys
import types
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent))


class cudaError_t(enum.IntEnum):
    """What a call gives first."""

    cudaSuccess = 0


class cudaMemcpyKind(enum.IntEnum):
    """From where to where."""

    cudaMemcpyHostToHost = 0
    cudaMemcpyHostToDevice = 1
    cudaMemcpyDeviceToHost = 2
    cudaMemcpyDeviceToDevice = 3


_FINE = cudaError_t.cudaSuccess
_VERSION = 13000
_memory: dict[int, Any] = {}


def _taken(nbytes: int, _flags: int = 0) -> tuple[cudaError_t, int]:
    found = ctypes.create_string_buffer(nbytes)
    _memory[ctypes.addressof(found)] = found
    return _FINE, ctypes.addressof(found)


def _given_back(ptr: int) -> tuple[cudaError_t]:
    del _memory[ptr]
    return (_FINE,)


def _copied(target: int, source: int, nbytes: int, kind: cudaMemcpyKind) -> tuple[cudaError_t]:
    assert isinstance(kind, cudaMemcpyKind)
    ctypes.memmove(target, source, nbytes)
    return (_FINE,)


def _module(name: str, **members: Any) -> types.ModuleType:
    found = types.ModuleType(name)
    found.__spec__ = importlib.machinery.ModuleSpec(name, None, is_package=True)
    found.__path__ = []
    vars(found).update(members)
    sys.modules[name] = found
    return found


def _install() -> None:
    import doubles
    from tandemdb.gpu_exec import library

    card = types.SimpleNamespace(name=b"a double\0", major=9, minor=0, multiProcessorCount=1)
    runtime = _module(
        "cuda.bindings.runtime",
        cudaError_t=cudaError_t,
        cudaMemcpyKind=cudaMemcpyKind,
        cudaHostAllocDefault=0,
        cudaGetDeviceProperties=lambda _device: (_FINE, card),
        cudaMemGetInfo=lambda: (_FINE, doubles.device.capacity, doubles.device.capacity),
        cudaDriverGetVersion=lambda: (_FINE, _VERSION),
        cudaRuntimeGetVersion=lambda: (_FINE, _VERSION),
        cudaDeviceSynchronize=lambda: (_FINE,),
        cudaHostAlloc=_taken,
        cudaMalloc=_taken,
        cudaFree=_given_back,
        cudaFreeHost=_given_back,
        cudaMemcpy=_copied,
    )
    _module("cuda", bindings=_module("cuda.bindings", runtime=runtime))
    # Held for as long as the process lives.
    vars(library)["_rehearsed"] = held = doubles.install()
    held.__enter__()
    library.forget()
    library.why_absent = lambda: None


_install()
