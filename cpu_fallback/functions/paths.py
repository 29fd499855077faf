"""Parts of paths of files."""

from __future__ import annotations

from collections.abc import Sequence

from ...planner.expr import Call
from ...planner.types import VARCHAR
from ..vector import Vector
from .registry import Evaluate, scalar
from .rowwise import of_literals

# What separates, by the word for it; any other word means both, as none does.
_SEPARATORS = {"system": "/", "forward_slash": "/", "backslash": "\\"}
_BOTH = "/\\"


def _first(path: str, separators: str) -> int:
    """Place of the first separator, -1 if there is none."""
    return min((at for at in map(path.find, separators) if at >= 0), default=-1)


def _last(path: str, separators: str) -> int:
    return max(map(path.rfind, separators))


def dirname(path: str, which: str = "") -> str:
    """The part before the first separator, or that separator where it comes first.

    >>> dirname("path/to/file.csv"), dirname("/a/b"), dirname("a")
    ('path', '/', '')
    """
    at = _first(path, _SEPARATORS.get(which, _BOTH))
    return "" if at < 0 else path[: max(at, 1)]


def dirpath(path: str, which: str = "") -> str:
    """All before the last separator.

    >>> dirpath("path/to/file.csv"), dirpath("a")
    ('path/to', '')
    """
    return path[: max(_last(path, _SEPARATORS.get(which, _BOTH)), 0)]


def filename(path: str, trim: str | bool = False, which: str = "") -> str:
    """What follows the last separator; with `trim` without its extension.

    >>> filename("path/file.tar.gz"), filename("path/file.tar.gz", True)
    ('file.tar.gz', 'file.tar')
    """
    if isinstance(trim, str):
        trim, which = False, trim
    name = path[_last(path, _SEPARATORS.get(which, _BOTH)) + 1 :]
    at = name.rfind(".")
    return name[:at] if trim and at >= 0 else name


_PARTS = {"parse_dirname": dirname, "parse_dirpath": dirpath, "parse_filename": filename}


@scalar(*_PARTS)
def part(call: Call) -> Evaluate:
    """See the function of that name above. An option that is NULL is as if it were not there."""
    function = _PARTS[call.function]

    def one(path: str, *options: str | bool | None) -> str:
        kept = list(options)
        if len(kept) == 2:
            return filename(path, bool(kept[0]), str(kept[1] or ""))
        return function(path) if not kept or kept[0] is None else function(path, kept[0])  # type: ignore[arg-type]

    def evaluate(args: Sequence[Vector], n: int) -> Vector:
        columns = [arg.expand(n).decoded().array.to_pylist() for arg in args]
        rows = zip(*columns, strict=True)
        return of_literals(VARCHAR, [None if row[0] is None else one(*row) for row in rows])

    return evaluate
