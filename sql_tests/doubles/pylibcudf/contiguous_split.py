"""Tables as two pieces of memory: what they are, on the host, and their values, on the device."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pyarrow as pa

from ..arguments import check, library
from ..device import device
from ..errors import expects, logic_error
from ..kernels import storage
from ..rmm.pylibrmm.device_buffer import DeviceBuffer
from ._kinds import Kind, storage_type
from ._spans import is_span
from .column import Column
from .gpumemoryview import gpumemoryview
from .table import Table
from .types import DataType, TypeId

_LEAST_CHUNK = 1 << 20


def _described(kind: Kind) -> list[Any]:
    return [kind.dtype.id().name, kind.dtype.scale(), [_described(c) for c in kind.children]]


def _kind(of: list[Any]) -> Kind:
    return Kind(DataType(TypeId[of[0]], of[1]), tuple(_kind(c) for c in of[2]))


def _batch(table: Table) -> pa.RecordBatch:
    columns = table.columns()
    names = [str(i) for i in range(len(columns))]
    return pa.RecordBatch.from_arrays([storage.compact(c._rows) for c in columns], names)


def _metadata(table: Table) -> memoryview:
    text = json.dumps({"rows": table.num_rows(), "columns": [_described(c._kind) for c in table.columns()]})
    return memoryview(text.encode())


def _values(table: Table) -> np.ndarray:
    """The bytes of all rows one after another; none where there is no row."""
    if not table.num_rows() or not table.num_columns():
        return np.zeros(0, np.uint8)
    return np.frombuffer(_batch(table).serialize(), np.uint8)


class PackedColumns:
    """A packed table, which `release` takes apart once."""

    __hash__ = None  # type: ignore[assignment]

    def __init__(self) -> None:
        raise ValueError("PackedColumns should not be constructed directly. Use one of the factories.")

    @classmethod
    def _of(cls, table: Table) -> PackedColumns:
        packed = cls.__new__(cls)
        values = _values(table)
        buffer = DeviceBuffer(size=len(values), mr=_resource())
        buffer._made = values
        packed._parts = (_metadata(table), gpumemoryview(buffer))
        return packed

    _parts: tuple[memoryview, gpumemoryview] | None

    def release(self) -> tuple[memoryview, gpumemoryview]:
        if self._parts is None:
            raise ValueError("Cannot release empty PackedColumns")
        found, self._parts = self._parts, None
        return found


def _resource() -> Any:
    from ..arguments import resource

    return resource()


@library
def pack(input: Table, stream: Any = None, mr: Any = None) -> PackedColumns:
    """A copy of the table in one piece of memory."""
    return PackedColumns._of(input)


@library
def unpack(input: PackedColumns, stream: Any = None) -> Table:
    """The table, whose columns share the packed memory."""
    expects(input._parts is not None, logic_error("the packed columns were released"))
    assert input._parts is not None
    return _unpacked(*input._parts)


@library
def unpack_from_memoryviews(metadata: memoryview, gpu_data: Any, stream: Any = None) -> Table:
    """The table of both pieces, whose columns share the device's."""
    if not is_span(gpu_data):
        raise TypeError(
            f"gpu_data must satisfy Span protocol (have .ptr and .size), got {type(gpu_data).__name__}"
        )
    return _unpacked(metadata, gpu_data)


def _unpacked(metadata: memoryview, data: Any) -> Table:
    found = json.loads(bytes(metadata))
    kinds = [_kind(c) for c in found["columns"]]
    if not found["rows"] or not kinds:
        empty = [Column._of(k, pa.array([], storage_type(k)), (data,)) for k in kinds]
        return Table(empty, found["rows"])
    schema = pa.schema([(str(i), storage_type(k)) for i, k in enumerate(kinds)])
    batch = pa.ipc.read_record_batch(pa.py_buffer(np.ascontiguousarray(data._bytes)), schema)
    columns = [Column._of(k, c, (data,)) for k, c in zip(kinds, batch.columns, strict=True)]
    return Table(columns, found["rows"])


class ChunkedPack:
    """A table packed piece by piece through a buffer on the device."""

    def __init__(self) -> None:
        raise ValueError("ChunkedPack should not be constructed directly. Use create instead.")

    @staticmethod
    def create(input: Table, user_buffer_size: int, stream: Any = None, temp_mr: Any = None) -> ChunkedPack:
        check("input", Table, input)
        check("user_buffer_size", int, user_buffer_size)
        expects(user_buffer_size >= _LEAST_CHUNK, logic_error("user_buffer_size must be at least 1MB"))
        device.called("contiguous_split.ChunkedPack.create")
        made = ChunkedPack.__new__(ChunkedPack)
        made._table, made._size, made._values, made._done = input, user_buffer_size, _values(input), 0
        return made

    _table: Table
    _size: int
    _values: np.ndarray
    _done: int

    def has_next(self) -> bool:
        return self._done < len(self._values)

    def get_total_contiguous_size(self) -> int:
        return len(self._values)

    def next(self, buf: Any) -> int:
        """The next bytes in a buffer of the device, and how many."""
        expects(is_span(buf) and buf.size == self._size, logic_error("Cannot use a buffer of another size"))
        expects(self.has_next(), logic_error("Cannot call `next` when all chunks have been processed."))
        device.called("contiguous_split.ChunkedPack.next")
        part = self._values[self._done : self._done + self._size]
        buf._bytes[: len(part)] = part
        self._done += len(part)
        return len(part)

    def build_metadata(self) -> memoryview:
        return _metadata(self._table)

    def pack_to_host(self, buf: Any) -> tuple[memoryview, memoryview]:
        """Both pieces on the host: it waits for the device."""
        whole = bytearray()
        while self.has_next():
            count = self.next(buf)
            whole += buf._bytes[:count].tobytes()
        device.synchronized("ChunkedPack.pack_to_host")
        return self.build_metadata(), memoryview(whole)
