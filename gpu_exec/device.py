"""What the GPU of this process is."""

from __future__ import annotations

import importlib


def name_and_memory() -> tuple[str, int]:
    """The device's name, and its memory in bytes. RuntimeError where the driver does not say."""
    runtime = importlib.import_module("cuda.bindings.runtime")
    error, properties = runtime.cudaGetDeviceProperties(0)
    if int(error):
        raise RuntimeError(error.name)
    name = properties.name
    return name.decode() if isinstance(name, bytes) else str(name), int(properties.totalGlobalMem)
