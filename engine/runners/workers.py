"""The process's worker threads: queries' tasks run on them."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future
from queue import SimpleQueue
from typing import Any

from ...planner.forks import in_forked_children


class Workers:
    """Threads that wait for jobs; one more is started whenever all are busy.

    They are daemons, unlike those of `concurrent.futures`: Python waits at its end for the latter, for ever
    if one waits in turn for somebody to fetch a query's rows.
    """

    def __init__(self, name: str = "tandemdb-worker") -> None:
        self._name = name
        self.renew()

    def renew(self) -> None:
        """Begins without threads: a forked process has none of its parent's."""
        self._jobs: SimpleQueue[tuple[Callable[[], Any], Future[Any]]] = SimpleQueue()
        self._lock = threading.Lock()
        self._idle = 0  # threads without a job, those for which one is queued not counted
        self._started = 0

    def submit(self, job: Callable[[], Any]) -> Future[Any]:
        """Runs a job soon on some thread; its result, or what it raised, is the future's."""
        future: Future[Any] = Future()
        with self._lock:
            if self._idle:
                self._idle -= 1
            else:
                name = f"{self._name}-{self._started + 1}"
                threading.Thread(target=self._work, name=name, daemon=True).start()
                self._started += 1
        self._jobs.put((job, future))
        return future

    def _work(self) -> None:
        while True:
            _run(*self._jobs.get())
            with self._lock:
                self._idle += 1


def _run(job: Callable[[], Any], future: Future[Any]) -> None:
    # A function of its own: a waiting thread keeps nothing of its last job alive.
    try:
        future.set_result(job())
    except BaseException as error:  # noqa: BLE001 - whoever waits for the job gets it
        future.set_exception(error)
        # The error refers to this frame, and with it would to itself.
        del future


# One pool a process: queries share its threads.
WORKERS = Workers()
in_forked_children(WORKERS.renew)
