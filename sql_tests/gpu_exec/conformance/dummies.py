"""Real objects of pylibcudf and rmm without a device: columns whose memory nobody may look at.

A process that makes them must not see a GPU (see conftest.py): a kernel would read that memory.
"""

from __future__ import annotations

import atexit
import contextlib
import datetime
import decimal
import functools
import importlib
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pylibcudf as plc
import rmm.mr
from rmm.pylibrmm.memory_resource import _memory_resource


class NoDummy(Exception):
    """An argument that cannot be made without a device."""


class Memory:
    """A piece of device memory that is not there."""

    ptr = 0x1000

    def __init__(self, size: int = 1 << 10) -> None:
        self.size = self.nbytes = size

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        data = {"data": (self.ptr, False), "shape": (self.size,)}
        return {**data, "typestr": "|u1", "strides": None, "version": 3}


# What ends the process where there is no device: a constructor that reads its scalar, waiting, and freeing
# memory that nobody gave.
_LITERAL = "pylibcudf.expressions.Literal"
_FREEING = "deallocate"
_DEADLY = (
    _LITERAL,
    "rmm.pylibrmm.stream.Stream.synchronize",
    f"rmm.mr.DeviceMemoryResource.{_FREEING}",
)

# Enumerations that the real library keeps elsewhere than the double.
_ELSEWHERE = {"pylibcudf.partitioning.HashId": "pylibcudf.libcudf.partitioning.hash_id"}


def named(path: str) -> Any:
    """What a dotted path names in the real libraries."""
    parts = _ELSEWHERE.get(path, path).split(".")
    for count in range(len(parts) - 1, 0, -1):
        with contextlib.suppress(ModuleNotFoundError):
            module = importlib.import_module(".".join(parts[:count]))
            return functools.reduce(getattr, parts[count:], module)
    raise AttributeError(path)


@contextlib.contextmanager
def _a_device_by_number() -> Iterator[None]:
    """A scalar asks which device is the current one before it asks anything of it."""
    before = _memory_resource.getDevice
    _memory_resource.getDevice = lambda: 0
    try:
        yield
    finally:
        _memory_resource.getDevice = before


@functools.cache
def resource() -> Any:
    """A resource that gives no memory: it is not asked for any before the driver is."""
    return rmm.mr.CudaMemoryResource()


def dtype(kind: list[Any]) -> Any:
    return plc.DataType(plc.TypeId[kind[0]], kind[1])


def column(kind: list[Any], *, rows: int, nulls: int = 0, offset: int = 0) -> Any:
    name, _, children = kind
    offsets = plc.Column(plc.DataType(plc.TypeId.INT32), offset + rows + 1, Memory(), None, 0, 0, [])
    inner = [column(child, rows=offset + rows) for child in children]
    indices = plc.Column(plc.DataType(plc.TypeId.INT32), offset + rows, Memory(), None, 0, 0, [])
    parts = {
        "STRING": [offsets],
        "LIST": [offsets, *inner],
        "STRUCT": inner,
        "DICTIONARY32": [indices, *inner],
    }.get(name, [])
    return plc.Column(dtype(kind), rows, Memory(), Memory() if nulls else None, nulls, offset, parts)


def scalar() -> Any:
    """A scalar that holds nothing: to be handed on, not to be asked."""
    with _a_device_by_number():
        return plc.Scalar.__new__(plc.Scalar)


def arrow(form: dict[str, Any]) -> Any:
    """NULLs of an Arrow type, in the container that the call was given."""
    kind = pa.ipc.read_schema(pa.py_buffer(bytes.fromhex(form["type"]))).field(0).type
    rows = form["rows"]
    match form["arrow"]:
        case "type":
            return kind
        case "scalar":
            return pa.scalar(None, kind)
        case "array":
            return pa.nulls(rows, kind)
        case "chunks":
            return pa.chunked_array([pa.nulls(rows, kind)])
    schema = pa.schema(list(kind))
    batch = pa.RecordBatch.from_arrays([pa.nulls(rows, field.type) for field in schema], schema=schema)
    return batch if form["arrow"] == "batch" else pa.Table.from_batches([batch])


