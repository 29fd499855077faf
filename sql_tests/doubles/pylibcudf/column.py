"""A column on the device. Its values stay there: only `to_arrow` and `to_pylist` read them, and count."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from .. import copies
from ..arguments import check, check_stream, library, resource, taking_from
from ..device import Allocation, device
from ..errors import overflow_error
from ..kernels import storage
from ._kinds import Kind, arrow, kind_of, nulls, plain, raw, storage_type, stored
from ._spans import Bytes, array_of_spans, is_span
from .gpumemoryview import gpumemoryview
from .types import DataType, TypeId

if TYPE_CHECKING:
    from .scalar import Scalar


class Column:
    """Rows of one type. `from_arrow` and the calls of the library make them; the constructor makes one of
    memory that is there already.
    """

    __hash__ = None  # type: ignore[assignment]
    # The memory and children that the constructor was given.
    _spans: tuple[Any, Any, list[Column]] | None = None

    def __init__(
        self,
        data_type: DataType,
        size: int,
        data: Any,
        mask: Any,
        null_count: int,
        offset: int,
        children: Iterable[Column],
        validate: bool = True,
    ) -> None:
        check("data_type", DataType, data_type)
        for name, number in (("size", size), ("null_count", null_count), ("offset", offset)):
            check(name, int, number)
        parts = list(children)
        if not all(isinstance(c, Column) for c in parts):
            raise ValueError("All children must be pylibcudf Column objects")
        for name, span in (("data", data), ("mask", mask)):
            if validate and span is not None and not is_span(span):
                raise TypeError(
                    f"{name} must satisfy Span protocol (have .ptr and .size), got {type(span).__name__}"
                )
        inner = parts[1:] if data_type.id() is TypeId.LIST else parts
        inner = [] if data_type.id() is TypeId.STRING else inner
        self._kind = Kind(data_type, tuple(c._kind for c in inner))
        self._owners: tuple[Any, ...] = (data, mask, *parts)
        self._spans = data, mask, parts
        self._size, self._null_count, self._offset = size, null_count, offset

    @functools.cached_property
    def _rows(self) -> pa.Array:
        """The values in storage form. Only the library reads them."""
        assert self._spans is not None
        data, mask, parts = self._spans
        children = [part._rows for part in parts]
        return array_of_spans(storage_type(self._kind), self._size, self._offset, data, mask, children)

    @classmethod
    def _of(cls, kind: Kind, rows: pa.Array, owners: tuple[Any, ...]) -> Column:
        column = cls.__new__(cls)
        column._kind, column._rows, column._owners = kind, rows, owners
        column._size, column._null_count, column._offset = len(rows), rows.null_count, rows.offset
        if pa.types.is_null(rows.type):
            column._null_count = len(rows)
        return column

    def type(self) -> DataType:
        return self._kind.dtype

    def size(self) -> int:
        return self._size

    def null_count(self) -> int:
        return self._null_count

    def offset(self) -> int:
        return self._offset

    def num_children(self) -> int:
        found = self.type().id()
        if found is TypeId.STRING:
            return 1 if self._size else 0
        return 2 if found in (TypeId.LIST, TypeId.DICTIONARY32) else len(self._kind.children)

    def children(self) -> list[Column]:
        return [self.child(i) for i in range(self.num_children())]

    def child(self, index: int) -> Column:
        """The offsets and elements of a list, the offsets of strings, the fields of a struct."""
        check("index", int, index)
        if not 0 <= index < self.num_children():
            raise IndexError("list index out of range")
        if index not in self._made:
            self._made[index] = self._child(index)
        return self._made[index]

    @functools.cached_property
    def _made(self) -> dict[int, Column]:
        """Children and memory that were asked for: they are the column's, and live as long as it."""
        return {}

    def _child(self, index: int) -> Column:
        rows = self._rows
        if pa.types.is_struct(rows.type):
            return self._part(self._kind.children[index], rows.field(index))
        if pa.types.is_dictionary(rows.type):
            parts = (plain("INT32"), rows.indices), (self._kind.children[0], rows.dictionary)
            return self._part(*parts[index])
        if index == 1:
            return self._part(self._kind.children[0], rows.values)
        ends = np.frombuffer(rows.buffers()[1] or b"\0\0\0\0", np.int32)
        return self._part(plain("INT32"), pa.array(ends[: len(rows) + rows.offset + 1], pa.int32()))

    def _part(self, kind: Kind, rows: pa.Array) -> Column:
        return Column._of(kind, rows, self._owners)

    def data(self) -> gpumemoryview | None:
        """The memory of the values; the column begins `offset()` values in it."""
        return self._data if self._spans is None else self._spans[0]

    @functools.cached_property
    def _data(self) -> gpumemoryview:
        found = raw(storage.from_the_start(self._rows))
        return gpumemoryview(Bytes(lambda: found, len(found), self._owners))

    def null_mask(self) -> gpumemoryview | None:
        """The memory of the NULL mask; none where no row is NULL. The column begins `offset()` bits in it."""
        if self._spans is not None:
            return self._spans[1]
        return self._mask if self._null_count else None

    @functools.cached_property
    def _mask(self) -> gpumemoryview:
        before = np.ones(self._offset, np.bool_)
        bits = np.packbits(np.append(before, storage.validity(self._rows)), bitorder="little")
        padded = np.zeros(storage.bitmask_bytes(self._offset + self._size), np.uint8)
        padded[: len(bits)] = bits
        return gpumemoryview(Bytes(lambda: padded, len(padded), self._owners))

    def device_buffer_size(self) -> int:
        return storage.data_bytes(self._rows) + storage.mask_bytes(self._rows)

    @library
    def copy(self, stream: Any = None, mr: Any = None) -> Column:
        return made(self._kind, storage.compact(self._rows))

    def with_mask(self, mask: Any, null_count: int, validate: bool = True) -> Column:
        """The same values with other NULLs; a wrong `null_count` is believed."""
        check("null_count", int, null_count)
        if validate and mask is not None and not is_span(mask):
            raise TypeError(f"mask must satisfy Span protocol or None, got {type(mask).__name__}")
        if mask is None and null_count > 0:
            raise ValueError("Empty mask must have null count of zero")
        keep = None
        if mask is not None:
            bits = np.unpackbits(mask._bytes, bitorder="little")
            offset = self._rows.offset if self._spans is None else self._offset
            keep = bits[offset : offset + self._size].astype(np.bool_)
        rows = storage.remasked(self._rows, keep)
        column = Column._of(self._kind, rows, (*self._owners, mask))
        column._null_count = null_count
        return column

    def list_view(self) -> ListsColumnView:
        return ListsColumnView(self)

    def struct_view(self) -> StructsColumnView:
        return StructsColumnView(self)

    @staticmethod
    @library
    def from_scalar(slr: Scalar, size: int, stream: Any = None, mr: Any = None) -> Column:
        from .scalar import Scalar

        check("slr", Scalar, slr)
        if size < 0:
            raise ValueError("CUDF failure: Invalid column size")
        return made(slr._kind, slr._row.take(pa.array(np.zeros(size, np.int64))))

    @library
    def to_scalar(self, stream: Any = None, mr: Any = None) -> Scalar:
        from .scalar import Scalar

        if self._size != 1:
            raise ValueError("to_scalar only works for columns of size 1")
        return Scalar._of(self._kind, self._rows)

    @staticmethod
    @library
    def all_null_like(like: Column, size: int, stream: Any = None, mr: Any = None) -> Column:
        return made(like._kind, nulls(like._kind, size))

    @staticmethod
    def from_rmm_buffer(buff: Any, dtype: DataType, size: int, children: Iterable[Column]) -> Column:
        """A column of the bytes of a DeviceBuffer, without NULLs."""
        from . import traits

        parts = list(children)
        if traits.is_fixed_width(dtype) and parts:
            raise ValueError("Fixed-width types must have zero children.")
        if dtype.id() is TypeId.STRING and len(parts) != 1:
            raise ValueError("String columns have have 1 child column of offsets.")
        if traits.is_nested(dtype) and not parts:
            raise ValueError("List and struct columns must have at least one child column.")
        return Column(dtype, size, gpumemoryview(buff), None, 0, 0, parts)

    def to_arrow(self, metadata: Any = None, stream: Any = None) -> Any:
        """The rows as an Arrow array: the host waits for the device."""
        check_stream(stream)
        device.synchronized("Column.to_arrow")
        return arrow(self._rows, self._kind, getattr(metadata, "precision", None))

    def to_pylist(self) -> list[Any]:
        """The rows as Python values: the host waits for the device."""
        from . import traits

        if not (traits.is_fixed_width(self.type()) or self.type().id() is TypeId.STRING):
            raise NotImplementedError(f"to_pylist is not supported for {self.type().id()!r}")
        device.synchronized("Column.to_pylist")
        return arrow(self._rows, self._kind).to_pylist()

    @staticmethod
    def from_arrow(obj: Any, dtype: DataType | None = None, stream: Any = None, mr: Any = None) -> Column:
        """A copy of an Arrow array (or of what offers one, or of a stream of them) on the device."""
        check_stream(stream)
        if dtype is not None:
            raise NotImplementedError("Creating a Column with the dtype argument specified.")
        if hasattr(obj, "__arrow_c_array__"):
            array = obj if isinstance(obj, pa.Array) else pa.array(obj)
        elif hasattr(obj, "__arrow_c_stream__"):
            chunks = obj if isinstance(obj, pa.ChunkedArray) else pa.chunked_array(obj)
            array = chunks.combine_chunks()
            array = array if isinstance(array, pa.Array) else pa.concat_arrays(array.chunks)
        else:
            raise ValueError("Invalid Arrow-like object")
        device.called("column.Column.from_arrow")
        with taking_from(mr):
            kind = kind_of(array.type)
            return made(kind, storage.poisoned(stored(copies.array_from_host(array, stream), kind)))

    @classmethod
    def from_array_interface(cls, obj: Any, stream: Any = None) -> Column:
        """A copy of a numpy array of one dimension."""
        if not hasattr(obj, "__array_interface__"):
            raise TypeError("Object does not implement __array_interface__")
        found = np.asarray(obj)
        if found.ndim != 1:
            raise NotImplementedError("the double takes arrays of one dimension")
        device.called("column.Column.from_array_interface")
        array = storage.build(found)
        return made(kind_of(array.type), array)

    @classmethod
    def from_array(cls, obj: Any, stream: Any = None) -> Column:
        if hasattr(obj, "__array_interface__"):
            return cls.from_array_interface(obj, stream)
        raise TypeError(f"Cannot convert object of type {type(obj)} to a pylibcudf Column")

    @staticmethod
    def struct_from_children(children: Sequence[Column]) -> Column:
        """A struct of columns, whose NULLs are those of the first."""
        parts = list(children)
        if not parts:
            raise ValueError("Must provide at least one child column")
        first = parts[0]
        if not all(
            isinstance(c, Column) and (c._size, c._null_count) == (first._size, first._null_count)
            for c in parts
        ):
            raise ValueError(
                "All child columns must be of type Column and have the same size and null count."
            )
        kind = Kind(DataType(TypeId.STRUCT), tuple(c._kind for c in parts))
        rows = [storage.compact(c._rows) for c in parts]
        array = pa.Array.from_buffers(storage_type(kind), first._size, [None], children=rows)
        keep = storage.valid(first._rows)
        return Column._of(kind, storage.with_validity(array, keep), tuple(parts))


