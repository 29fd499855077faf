"""read_csv: the options of a call, and the table over its files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ...physical.file_tables import CsvForm, CsvTable, TextFile
from ...physical.parquet_meta import FileId
from ...planner import messages_csv as messages
from ...planner.catalog import Table, TableColumn
from ...planner.coercion import forced_pair
from ...planner.copy_options import boolean as loose_boolean
from ...planner.types import VARCHAR, SQLType, TypeId
from . import file_options as take
from .csv_sniffer import SAMPLE_ROWS, CsvOptions, Sniffed, sniff
from .file_options import FileOptions, Options, file_columns, file_options, listed_files

SUFFIXES = (".csv", ".tsv", ".csv.gz", ".csv.zst", ".tsv.gz", ".tsv.zst")
_COMPRESSION = {"none": "none", "uncompressed": "none", "gzip": "gzip", "zstd": "zstd", "auto": "auto"}
# Named arguments that change how fast DuckDB reads, not what; they are taken and mean nothing here.
_IGNORED = (
    "buffer_size max_line_size maximum_line_size parallel allow_quoted_nulls rejects_limit files_to_sniff"
)


def read_csv(args: Sequence[Any], named: Mapping[str, Any]) -> Table:
    """read_csv(path or list of paths, option = value, ...)"""
    options = Options("read_csv", named)
    common = file_options(options)
    own = csv_options(options)
    options.end()
    if not own.detect and own.columns is None:
        raise messages.columns_needed("read_csv")
    return csv_table("read_csv", listed_files("read_csv", args, SUFFIXES), own, common)


def csv_options(options: Options) -> CsvOptions:
    """What a call says of the form of CSV files."""
    for name in _IGNORED.split():
        options.take(name, lambda _, value: value)
    quote = options.take("quote", _byte)
    encoding = options.take("encoding", take.text, "utf-8").lower()
    if encoding not in ("utf-8", "utf8"):
        raise messages.bad_parameter("encoding", "files are read as utf-8")
    names = options.take("names column_names", take.text_list, ())
    for place, name in enumerate(names):
        if name.lower() in {other.lower() for other in names[:place]}:
            raise messages.repeated_name(name)
    compression = options.take("compression", take.text, "auto").lower()
    if compression not in _COMPRESSION:
        raise messages.bad_parameter("compression", f"'{compression}' is none of {', '.join(_COMPRESSION)}")
    candidates = options.take("auto_type_candidates", take.text_list)
    return CsvOptions(
        delimiter=options.take("delim sep delimiter", _delimiter),
        quote=quote,
        escape=options.take("escape", _byte),
        comment=options.take("comment", _byte),
        header=options.take("header", loose_boolean),
        skip=options.take("skip", take.whole, 0),
        sample=options.take("sample_size", take.whole, SAMPLE_ROWS),
        nulls=options.take("nullstr null", take.text_list, ("",)),
        date=options.take("dateformat date_format", take.text),
        stamp=options.take("timestampformat timestamp_format", take.text),
        decimal=options.take("decimal_separator", _separator, "."),
        thousands=options.take("thousands", _separator, ""),
        all_text=options.take("all_varchar", take.boolean, False),
        ignore_errors=options.take("ignore_errors store_rejects", take.boolean, False),
        null_padding=options.take("null_padding", take.boolean, False),
        strict=options.take("strict_mode", take.boolean, True),
        normalize=options.take("normalize_names", take.boolean, False),
        compression=_COMPRESSION[compression],
        columns=options.take("columns", take.type_map),
        names=names,
        types=options.take("types dtypes column_types", take.types),
        candidates=None if candidates is None else _candidates(candidates),
        not_null=options.take("force_not_null", take.text_list, ()),
        detect=options.take("auto_detect", take.boolean, True),
    )


def _candidates(names: Sequence[str]) -> tuple[SQLType, ...]:
    found = [take.sql_type("auto_type_candidates", name) for name in names]
    return (*(kind for kind in found if kind != VARCHAR), VARCHAR)


def _byte(name: str, value: Any) -> int:
    if not isinstance(value, str) or len(value.encode()) > 1:
        raise messages.bad_parameter(name, "one character was expected")
    return ord(value) if value else -1


def _delimiter(name: str, value: Any) -> bytes:
    found = take.text(name, value).replace("\\t", "\t").encode()
    if len(found) > 4:
        raise messages.bad_parameter(name, "it cannot exceed a size of 4 bytes")
    return found


def _separator(name: str, value: Any) -> str:
    if value not in (".", ",", " ", "'", "_", ""):
        raise messages.bad_parameter(name, f"'{value}' is no separator of digits")
    return value


def compression_of(path: str, wanted: str) -> str:
    """How a file is compressed: as said, or as its ending says."""
    if wanted != "auto":
        return wanted
    return {".gz": "gzip", ".zst": "zstd"}.get(path[path.rfind(".") :].lower(), "none")


def csv_table(
    name: str, files: Sequence[FileId], options: CsvOptions, common: FileOptions, below: str = ""
) -> CsvTable:
    """The table over files of one form. IoError where a file has other columns than the first."""
    first = _sniffed(files[0], options)
    dialect = first.dialect
    fixed = CsvOptions(**vars(options))
    fixed.delimiter, fixed.quote, fixed.escape = dialect.delimiter, dialect.quote, dialect.escape
    fixed.comment = dialect.comment
    if options.header is None and len(files) > 1:
        fixed.header = first.header
    known = [first, *(_sniffed(file, fixed) for file in files[1:])]
    names, kinds, formats = _columns(known, files, options, common)
    extra = file_columns(files, common, names, below)
    replaced = {column.name.lower() for column in extra}
    own = [(n, k, f) for n, k, f in zip(names, kinds, formats, strict=True) if n.lower() not in replaced]
    columns = [TableColumn(n, k) for n, k, _ in own] + [TableColumn(c.name, c.type) for c in extra]
    made = []
    for number, (file, form) in enumerate(zip(files, known, strict=True)):
        places = [*_places(form, [n for n, _, _ in own], names, options, common), *[-1] * len(extra)]
        constants = [(len(own) + i, column.values[number]) for i, column in enumerate(extra)]
        made.append(
            TextFile(
                file, compression_of(file.path, options.compression), form.start, form.line, form.width,
                tuple(places), tuple(constants),
            )
        )  # fmt: skip
    force = {column.lower() for column in options.not_null}
    form = CsvForm(
        dialect.delimiter, dialect.quote, dialect.escape, dialect.comment, options.nulls,
        (*(f for _, _, f in own), *[None] * len(extra)),
        frozenset(i for i, (n, _, _) in enumerate(own) if n.lower() in force),
        options.decimal, options.thousands, options.ignore_errors, options.null_padding, options.strict,
        options.columns is None and options.types is None,
    )  # fmt: skip
    return CsvTable(name, tuple(columns), tuple(made), 12.0 * max(len(columns), 1), form)


def _sniffed(file: FileId, options: CsvOptions) -> Sniffed:
    return sniff(file.path, compression_of(file.path, options.compression), options)


def _columns(
    known: Sequence[Sniffed], files: Sequence[FileId], options: CsvOptions, common: FileOptions
) -> tuple[list[str], list[SQLType], list[str | None]]:
    """Names, types and formats of the columns in the files."""
    first = known[0]
    if options.columns is not None:
        kinds = list(options.columns.values())
        return list(options.columns), kinds, [_shape(kind, options) for kind in kinds]
    names, kinds, formats = list(first.names), list(first.types), list(first.formats)
    place_of = {name.lower(): place for place, name in enumerate(names)}
    for file, other in zip(files[1:], known[1:], strict=True):
        same = {n.lower() for n in other.names} == set(place_of)
        if not common.union_by_name and not same and other.header:
            missing = next((n for n in names if n.lower() not in {o.lower() for o in other.names}), None)
            if missing is not None:
                raise messages.mismatch(file.path, files[0].path, f'lacks the column "{missing}"')
        elif not common.union_by_name and other.width != first.width:
            raise messages.mismatch(file.path, files[0].path, f"has {other.width} columns, not {first.width}")
        for place, (name, kind, shape) in enumerate(
            zip(other.names, other.types, other.formats, strict=True)
        ):
            mine = place_of.get(name.lower(), place if not other.header and place < len(names) else None)
            if mine is None:
                if common.union_by_name:
                    place_of[name.lower()] = len(names)
                    names.append(name)
                    kinds.append(kind)
                    formats.append(shape)
            elif kinds[mine] != kind or formats[mine] != shape:
                kinds[mine], formats[mine] = _wider(kinds[mine], kind, formats[mine], shape)
    _apply_types(names, kinds, formats, options)
    return names, kinds, formats


def _shape(kind: SQLType, options: CsvOptions) -> str | None:
    """The format that the user gave for a type."""
    if kind.id is TypeId.DATE:
        return options.date
    return options.stamp if kind.id in (TypeId.TIMESTAMP, TypeId.TIMESTAMPTZ) else None


def _wider(one: SQLType, two: SQLType, shape: str | None, other: str | None) -> tuple[SQLType, str | None]:
    numbers = one.is_numeric and two.is_numeric
    if one == two:
        return (one, shape) if shape == other else (VARCHAR, None)
    return (forced_pair(one, two), None) if numbers else (VARCHAR, None)


def _apply_types(
    names: Sequence[str], kinds: list[SQLType], formats: list[str | None], options: CsvOptions
) -> None:
    given = options.types
    if given is None:
        return
    if isinstance(given, dict):
        places = {name.lower(): place for place, name in enumerate(names)}
        unknown = [name for name in given if name.lower() not in places]
        if unknown:
            raise messages.unknown_types(unknown)
        pairs = [(places[name.lower()], kind) for name, kind in given.items()]
    else:
        if len(given) > len(names):
            raise messages.too_many("types", len(given), len(names))
        pairs = list(enumerate(given))
    for place, kind in pairs:
        shape = _shape(kind, options)
        if kind != kinds[place] or shape is not None:
            kinds[place], formats[place] = kind, shape


def _places(
    form: Sniffed, wanted: Sequence[str], names: Sequence[str], options: CsvOptions, common: FileOptions
) -> list[int]:
    """Where each wanted column is in a file: by name where the file has a header, else by position."""
    positions = {name.lower(): place for place, name in enumerate(names)}
    own = {name.lower(): place for place, name in enumerate(form.names)}
    by_name = options.columns is None and (common.union_by_name or form.header)
    if by_name:
        return [own.get(name.lower(), -1) for name in wanted]
    return [positions[name.lower()] if positions[name.lower()] < form.width else -1 for name in wanted]
