"""The parts of a regular expression, and how libcudf writes them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

LAST = 0x10FFFF
# Inclusive ranges of code points, sorted, apart from each other.
Ranges = tuple[tuple[int, int], ...]

_SPECIAL = frozenset("\\^$.|?*+()[]{}")


def merged(ranges: Iterator[tuple[int, int]] | list[tuple[int, int]]) -> Ranges:
    """Sorted, touching ranges made one.

    >>> merged([(5, 7), (1, 2), (3, 4)])
    ((1, 7),)
    """
    found: list[tuple[int, int]] = []
    for low, high in sorted(ranges):
        if found and low <= found[-1][1] + 1:
            found[-1] = found[-1][0], max(found[-1][1], high)
        else:
            found.append((low, high))
    return tuple(found)


def one(character: str) -> tuple[int, int]:
    """The range of one character."""
    return ord(character), ord(character)


def inverted(ranges: Ranges) -> Ranges:
    """All other code points."""
    found, at = [], 0
    for low, high in ranges:
        if at < low:
            found.append((at, low - 1))
        at = high + 1
    if at <= LAST:
        found.append((at, LAST))
    return tuple(found)


NO_LINE_END = inverted(((10, 10),))


def _escaped(code: int) -> str:
    character = chr(code)
    return "\\" + character if character in _SPECIAL else character


def _in_class(code: int) -> str:
    character = chr(code)
    return "\\" + character if character in "\\]^-[" else character


class Unfit(Exception):
    """An expression, or a replacement, that stays on the CPU; the text says why."""


@dataclass(frozen=True)
class Set:
    """One character out of ranges; `negated` is how it is written."""

    ranges: Ranges
    negated: bool = False

    def text(self, flags: Flags) -> str:
        if not self.negated and len(self.ranges) == 1 and self.ranges[0][0] == self.ranges[0][1]:
            return _escaped(self.ranges[0][0])
        if self.ranges == NO_LINE_END and self.negated:
            return "."
        shown = inverted(self.ranges) if self.negated else self.ranges
        parts = [
            _in_class(low) if low == high else f"{_in_class(low)}-{_in_class(high)}" for low, high in shown
        ]
        return f"[{'^' if self.negated else ''}{''.join(parts)}]"


@dataclass(frozen=True)
class AnySet:
    """`.` where it stands for a line end too: written by a class that leaves nothing out."""

    ranges: Ranges = ((0, LAST),)

    def text(self, flags: Flags) -> str:
        flags.dot_all = True
        return "."


@dataclass(frozen=True)
class Edge:
    """`^` or `$`, which libcudf finds before a last line end too; RE2 does at the very end only."""

    symbol: str

    def text(self, flags: Flags) -> str:
        return "\\Z" if self.symbol == "$" else self.symbol


@dataclass(frozen=True)
class Group:
    """Brackets; `number` is that of a group that captures, 0 of one that does not."""

    inner: Node
    number: int

    def text(self, flags: Flags) -> str:
        wanted = self.number and (flags.group is None or flags.group == self.number)
        return f"({'' if wanted else '?:'}{self.inner.text(flags)})"


@dataclass(frozen=True)
class Repeat:
    """A part several times; `most` is None where there is no end."""

    inner: Node
    least: int
    most: int | None

    def text(self, flags: Flags) -> str:
        mark = {(0, None): "*", (1, None): "+", (0, 1): "?"}.get((self.least, self.most))
        if mark is None:
            most = "" if self.most is None else str(self.most)
            mark = f"{{{self.least}}}" if self.least == self.most else f"{{{self.least},{most}}}"
        return self.inner.text(flags) + mark


@dataclass(frozen=True)
class Row:
    """Parts one after the other."""

    parts: tuple[Node, ...]

    def text(self, flags: Flags) -> str:
        return "".join(part.text(flags) for part in self.parts)


@dataclass(frozen=True)
class Choice:
    """Alternatives."""

    parts: tuple[Node, ...]

    def text(self, flags: Flags) -> str:
        return "|".join(part.text(flags) for part in self.parts)


Node = Set | AnySet | Edge | Group | Repeat | Row | Choice


@dataclass
class Flags:
    """What writing an expression needs and finds out. `group`: the only group that captures, 0 for none."""

    group: int | None = None
    dot_all: bool = False


def is_empty(node: Node) -> bool:
    """Whether a part can match no character."""
    match node:
        case Set() | AnySet():
            return False
        case Edge():
            return True
        case Group(inner=inner):
            return is_empty(inner)
        case Repeat(inner=inner, least=least):
            return least == 0 or is_empty(inner)
        case Row(parts=parts):
            return all(map(is_empty, parts))
        case Choice(parts=parts):
            return any(map(is_empty, parts))
