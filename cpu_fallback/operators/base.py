"""What sinks share: the parts of the protocol most of them leave alone, and rows kept in order."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from ...physical.batch import Batch
from ...physical.context import Task
from ...physical.memory import Reservation


class BatchBytes:
    """Bytes of batches kept together: a dictionary shared by many of them counts once."""

    def __init__(self) -> None:
        self.total = 0
        self._dictionaries: set[int] = set()

    def add(self, batch: Batch) -> int:
        """Counts a batch in; returns the new total."""
        for column in batch.columns:
            self.add_array(column)
        return self.total

    def add_array(self, column: Any) -> int:
        """Counts an arrow array in; returns the new total."""
        indices = getattr(column, "indices", None)
        if indices is None:
            self.total += column.nbytes
            return self.total
        self.total += indices.nbytes
        buffer = column.dictionary.buffers()[-1]
        address = buffer.address if buffer is not None else 0
        if address not in self._dictionaries:
            self._dictionaries.add(address)
            self.total += column.dictionary.nbytes
        return self.total


@dataclass
class KeptRows:
    """One task's batches with the morsels they came from, the memory reserved for them, and what raises once
    the query is cancelled.
    """

    reservation: Reservation
    check: Callable[[], None]
    parts: list[tuple[int, Batch]] = field(default_factory=list)
    bytes: BatchBytes = field(default_factory=BatchBytes)
    rows: int = 0

    @classmethod
    def start(cls, task: Task, what: str) -> KeptRows:
        """An empty state; `what` names the owner in an out-of-memory error."""
        return cls(task.query.reservation(what), task.check)

    def keep(self, batch: Batch, seq: int) -> None:
        """Keeps a batch, reserving its bytes first."""
        self.reservation.resize(self.bytes.add(batch))
        self.parts.append((seq, batch))
        self.rows += batch.num_rows


def split(batch: Batch, size: int) -> Iterator[Batch]:
    """The batch in zero-copy pieces of at most `size` rows."""
    if batch.num_rows <= size:
        yield batch
        return
    for start in range(0, batch.num_rows, size):
        yield batch.slice(start, size)


def total_rows(batches: Iterable[Batch]) -> int:
    """Rows of all batches."""
    return sum(batch.num_rows for batch in batches)
