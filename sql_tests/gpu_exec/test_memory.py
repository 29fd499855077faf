"""The device runs out of memory at any allocation and in any call: rows are right, nothing is lost."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import tandemdb
from doubles.injection import IN_TURN, run
from tandemdb.engine.settings import SettingValues
from tandemdb.gpu_exec.held import Held
from tandemdb.gpu_exec.memory import DeviceMemory
from tandemdb.gpu_exec.operators.base import ops_of
from tandemdb.gpu_exec.operators.chunks import LEAST_CHUNK, ChunkReader
from tandemdb.gpu_exec.operators.filter import Filter
from tandemdb.gpu_exec.operators.window_parts import WindowParts
from tandemdb.physical.backend import DeviceMemoryShort
from tandemdb.physical.batch import Device
from tandemdb.physical.context import QueryContext, Task
from tandemdb.physical.memory import MemoryBroker

TABLES = (
    """CREATE TABLE t AS SELECT range AS a, range % 7 AS b, 'x' || range AS s, range * 1.5::DOUBLE AS d,
    (range / 4)::DECIMAL(9,2) AS p FROM range(60)""",
    "CREATE TABLE u AS SELECT CASE WHEN range <> 2 THEN range * 2 END AS a, 'y' || range AS s FROM range(40)",
)
# One for every operator, and every way an operator ends.
STATEMENTS = (
    "SELECT a + 1, s || '!' FROM t WHERE b > 2",
    "SELECT b, count(*), sum(a), avg(p), min(d), max(s) FROM t GROUP BY b",
    "SELECT b, median(a), count(DISTINCT a % 3) FROM t GROUP BY b",
    "SELECT sum(p), max(s) FROM t WHERE a < 0",
    "SELECT t.a, u.s FROM t JOIN u USING (a)",
    "SELECT t.a, u.s FROM t FULL JOIN u ON t.a = u.a AND t.b < 2",
    "SELECT a, a IN (SELECT a FROM u) FROM t",
    "SELECT a FROM t WHERE NOT EXISTS (SELECT 1 FROM u WHERE u.a = t.a)",
    "SELECT count(*) FROM t, u WHERE t.a < u.a",
    "SELECT a, s FROM t ORDER BY b DESC, s",
    "SELECT a, s FROM t ORDER BY b DESC, s LIMIT 5 OFFSET 3",
    """SELECT a, rank() OVER w, lag(s) OVER w, sum(p) OVER w, max(s) OVER (w ROWS BETWEEN 1 PRECEDING AND
    2 FOLLOWING) FROM t WINDOW w AS (PARTITION BY b ORDER BY p)""",
    "SELECT a FROM t LIMIT 3 OFFSET 20",
    "SELECT b FROM t EXCEPT ALL SELECT a FROM u",
    "WITH w AS (SELECT b, sum(a) AS x FROM t GROUP BY b) SELECT * FROM w v JOIN w z ON v.b = z.b",
)


@pytest.fixture
def con(double: Any) -> Iterator[tandemdb.Connection]:
    del double
    with tandemdb.connect(config={"threads": 1}) as connection:
        for table in TABLES:
            connection.execute(table)
        connection.execute("SET gpu_batch_size = 25; SET on_fallback = 'error'; SET device = 'gpu'")
        yield connection


def test_rows_leave_after_everybody_who_may_still_read_them(
    double: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Work on the device outlasts the step that started it: the streams of all tasks are waited for."""
    del double
    tasks = [Task(QueryContext(SettingValues().frozen(), MemoryBroker(None)), Device.GPU) for _ in range(2)]
    maker, reader = (ops_of(task) for task in tasks)
    held = Held([maker.row_numbers(1000)], 1000, maker)
    maker.memory.run(lambda: held.columns(reader))
    waited: list[Any] = []
    kind = type(reader.stream)

    def wait(stream: Any) -> None:
        waited.append(stream)

    monkeypatch.setattr(kind, "synchronize", wait)
    pack = held._packed
    seen: list[list[Any]] = []
    monkeypatch.setattr(held, "_packed", lambda *args: (seen.append(list(waited)), pack(*args))[1])
    maker.memory.make_room(None)
    (before,) = seen
    assert reader.stream in before
    tasks[1].end()
    waited.clear()
    maker.memory.make_room(None)
    assert waited == [maker.stream]
    monkeypatch.undo()
    tasks[0].end()


