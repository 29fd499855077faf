"""Running scripts: statement by statement, each result in the chosen format, errors with file, line and
caret.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from typing import TextIO

from ...planner.errors import Error, SqlError
from ...planner.frontend.parse import split_script
from ..connection import Connection
from ..cursor import Cursor
from ..notices import Message
from ..scripts import line_of, placed, read_script, why_unreadable
from .formats import Format
from .streams import read_input, tell


def run_files(connection: Connection, files: Sequence[str], form: Format, out: TextIO, on_error: str) -> bool:
    """Runs SQL files one after another; reports time and rows of each statement on standard error. True when
    nothing failed.

    With on_error 'stop' the first failing statement ends the whole run.
    """
    fine = True
    for path in files:
        shown = "<stdin>" if path == "-" else path
        try:
            text = read_input() if path == "-" else read_script(path)
        except (OSError, ValueError) as error:
            tell(f"IO Error: cannot read '{shown}': {why_unreadable(error)}")
            return False
        fine = run_text(connection, text, form, out, on_error, name=shown, report=True) and fine
        if not fine and on_error == "stop":
            return False
    return fine


def run_texts(connection: Connection, texts: Sequence[str], form: Format, out: TextIO, on_error: str) -> bool:
    """Runs scripts one after another. True when nothing failed.

    With on_error 'stop' the first failing statement ends the whole run.
    """
    fine = True
    for text in texts:
        fine = run_text(connection, text, form, out, on_error) and fine
        if not fine and on_error == "stop":
            return False
    return fine


def run_text(
    connection: Connection,
    text: str,
    form: Format,
    out: TextIO,
    on_error: str,
    *,
    name: str | None = None,
    report: bool = False,
) -> bool:
    """Runs a script; True when no statement failed. `name` is put before errors, with the line of the
    statement's error.
    """
    try:
        pieces = split_script(text)
    except SqlError as error:
        error.sql = error.sql or text
        _print_error(error, name)
        return False
    fine = True
    for number, (start, end) in enumerate(pieces, 1):
        piece = text[start:end]
        began = time.perf_counter()
        cursor = connection.cursor()
        try:
            rows = _execute(cursor, piece, form, out)
        except Error as error:
            _print_error(placed(error, piece, start, text), name)
            fine = False
            if on_error == "stop":
                return False
            continue
        finally:
            cursor.close()
        if report:
            _report(number, len(pieces), rows, time.perf_counter() - began, name)
    return fine


def tell_messages(messages: Sequence[Message]) -> None:
    """A connection's or cursor's warnings, a line each, on standard error."""
    for _, message in messages:
        tell(f"Warning: {message}")


def _execute(cursor: Cursor, sql: str, form: Format, out: TextIO) -> str:
    try:
        cursor.execute(sql)
    finally:
        tell_messages(cursor.messages)
    if cursor.description is None:
        return f"{cursor.rowcount} rows" if cursor.rowcount >= 0 else "ok"
    count = form(cursor, out)
    out.flush()
    fallbacks = cursor.profile.fallbacks
    for text in fallbacks:
        tell(f"fallback: {text}")
    return f"{count} row{'s' if count != 1 else ''}"


def _report(number: int, total: int, rows: str, seconds: float, name: str | None) -> None:
    where = f"{name}: " if name else ""
    tell(f"{where}statement {number}/{total}: {rows}, {seconds:.3f} s")


def _print_error(error: Error, name: str | None) -> None:
    sys.stdout.flush()
    if name is None:
        tell(error)
        return
    line = ""
    if isinstance(error, SqlError) and error.span is not None and error.sql is not None:
        line = f":{line_of(error.sql, error.span.start)}"
    tell(f"{name}{line}: {error}")
