"""The device's memory: its budget, the rows that may leave it, and steps that run again when it is short.

The allocator enforces the budget, so running short is an error in the middle of any library call. A *step*
is a piece of an operator's work that may be repeated: `DeviceMemory.run` repeats it alone, after rows that
nobody works with have left the device; `DeviceMemory.each` also on smaller slices of its input.
"""

from __future__ import annotations

import functools
import re
import threading
import time
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

from ..physical.backend import ColumnFull, DeviceMemoryShort
from ..physical.device_memory import BATCHES_IN_BUDGET
from ..physical.memory import machine_memory
from ..physical.profiles import GPU_SHARE
from ..planner.forks import kept_over_forks
from . import library
from .library import plc, rmm
from .pinned import PinnedPool

if TYPE_CHECKING:
    from .held import Held

_Result = TypeVar("_Result")

_LEAST_BATCH, _LARGEST_BATCH = 1 << 16, 1 << 30
# The least buffer that libcudf packs through.
_LEAST_BUFFER, _LARGEST_BUFFER = 1 << 20, 1 << 25
# The part of the host's memory that is pinned at most: what is pinned cannot be used for anything else, as
# the CPU's operators and the files' cache would, and copies go on as fast with far less. While no task uses
# the device, some bytes stay pinned: to pin them anew would take longer than a short query.
_PINNED_PART = 8
_PINNED_WHEN_IDLE = 1 << 26
# How long a step waits for other tasks to end theirs and free what only they can.
_PATIENCE_SECONDS = 1.0
_COLUMN_LIMIT = "column size limit"
_RUNTIME_MESSAGE = re.compile("out.of.memory|bad_alloc|cudaErrorMemoryAllocation", re.IGNORECASE)


class TooMuch(Exception):
    """Raised by a step that would make more than one batch should hold: it is repeated on smaller slices."""


