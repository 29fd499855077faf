"""read_json: the options of a call, what its files hold, and the table over them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from ...cpu_fallback.json_text import BadJson, decode, lines
from ...cpu_fallback.kernels.json_values import first_value_end, last_value_end
from ...cpu_fallback.operators.json_values import JSON_TEXT
from ...cpu_fallback.operators.text_blocks import open_text, text_errors
from ...physical.file_tables import JsonTable, TextFile
from ...physical.parquet_meta import FileId
from ...physical.parquet_names import unique
from ...planner import messages_csv, messages_json
from ...planner.catalog import Table, TableColumn
from ...planner.types import DATE, TIMESTAMP, TIMESTAMPTZ, VARCHAR, SQLType
from . import file_options as take
from .csv_source import compression_of
from .csv_types import PLAIN, stands_for
from .file_options import FileOptions, Options, file_columns, file_options, listed_files
from .json_types import Shape

SUFFIXES = (".json", ".jsonl", ".ndjson", ".json.gz", ".jsonl.gz", ".ndjson.gz", ".json.zst")
_FORMATS = {
    "auto": "auto", "array": "array", "newline_delimited": "lines", "nd": "lines", "unstructured": "values"
}  # fmt: skip
# How large objects may be, and when DuckDB takes a MAP for a STRUCT, which are always STRUCT here.
_IGNORED = (
    "maximum_object_size",
    "auto_detect",
    "map_inference_threshold",
    "field_appearance_threshold",
)
_BOM = b"\xef\xbb\xbf"
_SAMPLE_ROWS = 20_480
_SAMPLE_FILES = 32
_BLOCK = 1 << 20


@dataclass
class JsonOptions:
    """What the user said about the files."""

    format: str = "auto"
    records: bool | None = None
    columns: dict[str, SQLType] | None = None
    sample: int = _SAMPLE_ROWS
    files: int = _SAMPLE_FILES
    depth: int = -1
    date: str | None = None
    stamp: str | None = None
    ignore_errors: bool = False
    compression: str = "auto"


def read_json(args: Sequence[Any], named: Mapping[str, Any]) -> Table:
    """read_json(path or list of paths, option = value, ...)"""
    return _read("read_json", args, named)


def read_ndjson(args: Sequence[Any], named: Mapping[str, Any]) -> Table:
    """read_json of files with a value a line."""
    return _read("read_ndjson", args, {"format": "newline_delimited", **named})


def _read(function: str, args: Sequence[Any], named: Mapping[str, Any]) -> Table:
    options = Options(function, named)
    common = file_options(options)
    for name in (
        "maximum_object_size",
        "auto_detect",
        "map_inference_threshold",
        "field_appearance_threshold",
    ):
        options.take(name, lambda _, value: value)
    form = options.take("format", take.text, "auto").lower()
    if form not in _FORMATS:
        raise messages_csv.bad_parameter("format", f"'{form}' is none of {', '.join(_FORMATS)}")
    own = JsonOptions(
        format=_FORMATS[form],
        records=options.take("records", _records),
        columns=options.take("columns", take.type_map),
        sample=options.take("sample_size", take.whole, _SAMPLE_ROWS),
        files=options.take("maximum_sample_files", take.whole, _SAMPLE_FILES),
        depth=options.take("maximum_depth", take.whole, -1),
        date=options.take("dateformat date_format", take.text),
        stamp=options.take("timestampformat timestamp_format", take.text),
        ignore_errors=options.take("ignore_errors", take.boolean, False),
        compression=options.take("compression", take.text, "auto").lower(),
    )
    options.end()
    return json_table(function, listed_files(function, args, SUFFIXES), own, common)


def _records(name: str, value: Any) -> bool | None:
    return None if str(value).lower() == "auto" else take.boolean(name, value)


def json_table(
    name: str, files: Sequence[FileId], options: JsonOptions, common: FileOptions, below: str = ""
) -> JsonTable:
    """The table over files. What is not sampled must look like what is."""
    shape = Shape()
    forms = []
    sample: list[Any] = []
    most = len(files) if options.files < 0 else options.files
    for number, file in enumerate(files):
        compression = compression_of(file.path, options.compression)
        form, start, values = _looked_at(file.path, compression, options, number < most)
        forms.append((form, start, compression))
        for value in values if options.columns is None else ():
            shape.add(value)
        if options.date is not None or options.stamp is not None:
            sample += values
    array = forms[0][0] == "array"
    if any((form == "array") != array for form, _, _ in forms):
        raise messages_json.wrong_format(files[0].path, "array", "{")
    keys, columns = _columns(shape, files[0].path, options)
    if options.columns is None:
        columns = [_by_format(c, key, sample, options) for c, key in zip(columns, keys, strict=True)]
    extra = file_columns(files, common, (column.name for column in columns), below)
    replaced = {column.name.lower() for column in extra}
    kept = [i for i, column in enumerate(columns) if column.name.lower() not in replaced]
    own = [columns[i] for i in kept]
    made = [
        TextFile(
            file,
            compression,
            start,
            1,
            0,
            (),
            tuple((len(own) + i, c.values[n]) for i, c in enumerate(extra)),
        )
        for n, (file, (_, start, compression)) in enumerate(zip(files, forms, strict=True))
    ]
    return JsonTable(
        name,
        (*own, *(TableColumn(column.name, column.type) for column in extra)),
        tuple(made),
        25.0 * max(1, len(columns)),
        array=array,
        keys=(*(keys[i] for i in kept), *(None for _ in extra)),
        open=options.columns is not None or bool(replaced),
        ignore_errors=options.ignore_errors,
        formats=(*(_format(columns[i].type, keys[i], shape, options) for i in kept), *(None for _ in extra)),
    )


def _by_format(
    column: TableColumn, key: str | None, sample: Sequence[Any], options: JsonOptions
) -> TableColumn:
    """A column of texts that all have the format of dates or timestamps that the user gave."""
    if not sample or column.type.is_nested or column.type.is_numeric:
        return column
    members = [value.get(key) if isinstance(value, dict) else None for value in sample]
    if not all(isinstance(member, str | None) for member in members):
        return column
    texts = pa.array(members, pa.string()).drop_null()
    for kind, shape in ((DATE, options.date), (TIMESTAMP, options.stamp)):
        if shape is not None and len(texts) and stands_for(texts, kind, shape, PLAIN):
            return TableColumn(column.name, kind)
    return column


def _format(kind: SQLType, key: str | None, shape: Shape, options: JsonOptions) -> str | None:
    found = shape if key is None else shape.members.get(key)
    if options.columns is None and found is not None and found.kind == "any":
        return JSON_TEXT
    if kind == DATE:
        return options.date
    return options.stamp if kind in (TIMESTAMP, TIMESTAMPTZ) else None


def _columns(shape: Shape, path: str, options: JsonOptions) -> tuple[list[str | None], list[TableColumn]]:
    """The keys of the columns, None for the value itself, and the columns."""
    if options.columns is not None:
        return list(options.columns), [TableColumn(name, kind) for name, kind in options.columns.items()]
    record = shape.kind == "struct" and bool(shape.members) and options.depth != 0
    if options.records and not record:
        raise messages_json.records_expected(path)
    if not record or options.records is False:
        kind = VARCHAR if shape.kind == "null" else shape.sql_type(options.depth)
        return [None], [TableColumn("json", kind)]
    keys = list(shape.members)
    columns = []
    for name, key in zip(unique(keys), keys, strict=True):
        kind = shape.members[key].sql_type(options.depth - 1 if options.depth > 0 else -1)
        columns.append(TableColumn(name, kind))
    return [*keys], columns


def _looked_at(
    path: str, compression: str, options: JsonOptions, sampled: bool
) -> tuple[str, int, list[Any]]:
    """A file's format, the byte at which its values begin, and the first of them."""
    with text_errors(path), open_text(path, compression) as stream:
        data = stream.read(_BLOCK)
        whole = len(data) < _BLOCK
        while not whole and (options.sample < 0 or data.count(b"{") < 2 * options.sample):
            more = stream.read(len(data))
            data += more
            whole = not more
            if len(data) > 64 << 20 and options.sample >= 0:
                break
    offset = len(_BOM) if data.startswith(_BOM) else 0
    start = offset + len(data[offset:]) - len(data[offset:].lstrip())
    form = options.format
    if form == "auto":
        form = "array" if data[start : start + 1] == b"[" and _is_array(data[start:], whole) else "lines"
    elif form == "array" and data[start : start + 1] not in (b"[", b""):
        raise messages_json.wrong_format(path, "array", data[start : start + 1].decode(errors="replace"))
    if form == "array":
        start += 1
    if not sampled:
        return form, start, []
    text = data[start:]
    if not whole:
        text = text[: last_value_end(text)]
    try:
        values = decode(text, array=form == "array")
    except BadJson as error:
        if not options.ignore_errors or form == "array":
            raise messages_json.malformed(
                path, 1 + data.count(b"\n", 0, start) + error.line, str(error)
            ) from error
        values = [value for value in lines(text) if not isinstance(value, BadJson)]
    if options.sample >= 0:
        values = values[: options.sample]
    return form, start, values


def _is_array(data: bytes, whole: bool) -> bool:
    """Whether a text that begins with [ is one array, and not an array a line."""
    end = first_value_end(data)
    return not end or (whole and not data[end:].strip())
