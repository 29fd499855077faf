"""Doubles of the GPU libraries: pylibcudf and rmm on pyarrow and numpy, numba.cuda on numba, and a part of
CUDA's runtime, for machines without a GPU.
"""

from __future__ import annotations

import contextlib
import functools
import importlib
import pkgutil
import sys
import types
from collections.abc import Iterator
from typing import Any

from .device import Device, device

__all__ = ["Device", "device", "install", "modules"]

_LIBRARIES = ("pylibcudf", "rmm")
# Part of a library that is real otherwise; its double is imported at its first use, because that takes long.
_CUDA = "numba.cuda"
_RUNTIME = "cuda.bindings.runtime"


class _Lazily(types.ModuleType):
    """A module that is its double from the first use on."""

    def __getattr__(self, name: str) -> Any:
        return getattr(importlib.import_module(f"{__package__}.numba_cuda"), name)


def _of_libraries(name: str) -> bool:
    if name in (_CUDA, _RUNTIME) or name.startswith(f"{_CUDA}."):
        return True
    return name.split(".", maxsplit=1)[0] in _LIBRARIES


@functools.cache
def modules() -> tuple[str, ...]:
    """The doubles' modules, by the names of the real ones."""
    found: list[str] = []
    for library in _LIBRARIES:
        whole = importlib.import_module(f"{__name__}.{library}")
        inside = pkgutil.walk_packages(whole.__path__, f"{__name__}.{library}.")
        found += [library, *(module.name.removeprefix(f"{__name__}.") for module in inside)]
    return tuple(found)


@contextlib.contextmanager
def install() -> Iterator[Device]:
    """`import pylibcudf`, `import rmm`, `import numba.cuda` and importing cuda.bindings.runtime by its full
    name give the doubles within; afterwards what they gave before.
    """
    from . import copies, cuda_runtime
    from .rmm.pylibrmm.memory_resource.current import forget

    before = {name: module for name, module in sys.modules.items() if _of_libraries(name)}
    doubles = {name: importlib.import_module(f"{__name__}.{name}") for name in modules()}
    for name in before:
        del sys.modules[name]
    sys.modules.update(doubles)
    sys.modules[_CUDA] = _Lazily(_CUDA)
    sys.modules[_RUNTIME] = cuda_runtime
    forget()
    copies.forget()
    device.reset()
    try:
        yield device
    finally:
        forget()
        for name in [name for name in sys.modules if _of_libraries(name)]:
            del sys.modules[name]
        sys.modules.update(before)
