"""What running code may ask: settings, memory, cancellation, artifacts, metrics."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import Any

from ..planner.messages_runtime import interrupted
from ..planner.messages_settings import fallback_refused
from .batch import Batch, Device
from .memory import MemoryBroker, QueryMemory, Reservation
from .spill import SpillStore


@dataclass
class OperatorMetrics:
    """Sums over all tasks. `seconds` is the operator's own time (its input's excluded), summed over tasks;
    `device` is where it really ran.
    """

    device: Device = Device.CPU
    rows: int = 0
    batches: int = 0
    bytes: int = 0
    seconds: float = 0.0
    extra: dict[str, int] = field(default_factory=dict)

    def merge(self, other: OperatorMetrics) -> None:
        """Adds another task's sums."""
        self.rows += other.rows
        self.batches += other.batches
        self.bytes += other.bytes
        self.seconds += other.seconds
        for name, value in other.extra.items():
            self.extra[name] = self.extra.get(name, 0) + value


@dataclass(frozen=True)
class Fallback:
    """An operator that runs on the CPU though it was placed on, or asked onto, another device, and why."""

    op_id: int
    operator: str
    reason: str

    def __str__(self) -> str:
        return f"{self.operator}: {self.reason}"


class Check:
    """What code that runs for a query calls now and then: it raises InterruptError once the query is
    cancelled.

    It goes wherever expressions are evaluated, so it also leads them to the Python functions that they call:
    `functions`, by `UserFunction.number`. What those are, the devices and `engine.udf` agree on.
    """

    __slots__ = ("_cancel", "functions")

    def __init__(self, cancel: threading.Event, functions: Mapping[int, Any]) -> None:
        self._cancel = cancel
        self.functions = functions

    def __call__(self) -> None:
        """Raises InterruptError once the query is cancelled."""
        if self._cancel.is_set():
            raise interrupted()


class QueryContext:
    """One running query. `settings` has every setting's value; `artifacts` the finished pipelines' results by
    pipeline id; `fallbacks` what `fall_back` was told; `functions` the Python functions that it may call, see
    `Check`.
    """

    def __init__(
        self,
        settings: Mapping[str, Any],
        memory: MemoryBroker,
        cancel: threading.Event | None = None,
        functions: Mapping[int, Any] | None = None,
    ) -> None:
        self.settings = settings
        self.memory = QueryMemory(memory)
        self.spilled = SpillStore(self.memory, settings.get("temp_directory", ""))
        self.cancel = cancel or threading.Event()
        self.functions = functions or {}
        self.check = Check(self.cancel, self.functions)
        self.artifacts: dict[int, Any] = {}
        # Runs a pipeline that an operator repeats, and returns its artifact; the runner's.
        self.run_pipeline: Callable[[Any], Any] = _no_runner
        self.metrics: dict[int, OperatorMetrics] = {}
        self.fallbacks: list[Fallback] = []
        # What tasks of an attempt have counted, until it ends.
        self._attempted: dict[int, OperatorMetrics] | None = None
        self._lock = threading.Lock()
        self._reservations: list[Reservation] = []

    @property
    def batch_size(self) -> int:
        """Rows a batch at most."""
        return self.settings["batch_size"]

    @property
    def threads(self) -> int:
        """Tasks a pipeline runs at once."""
        return self.settings["threads"]

    def reservation(self, what: str) -> Reservation:
        """A reservation that ends with the query at the latest."""
        reservation = Reservation(self.memory, what)
        with self._lock:
            self._reservations.append(reservation)
        return reservation

    def add_metrics(self, op_id: int, metrics: OperatorMetrics) -> None:
        """Adds a task's sums of one operator."""
        with self._lock:
            counted = self.metrics if self._attempted is None else self._attempted
            counted.setdefault(op_id, OperatorMetrics(metrics.device)).merge(metrics)

    @contextmanager
    def attempt(self, again: type[Exception]) -> Iterator[None]:
        """A pipeline's work, which is done again when it ends with an error of the kind `again`: what it
        reserved is given back then, and what its tasks counted is forgotten. One at a time, but one within
        another.
        """
        with self._lock:
            reserved = len(self._reservations)
            outer, self._attempted = self._attempted, {}
        try:
            yield
        except again:
            with self._lock:
                for reservation in self._reservations[reserved:]:
                    reservation.release()
                del self._reservations[reserved:]
                self._attempted = {}
            raise
        finally:
            with self._lock:
                attempted, self._attempted = self._attempted or {}, outer
            for op_id, metrics in attempted.items():
                self.add_metrics(op_id, metrics)

    @contextmanager
    def returning_reservations(self) -> Iterator[None]:
        """What is reserved within is given back at the end: for pipelines that are run again and again,
        one task at a time beside them."""
        with self._lock:
            reserved = len(self._reservations)
        try:
            yield
        finally:
            with self._lock:
                for reservation in self._reservations[reserved:]:
                    reservation.release()
                del self._reservations[reserved:]

    def fall_back(self, operators: Iterable[Fallback]) -> None:
        """Counts operators that run on the CPU instead of where they were placed or asked. UnsupportedError
        when the setting `on_fallback` forbids it.
        """
        found = list(operators)
        if found and self.settings["on_fallback"] == "error":
            raise fallback_refused(str(found[0]), len(found))
        with self._lock:
            self.fallbacks += found

    def close(self) -> None:
        """Drops artifacts and gives all memory and disk space back; may be called again."""
        try:
            self.artifacts.clear()
            self.spilled.close()
        finally:
            with self._lock:
                for reservation in self._reservations:
                    reservation.release()


