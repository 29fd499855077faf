"""An interrupted statement ends, whatever it is doing: nobody works on for it, and it changes nothing."""

import signal
import threading
import time

import pytest
import tandemdb
from tandemdb.engine import session
from tandemdb.engine.statements import insert
from tandemdb.planner.frontend import parse_script, run_deep
from tandemdb.planner.frontend.dialect import TandemParser

# Statements that read so many views, each of another, are bound and planned in a thread of their own.
VIEWS = 13


@pytest.fixture
def con():
    with tandemdb.connect(config={"threads": 2}) as connection:
        connection.execute("CREATE TABLE t (x BIGINT)")
        connection.execute("CREATE VIEW v0 AS SELECT range AS x FROM range(1000000)")
        for i in range(1, VIEWS):
            connection.execute(f"CREATE VIEW v{i} AS SELECT x FROM v{i - 1}")
        yield connection


@pytest.fixture
def ctrl_c():
    """Presses Ctrl-C, as seen by the main thread, once the event that it is given is set."""
    pressed: list[threading.Thread] = []
    main = threading.main_thread().ident
    assert main is not None and main == threading.get_ident()
    before = signal.signal(signal.SIGINT, signal.default_int_handler)

    def when(event: threading.Event) -> None:
        def press() -> None:
            if event.wait(30):
                signal.pthread_kill(main, signal.SIGINT)

        pressed.append(threading.Thread(target=press, daemon=True))
        pressed[-1].start()

    yield when
    signal.signal(signal.SIGINT, before)
    for thread in pressed:
        thread.join(5)


def deep_threads() -> list[str]:
    return [t.name for t in threading.enumerate() if t.name == "tandemdb-deep"]


def wait_for_queries() -> None:
    end = time.monotonic() + 30
    while any(t.name in ("tandemdb-deep", "tandemdb-query") for t in threading.enumerate()):
        assert time.monotonic() < end
        time.sleep(0.01)


@pytest.mark.parametrize(
    "sql",
    [
        f"INSERT INTO t SELECT began(x) FROM v{VIEWS - 1}",
        f"CREATE TABLE u AS SELECT began(x) FROM v{VIEWS - 1}",
    ],
)
def test_ctrl_c_ends_a_statement_over_many_views_and_nothing_is_written(con, ctrl_c, sql: str) -> None:
    began = threading.Event()
    con.create_function("began", lambda x: began.set() or x, [int], int, side_effects=True)
    ctrl_c(began)
    with pytest.raises(KeyboardInterrupt):
        con.execute(sql)
    assert deep_threads() == []
    wait_for_queries()
    assert con.execute("SELECT * FROM t").fetchall() == []
    assert con.execute("SHOW TABLES").fetchall() == [("t",), *sorted((f"v{i}",) for i in range(VIEWS))]


def test_ctrl_c_comes_back_when_the_deep_call_has_stopped(ctrl_c) -> None:
    began, told, ended = threading.Event(), threading.Event(), threading.Event()

    def work() -> None:
        began.set()
        assert told.wait(30)
        ended.set()

    ctrl_c(began)
    with pytest.raises(KeyboardInterrupt):
        run_deep(work, 500, told.set)
    assert ended.is_set()


def test_ctrl_c_stops_the_parser_of_a_deep_statement(ctrl_c, monkeypatch) -> None:
    began = threading.Event()
    parse = TandemParser.parse

    def endless(self, *args):
        began.set()
        while threading.current_thread() is not threading.main_thread():
            self.check()
        return parse(self, *args)

    monkeypatch.setattr(TandemParser, "parse", endless)
    ctrl_c(began)
    with pytest.raises(KeyboardInterrupt):
        parse_script("SELECT " + "(" * 30 + "1" + ")" * 30)
    assert deep_threads() == []


def test_a_statement_runs_in_a_deep_thread_only_for_views_that_it_reads(con) -> None:
    snapshot = con.session.catalog.snapshot
    assert snapshot.views_read("SELECT 1 FROM t") == 0
    assert snapshot.views_read('SELECT 1 FROM "V3"') == 4
    con.execute('CREATE VIEW "a ""b""" AS SELECT 1 AS x')
    assert con.session.catalog.snapshot.views_read('FROM "A ""b"""') == 1


def test_an_interrupt_just_before_a_query_starts_is_not_lost(con, monkeypatch) -> None:
    def interrupting(*_):
        con.interrupt()
        return iter(())

    with monkeypatch.context() as patched:
        patched.setattr(session, "asked_elsewhere", interrupting)
        with pytest.raises(tandemdb.OperationalError, match="interrupted"):
            con.execute("SELECT 1").fetchall()
    assert con.execute("SELECT 1").fetchall() == [(1,)]


def test_an_insert_that_is_interrupted_when_it_has_its_rows_writes_none(con, monkeypatch) -> None:
    keep = insert.keep

    def interrupting(*args):
        kept = keep(*args)
        con.interrupt()
        return kept

    with monkeypatch.context() as patched:
        patched.setattr(insert, "keep", interrupting)
        with pytest.raises(tandemdb.OperationalError, match="interrupted"):
            con.execute("INSERT INTO t VALUES (1)")
    assert con.execute("SELECT * FROM t").fetchall() == []
