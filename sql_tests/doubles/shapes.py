"""What an argument of a call on the double was, as JSON: how to make one like it, without values of columns.

`described` keeps sizes, so that a call made again is consistent; `shape_of` forgets them, so that calls that
differ in nothing else are one.
"""

from __future__ import annotations

import datetime
import decimal
import functools
import inspect
from enum import Enum
from typing import Any

import numpy as np
import pyarrow as pa

from .pylibcudf.column import Column
from .pylibcudf.gpumemoryview import gpumemoryview
from .pylibcudf.scalar import Scalar
from .pylibcudf.table import Table
from .pylibcudf.types import DataType
from .rmm.pylibrmm.device_buffer import DeviceBuffer
from .rmm.pylibrmm.stream import Stream

# Where an object of another class notes the call that made it, those that changed it since, and its depth.
ORIGIN = "_origin"
# Objects made of objects made of ...: deeper ones are described by their class alone.
DEEPEST = 40
# Objects that are described by what they hold, not by where they came from.
HOLDING = (Column, Table, Scalar, DataType, Stream, gpumemoryview, DeviceBuffer)
_TEXT_LIMIT = 60


def name_of(kind: type) -> str:
    """A class by the name that it has in the real library."""
    module = kind.__module__.removeprefix("doubles.")
    if module.startswith("rmm.pylibrmm.memory_resource."):
        module = "rmm.mr"  # The double splits one compiled module in three.
    return f"{module}.{kind.__name__.removeprefix('_')}"


def described(value: Any) -> Any:
    """The JSON form; an object whose making was not seen is {"object": its class}."""
    match value:
        case Enum():
            return {"enum": name_of(type(value)), "name": value.name}
        case None | bool() | int() | float() | str():
            return value
        case list():
            return [described(part) for part in value]
        case tuple():
            return {"tuple": [described(part) for part in value]}
        case dict():
            return {"dict": [[described(key), described(part)] for key, part in value.items()]}
        case decimal.Decimal():
            return {"python": "Decimal", "value": str(value)}
        case datetime.date():
            kind = "datetime" if isinstance(value, datetime.datetime) else "date"
            return {"python": kind, "value": value.isoformat()}
        case datetime.timedelta():
            return {"python": "timedelta", "value": value.total_seconds()}
        case bytes() | bytearray() | memoryview():
            return {"bytes": len(value), "class": type(value).__name__}
        case np.ndarray():
            return {"numpy": value.dtype.str, "shape": list(value.shape)}
        case pa.Scalar():
            return {"arrow": "scalar", "type": _arrow(value.type), "rows": 1}
        case pa.Array() | pa.ChunkedArray():
            kind = "array" if isinstance(value, pa.Array) else "chunks"
            return {"arrow": kind, "type": _arrow(value.type), "rows": len(value)}
        case pa.DataType():
            return {"arrow": "type", "type": _arrow(value), "rows": 0}
        case pa.Table() | pa.RecordBatch():
            fields = pa.struct(list(value.schema))
            kind = "table" if isinstance(value, pa.Table) else "batch"
            return {"arrow": kind, "type": _arrow(fields), "rows": value.num_rows}
    return _of_library(value)


def _of_library(value: Any) -> Any:
    match value:
        case Column():
            found = {"column": _kind(value._kind), "rows": value._size}
            return found | {"nulls": value._null_count, "offset": value._offset}
        case Table():
            return {"table": [described(column) for column in value._columns], "rows": value._num_rows}
        case Scalar():
            return {"scalar": _kind(value._kind)}
        case DataType():
            return {"dtype": [value.id().name, value.scale()]}
        case Stream():
            return {"stream": 0}
        case gpumemoryview() | DeviceBuffer():
            return {"memory": name_of(type(value)), "size": value.size}
        case type():
            return {"class": value.__name__}
    origin = getattr(value, "__dict__", {}).get(ORIGIN)
    if origin is not None and origin[2] <= DEEPEST:
        return {"made": origin[0], "then": list(origin[1])}
    if inspect.isfunction(value) or inspect.ismethod(value):
        return {"function": len(inspect.signature(value).parameters)}
    return {"object": name_of(type(value))}


def depth_of(values: Any) -> int:
    """How deep the objects among some arguments are made of others."""
    found = 0
    for value in values:
        if isinstance(value, (list, tuple)):
            found = max(found, depth_of(value))
        else:
            origin = getattr(value, "__dict__", {}).get(ORIGIN)
            found = max(found, origin[2] if origin is not None else 0)
    return found


def _kind(kind: Any) -> list[Any]:
    return [kind.dtype.id().name, kind.dtype.scale(), [_kind(child) for child in kind.children]]


@functools.lru_cache(maxsize=1 << 12)
def _arrow(kind: pa.DataType) -> str:
    return pa.schema([pa.field("", kind)]).serialize().to_pybytes().hex()


def shape_of(form: Any) -> Any:
    """A form without sizes: 0, 1 and -1 stay, other numbers and long texts are of their kind.

    >>> shape_of([5, 6, 0, "a/b.parquet"])
    ['>', 0, '/']
    >>> shape_of({"column": ["INT64", 0, []], "rows": 70, "nulls": 3, "offset": 0})
    {'column': ['INT64', 0, []], 'rows': '>', 'nulls': 1, 'offset': 0}
    """
    match form:
        case None | bool():
            return form
        case int():
            return form if form in (0, 1, -1) else (">" if form > 0 else "<")
        case float():
            return "float"
        case str():
            return "/" if "/" in form or len(form) > _TEXT_LIMIT else form
        case list():
            found: list[Any] = []
            for part in map(shape_of, form):
                if part not in found:
                    found.append(part)
            return found
        case {"column": kind, "rows": rows, "nulls": nulls, "offset": offset}:
            sizes = {"rows": shape_of(rows), "nulls": min(nulls, 1), "offset": min(offset, 1)}
            return {"column": _without_scale(kind)} | sizes
        case {"scalar": kind}:
            return {"scalar": _without_scale(kind)}
        case {"arrow": kind, "type": of, "rows": _}:
            return {"arrow": kind, "type": of}
        case {"python": kind, "value": _}:
            return {"python": kind}
        case {"memory": kind}:
            return {"memory": kind}
        case dict():
            return {key: shape_of(part) for key, part in form.items()}
    raise AssertionError(f"not a form: {form!r}")


def _without_scale(kind: list[Any]) -> list[Any]:
    name, scale, children = kind
    return [name, shape_of(scale), [_without_scale(child) for child in children]]