class DeviceMemory:
    """The budget of the process's GPU, `limit` bytes, shared by all queries; `pinned` is host memory for what
    comes and goes.
    """

    def __init__(self, wanted: int | None, pinned: PinnedPool) -> None:
        mr = rmm().mr
        self.wanted = wanted
        self.pinned = pinned
        whole = mr.available_device_memory()[1]
        # A limit beyond the device's memory is none; the library takes no more than 64 bits.
        self.limit = int(whole * GPU_SHARE) if wanted is None else min(wanted, whole)
        self._whole = mr.CudaAsyncMemoryResource()
        self._resource = mr.LimitingResourceAdaptor(self._whole, self.limit)
        mr.set_current_device_resource(self._resource)
        self._held: weakref.WeakSet[Held] = weakref.WeakSet()
        self._lock = threading.Lock()
        self._turns = _Turns()
        self._buffer: Any = None
        self._streams: list[Any] = []
        self.users = 0

    # Sizes ------------------------------------------------------------------------------------------------
    @property
    def batch_bytes(self) -> int:
        """How large a batch should be: some are alive at once in every task, and the more tasks share the
        device, the smaller.
        """
        share = self.limit // (BATCHES_IN_BUDGET * max(self.users, 1))
        return max(_LEAST_BATCH, min(share, _LARGEST_BATCH))

    @property
    def work_bytes(self) -> int:
        """How many bytes one step that sorts, groups or joins rows should take in: it copies them."""
        return max(_LEAST_BATCH, self.limit // 8)

    def has_room(self, size: int) -> bool:
        """Whether `size` bytes more can stay for long."""
        return self._resource.get_allocated_bytes() + size < self.limit // 2

    def rows_of(self, rows: int, size: int) -> int:
        """How many of `rows` rows of `size` bytes make a batch."""
        return max(1, rows * self.batch_bytes // max(1, size))

    def expect(self, made: int, rows: int) -> None:
        """Raises TooMuch when a step over more than one row would make so many bytes that what follows finds
        no room beside them.
        """
        if rows > 1 and made > self.work_bytes:
            raise TooMuch

    # Who uses it ------------------------------------------------------------------------------------------
    def enter(self) -> None:
        """A task begins to use the device."""
        with self._lock:
            self.users += 1

    def works_on(self, stream: Any) -> None:
        """A task's stream: what is given to it may be at work after the step that did so has ended."""
        with self._lock:
            self._streams.append(stream)

    def leave(self, stream: Any = None) -> None:
        """A task does no more, on its stream if it has got one."""
        with self._lock:
            self._streams = [other for other in self._streams if other is not stream]
            self.users -= 1
            if not self.users:
                self._buffer = None
                self.pinned.trim(_PINNED_WHEN_IDLE)

    @property
    def is_idle(self) -> bool:
        """Whether no task uses it and no rows are kept for one."""
        return not self.users and not self._held

    def add(self, held: Held) -> None:
        """Rows that may leave the device from now on."""
        with self._lock:
            self._held.add(held)

    # Steps ------------------------------------------------------------------------------------------------
    def run(self, step: Callable[[], _Result], check: Callable[[], None] = lambda: None) -> _Result:
        """The result of a step that may be repeated. DeviceMemoryShort when there is not enough memory for
        it, though everything that could has left the device, or a column cannot hold what it makes. `check`
        may raise, to end the waiting.
        """
        if self._turns.inside:
            return step()  # part of a larger one, which is repeated as a whole
        with self._turns.together():
            found = tried(step)
        if found is not None:
            return found[0]
        end = time.monotonic() + _PATIENCE_SECONDS
        while True:
            with self._turns.alone():
                # Some of it, then all: what the step itself brings back has to leave no more than once.
                for wanted in (self.limit // 4, None):
                    self.make_room(wanted)
                    found = tried(step)
                    if found is not None:
                        return found[0]
            check()
            if self.users < 2 or time.monotonic() > end:
                raise DeviceMemoryShort
            time.sleep(0.02)

    def each(
        self,
        rows: int,
        step: Callable[[int, int], _Result],
        check: Callable[[], None] = lambda: None,
        most: int | None = None,
    ) -> Iterator[_Result]:
        """`step(0, rows)`, or step(start, stop) for ranges of `most` rows; where memory is short, for ever
        smaller ranges of them, in order.
        """
        size = max(1, rows if most is None else most)
        todo = [(start, min(start + size, rows)) for start in range(0, max(rows, 1), size)][::-1]
        while todo:
            start, stop = todo.pop()
            try:
                found = self.run(functools.partial(step, start, stop), check)
            except (DeviceMemoryShort, TooMuch):
                if stop - start < 2:
                    raise
                check()
                middle = (start + stop) // 2
                todo += [(middle, stop), (start, middle)]
                continue
            yield found
            del found  # what was made is the consumer's alone

    def make_room(self, wanted: int | None) -> None:
        """Moves rows of `wanted` bytes (None: all) away that nobody works with, those first that were used
        longest ago. Called with no step at work.
        """
        with self._lock:
            held = sorted(self._held, key=lambda rows: rows.used)
            streams = list(self._streams)
        # Whoever last read the rows may still be at it, on another stream than the one that frees them.
        for stream in streams:
            stream.synchronize()
        freed = 0
        leaving: list[Held] = []
        try:
            for rows in held:
                if wanted is not None and freed >= wanted:
                    break
                if not rows.is_here:
                    continue
                began = rows.leave()
                if not began and leaving:
                    # Packing takes memory too, which those before may leave behind.
                    self._left(leaving)
                    began = rows.leave()
                if began:
                    leaving.append(rows)
                    freed += rows.nbytes
        finally:
            self._left(leaving)

    def _left(self, leaving: list[Held]) -> None:
        """Those have left that began to."""
        while leaving:
            leaving.pop(0).left()

    def buffer(self) -> Any:
        """What rows are packed through on their way to the host, beside the budget; None when the device has
        no memory for it.
        """
        if self._buffer is None:
            size = max(_LEAST_BUFFER, min(self.limit // 32, _LARGEST_BUFFER))
            found = tried(lambda: rmm().DeviceBuffer(size=size, mr=self._whole))
            self._buffer = None if found is None else found[0]
        return self._buffer


def tried(step: Callable[[], _Result]) -> tuple[_Result] | None:
    """The step's result; None when memory was short. What it had made is let go with the error.

    ColumnFull where a column would have more rows or text than libcudf's can.
    """
    try:
        return (step(),)
    except MemoryError:
        return None
    except OverflowError as error:
        if _COLUMN_LIMIT in str(error):
            raise ColumnFull from error
        raise
    except RuntimeError as error:
        # Some of the library's algorithms raise the driver's error as it is.
        if _RUNTIME_MESSAGE.search(str(error)):
            return None
        raise


class _Turns:
    """Steps run together, or one of them alone: a lock of readers and writers that knows its threads."""

    def __init__(self) -> None:
        self._change = threading.Condition()
        self._running = 0
        self._waiting = 0
        self._alone = False
        self._thread = threading.local()

    @property
    def inside(self) -> bool:
        """Whether this thread is in a step."""
        return getattr(self._thread, "inside", False)

    @contextmanager
    def together(self) -> Iterator[None]:
        """Waits for a step that runs alone, or wants to."""
        with self._change:
            self._change.wait_for(lambda: not self._alone and not self._waiting)
            self._running += 1
        with self._step():
            yield

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Waits until no other step runs."""
        with self._change:
            self._waiting += 1
            self._change.wait_for(lambda: not self._running)
            self._waiting -= 1
            self._running += 1
            self._alone = True
        with self._step():
            yield

    @contextmanager
    def _step(self) -> Iterator[None]:
        self._thread.inside = True
        try:
            yield
        finally:
            self._thread.inside = False
            with self._change:
                self._running -= 1
                self._alone = False
                self._change.notify_all()


_lock = kept_over_forks(threading.RLock())
_current: DeviceMemory | None = None


def enter(wanted: int | None) -> DeviceMemory:
    """The device's memory, for a task that begins to use it, with a budget of `wanted` bytes (None: a share
    of the device). Another budget than the last one holds once no task uses the device.
    """
    global _current
    with _lock:
        if _current is None or (_current.wanted != wanted and _current.is_idle):
            plc()
            pool = PinnedPool(machine_memory() // _PINNED_PART) if _current is None else _current.pinned
            _current = DeviceMemory(wanted, pool)
        _current.enter()
        return _current


def _forget() -> None:
    global _current
    if _current is not None:
        _current.pinned.trim(0)
    _current = None


library.when_forgotten(_forget)
