"""Runs pipelines on this machine: one pool of threads a process, N tasks a pipeline over one morsel queue.

The caller's thread never computes: it waits with time-outs, so that Ctrl-C and `interrupt()` take effect at
once.
"""

from __future__ import annotations

import atexit
import os
import threading
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from typing import Any

from ...cpu_fallback.operators.result import OrderedQueue
from ...physical.backend import Backend, ColumnFull, DeviceMemoryShort
from ...physical.batch import Batch, Device
from ...physical.context import QueryContext, Task
from ...physical.pipeline import Morsel, Pipeline, RecursionSource, ResultSink, run_task, specs_of
from ...physical.pipelines import consumers
from ...physical.repeatable import is_repeatable
from ...planner.errors import InterruptError, SqlError
from ...planner.messages_runtime import device_memory_short, device_memory_short_between, left_behind
from .maker import OperatorMaker
from .workers import WORKERS

# A task is worth a second thread from about this many source rows on.
ROWS_PER_TASK = 50_000
_POLL_SECONDS = 0.1
# How long an interrupted caller waits for the query's threads.
_PATIENCE_SECONDS = 0.2


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
    """A running query: an iterator over its result batches. Its thread ends by itself, with the query, when
    it fails, or after `cancel`; it then calls `ended`.
    """

    def __init__(
        self,
        pipelines: Sequence[Pipeline],
        query: QueryContext,
        backends: Mapping[Device, Backend],
        ended: Callable[[LocalRun], None] = lambda _: None,
    ) -> None:
        self.query = query
        self._pipelines = tuple(pipelines)
        self._maker = OperatorMaker(backends, query)
        query.run_pipeline = self._run_pipeline
        self._ended = ended
        self._queue = OrderedQueue()
        self._process = os.getpid()
        self._interrupted = False
        self._unclosed: BaseException | None = None  # why the query could not be closed
        self._thread = threading.Thread(target=self._drive, name="tandemdb-query", daemon=True)
        # Before it starts, as it takes itself off the list when it ends.
        atexit.register(self.join)
        try:
            self._thread.start()
        except BaseException:
            atexit.unregister(self.join)
            self.cancel()  # of a thread that began all the same when Ctrl-C came
            raise

    def __iter__(self) -> Iterator[Batch]:
        return self

    def __next__(self) -> Batch:
        """The next batch in order. Raises the query's error; KeyboardInterrupt in the caller's thread cancels
        the query.
        """
        try:
            batch = self._next()
        except BaseException as error:
            self._interrupted = isinstance(error, (KeyboardInterrupt, InterruptError))
            self.close()
            raise
        if batch is None:
            self._thread.join()
            if self._unclosed is not None:
                raise self._unclosed
            raise StopIteration
        return batch

    def _next(self) -> Batch | None:
        while True:
            if not self._is_here:
                raise left_behind()
            try:
                return self._queue.get(_POLL_SECONDS)
            except TimeoutError:
                continue  # lets a pending KeyboardInterrupt in

    @property
    def _is_here(self) -> bool:
        """Whether its threads are in this process, not in one that this was forked from: then nobody gives
        back what locks they held.
        """
        return self._process == os.getpid()

    def cancel(self) -> None:
        """Stops the query soon, without waiting: may be called from any thread, and when nobody will
        fetch.
        """
        if self._is_here:
            self.query.cancel.set()
            self._queue.cancel()

    def close(self) -> None:
        """Cancels what still runs and waits until no thread works for the query; may be called again.

        Whoever interrupted the query waits a moment only: a kernel that is being compiled cannot be stopped,
        and its thread ends by itself.
        """
        self.cancel()
        self._thread.join(_PATIENCE_SECONDS if self._interrupted else None)

    def join(self) -> None:
        """Cancels what still runs and waits for its threads, whatever they do."""
        self.cancel()
        self._thread.join()

    def _drive(self) -> None:
        try:
            self._run_pipelines()
        except BaseException as error:  # noqa: BLE001 - handed to the consumer, which raises it
            self._fail(error)
        try:
            self.query.close()
        except BaseException as error:  # noqa: BLE001 - the consumer raises it if it raised none before
            self._fail(error)
            self._unclosed = error
        finally:
            atexit.unregister(self.join)
            self._ended(self)

    def _fail(self, error: BaseException) -> None:
        _let_go(error)
        self._queue.fail(error)

    def _run_pipelines(self) -> None:
        left = consumers(self._pipelines)
        for pipeline in self._pipelines:
            artifact = self._run_pipeline(pipeline)
            if not isinstance(pipeline.sink, ResultSink):
                self.query.artifacts[pipeline.id] = artifact
            for needed in pipeline.needs:
                left[needed] -= 1
                if left[needed] == 0:
                    del self.query.artifacts[needed]

    def _run_pipeline(self, pipeline: Pipeline) -> Any:
        """The pipeline's artifact. Where its device's memory is short for several tasks it is run again by
        one, at last on the CPU.
        """
        count = max(1, min(self.query.threads, int(pipeline.estimate // ROWS_PER_TASK) + 1))
        if any(isinstance(spec, RecursionSource) for spec in specs_of(pipeline)):
            count = 1  # its morsels are made by running pipelines, for which other tasks would only wait
        for tasks in dict.fromkeys((count, 1)):
            found = self._tried(pipeline, self._maker, tasks)
            if found is not None:
                return found[0]
            if isinstance(pipeline.sink, ResultSink):
                given = self._queue.restart()
                if given and not is_repeatable(pipeline):
                    raise device_memory_short_between()
        try:
            return self._attempt(pipeline, self._maker.without_device(pipeline), count)
        except DeviceMemoryShort as error:
            traceback.clear_frames(error.__traceback__)
        # What earlier pipelines left on the device cannot even be read back.
        raise self.query.spilled.failure or device_memory_short()

    def _tried(self, pipeline: Pipeline, maker: OperatorMaker, tasks: int) -> tuple[Any] | None:
        self.query.spilled.failure = None
        try:
            with self.query.attempt(DeviceMemoryShort):
                return (self._attempt(pipeline, maker, tasks),)
        except DeviceMemoryShort as error:
            # The frames that failed refer to rows, and some of them to the error: they would keep the device
            # full until the next collection of garbage.
            traceback.clear_frames(error.__traceback__)
            full_disk = None if isinstance(error, ColumnFull) else self.query.spilled.failure
        if full_disk is not None:
            # The host has no place for the query's rows either: it is the disk that is short.
            raise full_disk
        return None

    def _attempt(self, pipeline: Pipeline, maker: OperatorMaker, count: int) -> Any:
        query = self.query
        query.check()
        options = {"queue": self._queue} if isinstance(pipeline.sink, ResultSink) else {}
        source = maker.source(pipeline.source)
        transforms = [maker.transform(spec) for spec in pipeline.transforms]
        sink = maker.sink(pipeline.sink, **options)
        device = maker.device or pipeline.device
        morsels = _Morsels(iter(source.morsels(query)), query)

        def work() -> Any:
            task = Task(query, device)
            done = False
            try:
                sealed = run_task(source, transforms, sink, morsels, task)
                done = True
                return sealed
            finally:
                # A task ends early only when its sink needs no more rows, or when it failed: then nobody
                # needs more morsels.
                morsels.stop()
                task.end(counted=done)

        parts = _run_all([work] * count, morsels.stop)
        task = Task(query, device)
        try:
            artifact = task.timed(sink, sink.finish, parts, task)
            if (op_id := getattr(sink, "op_id", -1)) >= 0:
                task.metrics(op_id).bytes += artifact.nbytes
            return artifact
        finally:
            task.end()


def _let_go(error: BaseException) -> None:
    """Whoever keeps the error does not keep the query's rows, which its frames refer to. A cleared frame
    still has its function, with all that this encloses: of an error that is no bug of ours none is needed.
    """
    traceback.clear_frames(error.__traceback__)
    if isinstance(error, SqlError):
        error.__traceback__ = None


def _run_all(jobs: Sequence[Callable[[], Any]], stop: Callable[[], None]) -> list[Any]:
    """Runs the first job here and the others on the pool; waits for all, then raises the first error in
    order. Where no thread can be started for one, `stop` tells the others to end soon.
    """
    futures: list[Future[Any]] = []
    results: list[Any] = []
    error: BaseException | None = None
    try:
        for job in jobs[1:]:
            futures.append(WORKERS.submit(job))
        results.append(jobs[0]())
    except BaseException as caught:  # noqa: BLE001 - raised below, when all have ended
        error = caught
        stop()
    for future in futures:
        try:
            results.append(future.result())
        except BaseException as caught:  # noqa: BLE001 - raised below, when all have ended
            error = error or caught
    if error is not None:
        raise error
    return results
