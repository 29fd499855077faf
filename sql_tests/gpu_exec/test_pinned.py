"""Pinned memory: what comes and goes passes through it, nobody waits early, and none of it is lost."""

from __future__ import annotations

import functools
import gc
import json
from collections.abc import Callable, Iterator
from typing import Any

import doubles
import pyarrow as pa
import pytest
import tandemdb
from doubles import process
from oracle.compare import same_in_order
from tandemdb.engine.settings import SettingValues
from tandemdb.gpu_exec import memory as gpu_memory
from tandemdb.gpu_exec.held import Held
from tandemdb.gpu_exec.host_copies import download_columns, upload_arrays
from tandemdb.gpu_exec.library import rmm
from tandemdb.gpu_exec.operators.base import ops_of
from tandemdb.gpu_exec.operators.transfer import download, upload
from tandemdb.gpu_exec.pinned import PinnedPool
from tandemdb.physical.batch import Batch, Device
from tandemdb.physical.context import QueryContext, Task
from tandemdb.physical.memory import MemoryBroker
from tandemdb.planner.errors import InterruptError
from tandemdb.planner.expr import Column
from tandemdb.planner.types import BIGINT, VARCHAR

ROWS = 20_000
SPILLING = "SELECT a, s FROM t ORDER BY s DESC"


@pytest.fixture
def task(double: doubles.Device) -> Iterator[Task]:
    task = Task(QueryContext(SettingValues().frozen(), MemoryBroker(None)), Device.GPU)
    ops_of(task)
    yield task
    task.end()


@pytest.fixture
def con(double: doubles.Device) -> Iterator[tandemdb.Connection]:
    with tandemdb.connect(config={"threads": 1, "device": "cpu"}) as connection:
        connection.execute(f"CREATE TABLE t AS SELECT range AS a, 'text ' || range AS s FROM range({ROWS})")
        connection.execute("SET gpu_memory_limit = '1MiB'; SET on_fallback = 'error'")
        yield connection


@pytest.fixture
def new_pool(double: doubles.Device) -> Iterator[Callable[[int], PinnedPool]]:
    made: list[PinnedPool] = []

    def new(limit: int) -> PinnedPool:
        made.append(PinnedPool(limit))
        return made[-1]

    assert double.pinned_bytes == 0
    yield new
    gc.collect()
    for each in made:
        each.trim(0)
    assert double.pinned_bytes == 0


def pool() -> PinnedPool:
    assert gpu_memory._current is not None
    return gpu_memory._current.pinned


def on_both(con: tandemdb.Connection, sql: str) -> Any:
    """The finished cursor of a query on the GPU, whose rows were those of the CPU."""
    con.execute("SET device = 'cpu'")
    expected = con.execute(sql).fetchall()
    con.execute("SET device = 'gpu'")
    cursor = con.execute(sql)
    assert same_in_order(cursor.fetchall(), expected)
    return cursor


# The pool
# ----------------------------------------------------------------------------------------------------
def test_a_piece_is_used_again_and_the_pool_is_bounded(new_pool: Any, double: doubles.Device) -> None:
    few = new_pool(1 << 20)
    first = few.take(1 << 19)
    assert few.take(1 << 20) is None
    assert few.used == double.pinned_bytes == 1 << 19
    address = first.address
    del first
    assert few.used == 0
    again = few.take((1 << 19) - 5)
    assert (again.address, again.view.nbytes) == (address, (1 << 19) - 5)
    del again
    # What lies idle in the wrong size makes room for another.
    assert few.take(1 << 20) is not None
    assert double.pinned_peak == 1 << 20


def test_a_piece_is_not_used_again_before_its_copies_are_done(
    new_pool: Any, task: Task, double: doubles.Device
) -> None:
    few, stream = new_pool(1 << 20), ops_of(task).stream
    first = few.take(1 << 20)
    first.view[:3] = b"abc"
    buffer = rmm().DeviceBuffer.to_device(first.view, stream=stream)
    first.used_by(stream)
    del first
    assert not double.syncs
    second = few.take(1 << 20)
    assert double.syncs == {"cudaEventSynchronize": 1}
    second.view[:3] = b"xyz"
    stream.synchronize()
    assert buffer.tobytes()[:3] == b"abc"
    # Of pieces that are ready and pieces that are not, one that is ready.
    del second
    more = new_pool(1 << 21)
    one, other = more.take(1 << 20), more.take(1 << 20)
    ops_of(task).fetch(buffer.ptr, one.view)
    one.used_by(stream)
    ready = other.address
    del one, other
    double.syncs.clear()
    assert more.take(1 << 20).address == ready
    assert not double.syncs


