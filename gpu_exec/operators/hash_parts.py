"""Work on more rows than fit on the device: divided by the hash of keys until a part does."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Generic, Protocol, TypeVar

from ...physical.backend import DeviceMemoryShort
from ...physical.context import Task
from ..held import HeldBatch
from ..ops import Ops
from .concat import as_wide
from .divide import by_hash
from .join_keys import comparable

# How often a part is divided again, by another hash.
_MOST_DEPTH = 4


class HeldKeyed(Protocol):
    """Rows with keys that are held. `wide_keys`: which keys are stored 128 bits wide."""

    wide_keys: tuple[bool, ...]

    @property
    def nbytes(self) -> int: ...

    @property
    def num_rows(self) -> int: ...


Held = TypeVar("Held", bound=HeldKeyed)
# Columns of some rows on the device, which of them are keys, and how rows of such columns are held:
# (columns, number of rows) -> held.
Opened = tuple[Sequence[Any], Sequence[Any], Callable[[list[Any], int], Held]]


def total_bytes(some: Sequence[HeldKeyed]) -> int:
    """Bytes of all of them."""
    return sum(held.nbytes for held in some)


class HashParts(Generic[Held]):
    """Divides rows so that equal keys come into one part, and does `work` (a step) on each part. `opened`
    gives the columns of some rows of what is held. `made`: the most parts of one division so far.
    """

    def __init__(
        self,
        opened: Callable[[Held, int, int], Opened[Held]],
        work: Callable[[Sequence[Held]], HeldBatch],
        ops: Ops,
        task: Task,
    ) -> None:
        self._opened = opened
        self._work = work
        self._ops = ops
        self._task = task
        self.made = 0

    def results(self, some: Sequence[Held], *, depth: int = 0, divide: bool = False) -> Iterator[HeldBatch]:
        """What the work gives for every part; with `divide` all at once is not tried."""
        if not some:
            return
        memory = self._ops.memory
        size, work = total_bytes(some), memory.work_bytes
        if not divide and (size <= work or depth == _MOST_DEPTH):
            try:
                yield memory.run(lambda: self._work(some), self._task.check)
                return
            except DeviceMemoryShort:
                if depth == _MOST_DEPTH:
                    raise
        wide = [any(flags) for flags in zip(*(held.wide_keys for held in some), strict=True)]
        count = 2 + size // max(1, work // 2)
        self.made = max(self.made, count)
        parts: list[list[Held]] = [[] for _ in range(count)]
        for held in some:
            for split in memory.each(
                held.num_rows,
                lambda start, stop, held=held: self._split(held, start, stop, wide, count, depth),
                self._task.check,
            ):
                for part, rows in zip(parts, split, strict=True):
                    if rows is not None:
                        part.append(rows)
        for part in parts:
            yield from self.results(part, depth=depth + 1)

    def _split(
        self, held: Held, start: int, stop: int, wide: Sequence[bool], count: int, seed: int
    ) -> list[Held | None]:
        """Some rows by the hash of their keys, which are as wide as those of all rows."""
        ops = self._ops
        columns, keys, kept = self._opened(held, start, stop)
        keys = [comparable(key, ops) for key in keys]
        keys = [as_wide(key, ops) if flag else key for key, flag in zip(keys, wide, strict=True)]
        return [None if part is None else kept(*part) for part in by_hash(columns, keys, count, seed, ops)]
