"""The GPU libraries, imported on first use: `plc` is pylibcudf, `rmm` its memory manager.

Importing them needs no GPU; calls that reach the device fail without one. `why_absent` says in a sentence why
this process cannot use a GPU, and what to do.
"""

from __future__ import annotations

import ctypes
import functools
import importlib
import importlib.util
import os
from collections.abc import Callable
from typing import Any

# Turing; libcudf 26.10 supports no older cards.
LEAST_CAPABILITY = (7, 5)


@functools.cache
def plc() -> Any:
    """The module pylibcudf with the submodules the backend uses. Raises ImportError without the gpu extra."""
    # Without this the import itself asks for a device.
    os.environ.setdefault("RAPIDS_NO_INITIALIZE", "1")
    module = importlib.import_module("pylibcudf")
    for name in ("io.parquet", "io.types", "strings.convert", "strings.split"):
        importlib.import_module(f"pylibcudf.{name}")
    return module


@functools.cache
def rmm() -> Any:
    """The module rmm."""
    os.environ.setdefault("RAPIDS_NO_INITIALIZE", "1")
    importlib.import_module("rmm.mr")
    return importlib.import_module("rmm")


_forgetting: list[Callable[[], None]] = []


def when_forgotten(call: Callable[[], None]) -> None:
    """`forget` makes this call too: it drops what was made with the libraries."""
    _forgetting.append(call)


def forget() -> None:
    """Imports the libraries anew at their next use: tests put doubles in their place."""
    plc.cache_clear()
    rmm.cache_clear()
    for call in _forgetting:
        call()


def why_absent() -> str | None:
    """Why there is no GPU to use, in words; None when there is one."""
    # Looking is quick, importing takes seconds: most machines end here.
    if importlib.util.find_spec("pylibcudf") is None:
        return "the GPU libraries are not installed: pip install 'tandemdb[gpu]'"
    try:
        ctypes.CDLL("libcuda.so.1")
    except OSError:
        return "there is no NVIDIA driver: install it, on a machine with an NVIDIA GPU"
    try:
        plc()
        rmm()
    except ImportError as error:
        return f"the GPU libraries cannot be loaded ({error}): reinstall 'tandemdb[gpu]'"
    try:
        capability = _capability()
    except Exception as error:  # noqa: BLE001 - whatever the driver raises is the reason
        return f"no usable GPU driver ({str(error).splitlines()[0]}): install or update the NVIDIA driver"
    if capability < LEAST_CAPABILITY:
        found, least = (".".join(map(str, version)) for version in (capability, LEAST_CAPABILITY))
        return f"the GPU's compute capability {found} is below {least}: use a newer card"
    return None


def _capability() -> tuple[int, int]:
    driver = importlib.import_module("cuda.bindings.runtime")
    error, properties = driver.cudaGetDeviceProperties(0)
    if int(error):
        raise RuntimeError(error.name)
    return properties.major, properties.minor
