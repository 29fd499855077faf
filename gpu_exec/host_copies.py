"""Rows between host and device by way of pinned memory: one copy on the host, one over the link.

The library's own ways wait: to_arrow for every column, from_arrow for ordinary memory. Here a batch goes up
without a wait (the library counts the NULLs of a column that has some on the device, and waits for that
number), and comes down with one, for all its columns.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from .library import Column, plc
from .ops import Ops
from .pinned import Pinned

# Every buffer begins at a multiple of this, as Arrow and the library's kernels want.
_ALIGNMENT = 64


def upload_arrays(arrays: Sequence[pa.Array], ops: Ops) -> list[Column]:
    """Arrow arrays, none with a dictionary, on the device."""
    sizes = [_size(array) for array in arrays]
    pinned = ops.memory.pinned.take(sum(sizes)) if sum(sizes) else None
    if pinned is None:
        ops.store.count_unpinned(sum(sizes))
        return [ops.upload(array) for array in arrays]
    starts = np.cumsum([0, *sizes]).tolist()
    try:
        return [
            ops.upload(_pinned_copy(array, pinned, start))
            for array, start in zip(arrays, starts, strict=False)
        ]
    finally:
        pinned.used_by(ops.stream)


def _aligned(size: int) -> int:
    return -(-size // _ALIGNMENT) * _ALIGNMENT


def _bits(count: int) -> int:
    return -(-count // 8)


def _size(array: pa.Array) -> int:
    """Bytes of pinned memory for an array."""
    return sum(_aligned(part.nbytes) for part in _parts(array) if part is not None)


def _parts(array: pa.Array) -> list[np.ndarray | None]:
    """The bytes of an array's rows, and of up to seven before them: bits of NULLs begin with a whole byte."""
    before = array.offset % 8
    first, count = array.offset - before, len(array) + before
    valid, *rest = array.buffers()
    bits = slice(first // 8, first // 8 + _bits(count))
    found: list[np.ndarray | None] = [None]
    if valid is not None and array.null_count:
        found = [np.frombuffer(valid, np.uint8)[bits]]
    if pa.types.is_string(array.type):
        ends, text = rest
        places = _int32(ends)[first : first + count + 1] if count else np.zeros(1, np.int32)
        letters = np.frombuffer(text, np.uint8)[places[0] : places[-1]] if text else np.zeros(0, np.uint8)
        # Without rows before the text, each place is that much less.
        return [*found, (places - places[0] if places[0] else places).view(np.uint8), letters]
    data = np.frombuffer(rest[0], np.uint8) if rest[0] is not None else np.zeros(0, np.uint8)
    if pa.types.is_boolean(array.type):
        return [*found, data[bits]]
    width = array.type.bit_width // 8
    return [*found, data[first * width : (first + count) * width]]


def _int32(buffer: pa.Buffer | None) -> np.ndarray:
    return np.zeros(1, np.int32) if buffer is None else np.frombuffer(buffer, np.int32)


def _pinned_copy(array: pa.Array, pinned: Pinned, start: int) -> pa.Array:
    """The array in pinned memory, from byte `start` of it on."""
    whole = np.frombuffer(pinned.view, np.uint8)
    buffers: list[pa.Buffer | None] = []
    for part in _parts(array):
        if part is None:
            buffers.append(None)
            continue
        whole[start : start + part.nbytes] = part
        buffers.append(pa.foreign_buffer(pinned.address + start, part.nbytes, pinned.view))
        start += _aligned(part.nbytes)
    return pa.Array.from_buffers(array.type, len(array), buffers, array.null_count, array.offset % 8)


# What a column of each of the library's types is on the host; DECIMAL128 and STRING are looked at apart.
_HOST_TYPES: dict[str, pa.DataType] = {
    "BOOL8": pa.bool_(),
    "INT8": pa.int8(),
    "INT16": pa.int16(),
    "INT32": pa.int32(),
    "INT64": pa.int64(),
    "UINT8": pa.uint8(),
    "UINT16": pa.uint16(),
    "UINT32": pa.uint32(),
    "UINT64": pa.uint64(),
    "FLOAT32": pa.float32(),
    "FLOAT64": pa.float64(),
    "TIMESTAMP_DAYS": pa.date32(),
    "TIMESTAMP_SECONDS": pa.timestamp("s"),
    "TIMESTAMP_MILLISECONDS": pa.timestamp("ms"),
    "TIMESTAMP_MICROSECONDS": pa.timestamp("us"),
    "TIMESTAMP_NANOSECONDS": pa.timestamp("ns"),
}


def download_columns(columns: Sequence[Column], ops: Ops) -> list[pa.Array]:
    """Columns as Arrow arrays in ordinary memory. Waits for the device: once, and again for texts, whose
    places say how many bytes they are.
    """
    if any(map(_has_wide_places, columns)):
        return _by_the_library(columns, ops)
    parts = [_Rows(column) for column in columns]
    fetched = _fetched([piece for part in parts for piece in part.pieces()], ops)
    if fetched is None:
        return _by_the_library(columns, ops)
    for part in parts:
        part.take(fetched)
    texts = _fetched([piece for part in parts for piece in part.texts()], ops)
    if texts is None:
        return _by_the_library(columns, ops)
    return [part.array(texts) for part in parts]


def _has_wide_places(column: Column) -> bool:
    """Whether it is a column of more than 2 GiB of text."""
    types = plc().TypeId
    return column.type().id() == types.STRING and bool(
        column.num_children() and column.child(0).type().id() != types.INT32
    )


def _by_the_library(columns: Sequence[Column], ops: Ops) -> list[pa.Array]:
    ops.store.count_unpinned(sum(column.device_buffer_size() for column in columns))
    return [column.to_arrow(stream=ops.stream) for column in columns]


def _fetched(pieces: Sequence[tuple[int, int]], ops: Ops) -> Iterator[pa.Buffer] | None:
    """Pieces of the device's memory, by address and size, in ordinary memory; None without pinned memory."""
    sizes = [size for _, size in pieces]
    whole = sum(map(_aligned, sizes))
    if not whole:
        return iter([pa.py_buffer(b"")] * len(sizes))
    pinned = ops.memory.pinned.take(whole)
    if pinned is None:
        return None
    at = 0
    places = []
    try:
        for address, size in pieces:
            if size:
                ops.fetch(address, pinned.view[at : at + size])
            places.append(slice(at, at + size))
            at += _aligned(size)
    finally:
        pinned.used_by(ops.stream)
    pinned.wait()
    return iter([pa.py_buffer(pinned.view[place].tobytes()) for place in places])


class _Rows:
    """A column of the device on its way to the host: first all but the letters of texts, then those."""

    def __init__(self, column: Column) -> None:
        self._column = column
        self._count = column.size()
        # Rows before the first one that come along: bits of NULLs begin with a whole byte.
        self._before = column.offset() % 8
        self._first = column.offset() - self._before
        kind = column.type().id()
        self._is_text = kind == plc().TypeId.STRING
        self._is_bool = kind == plc().TypeId.BOOL8
        self._mask: Any = None
        self._values: Any = None
        self._has_nulls = column.null_count() > 0

    @property
    def _type(self) -> pa.DataType:
        kind = self._column.type()
        if kind.id() == plc().TypeId.DECIMAL128:
            return pa.decimal128(38, -kind.scale())
        return pa.string() if self._is_text else _HOST_TYPES[kind.id().name]

    @property
    def _width(self) -> int:
        return 1 if self._is_bool else self._type.bit_width // 8

    def pieces(self) -> Iterator[tuple[int, int]]:
        """Address and size of the NULLs' bits, if there are any, and of the values or the texts' places."""
        count = self._before + self._count if self._count else 0
        mask = self._column.null_mask() if self._has_nulls else None
        if mask is not None:
            yield mask.ptr + self._first // 8, _bits(count)
        if not self._is_text:
            data = self._column.data()
            yield _piece(data, self._first * self._width, count * self._width)
        elif count:
            ends = self._column.child(0)
            yield _piece(ends.data(), (ends.offset() + self._first) * 4, (count + 1) * 4)

    def take(self, fetched: Iterator[pa.Buffer]) -> None:
        """Takes those pieces."""
        if self._has_nulls:
            self._mask = next(fetched)
        if not self._is_text or self._count:
            self._values = next(fetched)

    def texts(self) -> Iterator[tuple[int, int]]:
        """Address and size of the letters."""
        if self._is_text and self._count:
            places = np.frombuffer(self._values, np.int32)
            yield _piece(self._column.data(), int(places[0]), int(places[-1] - places[0]))

    def array(self, texts: Iterator[pa.Buffer]) -> pa.Array:
        """The rows."""
        if not self._count:
            return pa.array([], self._type)
        values: list[Any] = [self._values]
        if self._is_text:
            places = np.frombuffer(self._values, np.int32)
            values = [pa.py_buffer(places - places[0]), next(texts)]
        elif self._is_bool:
            flags = np.frombuffer(self._values, np.uint8) != 0
            values = [pa.py_buffer(np.packbits(flags, bitorder="little"))]
        return pa.Array.from_buffers(
            self._type, self._count, [self._mask, *values], self._column.null_count(), self._before
        )


def _piece(data: Any, start: int, size: int) -> tuple[int, int]:
    return (0, 0) if data is None or not size else (data.ptr + start, size)