def test_rows_that_stay_leave_room_for_those_that_pass(new_pool: Any) -> None:
    few = new_pool(1 << 20)
    kept = [few.take(1 << 18, lasting=True) for _ in range(4)]
    assert [piece is None for piece in kept] == [False, False, False, True]
    assert few.take(1 << 18) is not None


def test_a_view_keeps_its_piece(new_pool: Any) -> None:
    few = new_pool(1 << 20)
    piece = few.take(100)
    view = piece.view[10:20]
    del piece
    assert few.used == 1 << 16
    del view
    assert few.used == 0


def test_what_the_machine_refuses_is_not_asked_for_again_and_again(
    new_pool: Any, double: doubles.Device
) -> None:
    few = new_pool(1 << 30)
    double.pinned_capacity = 1 << 20
    kept = few.take(1 << 20)
    assert few.take(1 << 20) is None
    double.pinned_capacity = 1 << 30
    assert few.take(1 << 20) is None
    few.trim(0)
    assert few.take(1 << 20) is not None
    assert kept is not None


# Waiting
# ----------------------------------------------------------------------------------------------------
def batch(start: int, rows: int = 500) -> Batch:
    numbers = pa.array(range(start, start + rows), pa.int64())
    texts = pa.array([f"text {n}" for n in range(start, start + rows)], pa.string())
    codes = pa.array([n % 3 if n % 5 else None for n in range(rows)], pa.int32())
    named = pa.DictionaryArray.from_arrays(codes, pa.array(["x", "yy", "zzz"]))
    schema = (Column(1, "a", BIGINT), Column(2, "s", VARCHAR), Column(3, "d", VARCHAR))
    return Batch(schema, [numbers, texts, named], rows)


def test_nobody_waits_in_a_loop_of_uploads(task: Task, double: doubles.Device) -> None:
    ops = ops_of(task)
    moved = [ops.memory.run(lambda i=i: upload(batch(i * 500), ops)) for i in range(20)]
    assert not double.syncs
    assert pool().used == 0
    for number, rows in enumerate(moved):
        double.syncs.clear()
        down = ops.memory.run(lambda rows=rows: download(rows, ops))
        # One look for all columns, and one at the texts.
        assert double.syncs == {"cudaEventSynchronize": 2}
        wanted = batch(number * 500)
        assert down.columns[:2] == wanted.columns[:2]
        assert down.columns[2] == wanted.columns[2].dictionary_decode()


@pytest.mark.parametrize(
    ("sql", "looks"),
    [
        ("SELECT count(s), sum(a) FROM t WHERE a % 2 >= 0", 0),
        # What comes down is looked at: numbers once, texts twice a batch.
        ("SELECT a // 2 FROM t WHERE a >= 0", 1),
        ("SELECT s FROM t", 2),
    ],
)
def test_a_query_waits_for_what_comes_down_only(double: doubles.Device, sql: str, looks: int) -> None:
    """Of uploads and of what is computed none is waited for, however many batches there are."""
    waits: list[int] = []
    with tandemdb.connect(config={"threads": 1, "device": "cpu"}) as con:
        con.execute("CREATE TABLE t AS SELECT range AS a, 'text ' || range AS s FROM range(800)")
        con.execute("SET on_fallback = 'error'; SET disabled_rules = 'all'; SET device = 'gpu'")
        for batches in (4, 8):
            con.execute(f"SET gpu_batch_size = {800 // batches}")
            double.reset()
            con.execute(sql).fetchall()
            assert not double.implicit_syncs
            waits.append(sum(double.syncs.values()))
    assert waits[1] - waits[0] == 4 * looks


