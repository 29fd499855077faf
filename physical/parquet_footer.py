"""Rewriting a Parquet footer so that pyarrow decodes straight into compute-ready storage.

Two things in a footer make pyarrow do work we do not want: the `ARROW:schema` key (it asks for string_view,
dictionaries and other writer-side types) and the DECIMAL annotation of INT32/INT64 columns (it asks for a
detour through decimal128). Without them the same pages decode to plain strings and integers. A third makes
it fail or read the wrong column: names that repeat, are empty or hold dots, as pyarrow finds columns by
dotted name. So column i is named "i" here, and members of one struct get different names. The rewrite touches
only the schema list at the front and one key name; row-group metadata is copied verbatim, so it costs a
memory copy whatever the number of row groups.

Source: Apache Parquet format, parquet.thrift (FileMetaData, SchemaElement) and the Thrift compact protocol
specification.
"""

from __future__ import annotations

from dataclasses import dataclass

import pyarrow as pa
import pyarrow.parquet as pq

from .parquet_names import UniqueNames

MAGIC = b"PAR1"
_ARROW_SCHEMA = b"ARROW:schema"
# Same length, so that the Thrift string around it stays valid.
_HIDDEN_SCHEMA = b"arrow:hidden"

_STOP, _TRUE, _FALSE, _BYTE, _I16, _I32, _I64, _DOUBLE, _BINARY, _LIST, _SET, _MAP, _STRUCT = range(13)
# INT96 is a timestamp; nanoseconds would reach from 1677 to 2262 only, and DuckDB reads microseconds.
INT96_UNIT = "us"
_INT32, _INT64 = 1, 2  # parquet.thrift Type
_CONVERTED_DECIMAL = 5  # parquet.thrift ConvertedType.DECIMAL
_NAME = 4  # parquet.thrift SchemaElement.name
_DECIMAL_FIELDS = frozenset({6, 7, 8, 10})  # converted type, scale, precision, logical type
# Structs in a footer's schema are at most two deep; more is no footer.
_MAX_DEPTH = 16


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

    def skip(self, kind: int, depth: int = 0) -> None:
        if depth > _MAX_DEPTH:
            raise FooterError("nested too deep")
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
            if count > len(self.data) - self.at:
                raise FooterError("a list is longer than the footer")
            for _ in range(count):
                # In a list a truth value takes a byte.
                self.skip(_BYTE if element in (_TRUE, _FALSE) else element, depth + 1)
        elif kind == _STRUCT:
            last = 0
            while True:
                kind, last = self.field(last)
                if kind == _STOP:
                    return
                self.skip(kind, depth + 1)
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


@dataclass
class _Element:
    """One SchemaElement: its fields as (id, thrift type, value bytes), and what of them matters here."""

    fields: list[tuple[int, int, bytes]]
    name: str
    children: int
    integer_decimal: bool


def _read_element(reader: _Reader) -> _Element:
    fields: list[tuple[int, int, bytes]] = []
    physical = converted = None
    decimal_logical = False
    children = 0
    name = ""
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
            elif last == 5:
                children = value
            elif last == 6:
                converted = value
        elif (kind, last) == (_BINARY, _NAME):
            size = reader.varint()
            # Names that are not UTF-8 stay apart: each bad byte becomes an escape of its own.
            name = reader.data[reader.at : reader.at + size].decode("utf-8", "backslashreplace")
            reader.at += size
        else:
            if last == 10:
                # LogicalType is a union: its one field's id says which; 5 is DECIMAL.
                inner = _Reader(reader.data)
                inner.at = start
                decimal_logical = inner.field(0)[1] == 5
            reader.skip(kind)
        fields.append((last, kind, reader.data[start : reader.at]))
    if reader.at > len(reader.data):
        raise FooterError("truncated footer")
    is_decimal = converted == _CONVERTED_DECIMAL or decimal_logical
    return _Element(fields, name, children, is_decimal and physical in (_INT32, _INT64))


def _write_element(element: _Element, name: str, dropped: frozenset[int]) -> bytes:
    out = bytearray()
    previous = 0
    for field_id, kind, value in element.fields:
        if field_id in dropped:
            continue
        if field_id == _NAME:
            text = name.encode()
            value = _varint(len(text)) + text
        if field_id <= previous or field_id - previous > 15:
            raise FooterError("fields of a schema element are out of order")
        out.append((field_id - previous) << 4 | kind)
        out += value
        previous = field_id
    out.append(_STOP)
    return bytes(out)


def _plain_schema(elements: list[_Element]) -> list[bytes]:
    """The elements (a tree in preorder: each says how many children it has) with the names and types we
    read by. DECIMAL stays inside lists and structs, whose values are not kept as scaled integers.
    """
    if not elements:
        raise FooterError("empty schema")
    out = [_write_element(elements[0], elements[0].name, frozenset())]
    open_groups = [(elements[0].children, UniqueNames())]
    number = 0
    for element in elements[1:]:
        while open_groups and open_groups[-1][0] == 0:
            open_groups.pop()
        if not open_groups:
            raise FooterError("the schema has more elements than its groups hold")
        left, names = open_groups[-1]
        open_groups[-1] = (left - 1, names)
        top = len(open_groups) == 1
        name = str(number) if top else names.add(element.name)
        number += top
        drop = _DECIMAL_FIELDS if top and element.integer_decimal else frozenset()
        out.append(_write_element(element, name, drop))
        if element.children > 0:
            open_groups.append((element.children, UniqueNames()))
    return out


def plain_footer(footer: bytes) -> tuple[bytes, tuple[str, ...]]:
    """A Parquet FileMetaData (Thrift compact bytes) without `ARROW:schema`, without DECIMAL annotations on
    integer columns, and with column i named "i"; and the names the columns had.

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
        elements = [_read_element(reader) for _ in range(count)]
    except IndexError:
        raise FooterError("truncated footer") from None
    plain = _plain_schema(elements)
    size = bytes([count << 4 | _STRUCT]) if count < 15 else bytes([0xF0 | _STRUCT]) + _varint(count)
    rest = without_arrow_schema(footer[reader.at :])
    return head + size + b"".join(plain) + rest, _column_names(elements)


def without_arrow_schema(footer: bytes) -> bytes:
    """The footer without the types the writer had in memory."""
    return footer.replace(_ARROW_SCHEMA, _HIDDEN_SCHEMA)


def _column_names(elements: list[_Element]) -> tuple[str, ...]:
    names: list[str] = []
    inside = 0  # elements still to come of the column that is being passed
    for element in elements[1:]:
        if inside == 0:
            names.append(element.name)
            inside = 1
        inside += element.children - 1
    return tuple(names)


def parquet_image(footer: bytes) -> pa.BufferReader:
    """A Parquet file that holds nothing but this footer."""
    return pa.BufferReader(MAGIC + footer + len(footer).to_bytes(4, "little") + MAGIC)


def plain_file(footer: bytes) -> tuple[pq.ParquetFile, tuple[str, ...]]:
    """A file of the rewritten footer alone, whose metadata is to be passed as ParquetFile(file, metadata=...)
    and whose Arrow schema is what will be read; and the names of the columns.
    """
    plain, names = plain_footer(footer)
    return pq.ParquetFile(parquet_image(plain), coerce_int96_timestamp_unit=INT96_UNIT), names
