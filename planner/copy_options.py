"""What COPY TO writes: the options of each format, checked."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from . import messages_copy as messages

_ENDINGS = {
    ".parquet": "parquet", ".parq": "parquet", ".csv": "csv", ".tsv": "csv", ".json": "json",
    ".jsonl": "json", ".ndjson": "json",
}  # fmt: skip
_COMPRESSED = {".gz": "gzip", ".zst": "zstd"}
_CODECS = {
    "uncompressed": "none", "brotli": "brotli", "gzip": "gzip", "snappy": "snappy", "lz4": "lz4",
    "lz4_raw": "lz4", "zstd": "zstd",
}  # fmt: skip
_TEXT_COMPRESSION = {
    "none": "none", "uncompressed": "none", "auto": "auto", "auto_detect": "auto", "gzip": "gzip",
    "zstd": "zstd",
}  # fmt: skip
ROW_GROUP_ROWS = 122_880


@dataclass(frozen=True)
class CsvForm:
    """How CSV is written. `force_quote` are positions of columns."""

    delimiter: str = ","
    quote: str = '"'
    escape: str = '"'
    null: str = ""
    header: bool = True
    force_quote: frozenset[int] = frozenset()
    newline: str = "\n"
    prefix: str | None = None
    suffix: str | None = None


@dataclass(frozen=True)
class JsonForm:
    """How JSON is written: an object a line, or an array of them."""

    array: bool = False


@dataclass(frozen=True)
class ParquetForm:
    """How Parquet is written."""

    codec: str = "snappy"
    level: int | None = None
    group_rows: int = ROW_GROUP_ROWS
    group_bytes: int | None = None
    version: str = "1.0"


@dataclass(frozen=True)
class Destination:
    """Where COPY TO writes: one file, or folders by the values of `partition_by` (positions of columns).

    `existing` is what to do with files that are in the folder: 'refuse', 'overwrite', 'ignore' or 'append'.
    `formats` are the strftime formats of dates and timestamps.
    """

    path: str
    format: str
    form: CsvForm | JsonForm | ParquetForm
    compression: str = "none"
    partition_by: tuple[int, ...] = ()
    keep_keys: bool = False
    existing: str = "refuse"
    pattern: str = "data_{i}"
    extension: str = ""
    folder: bool = False
    return_files: bool = False
    formats: Mapping[str, str] = field(default_factory=dict)


def format_of(path: str) -> str | None:
    """The format that the ending of a path stands for; None for others.

    >>> format_of("a/b.CSV.gz"), format_of("x")
    ('csv', None)
    """
    name = path.lower()
    for ending in _COMPRESSED:
        name = name.removesuffix(ending)
    return next((kind for ending, kind in _ENDINGS.items() if name.endswith(ending)), None)


class _Options:
    """The options of a statement, taken one by one; what is left at the end is unknown."""

    def __init__(self, given: Mapping[str, Any], names: Sequence[str], form: str) -> None:
        self.left = dict(given)
        self.names = names
        self.form = form
        self.known: list[str] = []

    def take(self, names: str, convert: Callable[[str, Any], Any], default: Any = None) -> Any:
        """The value of the option that has one of these names."""
        result = default
        for name in names.split():
            self.known.append(name)
            if name in self.left:
                result = convert(name, self.left.pop(name))
        return result

    def columns(self, name: str, value: Any) -> frozenset[int]:
        """Positions of the columns that a list names; `*` is all of them."""
        return frozenset(self.positions(name, value))

    def positions(self, name: str, value: Any) -> tuple[int, ...]:
        if value == "*":
            return tuple(range(len(self.names)))
        listed = value if isinstance(value, list) else [value]
        if not listed or not all(isinstance(item, str) for item in listed):
            raise messages.columns_expected(name)
        places = {column.lower(): place for place, column in reversed(list(enumerate(self.names)))}
        for item in listed:
            if item.lower() not in places:
                raise messages.no_such_column(name, item)
        return tuple(places[item.lower()] for item in listed)

    def end(self) -> None:
        """Refuses what was not taken."""
        for name in self.left:
            raise messages.unknown_option(name, self.form, self.known)


def boolean(name: str, value: Any) -> bool:
    """An option's value as a truth value."""
    if isinstance(value, bool):
        return value
    if isinstance(value, int) and value in (0, 1):
        return bool(value)
    if isinstance(value, list) and len(value) == 1:
        return boolean(name, value[0])
    word = str(value).lower()
    if word in ("true", "t", "1", "yes", "on"):
        return True
    if word in ("false", "f", "0", "no", "off"):
        return False
    raise messages.bad_option_value(name, value, "BOOLEAN")


def text(name: str, value: Any) -> str:
    """An option's value as text."""
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    if value is True:
        raise messages.value_required(name, "VARCHAR")
    if isinstance(value, (list, dict)):
        raise messages.bad_option_value(name, value, "VARCHAR")
    return "" if value is None else str(value)


def whole(name: str, value: Any) -> int:
    """An option's value as a positive number."""
    if value is True:
        raise messages.value_required(name, "UBIGINT")
    try:
        number = int(value)
    except (TypeError, ValueError):
        number = 0
    if number <= 0:
        raise messages.bad_option_value(name, value, "UBIGINT")
    return number


def _character(name: str, value: Any) -> str:
    found = text(name, value)
    if len(found.encode()) > 1:
        raise messages.too_long_option(name, 1)
    return found


