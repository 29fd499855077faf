"""Files that appear whole or not at all: written under another name beside their place, synced, renamed."""

from __future__ import annotations

import contextlib
import itertools
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from typing import BinaryIO

from ...planner import messages_copy as messages

_numbers = itertools.count(1)


def scratch_name(path: str) -> str:
    """A name beside the path that no other writer has: hidden, so that globs and lakes pass over it."""
    folder, name = os.path.split(path)
    return os.path.join(folder, f".{name}.{os.getpid()}-{next(_numbers)}.tmp")


@contextmanager
def replacing(path: str) -> Iterator[BinaryIO]:
    """A file to write to, which takes the place of `path` when the block ends. When it fails, what was at
    the path stays. A pipe or device is written to as it is.

    IoError names the path when the system refuses.
    """
    if _is_stream(path):
        with writing(path), open(path, "wb") as stream:
            yield stream
        return
    scratch = scratch_name(path)
    with writing(path):
        if os.path.isdir(path):
            raise messages.cannot_write(path, "it is a folder")
        file = open(scratch, "xb")  # noqa: SIM115 - closed below, in any case
    try:
        with file:
            with writing(path):
                yield file
                file.flush()
                os.fsync(file.fileno())
        with writing(path):
            _keep_mode(path, scratch)
            os.replace(scratch, path)
    except BaseException:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(scratch)
        raise
    sync_folder(os.path.dirname(path))


@contextmanager
def writing(path: str) -> Iterator[None]:
    """Tells what the system refuses inside as an IoError that names the file."""
    try:
        yield
    except OSError as error:
        raise messages.cannot_write(path, error.strerror or str(error)) from error


def sync_folder(folder: str) -> None:
    """Makes renames in a folder last, where the system can."""
    with contextlib.suppress(OSError):
        number = os.open(folder or ".", os.O_RDONLY)
        try:
            os.fsync(number)
        finally:
            os.close(number)


def _is_stream(path: str) -> bool:
    try:
        mode = os.stat(path).st_mode
    except (OSError, ValueError):
        return False
    return not stat.S_ISREG(mode) and not stat.S_ISDIR(mode)


def _keep_mode(path: str, scratch: str) -> None:
    """The new file has the permissions of the one whose place it takes."""
    with contextlib.suppress(OSError):
        os.chmod(scratch, stat.S_IMODE(os.stat(path).st_mode))