def made(form: Any) -> Any:
    """The real object for what `doubles.shapes.described` wrote; NoDummy where that needs a device."""
    match form:
        case list():
            return [made(part) for part in form]
        case {"tuple": parts}:
            return tuple(made(part) for part in parts)
        case {"dict": pairs}:
            return {made(key): made(value) for key, value in pairs}
        case {"bytes": size, "class": kind}:
            return memoryview(bytearray(size)) if kind == "memoryview" else bytes(size)
        case {"python": "Decimal", "value": value}:
            return decimal.Decimal(value)
        case {"python": "timedelta", "value": value}:
            return datetime.timedelta(seconds=value)
        case {"python": kind, "value": value}:
            return getattr(datetime, kind).fromisoformat(value)
        case {"numpy": kind, "shape": shape}:
            return np.zeros(shape, kind)
        case {"arrow": _}:
            return arrow(form)
        case {"class": name}:
            return {"int": int, "float": float, "str": str, "bool": bool}[name]
        case {"function": count}:
            return lambda *args: len(args) == count
        case dict():
            return _of_library(form)
        case str() if "/" in form and not Path(form).exists():
            return _file()
    return form


@functools.cache
def _file() -> str:
    """A file in place of one that is gone. It is not read before the driver is asked."""
    with tempfile.NamedTemporaryFile(prefix="tandemdb-dummy-", suffix=".parquet", delete=False) as file:
        atexit.register(Path(file.name).unlink)
    return file.name


def _of_library(form: dict[str, Any]) -> Any:
    match form:
        case {"enum": path, "name": name}:
            return named(path)[name]
        case {"column": kind, "rows": rows, "nulls": nulls, "offset": offset}:
            return column(kind, rows=rows, nulls=nulls, offset=offset)
        case {"table": columns, "rows": rows}:
            return plc.Table([made(part) for part in columns], rows)
        case {"scalar": _}:
            return scalar()
        case {"dtype": kind}:
            return dtype(kind)
        case {"stream": _}:
            return rmm.pylibrmm.stream.DEFAULT_STREAM
        case {"memory": kind, "size": size}:
            return plc.gpumemoryview(Memory(size)) if kind.endswith("gpumemoryview") else Memory(size)
        case {"made": {"call": call}} if call == _LITERAL:
            # In its place another expression.
            return plc.expressions.ColumnReference(0)
        case {"made": {"call": call}} if call.startswith("rmm.mr."):
            # One that takes memory as it is made is stood in for by one that does not.
            try:
                return _made_by(form)
            except NoDummy:
                return resource()
        case {"made": _}:
            return _made_by(form)
    raise NoDummy(str(form)[:80])


def _made_by(form: dict[str, Any]) -> Any:
    """The object itself, by the calls that made and changed it."""
    origin, steps = form["made"], form["then"]
    name = origin["call"]
    if name.startswith("rmm.mr.") and name.endswith(("DeviceMemoryResource", "_resource")):
        return resource()
    try:
        found = called(origin)
        for method, args, kwargs in (step for step in steps if step[0] != _FREEING):
            getattr(found, method)(*map(made, args), **{key: made(value) for key, value in kwargs.items()})
    except Exception as error:
        if asks_the_driver(error):
            raise NoDummy(name) from error
        raise
    return found


def called(form: dict[str, Any]) -> Any:
    """Makes a recorded call on the real library. Raises what it raises, or NoDummy."""
    if form["call"] in _DEADLY or "DeviceBuffer" in form.get("of", {}).get("memory", ""):
        raise NoDummy(form["call"])
    args = [made(value) for value in form["args"]]
    kwargs = {key: made(value) for key, value in form["kwargs"].items()}
    if "of" not in form:
        return named(form["call"])(*args, **kwargs)
    of, name = form["of"], form["call"].rpartition(".")[2]
    target = _made_by(of) if "made" in of else made(of)
    member = getattr(target, name)
    return member(*args, **kwargs) if callable(member) else member


# What a call fails with that was taken: there is no driver, or it has no device.
_DRIVER = ("DynamicLibNotFoundError", "CUDARuntimeError", "CUDADriverError")


def asks_the_driver(error: Exception) -> bool:
    """Whether a call came as far as the device, which is not there."""
    return (
        type(error).__name__ in _DRIVER
        or isinstance(error, MemoryError)
        or (isinstance(error, RuntimeError) and any(text in str(error) for text in ("CUDA", "Memcpy failed")))
    )
