"""What a CSV file looks like: the characters it is written with, where its rows begin, names and types."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pyarrow as pa

from ...cpu_fallback.kernels.csv_fields import MALFORMED, QUOTED, UNCLOSED, Dialect, Fields, split, texts
from ...cpu_fallback.operators.csv_values import null_texts
from ...cpu_fallback.operators.text_blocks import open_text, text_errors
from ...physical.file_tables import CsvForm
from ...physical.parquet_names import unique
from ...planner import messages_csv as messages
from ...planner.types import VARCHAR, SQLType
from .csv_types import detect, stands_for

_DELIMITERS = (b",", b"|", b";", b"\t")
_QUOTE, _APOSTROPHE, _BACKSLASH = 34, 39, 92
_BOM = b"\xef\xbb\xbf"
SAMPLE_ROWS = 20_480
_ROW_BYTES = 200  # a first guess of how much of a file its sample takes
_MOST_BYTES = 64 << 20


@dataclass
class CsvOptions:
    """What the user said about the files; None where it is to be found out."""

    delimiter: bytes | None = None
    quote: int | None = None
    escape: int | None = None
    comment: int | None = None
    header: bool | None = None
    skip: int = 0
    sample: int = SAMPLE_ROWS
    nulls: tuple[str, ...] = ("",)
    date: str | None = None
    stamp: str | None = None
    decimal: str = "."
    thousands: str = ""
    all_text: bool = False
    ignore_errors: bool = False
    null_padding: bool = False
    strict: bool = True
    normalize: bool = False
    compression: str = "auto"
    columns: dict[str, SQLType] | None = None
    names: tuple[str, ...] = ()
    types: Any = None  # by name, or a list from the first column on
    candidates: tuple[SQLType, ...] | None = None
    not_null: tuple[str, ...] = ()
    detect: bool = True


@dataclass(frozen=True)
class Sniffed:
    """A file's form: its characters, the byte and line at which rows begin, whether a header stands before
    them, and the columns with their types and strptime formats.
    """

    dialect: Dialect
    start: int
    line: int
    header: bool
    skipped: int
    names: tuple[str, ...]
    types: tuple[SQLType, ...]
    formats: tuple[str | None, ...]
    quoted: bool = False
    width: int = field(default=0)


@dataclass(frozen=True)
class _Candidate:
    dialect: Dialect
    fields: Fields
    first: int  # the row from which on all have the same number of fields
    width: int
    consistent: int
    quoted: bool


def sniff(path: str, compression: str, options: CsvOptions) -> Sniffed:
    """The form of a file. InvalidInputError where rows cannot be told."""
    data, offset, skipped, whole = _sample(path, compression, options)
    array = np.frombuffer(data, np.uint8)
    best = _best_dialect(array, path, options, whole)
    form = CsvForm(
        best.dialect.delimiter, best.dialect.quote, best.dialect.escape, best.dialect.comment,
        options.nulls, decimal=options.decimal, thousands=options.thousands,
    )  # fmt: skip
    rows = np.arange(best.first, len(best.fields.rows) - 1)
    rows = rows[_filled(best, rows)]
    first_texts = _row_texts(array, best, rows[:1])
    body = _column_texts(array, best, rows[1:], options)
    types, formats = _types(body, form, options)
    header = options.header
    if header is None and not options.detect:
        header = False
    if header is None:
        header = _has_header(array, best, rows, body, types, formats, form, options)
    if not header:
        body = _column_texts(array, best, rows, options)
        types, formats = _types(body, form, options)
    names = _names(first_texts if header else (), best.width, options)
    start = int(best.fields.begins[rows[0]]) if len(rows) else len(data)
    if header and len(rows):
        start = int(best.fields.begins[rows[0] + 1])
    line = 1 + skipped + data.count(b"\n", 0, start)
    before = skipped + (data.count(b"\n", 0, int(best.fields.begins[rows[0]])) if len(rows) else 0)
    return Sniffed(
        best.dialect, offset + start, line, header, before, names, types, formats, best.quoted, best.width
    )


def _sample(path: str, compression: str, options: CsvOptions) -> tuple[bytes, int, int, bool]:
    """The bytes to look at, at what byte they begin, how many lines were passed over, and whether that is all
    of the file."""
    wanted = options.sample if options.sample > 0 else 1 << 62
    size = wanted * _ROW_BYTES + (1 << 16)
    with text_errors(path), open_text(path, compression) as stream:
        data = stream.read() if options.sample < 0 else stream.read(size)
        whole = len(data) < size or options.sample < 0
        while not whole and data.count(b"\n") <= wanted and len(data) < _MOST_BYTES:
            more = stream.read(len(data))
            data += more
            whole = not more
    offset = len(_BOM) if data.startswith(_BOM) else 0
    for _ in range(options.skip):
        found = data.find(b"\n", offset)
        if found < 0:
            raise messages.skipped_all(path)
        offset = found + 1
    if options.skip and offset == len(data):
        raise messages.skipped_all(path)
    data = data[offset:]
    ends = np.flatnonzero(np.frombuffer(data, np.uint8) == 10)
    if options.sample > 0 and len(ends) > 2 * wanted + 2:
        data, whole = data[: int(ends[2 * wanted + 1]) + 1], False
    elif not whole:
        data = data[: data.rfind(b"\n") + 1]
    return data, offset, options.skip, whole


def _quotes(options: CsvOptions) -> Sequence[tuple[int, int]]:
    """Quote and escape, from the one that is tried first."""
    if options.quote is not None:
        quote = options.quote
        if options.escape is not None or quote < 0:
            return [(quote, quote if options.escape is None else options.escape)]
        return [(quote, quote), (quote, _BACKSLASH)]
    escapes = (_QUOTE, _BACKSLASH) if options.escape is None else (options.escape,)
    marks = (_APOSTROPHE, _BACKSLASH) if options.escape is None else (options.escape,)
    return [*((_QUOTE, e) for e in escapes), *((_APOSTROPHE, e) for e in marks), (-1, -1)]


def _best_dialect(data: Any, path: str, options: CsvOptions, whole: bool) -> _Candidate:
    delimiters = _DELIMITERS if options.delimiter is None else (options.delimiter,)
    comments = (-1, 35) if options.comment is None else (options.comment,)
    if options.comment is None and not (data == 35).any():
        comments = (-1,)
    best: _Candidate | None = None
    for comment in comments:
        for delimiter in delimiters:
            for quote, escape in _quotes(options):
                if quote >= 0 and options.quote is None and not (data == quote).any() and quote != _QUOTE:
                    continue
                found = _candidate(data, Dialect(delimiter, quote, escape, comment), options, whole)
                if found is not None and (best is None or _better(found, best)):
                    best = found
        if best is not None and best.width > 1:
            break
    if best is None:
        raise messages.no_dialect(path, [d.decode(errors="replace") for d in delimiters])
    return best


def _better(one: _Candidate, best: _Candidate) -> bool:
    if one.dialect.delimiter == best.dialect.delimiter and one.dialect.comment == best.dialect.comment:
        # Of two ways to quote the one that quotes something.
        if one.quoted != best.quoted:
            return one.quoted
        if best.quoted:
            return False
    if (one.width > 1) != (best.width > 1):
        return one.width > 1
    if one.consistent > best.consistent:
        return one.width >= best.width
    return one.consistent == best.consistent and one.width > best.width


def _candidate(data: Any, dialect: Dialect, options: CsvOptions, whole: bool) -> _Candidate | None:
    """The rows as this dialect cuts them; None where they have different numbers of fields."""
    fields = split(data, dialect)
    count = len(fields.rows) - 1
    if not whole and (broken := np.flatnonzero(fields.flags & UNCLOSED)).size:
        # The sample ends within a quoted field.
        count = int(np.searchsorted(fields.rows, broken[0], side="right")) - 1
    if options.sample > 0:
        count = min(count, options.sample + 1)
    fields = Fields(
        fields.starts, fields.ends, fields.flags, fields.rows[: count + 1], fields.begins[: count + 1]
    )
    used = int(fields.rows[-1]) if len(fields.rows) else 0
    flags = fields.flags[:used]
    if (flags & MALFORMED).any() and options.strict and not options.ignore_errors:
        return None
    counts = fields.counts
    empty = _empty(fields)
    quoted = bool((flags & QUOTED).any())
    shown = np.flatnonzero(~empty)
    if not len(shown):
        return _Candidate(dialect, fields, 0, 1, 0, quoted)
    seen = counts[shown]
    if options.columns is not None and not options.null_padding and not options.ignore_errors:
        width = len(options.columns)
        if (seen != width).any() and width > 1:
            return None
        return _Candidate(dialect, fields, int(shown[0]), width, len(seen), quoted)
    if options.null_padding:
        width = int(seen.max())
        return _Candidate(dialect, fields, int(shown[0]), width, int((seen == width).sum()), quoted)
    if options.ignore_errors:
        width = int(np.bincount(seen).argmax())
        first = int(shown[np.argmax(seen == width)])
        return _Candidate(dialect, fields, first, width, int((seen == width).sum()), quoted)
    width = int(seen[-1])
    different = np.flatnonzero(seen != width)
    start = int(different[-1]) + 1 if len(different) else 0
    # Lines before the first row may have fewer fields, as titles do.
    if (np.diff(seen[: start + 1]) < 0).any() or (start and int(seen[:start].max()) >= width):
        return None
    first = int(shown[start])
    if width == 1:
        first = 0 if start == 0 and int(shown[0]) == 0 else first
    return _Candidate(dialect, fields, first, width, len(seen) - start, quoted)


def _empty(fields: Fields) -> Any:
    firsts = fields.rows[:-1]
    return (fields.counts == 1) & (fields.ends[firsts] == fields.starts[firsts]) & (fields.flags[firsts] == 0)


def _filled(best: _Candidate, rows: Any) -> Any:
    """Which rows are none of the empty lines, that mean nothing where there are several columns."""
    fields = best.fields
    if not len(rows):
        return np.zeros(0, np.bool_)
    empty = _empty(fields)[rows]
    if best.width > 1:
        return ~empty
    # Leading empty lines are passed over.
    return np.arange(len(rows)) >= (int(np.argmax(~empty)) if (~empty).any() else 0)


def _row_texts(data: Any, best: _Candidate, rows: Any) -> tuple[str, ...]:
    if not len(rows):
        return ()
    begin, end = int(best.fields.rows[rows[0]]), int(best.fields.rows[rows[0] + 1])
    found = texts(data, best.fields, np.arange(begin, end), best.dialect)
    return tuple(bytes(v).decode(errors="replace") for v in found.cast(pa.binary()).to_pylist())


def _column_texts(data: Any, best: _Candidate, rows: Any, options: CsvOptions) -> list[pa.Array]:
    fields, columns = best.fields, []
    if not options.null_padding:
        rows = rows[fields.counts[rows] == best.width] if len(rows) else rows
    for place in range(best.width):
        places = fields.rows[rows] + place
        places = np.where(place < fields.counts[rows], places, -1)
        found = texts(data, fields, places.astype(np.int64), best.dialect)
        try:
            found.validate(full=True)
        except pa.ArrowInvalid:
            found = pa.array(["?"] * len(found), pa.string())  # no type but VARCHAR; the scan says where
        columns.append(null_texts(found, options.nulls))
    return columns


def _types(
    columns: Sequence[pa.Array], form: CsvForm, options: CsvOptions
) -> tuple[tuple[SQLType, ...], tuple[str | None, ...]]:
    if options.all_text:
        return (VARCHAR,) * len(columns), (None,) * len(columns)
    if not options.detect and options.columns is None:
        return (VARCHAR,) * len(columns), (None,) * len(columns)
    found = [detect(c, form, options.date, options.stamp, options.candidates) for c in columns]
    return tuple(kind for kind, _ in found), tuple(shape for _, shape in found)


def _has_header(
    data: Any, best: _Candidate, rows: Any, body: Sequence[pa.Array], types: Sequence[SQLType],
    formats: Sequence[str | None], form: CsvForm, options: CsvOptions,
) -> bool:  # fmt: skip
    """The first row is a header when it does not fit the columns' types; of texts alone it is one."""
    if not len(rows):
        return False
    first = _column_texts(data, best, rows[:1], replace(options, null_padding=True))
    if options.columns is not None:
        kinds = list(options.columns.values())
        if all(kind == VARCHAR for kind in kinds):
            own = [name.lower() for name in options.columns]
            return [n.strip().lower() for n in _row_texts(data, best, rows[:1])] == own or len(rows) > 1
        return not all(_fits(column, kind, None, form) for column, kind in zip(first, kinds, strict=False))
    if best.width > 1 and all(column.null_count for column in first):
        return True
    if len(rows) == 1:
        alone, _ = _types(first, form, options)
        return all(kind == VARCHAR for kind in alone)
    if all(kind == VARCHAR for kind in types):
        return True
    return not all(
        _fits(column, kind, shape, form) or not column_body.null_count < len(column_body)
        for column, kind, shape, column_body in zip(first, types, formats, body, strict=True)
    )


