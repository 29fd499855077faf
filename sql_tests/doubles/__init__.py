"""Doubles of the GPU libraries: pylibcudf and rmm on pyarrow and numpy, for machines without a GPU."""

from __future__ import annotations

import contextlib
import functools
import importlib
import pkgutil
import sys
from collections.abc import Iterator

from .device import Device, device

__all__ = ["Device", "device", "install", "modules"]

_LIBRARIES = ("pylibcudf", "rmm")


def _of_libraries(name: str) -> bool:
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
    """`import pylibcudf` and `import rmm` give the doubles within; afterwards what they gave before."""
    from .rmm.pylibrmm.memory_resource.current import forget

    before = {name: module for name, module in sys.modules.items() if _of_libraries(name)}
    doubles = {name: importlib.import_module(f"{__name__}.{name}") for name in modules()}
    for name in before:
        del sys.modules[name]
    sys.modules.update(doubles)
    forget()
    device.reset()
    try:
        yield device
    finally:
        forget()
        for name in [name for name in sys.modules if _of_libraries(name)]:
            del sys.modules[name]
        sys.modules.update(before)
