"""The ordered, bounded queue between a query's tasks and its consumer."""

from __future__ import annotations

import random
import threading
import time
from typing import Any

import pyarrow as pa
import pytest
from operators.harness import Maker, Runner, new_column, relation, rows_of
from tandemdb.cpu_fallback.operators.result import OrderedQueue
from tandemdb.physical import pipeline
from tandemdb.physical.batch import Batch
from tandemdb.physical.pipeline import Morsel, run_task
from tandemdb.planner.errors import InterruptError
from tandemdb.planner.types import BIGINT

COLUMN = new_column("a", BIGINT)


def batch(*values: int) -> Batch:
    return Batch((COLUMN,), [pa.array(values, pa.int64())], len(values))


def never() -> None:
    """A check that finds nothing."""


def numbers(queue: OrderedQueue) -> list[int]:
    return [v for found in queue for v in found.columns[0].to_pylist()]


def test_order_is_that_of_morsels() -> None:
    queue = OrderedQueue()
    queue.put(1, batch(3), never)
    queue.put(0, batch(1), never)
    queue.put(1, batch(4), never)
    queue.put(0, batch(2), never)
    queue.end(1)
    queue.end(0)
    queue.close()
    assert numbers(queue) == [1, 2, 3, 4]


def test_rows_of_the_first_morsel_come_before_it_ends() -> None:
    queue = OrderedQueue()
    queue.put(0, batch(1), never)
    assert queue.get(timeout=1) is not None
    with pytest.raises(TimeoutError):
        queue.get(timeout=0.01)


def test_a_restart_knows_of_every_batch_that_has_left(monkeypatch: pytest.MonkeyPatch) -> None:
    """The rows come again while the consumer is about to get a batch: no row comes twice."""
    queue = OrderedQueue()
    queue.put(0, batch(1, 2), never)
    restart = threading.Thread(target=queue.restart)
    whole = Batch.slice

    def slow(self: Batch, offset: int, length: int) -> Batch:
        if not restart.ident:
            restart.start()
            restart.join(timeout=0.2)
        return whole(self, offset, length)

    monkeypatch.setattr(Batch, "slice", slow)
    first = queue.get(timeout=1)
    restart.join()
    queue.put(0, batch(1, 2), never)
    queue.put(0, batch(3), never)
    queue.close()
    assert first is not None
    assert first.columns[0].to_pylist() == [1, 2]
    assert numbers(queue) == [3]


def test_a_source_that_stops_early_leaves_gaps() -> None:
    queue = OrderedQueue()
    queue.put(2, batch(5), never)
    queue.end(0)
    queue.close()
    assert numbers(queue) == [5]


@pytest.mark.parametrize("seed", range(3))
def test_many_producers_with_little_room(seed: int) -> None:
    """Producers of later morsels wait, those of the next one never for good: all rows arrive, in order."""
    rng = random.Random(seed)
    queue = OrderedQueue(max_rows=3)
    morsels = [[rng.randrange(1, 4) for _ in range(rng.randrange(5))] for _ in range(40)]
    taken = iter(range(len(morsels)))
    lock = threading.Lock()
    most = 0

    def produce() -> None:
        nonlocal most
        while True:
            with lock:
                seq = next(taken, None)
            if seq is None:
                return
            for part, size in enumerate(morsels[seq]):
                queue.put(seq, batch(*[seq * 100 + part] * size), never)
                most = max(most, queue.queued_rows)
            queue.end(seq)

    threads = [threading.Thread(target=produce) for _ in range(4)]
    for thread in threads:
        thread.start()
    closer = threading.Thread(target=lambda: ([t.join() for t in threads], queue.close()))
    closer.start()
    found = numbers(queue)
    closer.join()
    assert found == [
        s * 100 + p for s, parts in enumerate(morsels) for p, n in enumerate(parts) for _ in range(n)
    ]
    assert most <= 3 + 3 + 3


def test_the_next_morsel_passes_a_full_queue() -> None:
    queue = OrderedQueue(max_rows=2)
    queue.put(1, batch(1, 2, 3), never)
    queue.put(0, batch(0), never)  # would wait forever if it had to
    queue.end(0)
    queue.end(1)
    queue.close()
    assert numbers(queue) == [0, 1, 2, 3]


@pytest.mark.parametrize("how", ["cancel", "check"])
def test_a_waiting_producer_is_woken(how: str) -> None:
    queue = OrderedQueue(max_rows=1)
    queue.put(0, batch(1), never)
    stop = threading.Event()
    errors: list[BaseException] = []

    def check() -> None:
        if stop.is_set():
            raise InterruptError("INTERRUPTED", "stopped")

    def produce() -> None:
        try:
            queue.put(0, batch(2), check)
        except InterruptError as error:
            errors.append(error)

    thread = threading.Thread(target=produce)
    thread.start()
    time.sleep(0.05)
    assert thread.is_alive()
    queue.cancel() if how == "cancel" else stop.set()
    thread.join(2)
    assert not thread.is_alive()
    assert len(errors) == 1


def test_an_error_reaches_the_consumer() -> None:
    queue = OrderedQueue()
    queue.put(0, batch(1), never)
    queue.fail(ValueError("broken"))
    with pytest.raises(ValueError, match="broken"):
        queue.get()
    with pytest.raises(InterruptError):
        queue.put(0, batch(2), never)


def test_a_waiting_consumer_is_woken() -> None:
    queue = OrderedQueue()
    threading.Timer(0.05, queue.cancel).start()
    with pytest.raises(InterruptError):
        queue.get(timeout=5)


def test_result_sink(backend: Any) -> None:
    data = relation([(i, i) for i in range(50)], a=BIGINT, b=BIGINT)
    runner = Runner(backend, 1, 4)
    queue = OrderedQueue(max_rows=8)
    columns = (data.column("b"),)
    sink = Maker(backend).sink(pipeline.ResultSink(columns), queue=queue)
    source = runner.relation(data)
    from tandemdb.physical.context import Task

    def produce() -> None:
        task = Task(runner.context)
        morsels: list[Morsel] = list(source.morsels(runner.context))
        sink.finish([run_task(source, [], sink, morsels, task)], task)

    thread = threading.Thread(target=produce)
    thread.start()
    found = list(queue)
    thread.join()
    assert rows_of(found, 4) == [(i,) for i in range(50)]
    assert all(b.schema == columns for b in found)
