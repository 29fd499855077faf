"""Result: hands rows to the consumer of a query, in order, through a bounded queue."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from ...physical.batch import Batch
from ...physical.context import Task
from ...physical.operators import SinkBase
from ...physical.pipeline import Flow, ResultSink, Rows
from ...planner.messages_runtime import interrupted
from .registry import implements


class OrderedQueue:
    """Batches of many morsels, given out in the order (seq, arrival) while they are still being made.

    Morsels are numbered 0, 1, 2, ... without gaps, and producers take them in that order. A producer whose
    morsel is not the next to be given out waits while more than `max_rows` rows or `max_bytes` bytes are
    queued; the producer of the next morsel waits only while that much of its own morsel is queued, so
    somebody can always go on.
    """

    def __init__(self, max_rows: int = 1_000_000, max_bytes: int = 256 << 20) -> None:
        self.max_rows = max_rows
        self.max_bytes = max_bytes
        self._queued: dict[int, deque[Batch]] = {}
        self._ended: set[int] = set()
        self._next = 0
        self._rows = 0
        self._bytes = 0
        self._closed = False
        self._cancelled = False
        self._error: BaseException | None = None
        self._given = 0
        self._again = 0  # rows that come a second time and were given out before
        self._change = threading.Condition()

    def put(self, seq: int, batch: Batch, check: Callable[[], None]) -> None:
        """Queues a batch of morsel `seq`, waiting for room. InterruptError once the queue is cancelled.

        `check` is called while waiting and may raise.
        """
        size = batch.nbytes
        with self._change:
            while not self._change.wait_for(lambda: self._cancelled or self._has_room(seq), timeout=0.05):
                check()
            self._raise_if_cancelled()
            self._queued.setdefault(seq, deque()).append(batch)
            self._rows += batch.num_rows
            self._bytes += size
            self._change.notify_all()

    def restart(self) -> int:
        """The rows come once more from the first on: no producer is at work, and rows that were given out
        are passed over. Returns how many those are.
        """
        with self._change:
            self._queued.clear()
            self._ended.clear()
            self._next = self._rows = self._bytes = 0
            self._again = self._given
            return self._given

    def end(self, seq: int) -> None:
        """Tells that morsel `seq` has no more batches."""
        with self._change:
            self._ended.add(seq)
            self._change.notify_all()

    def close(self) -> None:
        """Tells that all morsels have ended: the consumer gets what is queued and then the end."""
        with self._change:
            self._closed = True
            self._change.notify_all()

    def fail(self, error: BaseException) -> None:
        """Hands an error to the consumer, in place of the rows not yet given out, and stops the producers."""
        with self._change:
            if self._error is None:
                self._error = error
            self._cancelled = True
            self._change.notify_all()

    def cancel(self) -> None:
        """Wakes everybody: producers and consumer get an InterruptError."""
        with self._change:
            self._cancelled = True
            self._queued.clear()
            self._rows = self._bytes = 0
            self._change.notify_all()

    def get(self, timeout: float | None = None) -> Batch | None:
        """The next batch, or None at the end. TimeoutError when there is none within `timeout` seconds."""
        # Under one lock: a restart must know of every batch that has left the queue.
        with self._change:
            while (batch := self._pop(timeout)) is not None:
                if self._again < batch.num_rows:
                    new = batch.slice(self._again, batch.num_rows)
                    self._again = 0
                    self._given += new.num_rows
                    return new
                self._again -= batch.num_rows
            return None

    def _pop(self, timeout: float | None) -> Batch | None:
        if not self._change.wait_for(self._ready, timeout):
            raise TimeoutError
        if self._error is not None:
            raise self._error
        self._raise_if_cancelled()
        batches = self._queued.get(self._next)
        if not batches:
            return None
        batch = batches.popleft()
        self._rows -= batch.num_rows
        self._bytes -= batch.nbytes
        self._change.notify_all()
        return batch

    @property
    def queued_rows(self) -> int:
        """Rows that wait for the consumer."""
        return self._rows

    def __iter__(self) -> Iterator[Batch]:
        while (batch := self.get()) is not None:
            yield batch

    def _ready(self) -> bool:
        """Whether `get` has an answer; passes over morsels that have ended."""
        if self._cancelled:
            return True
        moved = False
        while not self._queued.get(self._next):
            later = min(self._queued, default=None)
            if self._next in self._ended:
                self._ended.discard(self._next)
                self._queued.pop(self._next, None)
                self._next += 1
                moved = True
            elif self._closed and later is not None and later > self._next:
                self._next = later  # a source that stopped early leaves morsels out
            else:
                break
        if moved:
            self._change.notify_all()
        return bool(self._queued.get(self._next)) or self._closed

    def _has_room(self, seq: int) -> bool:
        waiting = self._queued.get(self._next)
        if seq <= self._next and not waiting:
            return True
        return self._rows < self.max_rows and self._bytes < self.max_bytes

    def _raise_if_cancelled(self) -> None:
        if self._cancelled:
            raise interrupted()


@implements(ResultSink)
class Result(SinkBase):
    """Puts rows into the queue of the query's consumer."""

    def __init__(self, spec: ResultSink, backend: Any, queue: OrderedQueue) -> None:
        self.columns = spec.columns
        self.queue = queue

    def start(self, task: Task) -> Task:
        """The task, to notice its cancellation while waiting."""
        return task

    def add(self, local: Task, batch: Batch, seq: int) -> Flow:
        """Queues the batch, waiting for room."""
        self.queue.put(seq, batch.select(self.columns), local.check)
        return Flow.MORE

    def end_morsel(self, local: Task, seq: int) -> Flow:
        """Lets the next morsel's rows follow."""
        self.queue.end(seq)
        return Flow.MORE

    def finish(self, parts: Sequence[Task], task: Task) -> Rows:
        """Closes the queue; the rows have gone."""
        self.queue.close()
        return Rows(self.columns)
