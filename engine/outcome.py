"""What executing a statement gives: a stream of batches with names and types."""

from __future__ import annotations

import threading
import time
import weakref
from collections.abc import Callable, Iterator, Sequence

import pyarrow as pa

from ..physical.arrow_types import storage_type
from ..physical.batch import Batch
from ..planner.expr import Column
from ..planner.types import SQLType
from .profile import Profile
from .result import result_schema
from .runners.local import LocalRun


class Outcome:
    """A result being fetched. `names` and `types` describe its columns; `changed` counts rows that DML
    changed (else None).

    Batches are pulled by one consumer; `close` cancels what still runs.
    """

    def __init__(
        self,
        names: Sequence[str],
        types: Sequence[SQLType],
        batches: Iterator[Batch],
        *,
        profile: Profile | None = None,
        close: Callable[[], None] = lambda: None,
        changed: int | None = None,
        kind: str = "query",
    ) -> None:
        self.names = tuple(names)
        self.types = tuple(types)
        self.schema: pa.Schema = result_schema(self.names, self.types)
        self.profile = profile or Profile()
        self.changed = changed
        self.kind = kind
        self._batches = batches
        self._close = close

    def __iter__(self) -> Iterator[Batch]:
        return self._batches

    def close(self) -> None:
        """Cancels the query if it still runs; may be called again."""
        self._close()


def done(kind: str, changed: int | None = None) -> Outcome:
    """The outcome of a statement without a result."""
    return Outcome((), (), iter(()), kind=kind, changed=changed)


def rows_outcome(names: Sequence[str], types: Sequence[SQLType], rows: Sequence[Sequence[object]]) -> Outcome:
    """The outcome with literal rows (SHOW, DESCRIBE, EXPLAIN); values are in storage form."""
    columns = tuple(Column(i, name, kind) for i, (name, kind) in enumerate(zip(names, types, strict=True)))
    arrays = [pa.array([row[i] for row in rows], storage_type(kind)) for i, kind in enumerate(types)]
    return Outcome(names, types, iter([Batch(columns, arrays, len(rows))] if rows else []))


class Running:
    """Keeps account of a run: total time, rows, and the profile at its end. When nobody holds it any more,
    the run is cancelled.
    """

    def __init__(self, run: LocalRun, profile: Profile) -> None:
        self._run = run
        self._profile = profile
        self._start = time.perf_counter()
        self._done = threading.Event()
        # Cancelled, not waited for: the garbage collector may be at work in one of the run's own threads.
        self._canceller = weakref.finalize(self, run.cancel)
        self._canceller.atexit = False

    def batches(self) -> Iterator[Batch]:
        """The run's batches; the profile is filled in when they end or fail."""
        while (batch := self._next()) is not None:
            yield batch

    def _next(self) -> Batch | None:
        try:
            batch = next(self._run, None)
        except BaseException:
            self.finish()
            raise
        if batch is None:
            self.finish()
        else:
            self._profile.rows += batch.num_rows
        return batch

    def finish(self) -> None:
        """Stops the run if it has not ended; may be called again."""
        if self._done.is_set():
            return
        self._done.set()
        self._run.close()
        # It would keep the run, which keeps its error, whose traceback keeps whoever was fetching: for ever.
        self._canceller.detach()
        profile, query = self._profile, self._run.query
        profile.execution_ms = (time.perf_counter() - self._start) * 1000
        profile.operators = query.metrics
        profile.peak_bytes = query.memory.peak
        profile.spilled_to_disk = query.spilled.file_bytes
        profile.unpinned_bytes = query.spilled.unpinned_bytes
        profile.spilled_bytes = query.spilled.host_bytes + query.spilled.file_bytes
