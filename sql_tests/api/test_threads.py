"""No thread works on for a result that nobody will fetch, and Python can always end."""

import gc
import subprocess
import sys
import threading
import time

import pytest
import tandemdb
from tandemdb.engine.runners.local import LocalRun
from tandemdb.engine.runners.workers import Workers

# More rows than the result queue holds: its producers wait until somebody fetches.
ENDLESS = "SELECT range, range * 2 AS double FROM range(100000000)"


def query_threads() -> list[str]:
    """Threads that run a query; idle workers are not meant."""
    return [t.name for t in threading.enumerate() if t.name == "tandemdb-query"]


def waited_for(condition, seconds: float = 2.0) -> bool:
    end = time.monotonic() + seconds
    while not condition() and time.monotonic() < end:
        time.sleep(0.01)
    return condition()


@pytest.fixture
def con():
    with tandemdb.connect(config={"threads": 2}) as connection:
        yield connection
    assert query_threads() == []


@pytest.mark.parametrize("fetched", [0, 1])
def test_closing_the_connection_midway_leaves_no_thread(con, fetched: int) -> None:
    cursors = [con.execute(ENDLESS) for _ in range(3)]
    for cursor in cursors:
        cursor.fetchmany(fetched)
    con.close()
    assert query_threads() == []
    assert con.session.memory.used == 0


@pytest.mark.parametrize("fetched", [0, 1])
def test_closing_a_cursor_midway_leaves_no_thread(con, fetched: int) -> None:
    cursor = con.execute(ENDLESS)
    cursor.fetchmany(fetched)
    cursor.close()
    assert query_threads() == []
    assert con.execute("SELECT 1").fetchall() == [(1,)]


@pytest.mark.parametrize("fetched", [0, 1])
def test_a_dropped_result_ends_its_query(con, fetched: int) -> None:
    con.execute(ENDLESS).fetchmany(fetched)
    gc.collect()
    assert waited_for(lambda: query_threads() == [])
    assert con.session.memory.used == 0


def test_a_reader_keeps_its_query_alive(con) -> None:
    reader = con.execute("SELECT range AS r FROM range(3000000)").fetch_record_batch()
    gc.collect()
    assert sum(batch.num_rows for batch in reader) == 3000000


def test_executing_again_ends_the_earlier_query(con) -> None:
    cursor = con.execute(ENDLESS)
    assert cursor.execute("SELECT 2").fetchall() == [(2,)]
    assert waited_for(lambda: query_threads() == [])


def test_python_ends_while_rows_wait() -> None:
    code = (
        "import tandemdb\n"
        "con = tandemdb.connect(config={'threads': 2})\n"
        f"print(con.execute('{ENDLESS}').fetchone())\n"
        f"kept = con.execute('{ENDLESS}')\n"
        "print(kept.fetchone())\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=30)
    assert (done.stdout, done.stderr, done.returncode) == ("(0, 0)\n(0, 0)\n", "", 0)


def test_workers_are_used_again_and_started_when_all_are_busy() -> None:
    workers = Workers("test-worker")
    both = threading.Barrier(2)
    waiting = [workers.submit(both.wait) for _ in range(2)]  # neither ends before the other runs
    assert sorted(f.result(5) for f in waiting) == [0, 1]
    # A result can be there a moment before its thread is free again.
    assert waited_for(lambda: workers._idle == 2)
    assert [workers.submit(lambda n=n: n).result(5) for n in range(5)] == list(range(5))
    assert sum(t.name.startswith("test-worker") for t in threading.enumerate()) == 2
    with pytest.raises(ZeroDivisionError):
        workers.submit(lambda: 1 // 0).result(5)


def test_a_failed_query_is_forgotten_once_its_error_is(con) -> None:
    """With its rows: what was fetching is in the error's traceback, and the error in the query."""
    with pytest.raises(tandemdb.Error):
        con.execute("SELECT 10 // (range - 3) FROM range(5)").fetchall()
    gc.collect()
    assert [found for found in gc.get_objects() if type(found) is LocalRun] == []
