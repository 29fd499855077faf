"""SQL scripts: reading files, and the places of their errors."""

from __future__ import annotations

import os
from collections.abc import Iterator

from ..planner.errors import Error, Span, SqlError

SUFFIX = ".sql"


def read_script(path: str) -> str:
    """The text of a file, which is UTF-8. OSError or ValueError when there is none, see `why_unreadable`."""
    with open(path, encoding="utf-8-sig") as file:
        return file.read()


def why_unreadable(error: OSError | ValueError) -> str | None:
    """What went wrong in `read_script`, in words."""
    if isinstance(error, OSError):
        return error.strerror
    return "it is not UTF-8 text" if isinstance(error, UnicodeDecodeError) else "no file has such a name"


def scripts_in(folder: str) -> Iterator[str]:
    """Paths of the SQL files in a folder and its subfolders, in the order of their names; names that start
    with '.' are left out.
    """
    for base, folders, files in os.walk(folder):
        folders[:] = sorted(f for f in folders if not f.startswith("."))
        for name in sorted(files):
            if name.lower().endswith(SUFFIX) and not name.startswith("."):
                yield os.path.join(base, name)


def placed(error: Error, piece: str, start: int, text: str) -> Error:
    """The error of a statement with its place in the whole script, in which the statement `piece` begins at
    `start`; one in another text (a view's) keeps its own.
    """
    if isinstance(error, SqlError) and error.span is not None and error.sql == piece:
        error.span = Span(error.span.start + start, error.span.end + start)
        error.sql = text
    return error


def line_of(text: str, offset: int) -> int:
    """The line, from 1, of a character of a text.

    >>> line_of("SELECT 1;\\nSELECT 2", 10)
    2
    """
    return text.count("\n", 0, offset) + 1
