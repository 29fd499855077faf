"""Columns made of memory, and memory made of columns."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pyarrow as pa

from .. import copies
from ..device import device
from ..kernels import i128, storage


def is_span(value: Any) -> bool:
    return hasattr(value, "ptr") and hasattr(value, "size")


class Bytes:
    """Bytes of a column, given out when the library asks for them; they keep the column's memory alive."""

    def __init__(self, read: Callable[[], np.ndarray], count: int, owners: tuple[Any, ...]) -> None:
        self._read, self._count, self._owners = read, count, owners
        self._ptr = device.pointer()
        copies.at(self._ptr, self)

    @property
    def _bytes(self) -> np.ndarray:
        return self._read()

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        return {
            "data": (self._ptr, False),
            "shape": (self._count,),
            "strides": None,
            "typestr": "|u1",
            "version": 3,
        }


def _read(span: Any) -> np.ndarray:
    if not hasattr(span, "_bytes"):
        raise NotImplementedError(f"the double cannot read the memory of {type(span).__name__}")
    return span._bytes


def array_of_spans(
    kind: pa.DataType, size: int, offset: int, data: Any, mask: Any, children: list[pa.Array]
) -> pa.Array:
    """The rows that memory of the device holds."""
    keep = None
    if mask is not None:
        keep = np.unpackbits(_read(mask), bitorder="little")[offset : offset + size].astype(np.bool_)
    if pa.types.is_null(kind):
        return pa.nulls(size)
    if pa.types.is_string(kind) or pa.types.is_list(kind):
        if not children:
            return pa.nulls(size, kind) if keep is not None else pa.array([], kind)
        ends = pa.py_buffer(storage.values(children[0]).astype(np.int32))
        parts = {"children": [children[1]]} if pa.types.is_list(kind) else {}
        body = [] if parts else [pa.py_buffer(_read(data) if data is not None else np.zeros(0, np.uint8))]
        made = pa.Array.from_buffers(kind, size, [None, ends, *body], offset=offset, **parts)
        return storage.with_validity(made, keep)
    if pa.types.is_struct(kind):
        made = pa.Array.from_buffers(kind, size, [None], children=[storage.compact(c) for c in children])
        return storage.with_validity(made, keep)
    if pa.types.is_dictionary(kind):
        raise NotImplementedError("the double makes no dictionary column of memory")
    found = _read(data) if data is not None else np.zeros(0, np.uint8)
    if pa.types.is_decimal128(kind):
        raw = found.view(np.uint64)[2 * offset : 2 * (offset + size)]
        return storage.build(i128.I128(raw[1::2].view(np.int64), raw[0::2]), keep)
    numpy_type = storage.NUMPY_TYPES[kind]
    values = found[offset * numpy_type.itemsize : (offset + size) * numpy_type.itemsize]
    return storage.build((values != 0) if numpy_type == np.bool_ else values.view(numpy_type), keep)
