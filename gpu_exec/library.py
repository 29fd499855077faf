"""The GPU libraries, imported on first use: `plc` is pylibcudf, `rmm` its memory manager, `cuda` numba.cuda.

Importing them needs no GPU; calls that reach the device fail without one. `why_absent` says in a sentence why
this process cannot use a GPU, and what to do.

For pyright the two are the modules themselves: where the libraries are installed (`make conformance`) every
call is checked against their stubs, elsewhere they are of unknown type.
"""

from __future__ import annotations

import ctypes
import functools
import importlib
import importlib.util
import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeAlias

# The release series of RAPIDS (pylibcudf, rmm) that the backend calls.
SERIES = "26.10"
# Turing; libcudf 26.10 supports no older cards.
LEAST_CAPABILITY = (7, 5)

_INSTALL = "pip install 'tandemdb[gpu]'"
_REINSTALL = "install it anew with pip install --force-reinstall 'tandemdb[gpu]'"

if TYPE_CHECKING:
    import pylibcudf as _plc  # pyright: ignore[reportMissingImports]

    # The library's classes, for annotations.
    Column: TypeAlias = _plc.Column
    DataType: TypeAlias = _plc.DataType
    Expression: TypeAlias = _plc.expressions.Expression
    Scalar: TypeAlias = _plc.Scalar
    Table: TypeAlias = _plc.Table
else:
    Column = DataType = Expression = Scalar = Table = Any


@functools.cache
def _load_pylibcudf() -> Any:
    # Without this the import itself asks for a device.
    os.environ.setdefault("RAPIDS_NO_INITIALIZE", "1")
    module = importlib.import_module("pylibcudf")
    for name in ("io.parquet", "io.types", "strings.convert", "strings.split"):
        importlib.import_module(f"pylibcudf.{name}")
    return module


@functools.cache
def _load_rmm() -> Any:
    os.environ.setdefault("RAPIDS_NO_INITIALIZE", "1")
    importlib.import_module("rmm.mr")
    return importlib.import_module("rmm")


def plc():
    """The module pylibcudf with the submodules the backend uses. Raises ImportError without the gpu extra."""
    if TYPE_CHECKING:
        import pylibcudf  # pyright: ignore[reportMissingImports]
        import pylibcudf.io.parquet  # pyright: ignore[reportMissingImports]
        import pylibcudf.io.types  # pyright: ignore[reportMissingImports]
        import pylibcudf.strings.convert  # pyright: ignore[reportMissingImports]
        import pylibcudf.strings.split  # pyright: ignore[reportMissingImports]

        return pylibcudf
    return _load_pylibcudf()


def rmm():
    """The module rmm."""
    if TYPE_CHECKING:
        import rmm  # pyright: ignore[reportMissingImports]
        import rmm.mr  # pyright: ignore[reportMissingImports]
        import rmm.pylibrmm.device_buffer  # pyright: ignore[reportMissingImports]
        import rmm.pylibrmm.stream  # pyright: ignore[reportMissingImports]

        return rmm
    return _load_rmm()


@functools.cache
def cuda() -> Any:
    """The module numba.cuda, which compiles kernels."""
    return importlib.import_module("numba.cuda")


_forgetting: list[Callable[[], None]] = []


def when_forgotten(call: Callable[[], None]) -> None:
    """`forget` makes this call too: it drops what was made with the libraries."""
    _forgetting.append(call)


def forget() -> None:
    """Imports the libraries anew at their next use: tests put doubles in their place."""
    _load_pylibcudf.cache_clear()
    _load_rmm.cache_clear()
    cuda.cache_clear()
    for call in _forgetting:
        call()


def why_absent() -> str | None:
    """Why there is no GPU to use, as one sentence 'cause: what to do'; None when there is one.

    The quick looks come first: the libraries are imported, which takes seconds, only where a GPU answers.
    """
    return _not_installed() or _no_driver() or _no_device() or _broken()


def _not_installed() -> str | None:
    if importlib.util.find_spec("pylibcudf") is None:
        return f"the GPU libraries are not installed: {_INSTALL}"
    return None


def _no_driver() -> str | None:
    try:
        ctypes.CDLL("libcuda.so.1")
    except OSError as error:
        # An old or foreign driver file is there and cannot be loaded; the loader says why.
        if "No such file" not in str(error):
            return f"the NVIDIA driver cannot be loaded ({_line(error)}): install it anew"
        return "there is no NVIDIA driver: install it, on a machine with an NVIDIA GPU"
    return None


