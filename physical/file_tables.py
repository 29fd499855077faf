"""Tables over files of rows that are text: CSV and JSON. They implement planner.catalog.Table."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Any

from ..planner.catalog import TableColumn
from ..planner.statistics import ColumnStats, TableStats
from .parquet_meta import FileId


@dataclass(frozen=True)
class TextFile:
    """One file of a table: rows begin at byte `start` of the (uncompressed) text, in line `line` from 1.

    Column i of the table is the file's field `places[i]` (CSV) or has the name of the column (JSON, whose
    places mean nothing); -1 is a column that the file does not have: NULL, or its value in `constants`.
    """

    file: FileId
    compression: str
    start: int
    line: int
    width: int
    places: tuple[int, ...]
    constants: tuple[tuple[int, Any], ...] = ()


@dataclass(frozen=True)
class CsvForm:
    """How fields become values. `nulls` are texts that stand for NULL; `formats` are the strptime formats of
    columns by position, None for the forms of CAST.
    """

    delimiter: bytes
    quote: int
    escape: int
    comment: int
    nulls: tuple[str, ...] = ("",)
    formats: tuple[str | None, ...] = ()
    not_null: frozenset[int] = frozenset()
    decimal: str = "."
    thousands: str = ""
    ignore_errors: bool = False
    null_padding: bool = False
    strict: bool = True
    detected: bool = True


@dataclass(frozen=True)
class TextTable:
    """Rows of text files."""

    name: str
    columns: tuple[TableColumn, ...]
    files: tuple[TextFile, ...]
    row_bytes: float = field(default=50.0, compare=False)

    @property
    def identity(self) -> Hashable:
        return self

    def stats(self) -> TableStats:
        size = sum(f.file.size * (4.0 if f.compression != "none" else 1.0) for f in self.files)
        return TableStats(max(1.0, size / max(self.row_bytes, 1.0)), exact=False)

    def column_stats(self, name: str) -> ColumnStats | None:
        return None


@dataclass(frozen=True)
class CsvTable(TextTable):
    """Rows of CSV files."""

    form: CsvForm = field(default_factory=lambda: CsvForm(b",", 34, 34, -1))


@dataclass(frozen=True)
class JsonTable(TextTable):
    """Values of JSON files: one a line or one after another, or (`array`) the items of an array. Column i is
    the member `keys[i]` of each value, or the value itself where the key is None. `open` allows members that
    are no columns. `formats` are as CSV's.
    """

    array: bool = False
    keys: tuple[str | None, ...] = ()
    open: bool = False
    ignore_errors: bool = False
    formats: tuple[str | None, ...] = ()


@dataclass(frozen=True)
class WholeFiles:
    """One row a file: its name, content (text or bytes), size and time of change."""

    name: str
    columns: tuple[TableColumn, ...]
    files: tuple[FileId, ...]

    @property
    def identity(self) -> Hashable:
        return self

    def stats(self) -> TableStats:
        return TableStats(float(len(self.files)), exact=True)

    def column_stats(self, name: str) -> ColumnStats | None:
        return None
