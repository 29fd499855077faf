"""Operators, and parts of operators, that are the same on every device."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Protocol, TypeVar

from .backend import Maker
from .batch import Batch
from .context import QueryContext, Task
from .nodes import Limit, TopN
from .pipeline import DiscardSink, Flow, Morsel, Rows, UnionSource


class SinkBase:
    """A sink that wants all rows and whose partial is its local state."""

    op_id = -1

    def end_morsel(self, local: Any, seq: int) -> Flow:
        """Nothing is due at the end of a morsel."""
        return Flow.MORE

    def seal(self, local: Any) -> Any:
        """The partial is the local state."""
        return local


class _Counted(Protocol):
    @property
    def num_rows(self) -> int: ...


_Rows = TypeVar("_Rows", bound=_Counted)


class KeptBatches(Protocol[_Rows]):
    """What a task keeps: batches, or what a device keeps in their place, with the morsels they came from."""

    parts: list[tuple[int, _Rows]]


def in_order(parts: Iterable[KeptBatches[_Rows]]) -> list[_Rows]:
    """The batches of all tasks by (seq, arrival); a morsel is read by one task."""
    tagged = [pair for part in parts for pair in part.parts]
    tagged.sort(key=lambda pair: pair[0])
    return [batch for _, batch in tagged]


class Discard(SinkBase):
    """Drops all rows: the pipeline runs for what its transforms mark."""

    def __init__(self, spec: DiscardSink, maker: Maker) -> None:
        pass

    def start(self, task: Task) -> None:
        """No state."""

    def add(self, local: None, batch: Batch, seq: int) -> Flow:
        """Drops the batch."""
        return Flow.MORE

    def finish(self, parts: Sequence[None], task: Task) -> Rows:
        """No rows."""
        return Rows(())


class Union:
    """The rows of each arm in turn: its morsels run through its transforms."""

    op_id = -1

    def __init__(self, spec: UnionSource, maker: Maker) -> None:
        self.schema = spec.columns
        self.positions = range(len(spec.columns))
        self.arms = [
            (maker.source(arm.source), [maker.transform(transform) for transform in arm.transforms])
            for arm in spec.arms
        ]

    def morsels(self, q: QueryContext) -> Iterator[Morsel]:
        """The payload is the arm's number and its source's morsel."""
        seq = 0
        for number, (source, _) in enumerate(self.arms):
            for morsel in source.morsels(q):
                yield Morsel(seq, (number, morsel))
                seq += 1

    def read(self, morsel: Morsel, task: Task) -> Iterator[Batch]:
        """The arm's rows under the names of the union."""
        number, inner = morsel.payload
        source, transforms = self.arms[number]
        rows: Iterator[Batch] = task.metered(source, source.read(inner, task))
        for transform in transforms:
            rows = task.metered(transform, transform(rows, task))
        for batch in rows:
            yield batch.renamed(self.schema, self.positions)


class _PrefixSums:
    """Numbers by place 0, 1, 2, ..., and the sum up to a place, in logarithmic time (a Fenwick tree)."""

    def __init__(self) -> None:
        self._sums = [0]  # [i], i > 0: of the places i - (lowest bit of i) .. i - 1

    def add(self, place: int, number: int) -> None:
        """Adds to the number at a place."""
        while len(self._sums) <= place + 1:
            end = len(self._sums)
            self._sums.append(self.up_to(end - 2) - self.up_to(end - (end & -end) - 1))
        end = place + 1
        while end < len(self._sums):
            self._sums[end] += number
            end += end & -end

    def up_to(self, place: int) -> int:
        """The sum of the numbers at 0 .. place."""
        total, end = 0, min(place + 1, len(self._sums) - 1)
        while end > 0:
            total += self._sums[end]
            end -= end & -end
        return total


class RowLimit:
    """Which rows LIMIT and OFFSET want: offset .. need by (seq, arrival); `need` None: all after the offset.

    Tasks share the row count of every morsel. Morsels are handed out in the order of seq, so when the rows
    seen in a task's morsel and in those before it are enough, neither the rest of it nor any later morsel is
    needed; what tasks still read lies before.
    """

    def __init__(self, node: Limit | TopN) -> None:
        self.offset = node.offset
        self.need = None if node.limit is None else node.offset + node.limit
        self._counts = _PrefixSums()
        self._lock = threading.Lock()

    def saw(self, seq: int, rows: int) -> int:
        """Counts rows of a morsel in; returns how many were seen before them, in it and earlier morsels."""
        with self._lock:
            before = self._counts.up_to(seq)
            self._counts.add(seq, rows)
        return before

    def flow(self, seq: int) -> Flow:
        """Whether the morsels up to this one have all that is wanted; other tasks may have read them."""
        if self.need is None:
            return Flow.MORE
        with self._lock:
            return Flow.DONE if self._counts.up_to(seq) >= self.need else Flow.MORE

    def cuts(self, batches: Iterable[_Rows]) -> Iterator[tuple[_Rows, int, int]]:
        """The batches in order that have wanted rows, and from where to where."""
        position = 0
        for batch in batches:
            start = max(self.offset - position, 0)
            stop = batch.num_rows if self.need is None else min(self.need - position, batch.num_rows)
            if start < stop:
                yield batch, start, stop
            position += batch.num_rows