def _no_runner(pipeline: Any) -> Any:
    raise AssertionError("nobody runs pipelines of this query")


class Task:
    """Part of a pipeline's work, on one thread and one device. Not shared between threads."""

    def __init__(self, query: QueryContext, device: Device = Device.CPU) -> None:
        self.query = query
        self.device = device
        # Raises InterruptError once the query is cancelled. Long kernels call it between blocks.
        self.check = query.check
        self._metrics: dict[int, OperatorMetrics] = {}
        self._inner = 0.0  # time spent in the operators below the one that is being timed
        self._kept: dict[Hashable, Any] = {}

    @property
    def settings(self) -> Mapping[str, Any]:
        """Every setting's value."""
        return self.query.settings

    @property
    def artifacts(self) -> Mapping[int, Any]:
        """The finished pipelines' results by pipeline id."""
        return self.query.artifacts

    def metrics(self, op_id: int, operator: Any = None) -> OperatorMetrics:
        """This task's sums for an operator. `operator` says where it runs, if not on the task's device."""
        found = self._metrics.get(op_id)
        if found is None:
            device = getattr(operator, "device", self.device)
            found = self._metrics[op_id] = OperatorMetrics(device)
        return found

    def metered(self, operator: Any, rows: Iterator[Batch]) -> Iterator[Batch]:
        """Passes rows on and books rows, bytes and own time to `operator.op_id` (operators without one are
        not booked).
        """
        op_id = getattr(operator, "op_id", -1)
        if op_id < 0:
            yield from rows
            return
        metrics = self.metrics(op_id, operator)
        while True:
            outer, self._inner = self._inner, 0.0
            start = time.perf_counter()
            batch = next(rows, None)
            spent = time.perf_counter() - start
            metrics.seconds += spent - self._inner
            self._inner = outer + spent
            if batch is None:
                return
            metrics.rows += batch.num_rows
            metrics.batches += 1
            metrics.bytes += batch.row_bytes
            yield batch
            del batch  # the next is made without this one in memory

    def timed(self, operator: Any, call: Callable[..., Any], *args: Any) -> Any:
        """Calls a sink's method and books its time."""
        op_id = getattr(operator, "op_id", -1)
        start = time.perf_counter()
        result = call(*args)
        if op_id >= 0:
            self.metrics(op_id, operator).seconds += time.perf_counter() - start
        return result

    def keep(self, key: Hashable, make: Callable[[], Any]) -> Any:
        """What `make` made for `key` in this task (an open file, say); it is closed when the task ends."""
        found = self._kept.get(key)
        if found is None:
            found = self._kept[key] = make()
        return found

    def end(self, *, counted: bool = True) -> None:
        """Hands the sums to the query, unless the work was in vain, and closes what was kept."""
        metrics, self._metrics = self._metrics, {}
        # All of them are closed, also when one cannot be; then the last error is raised.
        with ExitStack() as closing:
            while self._kept:
                closing.callback(self._kept.popitem()[1].close)
            for op_id, sums in metrics.items() if counted else ():
                self.query.add_metrics(op_id, sums)
