"""Runs pipelines on this machine: one pool of threads a process, N tasks a pipeline over one morsel queue.

The caller's thread never computes: it waits with time-outs, so that Ctrl-C and `interrupt()` take effect at
once.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from ...cpu_fallback.backend import CpuBackend
from ...cpu_fallback.operators.result import OrderedQueue
from ...physical.batch import Batch
from ...physical.context import QueryContext, Task
from ...physical.pipeline import Morsel, Pipeline, ResultSink, run_task
from ...physical.pipelines import consumers

# A task is worth a second thread from about this many source rows on.
ROWS_PER_TASK = 50_000
_POLL_SECONDS = 0.1


class _Morsels:
    """One pipeline's morsels, shared by its tasks."""

    def __init__(self, morsels: Iterator[Morsel], query: QueryContext) -> None:
        self._morsels = morsels
        self._lock = threading.Lock()
        self._query = query
        self._stopped = False

    def __iter__(self) -> Iterator[Morsel]:
        return self

    def __next__(self) -> Morsel:
        self._query.check()
        with self._lock:
            if self._stopped:
                raise StopIteration
            return next(self._morsels)

    def stop(self) -> None:
        """No more morsels: a sink has enough, or a task failed."""
        self._stopped = True


class LocalRun:
    """A running query: iterate its result batches; `close` cancels and waits until no thread works for it."""

    def __init__(self, pipelines: Sequence[Pipeline], query: QueryContext) -> None:
        self.query = query
        self._pipelines = tuple(pipelines)
        self._backend = CpuBackend()
        self._queue = OrderedQueue()
        self._closed = False
        self._thread = threading.Thread(target=self._drive, name="tandemdb-query", daemon=True)
        self._thread.start()

    def __iter__(self) -> Iterator[Batch]:
        """Result batches in order. Raises the query's error; KeyboardInterrupt in the caller's thread cancels
        the query.
        """
        try:
            while (batch := self._next()) is not None:
                yield batch
        except BaseException:
            self.close()
            raise
        self._thread.join()
        self.close()

    def _next(self) -> Batch | None:
        while True:
            try:
                return self._queue.get(_POLL_SECONDS)
            except TimeoutError:
                continue  # lets a pending KeyboardInterrupt in

    def close(self) -> None:
        """Cancels what still runs, waits for it, and gives memory back; may be called again."""
        if self._closed:
            return
        self._closed = True
        self.query.cancel.set()
        self._queue.cancel()
        self._thread.join()
        self.query.close()

    def _drive(self) -> None:
        try:
            left = consumers(self._pipelines)
            for pipeline in self._pipelines:
                artifact = self._run_pipeline(pipeline)
                if not isinstance(pipeline.sink, ResultSink):
                    self.query.artifacts[pipeline.id] = artifact
                for needed in pipeline.needs:
                    left[needed] -= 1
                    if left[needed] == 0:
                        del self.query.artifacts[needed]
        except BaseException as error:  # noqa: BLE001 - handed to the consumer, which raises it
            self._queue.fail(error)

    def _run_pipeline(self, pipeline: Pipeline) -> Any:
        query, backend = self.query, self._backend
        query.check()
        source = backend.source(pipeline.source)
        transforms = [backend.transform(spec) for spec in pipeline.transforms]
        if isinstance(pipeline.sink, ResultSink):
            sink = backend.sink(pipeline.sink, queue=self._queue)
        else:
            sink = backend.sink(pipeline.sink)
        morsels = _Morsels(iter(source.morsels(query)), query)
        count = max(1, min(query.threads, int(pipeline.estimate // ROWS_PER_TASK) + 1))

        def work() -> Any:
            task = Task(query)
            try:
                sealed = run_task(source, transforms, sink, morsels, task)
                # A task ends early only when its sink needs no more rows: then nobody needs more morsels.
                morsels.stop()
                return sealed
            except BaseException:
                morsels.stop()
                raise
            finally:
                task.end()

        parts = _run_all([work] * count)
        task = Task(query)
        try:
            artifact = task.timed(sink, sink.finish, parts, task)
            if (op_id := getattr(sink, "op_id", -1)) >= 0:
                task.metrics(op_id).bytes += artifact.nbytes
            return artifact
        finally:
            task.end()


def _run_all(jobs: Sequence[Callable[[], Any]]) -> list[Any]:
    """Runs the first job here and the others on the pool; waits for all, then raises the first error in
    order.
    """
    futures = [_pool().submit(job) for job in jobs[1:]]
    results: list[Any] = []
    error: BaseException | None = None
    try:
        results.append(jobs[0]())
    except BaseException as caught:  # noqa: BLE001 - raised below, when all have ended
        error = caught
    for future in futures:
        try:
            results.append(future.result())
        except BaseException as caught:  # noqa: BLE001 - raised below, when all have ended
            error = error or caught
    if error is not None:
        raise error
    return results


_pools: list[ThreadPoolExecutor] = []
_pools_lock = threading.Lock()


def _pool() -> ThreadPoolExecutor:
    with _pools_lock:
        if not _pools:
            _pools.append(ThreadPoolExecutor(max_workers=256, thread_name_prefix="tandemdb-worker"))
        return _pools[0]