def delimiter(name: str, value: Any) -> str:
    """An option's value as a delimiter: up to four bytes; a backslash and t is a tab."""
    found = text(name, value).replace("\\t", "\t")
    if len(found.encode()) > 4:
        raise messages.too_long_option("delimiter", 4)
    return found


def destination(path: str, given: Mapping[str, Any], names: Sequence[str]) -> Destination:
    """The checked options of COPY TO for a query with columns called `names`. SqlError for what is wrong."""
    named = given.get("format")
    form = text("format", named).lower() if named is not None else format_of(path) or "csv"
    if form not in ("csv", "json", "parquet"):
        raise messages.unknown_format(form, ("csv", "json", "parquet"))
    options = _Options({name: value for name, value in given.items() if name != "format"}, names, form)
    keys = options.take("partition_by", options.positions, ())
    keep_keys = options.take("write_partition_columns", boolean, False)
    if keys and len(set(keys)) == len(names) and not keep_keys:
        raise messages.only_partitions()
    chosen = [
        name for name in ("overwrite", "overwrite_or_ignore", "append") if options.take(name, boolean, False)
    ]
    if len(chosen) > 1:
        raise messages.contradicting(chosen)
    existing = {"overwrite_or_ignore": "ignore"}.get(chosen[0], chosen[0]) if chosen else "refuse"
    uuid_names = existing == "append"
    pattern = options.take("filename_pattern", text, "data_{uuid}" if uuid_names else "data_{i}")
    if uuid_names and "{uuid}" not in pattern:
        raise messages.append_pattern()
    extension = options.take("file_extension", text, form)
    per_thread = options.take("per_thread_output", boolean, False)
    options.take("use_tmp_file", boolean)  # a file is always written beside its place first
    options.take("preserve_order", boolean)  # it always is
    return_files = options.take("return_files", boolean, False)
    formats: dict[str, str] = {}
    compression = "none"
    match form:
        case "parquet":
            made: Any = _parquet(options)
        case "csv":
            formats, compression = _texts(options, path)
            made = _csv(options)
        case _:
            formats, compression = _texts(options, path)
            made = JsonForm(options.take("array", boolean, False))
    options.end()
    folder = per_thread and not keys
    return Destination(
        path,
        form,
        made,
        compression,
        keys,
        keep_keys,
        existing,
        pattern,
        extension,
        folder,
        return_files,
        formats,
    )


def _texts(options: _Options, path: str) -> tuple[dict[str, str], str]:
    formats = {
        "date": options.take("dateformat date_format", text),
        "timestamp": options.take("timestampformat timestamp_format", text),
    }
    word = options.take("compression", text, "auto").lower()
    if word not in _TEXT_COMPRESSION:
        raise messages.unknown_compression(word, tuple(_TEXT_COMPRESSION))
    found = _TEXT_COMPRESSION[word]
    if found == "auto":
        found = next((kind for end, kind in _COMPRESSED.items() if path.lower().endswith(end)), "none")
    return {key: value for key, value in formats.items() if value is not None}, found


def _csv(options: _Options) -> CsvForm:
    quote = options.take("quote", _character, '"')
    form = CsvForm(
        delimiter=options.take("sep delim delimiter", delimiter, ","),
        quote=quote,
        escape=options.take("escape", _character, '"'),
        null=options.take("null nullstr", text, ""),
        header=options.take("header", boolean, True),
        force_quote=options.take("force_quote", options.columns, frozenset()),
        newline=options.take("new_line", text, "\n").replace("\\r", "\r").replace("\\n", "\n"),
        prefix=options.take("prefix", text),
        suffix=options.take("suffix", text),
    )
    encoding = options.take("encoding", text, "utf-8").lower()
    if encoding not in ("utf-8", "utf8"):
        raise messages.unknown_encoding(encoding)
    if form.quote and form.quote in form.delimiter:
        raise messages.same_character("QUOTE", "DELIMITER")
    if form.escape and form.escape in form.delimiter:
        raise messages.same_character("ESCAPE", "DELIMITER")
    return form


def _parquet(options: _Options) -> ParquetForm:
    word = options.take("compression codec", text, "snappy").lower()
    if word not in _CODECS:
        raise messages.unknown_compression(word, tuple(_CODECS))
    version = options.take("parquet_version", text, "v1").lower()
    if version not in ("v1", "v2"):
        raise messages.bad_option_value("parquet_version", version, "V1 or V2")
    return ParquetForm(
        codec=_CODECS[word],
        level=options.take("compression_level", whole),
        group_rows=options.take("row_group_size chunk_size", whole, ROW_GROUP_ROWS),
        group_bytes=options.take("row_group_size_bytes", _size),
        version="1.0" if version == "v1" else "2.6",
    )


_UNITS = {"kb": 10**3, "mb": 10**6, "gb": 10**9, "kib": 2**10, "mib": 2**20, "gib": 2**30, "b": 1}


def _size(name: str, value: Any) -> int:
    word = str(value).lower().replace(" ", "")
    digits = word.rstrip("kmgib")
    unit = word[len(digits) :]
    if unit and unit in _UNITS:
        try:
            return max(1, int(float(digits) * _UNITS[unit]))
        except ValueError:
            raise messages.bad_option_value(name, value, "UBIGINT") from None
    return whole(name, value)
