"""Standard streams as the command line needs them: closed ones are found out when they are used, and every
character can be written.
"""

from __future__ import annotations

import codecs
import contextlib
import errno
import io
import os
import sys
from typing import Any, TextIO

# How encodings write what they lack, for open() and the like.
ESCAPES = "tandemdb.escape"
# Frames of tables and trees of plans, for encodings without them.
_ASCII_LINES = str.maketrans("─│┌┬┐├┼┤└┴┘", "-|+++++++++")


class _ClosedOutput(io.TextIOBase):
    """Stands for a standard output that was closed from the start (`>&-`): only writing to it is an error."""

    encoding = "utf-8"

    def write(self, text: str) -> int:
        raise OSError(errno.EBADF, "standard output is closed")


def prepare() -> None:
    """Puts the process's streams in order; to be called once, first."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            # The next file that is opened would take the number of the stream, and get what is written to it.
            os.open(os.devnull, os.O_RDWR)
    if sys.stdout is None:
        sys.stdout = _ClosedOutput()
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 - open until the process ends
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=ESCAPES)


def _escape(error: UnicodeError) -> tuple[str, int]:
    r"""What the encoding lacks as \uXXXX, in JSON the same character."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    units = error.object[error.start : error.end].encode("utf-16-be", "surrogatepass")
    text = "".join(f"\\u{units[at] << 8 | units[at + 1]:04x}" for at in range(0, len(units), 2))
    return text, error.end


codecs.register_error(ESCAPES, _escape)


def shown(text: str, out: TextIO) -> str:
    """The text as the stream will write it, to be measured."""
    if text.isascii():
        return text
    encoding = getattr(out, "encoding", None) or "utf-8"
    return text.encode(encoding, ESCAPES).decode(encoding)


def drawn(text: str, out: TextIO) -> str:
    """A drawing in characters that the stream has."""
    try:
        "─│┌".encode(getattr(out, "encoding", None) or "utf-8")
    except UnicodeEncodeError:
        return text.translate(_ASCII_LINES)
    return text


def as_utf8(argument: str) -> str:
    """A command line argument as the UTF-8 text it is, also where the locale is not UTF-8."""
    try:
        return os.fsencode(argument).decode("utf-8")
    except UnicodeError:
        return argument  # not UTF-8: the parser says where


def read_input() -> str:
    """All of standard input, which is UTF-8 whatever the locale. OSError when it is closed."""
    if sys.stdin is None:
        raise OSError(errno.EBADF, "standard input is closed")
    return sys.stdin.buffer.read().decode("utf-8-sig")


def tell(text: Any) -> None:
    """A line on standard error."""
    # When that cannot be written either there is nobody left to tell; the exit code says it.
    with contextlib.suppress(OSError):
        print(text, file=sys.stderr, flush=True)


def drop_output() -> None:
    """Python flushes standard output again at exit: what is left of it goes nowhere."""
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 1)
    os.close(null)
