"""Paths, globs and folders to lists of files."""

from __future__ import annotations

import glob
import os
import stat
from collections.abc import Sequence

from ...physical.parquet_meta import FileId
from ...planner import messages_files as messages
from ...planner.candidates import closest, hint

_GLOB = frozenset("*?[")
_OTHER_FORMATS = {".csv": "CSV", ".tsv": "CSV", ".json": "JSON", ".jsonl": "JSON", ".ndjson": "JSON"}


def is_glob(path: str) -> bool:
    """Whether the text has wildcard characters."""
    return any(c in _GLOB for c in path)


def other_format(path: str) -> str | None:
    """The format that the ending of a path stands for, of those that are not read; None for others.

    >>> other_format("a/b.CSV.gz"), other_format("a.parquet")
    ('CSV', None)
    """
    name = path.lower().removesuffix(".gz").removesuffix(".zst")
    return next((kind for ending, kind in _OTHER_FORMATS.items() if name.endswith(ending)), None)


def file_id(path: str) -> FileId:
    """Identity of a file; IoError when it cannot be looked at."""
    try:
        found = os.stat(path)
    except FileNotFoundError:
        raise messages.no_file(path, _near(path)) from None
    except OSError as error:
        raise messages.unreadable(path, error.strerror) from None
    if not stat.S_ISREG(found.st_mode):
        # Opening a pipe would wait for its writer.
        raise messages.unreadable(path, "it is not a regular file")
    return FileId(path, found.st_size, found.st_mtime_ns)


def expand(path: str, suffixes: Sequence[str] = (".parquet",)) -> tuple[FileId, ...]:
    """The files a path stands for, sorted by name: one file, the matches of a glob ('**' crosses folders), or
    the files of a folder and its subfolders that end in one of `suffixes` (names that start with '.' or '_'
    are left out). IoError when there are none."""
    _check(path)
    if is_glob(path) and not os.path.exists(path):
        found = [p for p in sorted(glob.glob(path, recursive=True)) if os.path.isfile(p)]
        if not found:
            raise messages.no_match(path)
    elif os.path.isdir(path):
        found = sorted(_walk(path, tuple(suffixes)))
        if not found:
            raise messages.empty_folder(path, suffixes[0])
    else:
        found = [path]
    return tuple(file_id(p) for p in found)


def _check(path: str) -> None:
    """IoError for text that no file system takes as a path: with NUL, or halves of surrogate pairs."""
    try:
        encoded = os.fsencode(path)
    except UnicodeEncodeError:
        raise messages.bad_path(path) from None
    if b"\0" in encoded:
        raise messages.bad_path(path)


def _walk(folder: str, suffixes: tuple[str, ...]) -> list[str]:
    found = []
    for base, folders, files in os.walk(folder):
        folders[:] = [f for f in folders if f[0] not in "._"]
        found += [os.path.join(base, f) for f in files if f.lower().endswith(suffixes) and f[0] not in "._"]
    return found


def _near(path: str) -> str | None:
    folder = os.path.dirname(path) or "."
    try:
        names = os.listdir(folder)
    except OSError:
        return messages.missing_folder(folder)
    close = closest(os.path.basename(path), names, limit=1, affixes=False)
    return hint([os.path.join(os.path.dirname(path), name) for name in close], "'")
