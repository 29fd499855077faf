"""What this machine's GPU is, and how fast bytes reach it: python -m tandemdb.gpu_exec.machine facts|copies.

Prints JSON. Without a usable GPU `facts` gives the reason, as `library.why_absent` words it.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.metadata
import json
import platform
import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from .library import why_absent

# Large enough that starting a copy does not count, small enough for any card.
COPY_BYTES = 1 << 30
_LIBRARIES = ("pylibcudf-cu13", "libcudf-cu13", "rmm-cu13", "cuda-bindings", "numba-cuda", "cupy-cuda13x")


def facts() -> dict[str, Any]:
    """The card, its driver, its memory in bytes, the libraries' versions; or `absent`: why there is none."""
    found: dict[str, Any] = {"python": platform.python_version(), "libraries": _versions()}
    found["absent"] = why_absent()
    if found["absent"] is not None:
        return found
    runtime = _runtime()
    properties = _given(runtime.cudaGetDeviceProperties(0))
    free, total = _given(runtime.cudaMemGetInfo())
    return found | {
        "gpu": properties.name.split(b"\0")[0].decode(),
        "capability": f"{properties.major}.{properties.minor}",
        "multiprocessors": properties.multiProcessorCount,
        "memory_bytes": total,
        "free_bytes": free,
        "driver_cuda": _given(runtime.cudaDriverGetVersion()),
        "runtime_cuda": _given(runtime.cudaRuntimeGetVersion()),
    }


def copies(nbytes: int = COPY_BYTES, repeats: int = 5) -> dict[str, float]:
    """Bytes a second of copies of `nbytes`, the median of some: host to device and back, within the device.

    Pinned host memory is what the driver can copy from directly. Within the device every byte is read and
    written; it counts once.
    """
    runtime = _runtime()
    kinds = runtime.cudaMemcpyKind
    pageable = np.random.default_rng(1).integers(0, 256, nbytes, np.uint8)
    pinned = _given(runtime.cudaHostAlloc(nbytes, runtime.cudaHostAllocDefault))
    one, other = (_given(runtime.cudaMalloc(nbytes)) for _ in range(2))
    to_device, to_host, within = (
        kinds.cudaMemcpyHostToDevice,
        kinds.cudaMemcpyDeviceToHost,
        kinds.cudaMemcpyDeviceToDevice,
    )
    _given(runtime.cudaMemcpy(pinned, pageable.ctypes.data, nbytes, kinds.cudaMemcpyHostToHost))
    plans = {
        "host_to_device_pinned": (one, pinned, to_device),
        "host_to_device_pageable": (one, pageable.ctypes.data, to_device),
        "device_to_host_pinned": (pinned, one, to_host),
        "within_device": (other, one, within),
    }

    def copying(target: Any, source: Any, kind: Any) -> Callable[[], None]:
        def copy() -> None:
            _given(runtime.cudaMemcpy(target, source, nbytes, kind))
            _given(runtime.cudaDeviceSynchronize())

        return copy

    try:
        return {name: nbytes / _seconds(copying(*plan), repeats) for name, plan in plans.items()}
    finally:
        _given(runtime.cudaFreeHost(pinned))
        _given(runtime.cudaFree(one))
        _given(runtime.cudaFree(other))


def _seconds(call: Callable[[], None], repeats: int) -> float:
    """The median time of a call, after one that does not count."""
    times = []
    for _ in range(repeats + 1):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return statistics.median(times[1:])


def _runtime() -> Any:
    return importlib.import_module("cuda.bindings.runtime")


def _given(result: Any) -> Any:
    """What a call of the runtime gives beside its error, which is raised."""
    error, *values = result
    if int(error):
        raise RuntimeError(f"the CUDA runtime says {error.name}")
    return values[0] if len(values) == 1 else values


def _versions() -> dict[str, str]:
    found = {}
    for name in _LIBRARIES:
        try:
            found[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            continue
    return found


def main(arguments: list[str]) -> int:
    """Prints what was asked for as JSON."""
    parser = argparse.ArgumentParser(description="What this machine's GPU is, and how fast bytes reach it.")
    parser.add_argument("what", choices=("facts", "copies"))
    parser.add_argument("--bytes", type=int, default=COPY_BYTES, help="of each copy")
    chosen = parser.parse_args(arguments)
    print(json.dumps(facts() if chosen.what == "facts" else copies(chosen.bytes)))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