@pytest.mark.parametrize(
    ("kind", "text"), [(MemoryError, "bad_alloc"), (RuntimeError, "cudaErrorMemoryAllocation")]
)
def test_rows_stay_where_there_is_no_memory_to_pack_them(
    double: Any, kind: type[Exception], text: str
) -> None:
    """However the library says so."""
    task = Task(QueryContext(SettingValues().frozen(), MemoryBroker(None)), Device.GPU)
    ops = ops_of(task)
    held = Held([ops.row_numbers(1000)], 1000, ops)

    def fail(name: str, number: int) -> None:
        if "Pack" in name:
            raise kind(text)

    double.before_call = fail
    try:
        assert not held.leave()
    finally:
        double.before_call = None
    assert held.leave()
    held.left()
    assert ops.memory.run(lambda: held.columns(ops))[0].size() == 1000
    task.end()


def test_the_full_disk_of_one_query_is_not_anothers_error(double: Any, tmp_path: Path) -> None:
    """Its rows stay, those of others leave; only who owns the disk is told."""
    del double
    settings = SettingValues()
    settings.set("temp_directory", str(tmp_path / "missing"))
    full = Task(QueryContext(settings.frozen(), MemoryBroker(0)), Device.GPU)
    other = Task(QueryContext(SettingValues().frozen(), MemoryBroker(None)), Device.GPU)
    stays, leaves = (Held([ops.row_numbers(1000)], 1000, ops) for ops in (ops_of(full), ops_of(other)))
    ops_of(other).memory.make_room(None)
    assert stays._columns is not None
    assert leaves._columns is None
    assert "cannot be written to" in str(full.query.spilled.failure)
    assert other.query.spilled.failure is None
    full.end()
    other.end()


def test_a_batch_is_let_go_before_the_next_is_made(con: Any, double: Any) -> None:
    """Of a chain of operators none keeps the batch before."""
    run(con, "SELECT 1")
    live: list[int] = []
    made = Filter.made

    def noted(self: Any, batch: Any, task: Any, ops: Any) -> Any:
        live.append(double.live_bytes)
        return made(self, batch, task, ops)

    con.execute("SET disabled_rules = 'all'; SET gpu_batch_size = 10")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Filter, "made", noted)
        run(con, "SELECT sum(a + 1) FROM t WHERE a >= 0")
    assert len(live) == 6
    assert live[1] - live[0] < live[0] / 2, live


@pytest.mark.parametrize("fits", [LEAST_CHUNK, LEAST_CHUNK - 1])
def test_a_file_is_read_in_the_least_chunks_before_it_is_given_up(
    double: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fits: int
) -> None:
    del double
    path = str(tmp_path / "rows.parquet")
    pq.write_table(pa.table({"a": pa.array(range(50_000), pa.int64())}), path)
    task = Task(QueryContext(SettingValues().frozen(), MemoryBroker(None)), Device.GPU)
    reader = ChunkReader(path, [0], [0], ops_of(task))
    opened = ChunkReader._opened

    def short(reader: ChunkReader) -> Any:
        if reader._limit > fits:
            raise MemoryError("bad_alloc")
        return opened(reader)

    monkeypatch.setattr(ChunkReader, "_opened", short)
    if fits < LEAST_CHUNK:
        with pytest.raises(DeviceMemoryShort):
            list(reader.tables(50_000, task))
    else:
        chunks = [
            value for (column,) in reader.tables(50_000, task) for value in column.to_arrow().to_pylist()
        ]
        assert chunks == list(range(50_000))
    task.end()


@pytest.mark.parametrize(("what", "step"), [("allocation", 97), ("call", 101)])
@pytest.mark.parametrize("sql", STATEMENTS)
def test_one_fails(con: Any, double: Any, sql: str, what: str, step: int) -> None:
    IN_TURN[what](con, double, sql, times=1, step=step)


@pytest.mark.slow
@pytest.mark.parametrize("times", [1, 2, 5])
@pytest.mark.parametrize("what", IN_TURN)
@pytest.mark.parametrize("sql", STATEMENTS)
def test_every_one_fails(con: Any, double: Any, sql: str, what: str, times: int) -> None:
    con.execute("SET on_fallback = 'report'" if times > 2 else "SET on_fallback = 'error'")
    IN_TURN[what](con, double, sql, times=times, step=1)


@pytest.mark.slow
@pytest.mark.parametrize("times", [1, 2])
@pytest.mark.parametrize("what", IN_TURN)
def test_every_one_fails_of_a_window_in_parts(
    con: Any, double: Any, monkeypatch: pytest.MonkeyPatch, what: str, times: int
) -> None:
    """What is divided by partitions, and put in order again."""
    monkeypatch.setattr(DeviceMemory, "work_bytes", property(lambda memory: 1500))
    parts: list[int] = []
    made = WindowParts._part

    def noted(self: Any, batches: Any) -> Any:
        parts.append(len(batches))
        return made(self, batches)

    monkeypatch.setattr(WindowParts, "_part", noted)
    sql = "SELECT a, s, sum(p) OVER (PARTITION BY b ORDER BY a DESC) FROM t"
    IN_TURN[what](con, double, sql, times=times, step=9)
    assert len(parts) > 10
