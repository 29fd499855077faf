"""Output formats: one function each, from a cursor with a result to text; each returns the number of rows
written.
"""

from __future__ import annotations

import csv
import datetime
import decimal
import json
import shutil
import unicodedata
from collections.abc import Callable
from typing import Any, TextIO

from ..cursor import Cursor

Format = Callable[[Cursor, TextIO], int]

# Rows and column widths shown on a terminal; never cut without saying so.
TERMINAL_ROWS = 40
TERMINAL_CELL = 60


def text_of(value: Any) -> str:
    """A value as text, as the SQL cast to VARCHAR writes it."""
    match value:
        case None:
            return "NULL"
        case bool():
            return "true" if value else "false"
        case float():
            return _float_text(value)
        case datetime.datetime():
            return value.isoformat(sep=" ")
        case bytes():
            return "".join(chr(b) if 32 <= b < 127 and b != 92 else f"\\x{b:02X}" for b in value)
        case decimal.Decimal():
            return format(value, "f")
        case list() | dict() | tuple():
            return json.dumps(_json_value(value), ensure_ascii=False)
        case _:
            return str(value)


def _float_text(value: float) -> str:
    if value != value:
        return "nan"
    if value in (float("inf"), float("-inf")):
        return "inf" if value > 0 else "-inf"
    return repr(value)


def write_csv(cursor: Cursor, out: TextIO) -> int:
    """CSV with a header; NULL is an empty field, an empty string is quoted."""
    return _write_separated(cursor, out, ",")


def write_tsv(cursor: Cursor, out: TextIO) -> int:
    """Tab-separated values with a header."""
    return _write_separated(cursor, out, "\t")


def _write_separated(cursor: Cursor, out: TextIO, delimiter: str) -> int:
    plain = csv.writer(out, delimiter=delimiter, lineterminator="\n")
    assert cursor.description is not None
    plain.writerow([column[0] for column in cursor.description])
    count = 0
    for row in cursor:
        cells = ["" if value is None else text_of(value) for value in row]
        if any(value == "" for value in row):
            # An empty string must stay different from NULL.
            out.write(
                delimiter.join(
                    '""' if v == "" else _quoted(c, delimiter) for v, c in zip(row, cells, strict=True)
                )
            )
            out.write("\n")
        else:
            plain.writerow(cells)
        count += 1
    return count


def _quoted(text: str, delimiter: str) -> str:
    if any(c in text for c in (delimiter, '"', "\n", "\r")):
        return '"' + text.replace('"', '""') + '"'
    return text


def _json_value(value: Any) -> Any:
    match value:
        case None | bool() | int() | str():
            return value
        case float():
            return (
                value if value == value and value not in (float("inf"), float("-inf")) else _float_text(value)
            )
        case list() | tuple():
            return [_json_value(v) for v in value]
        case dict():
            return {k: _json_value(v) for k, v in value.items()}
        case _:
            return text_of(value)


def write_json(cursor: Cursor, out: TextIO) -> int:
    """A JSON array of objects; decimals, dates and non-finite numbers are strings, so that nothing is
    lost.
    """
    return _write_json(cursor, out, "[", ",\n ", "]\n")


def write_jsonl(cursor: Cursor, out: TextIO) -> int:
    """One JSON object a line."""
    return _write_json(cursor, out, "", "\n", "\n")


def _write_json(cursor: Cursor, out: TextIO, opening: str, between: str, closing: str) -> int:
    assert cursor.description is not None
    names = [column[0] for column in cursor.description]
    count = 0
    out.write(opening)
    for row in cursor:
        out.write(between if count else "")
        out.write(json.dumps(dict(zip(names, map(_json_value, row), strict=True)), ensure_ascii=False))
        count += 1
    if opening or count:
        out.write(closing)
    return count


def write_markdown(cursor: Cursor, out: TextIO) -> int:
    """A Markdown table."""
    assert cursor.description is not None
    out.write("| " + " | ".join(_cell(c[0]) for c in cursor.description) + " |\n")
    out.write("|" + "---|" * len(cursor.description) + "\n")
    count = 0
    for row in cursor:
        out.write("| " + " | ".join(_cell(text_of(v)) for v in row) + " |\n")
        count += 1
    return count


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", "<br>")


def write_table(cursor: Cursor, out: TextIO) -> int:
    """A boxed table. On a terminal long results and wide cells are cut, and a last line says so; elsewhere
    nothing is.
    """
    assert cursor.description is not None
    if [column[0] for column in cursor.description] == ["explain_key", "explain_value"]:
        return _write_plan(cursor, out)
    terminal = out.isatty()
    names = [column[0] for column in cursor.description]
    types = [str(column[1]) for column in cursor.description]
    rows: list[list[str]] = []
    count = 0
    for row in cursor:
        count += 1
        if not terminal or count <= TERMINAL_ROWS:
            rows.append([_flat(text_of(v)) for v in row])
    cut_cells = False
    if terminal:
        limit = max(8, min(TERMINAL_CELL, shutil.get_terminal_size().columns))
        cut_cells = any(width(c) > limit for row in rows for c in row)
        rows = [[_cut(c, limit) for c in row] for row in rows]
    widths = [
        max([width(names[i]), width(types[i]), *(width(row[i]) for row in rows)]) for i in range(len(names))
    ]
    numeric = [_is_number(kind) for kind in types]
    line = "┼".join("─" * (w + 2) for w in widths)
    out.write("┌" + line.replace("┼", "┬") + "┐\n")
    out.write(_line(names, widths, [False] * len(names)))
    out.write(_line(types, widths, [False] * len(names)))
    out.write("├" + line + "┤\n")
    for row in rows:
        out.write(_line(row, widths, numeric))
    out.write("└" + line.replace("┼", "┴") + "┘\n")
    shown = f"{count} row{'s' if count != 1 else ''}"
    if len(rows) < count:
        shown += f" ({len(rows)} shown)"
    if cut_cells:
        shown += " (wide values cut)"
    out.write(shown + "\n")
    return count


def _write_plan(cursor: Cursor, out: TextIO) -> int:
    """A plan is a drawing of many lines, not a value in a cell."""
    rows = cursor.fetchall()
    for row in rows:
        out.write(f"{row[1]}\n")
    return len(rows)


def _flat(text: str) -> str:
    return (
        text.replace("\\", "\\\\").replace("\n", "\\n").replace("\r", "\\r").replace("\t", "\\t")
        if any(c in text for c in "\n\r\t")
        else text
    )


def _is_number(kind: str) -> bool:
    return (
        kind.startswith(("DECIMAL", "DOUBLE", "FLOAT", "HUGEINT"))
        or kind.endswith("INT")
        or kind == "INTEGER"
        or kind == "UINTEGER"
    )


def width(text: str) -> int:
    """Columns a text takes on a terminal: wide East Asian characters take two, combining marks none."""
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text
    )


def _cut(text: str, limit: int) -> str:
    if width(text) <= limit:
        return text
    kept = ""
    for character in text:
        if width(kept + character) > limit - 1:
            break
        kept += character
    return kept + "…"


def _line(cells: list[str], widths: list[int], right: list[bool]) -> str:
    padded = []
    for cell, size, to_right in zip(cells, widths, right, strict=True):
        pad = " " * (size - width(cell))
        padded.append(f" {pad}{cell} " if to_right else f" {cell}{pad} ")
    return "│" + "│".join(padded) + "│\n"


FORMATS: dict[str, Format] = {
    "table": write_table,
    "csv": write_csv,
    "tsv": write_tsv,
    "json": write_json,
    "jsonl": write_jsonl,
    "markdown": write_markdown,
}
