"""The system gives no memory, starts no thread, closes no file: it is told so, and nothing is left behind."""

import atexit
import errno
import functools
import threading
from collections.abc import Callable

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import tandemdb
from tandemdb.engine import session
from tandemdb.engine.runners import local
from tandemdb.engine.runners.workers import Workers
from tandemdb.physical.context import QueryContext, Task
from tandemdb.physical.memory import MemoryBroker
from tandemdb.planner.errors import OutOfMemoryError

SEVERAL_TASKS = "SELECT range % 1000 AS k, sum(range) FROM range(3000000) GROUP BY k"


@pytest.fixture
def con():
    with tandemdb.connect(config={"threads": 3}) as connection:
        yield connection
    assert connection.session._runs() == []
    assert connection.session.memory.used == 0


@pytest.fixture
def at_exit(monkeypatch) -> list[object]:
    """What is registered for Python's end and not taken back."""
    registered: list[object] = []
    monkeypatch.setattr(atexit, "register", registered.append)
    monkeypatch.setattr(atexit, "unregister", registered.remove)
    return registered


def start_no(monkeypatch, name: str) -> None:
    """No thread of this name can be started."""
    start = threading.Thread.start

    def refused(thread: threading.Thread) -> None:
        if thread.name == name:
            raise RuntimeError("can't start new thread")
        start(thread)

    monkeypatch.setattr(threading.Thread, "start", refused)


def failing(error: Exception):
    def fail(*args, **options):
        raise error

    return fail


@pytest.mark.parametrize(
    ("module", "name"), [(session, "parse_script"), (session, "plan_query"), (local, "_run_all")]
)
def test_memory_that_the_system_refuses_is_no_bug(con, monkeypatch, module, name: str) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(module, name, failing(MemoryError()))
        with pytest.raises(OutOfMemoryError, match="SET memory_limit") as caught:
            con.execute(SEVERAL_TASKS).fetchall()
    assert caught.value.code == "host_out_of_memory"
    assert len(con.execute(SEVERAL_TASKS).fetchall()) == 1000


@pytest.mark.parametrize(
    ("name", "sql"),
    [
        ("tandemdb-query", "SELECT 1"),
        ("tandemdb-deep", "SELECT " + "(" * 30 + "1" + ")" * 30),
        ("test-pool-2", SEVERAL_TASKS),
    ],
)
def test_a_thread_that_cannot_be_started_is_no_bug(con, at_exit, monkeypatch, name: str, sql: str) -> None:
    monkeypatch.setattr(local, "WORKERS", Workers("test-pool"))
    with monkeypatch.context() as patched:
        start_no(patched, name)
        with pytest.raises(OutOfMemoryError, match="SET threads") as caught:
            con.execute(sql).fetchall()
    assert caught.value.code == "no_more_threads"
    assert at_exit == []
    assert con.execute(sql).fetchall()
    assert at_exit == []


def test_a_query_that_gets_too_few_threads_ends_when_its_tasks_have(con, monkeypatch) -> None:
    at_work: list[int] = []
    when_closed: list[list[int]] = []
    run_task, close = local.run_task, QueryContext.close

    def counted(*args):
        at_work.append(1)
        try:
            return run_task(*args)
        finally:
            at_work.pop()

    monkeypatch.setattr(local, "WORKERS", Workers("test-pool"))
    monkeypatch.setattr(local, "run_task", counted)
    monkeypatch.setattr(QueryContext, "close", lambda query: (when_closed.append([*at_work]), close(query)))
    start_no(monkeypatch, "test-pool-2")
    with pytest.raises(OutOfMemoryError):
        con.execute(SEVERAL_TASKS).fetchall()
    assert when_closed == [[]]


@pytest.mark.parametrize("sql", ["SELECT 1", "SELECT 10 // (range - 3) FROM range(5)"])
def test_a_query_that_cannot_be_closed_has_ended_all_the_same(con, at_exit, monkeypatch, sql: str) -> None:
    close = QueryContext.close

    def fail(query: QueryContext) -> None:
        close(query)
        raise OSError("the disk is gone")

    monkeypatch.setattr(QueryContext, "close", fail)
    expected = "the disk is gone" if sql == "SELECT 1" else "zero"
    with pytest.raises(tandemdb.Error, match=expected):
        con.execute(sql).fetchall()
    assert at_exit == []
    assert con.session._runs() == []


def test_a_query_gives_memory_back_though_its_file_cannot_be_closed(monkeypatch) -> None:
    broker = MemoryBroker(1000)
    query = QueryContext({}, broker)
    query.reservation("rows").grow(100)
    monkeypatch.setattr(query.spilled, "close", failing(OSError("gone")))
    with pytest.raises(OSError, match="gone"):
        query.close()
    assert broker.used == 0


def test_a_task_closes_all_that_it_kept_though_one_fails() -> None:
    closed: list[str] = []

    class Kept:
        def __init__(self, name: str) -> None:
            self.name = name

        def close(self) -> None:
            closed.append(self.name)
            if self.name == "first":
                raise OSError(self.name)

    query = QueryContext({}, MemoryBroker(None))
    task = Task(query)
    for name in ("first", "second"):
        task.keep(name, lambda name=name: Kept(name))
    task.metrics(1).rows = 7
    with pytest.raises(OSError, match="first"):
        task.end()
    assert closed == ["first", "second"]
    assert query.metrics[1].rows == 7
    task.end()
    assert closed == ["first", "second"]


@pytest.mark.parametrize("kind", [pa.ArrowMemoryError, functools.partial(OSError, errno.ENOMEM)])
def test_memory_refused_to_the_reader_of_a_file_is_not_the_files_fault(
    con, monkeypatch, tmp_path, kind: Callable[[str], Exception]
) -> None:
    pq.write_table(pa.table({"a": [1, 2]}), tmp_path / "t.parquet")

    def refused(*_: object, **__: object) -> None:
        # An error of its own each time: one that is kept keeps the query, which its traceback refers to.
        raise kind("no memory")

    monkeypatch.setattr(pq.ParquetFile, "read_row_group", refused)
    with pytest.raises(OutOfMemoryError, match="system"):
        con.execute(f"SELECT sum(a) FROM '{tmp_path}/t.parquet'").fetchall()