def test_what_leaves_is_waited_for_at_the_end_only(task: Task, double: doubles.Device) -> None:
    ops = ops_of(task)
    rows = [Held([ops.row_numbers(1000)], 1000, ops) for _ in range(5)]
    before = double.live_bytes
    assert ops.memory.buffer() is not None
    double.syncs.clear()
    for held in rows:
        assert held.leave()
    # Each waits for what made its rows; none for the copies, and so none has given its memory back.
    assert double.syncs == {"Stream.synchronize": 5}
    assert double.live_bytes >= before
    for held in rows:
        held.left()
        assert not held.is_here
    assert pool().used > 0
    brought = [ops.memory.run(lambda held=held: held.columns(ops)) for held in rows]
    assert [column.to_arrow().to_pylist() for (column,) in brought] == [list(range(1000))] * 5
    del brought, rows, held
    assert pool().used == 0


def test_packing_takes_what_those_before_leave_behind(task: Task, double: doubles.Device) -> None:
    ops = ops_of(task)
    first, second = (Held([ops.row_numbers(1000)], 1000, ops) for _ in range(2))

    def short(name: str, number: int) -> None:
        if "ChunkedPack.create" in name and first.is_here and first._away is not None:
            raise MemoryError("bad_alloc")

    double.before_call = short
    ops.memory.make_room(None)
    double.before_call = None
    assert not first.is_here
    assert not second.is_here


