"""A process that has a GPU, as the product sees it: the double in place of the libraries, or the real thing.

with GPUS["double"]() as device: ...  # connections made within run on the double
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator

from tandemdb.engine import devices
from tandemdb.gpu_exec import library

from . import Device, install


class NoGpu(Exception):
    """This machine has no GPU that can be used; the text says why, and what to do."""


@contextlib.contextmanager
def double() -> Iterator[Device]:
    """The doubles of the libraries are in place of the real ones; gives their device. May be nested."""
    before = devices.why_no_gpu
    with install() as device:
        library.forget()
        devices.why_no_gpu = lambda: None  # type: ignore[assignment]
        try:
            yield device
        finally:
            devices.why_no_gpu = before
            library.forget()


@contextlib.contextmanager
def real() -> Iterator[None]:
    """The machine's own GPU. Raises NoGpu."""
    if (why := library.why_absent()) is not None:
        raise NoGpu(why)
    yield None


GPUS: dict[str, Callable[[], contextlib.AbstractContextManager[Device | None]]] = {
    "double": double,
    "real": real,
}