def _no_device() -> str | None:
    """What the CUDA runtime says against the first GPU; it needs a fifth of a second to be loaded."""
    try:
        runtime = importlib.import_module("cuda.bindings.runtime")
    except Exception as error:  # noqa: BLE001 - whatever a broken installation raises is the reason
        return _unloadable(error)
    error, count = runtime.cudaGetDeviceCount()
    if error.name == "cudaSuccess" and count:
        error, properties = runtime.cudaGetDeviceProperties(0)
        if error.name == "cudaSuccess":
            return _too_old(properties.name, (properties.major, properties.minor))
    return _runtime_error("cudaErrorNoDevice" if error.name == "cudaSuccess" else error.name, runtime)


def _too_old(name: bytes | str, capability: tuple[int, int]) -> str | None:
    if capability >= LEAST_CAPABILITY:
        return None
    card = name.decode("utf-8", "replace").rstrip("\0") if isinstance(name, bytes) else name
    found, least = (".".join(map(str, version)) for version in (capability, LEAST_CAPABILITY))
    return f"the GPU {card} is too old (compute capability {found}): use one of {least} or newer"


_DRIVER_ANEW = "restart the machine, and if that does not help install the driver anew"
# By the CUDA runtime's name of the error: the cause, and what to do.
_RUNTIME_ERRORS: dict[str, str] = {
    "cudaErrorSystemDriverMismatch": f"the parts of the NVIDIA driver differ in version: {_DRIVER_ANEW}",
    "cudaErrorCompatNotSupportedOnDevice": (
        "the CUDA compatibility package does not support this GPU: take it out of LD_LIBRARY_PATH, and "
        "update the NVIDIA driver"
    ),
    "cudaErrorStubLibrary": (
        "libcuda.so.1 is the CUDA toolkit's stub: take its folder out of LD_LIBRARY_PATH, and install the "
        "NVIDIA driver"
    ),
    "cudaErrorSystemNotReady": "the GPU is not ready: start the service nvidia-fabricmanager",
    "cudaErrorDevicesUnavailable": "the GPU is in use, or its compute mode forbids it: see nvidia-smi",
}


def _runtime_error(name: str, runtime: Any) -> str:
    if name == "cudaErrorInsufficientDriver":
        _, supported = runtime.cudaDriverGetVersion()
        if not supported:
            return "libcuda.so.1 is there and is no working NVIDIA driver: install the driver anew"
        _, needed = runtime.cudaRuntimeGetVersion()
        return (
            f"the NVIDIA driver is too old (it supports CUDA {_cuda(supported)}, the GPU libraries need CUDA "
            f"{needed // 1000}): update the driver"
        )
    if name == "cudaErrorNoDevice":
        visible = os.environ.get("CUDA_VISIBLE_DEVICES")
        if visible is not None:
            return f"CUDA_VISIBLE_DEVICES='{visible}' hides every GPU: unset it"
        return (
            "the NVIDIA driver finds no GPU: check with nvidia-smi, and in a container that it is given one"
        )
    return _RUNTIME_ERRORS.get(name, f"the NVIDIA driver fails with {name}: check it with nvidia-smi")


def _cuda(version: int) -> str:
    """
    >>> _cuda(12040)
    '12.4'
    """
    return f"{version // 1000}.{version % 1000 // 10}"


def _broken() -> str | None:
    try:
        plc()
        # pylibcudf itself does not tell its version; the two are released together.
        version = str(getattr(rmm(), "__version__"))  # noqa: B009 - its stubs do not export the name
    except Exception as error:  # noqa: BLE001 - whatever a broken installation raises is the reason
        return _unloadable(error)
    if not version.startswith(f"{SERIES}."):
        return f"the GPU libraries are of release {version}, and {SERIES} is needed: {_INSTALL}"
    return None


def _unloadable(error: Exception) -> str:
    return f"the GPU libraries cannot be loaded ({_line(error)}): {_REINSTALL}"


def _line(error: Exception) -> str:
    """The first line of an error's text, without an end that would end our sentence."""
    lines = str(error).strip().splitlines()
    return lines[0].strip().rstrip(".") if lines else type(error).__name__