def held_rows(task: Task, size: int) -> tuple[Held, list[int]]:
    values = list(range(size // 8))
    (column,) = upload_arrays([pa.array(values, pa.int64())], ops_of(task))
    return Held([column], len(values), ops_of(task)), values


def moved_away(held: Held) -> int:
    """Bytes that went without pinned memory."""
    held._store.unpinned_bytes = 0
    assert held.leave()
    held.left()
    return held._store.unpinned_bytes


@pytest.mark.parametrize("memory", [None, 0])
@pytest.mark.parametrize("size", [1 << 19, 5 << 19])
@pytest.mark.parametrize("pinned", [True, False])
def test_rows_leave_and_come_back_whole(
    double: doubles.Device, memory: int | None, size: int, pinned: bool
) -> None:
    """In host memory, and in a file, in which they come in several pieces."""
    settings = SettingValues()
    settings.set("gpu_memory_limit", "32MiB")
    task = Task(QueryContext(settings.frozen(), MemoryBroker(memory)), Device.GPU)
    held, values = held_rows(task, size)
    if not pinned:
        pool().trim(0)
        double.pinned_capacity = 0
    slow = moved_away(held)
    assert (slow >= size) if not pinned else slow == 0
    assert task.query.spilled.file_bytes >= (0 if memory is None else size)
    ops = ops_of(task)
    (column,) = ops.memory.run(lambda: held.columns(ops))
    assert held._store.unpinned_bytes == 2 * slow
    assert column.to_arrow().to_pylist() == values
    task.end()
    task.query.close()


def test_what_comes_back_is_not_changed_before_it_is_copied(
    task: Task, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where it does not stay, nobody waits for it."""
    ops = ops_of(task)
    held, values = held_rows(task, 1 << 16)
    moved_away(held)
    monkeypatch.setattr(ops.memory, "has_room", lambda size: False)
    (column,) = ops.memory.run(functools.partial(held.columns, ops))
    del held
    gc.collect()
    for size in (1 << 16, 1 << 17, 1 << 18):
        again = pool().take(size)
        assert again is not None
        again.view[:5] = b"xxxxx"
        del again
    ops.stream.synchronize()
    assert column.to_arrow().to_pylist() == values


# Every type
# ----------------------------------------------------------------------------------------------------
def arrays(rows: int) -> list[pa.Array]:
    numbers = [n % 100 if n % 3 else None for n in range(rows)]
    kinds = [pa.int8(), pa.uint16(), pa.int32(), pa.float32(), pa.float64(), pa.date32(), pa.timestamp("us")]
    made = [pa.array(numbers, pa.int64()).cast(pa.int32()).cast(kind) for kind in kinds[:6]]
    made.append(pa.array(numbers, pa.int64()).cast(kinds[6]))
    made.append(pa.array([None if n is None else n > 50 for n in numbers], pa.bool_()))
    made.append(pa.array([n % 7 > 3 for n in range(rows)], pa.bool_()))
    made.append(pa.array([None if n is None else "é" * (n % 5) for n in numbers], pa.string()))
    made.append(pa.array([str(n) for n in range(rows)], pa.string()))
    made.append(pa.array(numbers, pa.int64()).cast(pa.decimal128(38, 2)))
    made.append(pa.nulls(rows, pa.string()))
    return made


@pytest.mark.parametrize("skip", [0, 1, 7, 8, 13, 40])
@pytest.mark.parametrize("rows", [0, 1, 9, 27])
def test_rows_of_every_type_come_and_go(task: Task, skip: int, rows: int) -> None:
    """Slices on the host and on the device: of bits, of texts, of values."""
    ops = ops_of(task)
    wanted = [array.slice(skip, rows) for array in arrays(80)]
    up = upload_arrays(wanted, ops)
    assert download_columns(up, ops) == wanted
    whole = upload_arrays(arrays(80), ops)
    assert download_columns(ops.sliced(whole, skip, skip + rows), ops) == wanted
    for given, column in zip(download_columns(up, ops), up, strict=True):
        assert given.type == column.to_arrow().type
    assert task.query.spilled.unpinned_bytes == 0


def test_only_the_rows_of_a_slice_are_copied(task: Task, double: doubles.Device) -> None:
    long = pa.array(["x" * 1000] * 1000)
    upload_arrays([long.slice(500, 1)], ops_of(task))
    assert double.pinned_peak <= 1 << 16


# Without it
# ----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("capacity", [0, 1 << 18, doubles.device.pinned_capacity])
def test_without_pinned_memory_rows_are_right_and_that_is_told(
    con: tandemdb.Connection, double: doubles.Device, capacity: int
) -> None:
    double.pinned_capacity = capacity
    cursor = on_both(con, SPILLING)
    assert cursor.profile.spilled_bytes > 1 << 18
    enough = capacity > 1 << 18
    assert (cursor.profile.unpinned_bytes == 0) is enough
    text = "\n".join(row[1] for row in con.execute(f"EXPLAIN ANALYZE {SPILLING}").fetchall())
    assert ("without pinned memory" in text) is not enough
    ((_, told),) = con.execute(f"EXPLAIN (ANALYZE, FORMAT json) {SPILLING}").fetchall()
    assert (json.loads(told)["profile"]["unpinned_bytes"] == 0) is enough


@pytest.mark.parametrize("capacity", [0, 1 << 30])
def test_files_are_written_and_read_through_two_pieces(
    con: tandemdb.Connection, double: doubles.Device, capacity: int
) -> None:
    expected = con.execute(SPILLING).fetchall()
    con.execute("SET device = 'gpu'; SET memory_limit = '430kB'")
    double.pinned_capacity = capacity
    cursor = con.execute(SPILLING)
    assert cursor.fetchall() == expected
    assert cursor.profile.spilled_to_disk > 1 << 18
    assert (cursor.profile.unpinned_bytes > 0) is (capacity == 0)


# Nothing is lost
# ----------------------------------------------------------------------------------------------------
def test_nothing_is_pinned_at_the_end(double: doubles.Device, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gpu_memory, "_PINNED_WHEN_IDLE", 1 << 18)
    with process.double() as device, tandemdb.connect(config={"threads": 2}) as connection:
        connection.execute(f"CREATE TABLE t AS SELECT range AS a, 'text ' || range AS s FROM range({ROWS})")
        connection.execute("SET gpu_memory_limit = '1MiB'; SET device = 'gpu'")
        connection.execute(SPILLING).fetchall()
        assert device.pinned_peak > 1 << 18
        assert pool().used == 0
        assert device.pinned_bytes <= gpu_memory._PINNED_WHEN_IDLE
        closing = connection.execute(SPILLING)
        closing.fetchone()
        closing.close()
        gc.collect()
        assert pool().used == 0
    assert doubles.device.pinned_bytes == 0


@pytest.mark.parametrize("first", [1, 60, 150, 250])
def test_errors_in_the_middle_lose_nothing(
    con: tandemdb.Connection, double: doubles.Device, first: int
) -> None:
    con.execute("SET device = 'gpu'; SET on_fallback = 'report'")
    expected = con.execute(SPILLING).fetchall()

    def stop(name: str, number: int) -> None:
        if number >= first + start:
            raise InterruptError("injected by the test")

    start = sum(double.calls.values())
    double.before_call = stop
    with pytest.raises(tandemdb.Error):
        con.execute(SPILLING).fetchall()
    double.before_call = None
    gc.collect()
    assert (pool().used, double.live_bytes) == (0, 0)
    with double.failing(first, 3):
        assert con.execute(SPILLING).fetchall() == expected
    gc.collect()
    assert (pool().used, double.live_bytes) == (0, 0)