def _fits(value: pa.Array, kind: SQLType, shape: str | None, form: CsvForm) -> bool:
    value = value.drop_null()
    return not len(value) or stands_for(value, kind, shape, form)


def _names(first: Sequence[str], width: int, options: CsvOptions) -> tuple[str, ...]:
    names = []
    if len(options.names) > width:
        raise messages.too_many("names", len(options.names), width)
    for place in range(width):
        given = first[place].strip() if place < len(first) else ""
        if options.normalize and given:
            given = normalized(given)
        digits = len(str(width - 1))
        names.append(given or f"column{place:0{digits}d}")
    for place, name in enumerate(options.names[:width]):
        names[place] = name
    return unique(names)


_KEYWORDS = frozenset(
    "select from where group order by having limit offset union join on as case when then else end and or "
    "not in is null like between all any distinct table create insert update delete into values set user "
    "default primary key foreign references check unique constraint column with using left right full inner "
    "outer cross natural to for grant do end fetch window".split()
)


def normalized(name: str) -> str:
    """A name of letters, digits and underscores in lower case, that is no keyword.

    >>> normalized("A b"), normalized("1x"), normalized("select"), normalized("É")
    ('a_b', '_1x', '_select', 'e')
    """
    import unicodedata

    plain = "".join(c for c in unicodedata.normalize("NFKD", name) if not unicodedata.combining(c))
    made = "".join(
        c if c.isascii() and (c.isalnum() or c == "_") else " " if c.isspace() else "" for c in plain
    )
    made = "_".join(made.lower().split())
    return f"_{made}" if not made or made[0].isdigit() or made in _KEYWORDS else made
