"""Output formats: one function each, from a cursor with a result to text; each returns the number of rows
written.
"""

from __future__ import annotations

import csv
import io
import json
import shutil
from collections.abc import Callable, Iterator, Sequence
from typing import TextIO

from ...planner.text_width import display_width as width
from ..cursor import Cursor
from .streams import drawn, shown
from .texts import json_column, text_batches, text_column

Format = Callable[[Cursor, TextIO], int]

# Rows and column widths shown on a terminal; never cut without saying so.
TERMINAL_ROWS = 40
TERMINAL_CELL = 60


def write_csv(cursor: Cursor, out: TextIO) -> int:
    """CSV with a header; NULL is an empty field, an empty string is quoted."""
    return _write_separated(cursor, out, ",")


def write_tsv(cursor: Cursor, out: TextIO) -> int:
    """Tab-separated values with a header."""
    return _write_separated(cursor, out, "\t")


def _write_separated(cursor: Cursor, out: TextIO, delimiter: str) -> int:
    # Rows are put together batch by batch: a write to a text stream costs as much as formatting a row.
    count = 0
    for batch in _after_header(cursor, lambda names: out.write(_separated([[n] for n in names], delimiter))):
        out.write(_separated(batch, delimiter))
        count += len(batch[0])
    return count


def _separated(columns: Sequence[Sequence[str | None]], delimiter: str) -> str:
    """The lines of a batch."""
    if len(columns) > 1 and not any("" in column for column in columns):
        buffer = io.StringIO()
        writer = csv.writer(buffer, delimiter=delimiter, lineterminator="\n")
        writer.writerows(zip(*columns, strict=True))  # None is written as an empty field
        text = buffer.getvalue()
        # Python 3.11's writer quotes no carriage return, which its reader then refuses.
        if "\r" not in text:
            return text
    # An empty string must stay different from NULL, and a lone NULL is an empty line.
    rows = zip(*columns, strict=True)
    return "".join(
        delimiter.join("" if t is None else _quoted(t, delimiter) for t in row) + "\n" for row in rows
    )


def _quoted(text: str, delimiter: str) -> str:
    if not text or any(c in text for c in (delimiter, '"', "\n", "\r")):
        return '"' + text.replace('"', '""') + '"'
    return text


def _after_header(cursor: Cursor, header: Callable[[list[str]], object]) -> Iterator[list[list[str | None]]]:
    """Batches of text; the header is written when the first rows are there, so a failing query leaves
    no header behind.
    """
    assert cursor.description is not None
    names = [column[0] for column in cursor.description]
    batches = text_batches(cursor)
    first = next(batches, None)
    header(names)
    if first is not None:
        yield first
        yield from batches


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
    types = [column[1] for column in cursor.description]
    keys = [json.dumps(column[0], ensure_ascii=False).replace("%", "%%") for column in cursor.description]
    template = "{" + ", ".join(f"{key}: %s" for key in keys) + "}"
    count = 0
    for batch in _after_header(cursor, lambda names: out.write(opening)):
        columns = [json_column(texts, kind) for texts, kind in zip(batch, types, strict=True)]
        text = between.join(template % row for row in zip(*columns, strict=True))
        out.write((between if count else "") + text)
        count += len(columns[0])
    if opening or count:
        out.write(closing)
    return count


def write_markdown(cursor: Cursor, out: TextIO) -> int:
    """A Markdown table; of EXPLAIN the plan as a block of code."""
    if is_plan(cursor):
        out.write("```\n")
        count = _write_plan(cursor, out)
        out.write("```\n")
        return count

    def header(names: list[str]) -> None:
        out.write("| " + " | ".join(map(_cell, names)) + " |\n" + "|" + "---|" * len(names) + "\n")

    count = 0
    for batch in _after_header(cursor, header):
        for row in zip(*batch, strict=True):
            out.write("| " + " | ".join(_cell("NULL" if t is None else t) for t in row) + " |\n")
        count += len(batch[0])
    return count


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", "<br>")


def write_table(cursor: Cursor, out: TextIO) -> int:
    """A boxed table. On a terminal long results and wide cells are cut, and a last line says so; elsewhere
    nothing is.
    """
    assert cursor.description is not None
    names = [column[0] for column in cursor.description]
    if is_plan(cursor):
        return _write_plan(cursor, out)
    names = [shown(_flat(name), out) for name in names]
    terminal = out.isatty()
    types = [str(column[1]) for column in cursor.description]
    rows: list[list[str]] = []
    count = 0
    for batch in cursor.fetch_batches():
        count += batch.num_rows
        shown_of_it = min(batch.num_rows, TERMINAL_ROWS - len(rows)) if terminal else batch.num_rows
        if shown_of_it > 0:
            head = batch.slice(0, shown_of_it)
            texts = [text_column(head, index) for index in range(len(names))]
            rows.extend(
                [shown(_flat("NULL" if t is None else t), out) for t in row]
                for row in zip(*texts, strict=True)
            )
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
    bar = drawn("│", out)
    out.write(drawn("┌" + line.replace("┼", "┬") + "┐\n", out))
    out.write(_line(names, widths, [False] * len(names), bar))
    out.write(_line(types, widths, [False] * len(names), bar))
    out.write(drawn("├" + line + "┤\n", out))
    for row in rows:
        out.write(_line(row, widths, numeric, bar))
    out.write(drawn("└" + line.replace("┼", "┴") + "┘\n", out))
    summary = f"{count} row{'s' if count != 1 else ''}"
    if len(rows) < count:
        summary += f" ({len(rows)} shown)"
    if cut_cells:
        summary += " (wide values cut)"
    out.write(summary + "\n")
    return count


def write_plain(cursor: Cursor, out: TextIO) -> int:
    """What a pipe or file gets unless a format is asked for: CSV, and of EXPLAIN the lines of the plan."""
    return _write_plan(cursor, out) if is_plan(cursor) else write_csv(cursor, out)


def is_plan(cursor: Cursor) -> bool:
    """Whether the result is that of EXPLAIN: a drawing of many lines, not a value in a cell."""
    return [column[0] for column in cursor.description or ()] == ["explain_key", "explain_value"]


def _write_plan(cursor: Cursor, out: TextIO) -> int:
    rows = cursor.fetchall()
    for row in rows:
        out.write(drawn(f"{row[1]}\n", out))
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


def _cut(text: str, limit: int) -> str:
    if width(text) <= limit:
        return text
    kept = ""
    for character in text:
        if width(kept + character) > limit - 1:
            break
        kept += character
    return kept + "…"


def _line(cells: list[str], widths: list[int], right: list[bool], bar: str) -> str:
    padded = []
    for cell, size, to_right in zip(cells, widths, right, strict=True):
        pad = " " * (size - width(cell))
        padded.append(f" {pad}{cell} " if to_right else f" {cell}{pad} ")
    return bar + bar.join(padded) + bar + "\n"


FORMATS: dict[str, Format] = {
    "table": write_table,
    "csv": write_csv,
    "tsv": write_tsv,
    "json": write_json,
    "jsonl": write_jsonl,
    "markdown": write_markdown,
}
