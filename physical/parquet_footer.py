"""Rewriting a Parquet footer so that pyarrow decodes straight into compute-ready storage.

Two things in a footer make pyarrow do work we do not want: the `ARROW:schema` key (it asks for string_view,
dictionaries and other writer-side types) and the DECIMAL annotation of INT32/INT64 columns (it asks for a
detour through decimal128). Without them the same pages decode to plain strings and integers. The rewrite
touches only the schema list at the front and one key name; row-group metadata is copied verbatim, so it costs
a memory copy whatever the number of row groups.

Source: Apache Parquet format, parquet.thrift (FileMetaData, SchemaElement) and the Thrift compact protocol
specification.
"""

from __future__ import annotations

import pyarrow as pa
import pyarrow.parquet as pq

MAGIC = b"PAR1"
_ARROW_SCHEMA = b"ARROW:schema"
# Same length, so that the Thrift string around it stays valid.
_HIDDEN_SCHEMA = b"arrow:hidden"

_STOP, _TRUE, _FALSE, _BYTE, _I16, _I32, _I64, _DOUBLE, _BINARY, _LIST, _SET, _MAP, _STRUCT = range(13)
_INT32, _INT64 = 1, 2  # parquet.thrift Type
_CONVERTED_DECIMAL = 5  # parquet.thrift ConvertedType.DECIMAL


class FooterError(ValueError):
    """The bytes are not a Parquet footer."""


class _Reader:
    """The part of a Thrift compact protocol reader that schema elements need."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = 0

    def byte(self) -> int:
        value = self.data[self.at]
        self.at += 1
        return value

    def varint(self) -> int:
        shift = value = 0
        while True:
            byte = self.byte()
            value |= (byte & 0x7F) << shift
            if byte < 0x80:
                return value
            shift += 7
            if shift > 70:
                raise FooterError("bad varint")

    def zigzag(self) -> int:
        value = self.varint()
        return (value >> 1) ^ -(value & 1)

    def field(self, last: int) -> tuple[int, int]:
        """(type, id) of the next field; type _STOP ends the struct."""
        head = self.byte()
        kind, delta = head & 0x0F, head >> 4
        if kind == _STOP:
            return _STOP, 0
        return kind, last + delta if delta else self.zigzag()

    def skip(self, kind: int) -> None:
        if kind in (_TRUE, _FALSE):
            return
        if kind == _BYTE:
            self.at += 1
        elif kind in (_I16, _I32, _I64):
            self.varint()
        elif kind == _DOUBLE:
            self.at += 8
        elif kind == _BINARY:
            size = self.varint()  # read first: it moves `at`
            self.at += size
        elif kind in (_LIST, _SET):
            count, element = self.list_head()
            for _ in range(count):
                self.skip(element)
        elif kind == _STRUCT:
            last = 0
            while True:
                kind, last = self.field(last)
                if kind == _STOP:
                    return
                self.skip(kind)
        else:
            raise FooterError(f"unexpected thrift type {kind}")

    def list_head(self) -> tuple[int, int]:
        head = self.byte()
        count = head >> 4
        return (self.varint() if count == 15 else count), head & 0x0F


def _varint(value: int) -> bytes:
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def _plain_element(reader: _Reader) -> bytes:
    """Reads one SchemaElement and returns it without a DECIMAL annotation on an integer column."""
    fields: list[tuple[int, int, bytes]] = []  # (id, thrift type, value bytes)
    physical = converted = None
    decimal_logical = False
    last = 0
    while True:
        kind, last = reader.field(last)
        if kind == _STOP:
            break
        start = reader.at
        if kind == _I32:
            value = reader.zigzag()
            if last == 1:
                physical = value
            elif last == 6:
                converted = value
        else:
            if last == 10:
                # LogicalType is a union: its one field's id says which; 5 is DECIMAL.
                inner = _Reader(reader.data)
                inner.at = start
                decimal_logical = inner.field(0)[1] == 5
            reader.skip(kind)
        fields.append((last, kind, reader.data[start : reader.at]))
    is_decimal = converted == _CONVERTED_DECIMAL or decimal_logical
    dropped = {6, 7, 8, 10} if is_decimal and physical in (_INT32, _INT64) else set()
    out = bytearray()
    previous = 0
    for field_id, kind, value in fields:
        if field_id in dropped:
            continue
        out.append((field_id - previous) << 4 | kind)
        out += value
        previous = field_id
    out.append(_STOP)
    return bytes(out)


def plain_footer(footer: bytes) -> bytes:
    """A Parquet FileMetaData (Thrift compact bytes) without `ARROW:schema` and without DECIMAL annotations on
    integers.

    Raises FooterError when the bytes are not one.
    """
    reader = _Reader(footer)
    try:
        kind, last = reader.field(0)
        if (kind, last) != (_I32, 1):
            raise FooterError("no version field")
        reader.varint()
        kind, last = reader.field(last)
        if (kind, last) != (_LIST, 2):
            raise FooterError("no schema field")
        head = footer[: reader.at]
        count, element = reader.list_head()
        if element != _STRUCT:
            raise FooterError("schema is not a list of structs")
        elements = [_plain_element(reader) for _ in range(count)]
    except IndexError:
        raise FooterError("truncated footer") from None
    size = bytes([count << 4 | _STRUCT]) if count < 15 else bytes([0xF0 | _STRUCT]) + _varint(count)
    rest = footer[reader.at :].replace(_ARROW_SCHEMA, _HIDDEN_SCHEMA)
    return head + size + b"".join(elements) + rest


def plain_metadata(footer: bytes) -> pq.FileMetaData:
    """pyarrow's metadata object for the rewritten footer, to be passed as ParquetFile(file, metadata=...)."""
    plain = plain_footer(footer)
    image = MAGIC + plain + len(plain).to_bytes(4, "little") + MAGIC
    return pq.read_metadata(pa.BufferReader(image))