class ListsColumnView:
    """A column of lists as such."""

    def __init__(self, column: Column) -> None:
        if not isinstance(column, Column) or column.type().id() is not TypeId.LIST:
            raise TypeError("Column is not a list type")
        self._column = column

    def child(self) -> Column:
        return self._column.child(1)

    def offsets(self) -> Column:
        return self._column.child(0)

    def get_sliced_child(self, stream: Any = None) -> Column:
        rows = self._column._rows
        return self._column._part(
            self._column._kind.children[0], rows.flatten() if len(rows) else rows.values[:0]
        )


class StructsColumnView:
    """A column of structs as such."""

    def __init__(self, column: Column) -> None:
        if not isinstance(column, Column) or column.type().id() is not TypeId.STRUCT:
            raise TypeError("Column is not a struct type")
        self._column = column

    def get_sliced_child(self, index: int, stream: Any = None) -> Column:
        return self._column.child(index)


def made(kind: Kind | DataType, rows: pa.Array) -> Column:
    """A new column, whose memory is taken from the resource of the call in progress."""
    kind = kind if isinstance(kind, Kind) else Kind(kind)
    if len(rows) > device.row_limit:
        raise overflow_error("Size of output exceeds the column size limit")
    source = resource()
    owners = [Allocation(source, storage.data_bytes(rows))]
    if rows.null_count:
        owners.append(Allocation(source, storage.mask_bytes(rows)))
    return Column._of(kind, rows, tuple(owners))


def viewed(of: Column, rows: pa.Array) -> Column:
    """A column that shares the memory of another."""
    return Column._of(of._kind, rows, of._owners)
