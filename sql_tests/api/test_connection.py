"""The DB-API surface."""

import datetime
import decimal
import threading
import time

import pyarrow as pa
import pytest
import tandemdb


@pytest.fixture
def con():
    with tandemdb.connect() as connection:
        yield connection


def test_module_globals() -> None:
    assert (tandemdb.apilevel, tandemdb.paramstyle) == ("2.0", "qmark")
    assert issubclass(tandemdb.ProgrammingError, tandemdb.DatabaseError)
    assert issubclass(tandemdb.DatabaseError, tandemdb.Error)


def test_python_values(con) -> None:
    sql = """SELECT 1, 2.50, 1e3, 'x', true, NULL, DATE '2020-02-29', TIMESTAMP '2020-02-29 01:02:03.5',
             170141183460469231731687303715::HUGEINT, INTERVAL '1 day 2 hours'"""
    assert con.execute(sql).fetchone() == (
        1,
        decimal.Decimal("2.50"),
        1000.0,
        "x",
        True,
        None,
        datetime.date(2020, 2, 29),
        datetime.datetime(2020, 2, 29, 1, 2, 3, 500000),
        170141183460469231731687303715,
        datetime.timedelta(days=1, hours=2),
    )


def test_the_end_of_a_day_is_a_string_as_from_duckdb(con) -> None:
    sql = "SELECT v FROM (VALUES (make_time(24, 0, 0)), (TIME '01:00:00'), (NULL)) AS q(v)"
    assert con.execute(sql).fetchall() == [("24:00:00",), (datetime.time(1),), (None,)]
    assert con.fetch_arrow_table(sql).column(0).cast(pa.int64()).to_pylist() == [
        86_400_000_000,
        3_600_000_000,
        None,
    ]


def test_parameters(con) -> None:
    assert con.execute("SELECT ? + ?, ?", [40, 2, "a"]).fetchall() == [(42, "a")]
    assert con.execute("SELECT $2, $1", ["one", "two"]).fetchall() == [("two", "one")]
    assert con.execute("SELECT $name || '!'", {"name": "hi"}).fetchall() == [("hi!",)]
    with pytest.raises(tandemdb.ProgrammingError):
        con.execute("SELECT ?", [])


def test_description_and_types(con) -> None:
    cursor = con.execute("SELECT 1 AS a, 1.5 AS b, sum(x) AS c FROM (VALUES (1)) t(x)")
    assert [(d[0], str(d[1])) for d in cursor.description] == [
        ("a", "INTEGER"),
        ("b", "DECIMAL(2,1)"),
        ("c", "HUGEINT"),
    ]
    con.execute("CREATE TABLE t(a INTEGER)")
    assert con.cursor().description is None


def test_same_arrow_schema_whatever_the_rows(con) -> None:
    con.execute("CREATE TABLE t(d DECIMAL(10,2), s VARCHAR, b BIGINT)")
    sql = "SELECT sum(d) AS sd, s, sum(b) AS sb, avg(b) AS ab FROM t GROUP BY s"
    empty = con.execute(sql).fetch_arrow_table()
    con.execute("INSERT INTO t VALUES (1.5, 'x', 3), (NULL, NULL, NULL)")
    full = con.execute(sql).fetch_arrow_table()
    assert empty.schema == full.schema
    assert full.schema.field("sd").type == pa.decimal128(38, 2)
    assert (empty.num_rows, full.num_rows) == (0, 2)


def test_a_second_query_leaves_the_first_result_alone(con) -> None:
    first = con.execute("SELECT range FROM range(300000)")
    assert first.fetchone() == (0,)
    assert con.execute("SELECT 'other'").fetchall() == [("other",)]
    assert sum(row[0] for row in first.fetchall()) == sum(range(300000))


def test_fetchmany_and_iteration(con) -> None:
    cursor = con.execute("SELECT range FROM range(10)")
    assert cursor.fetchmany(3) == [(0,), (1,), (2,)]
    assert cursor.fetchmany() == [(3,)]
    assert list(cursor) == [(n,) for n in range(4, 10)]
    assert cursor.fetchone() is None
    assert cursor.fetchall() == []


def test_record_batches_stream(con) -> None:
    reader = con.execute("SELECT range AS r FROM range(300000)").fetch_record_batch()
    assert sum(batch.num_rows for batch in reader) == 300000


@pytest.mark.parametrize("begun", [False, True])
def test_a_stream_stays_when_its_cursor_executes_again(con, begun: bool) -> None:
    cursor = con.execute("SELECT range AS r FROM range(300000)")
    assert cursor.fetchone() == (0,)
    reader = cursor.fetch_record_batch()
    seen = reader.read_next_batch().num_rows if begun else 0
    assert cursor.fetchall() == []
    assert cursor.execute("SELECT 2 AS two").fetchall() == [(2,)]
    assert seen + sum(batch.num_rows for batch in reader) == 299999


def test_a_closed_cursor_ends_its_stream(con) -> None:
    cursor = con.execute("SELECT range AS r FROM range(30000000)")
    reader = cursor.fetch_record_batch()
    cursor.close()
    with pytest.raises(tandemdb.Error):
        reader.read_all()


def test_rowcount_and_executemany(con) -> None:
    con.execute("CREATE TABLE t(a INTEGER, b VARCHAR)")
    assert con.execute("INSERT INTO t VALUES (1, 'x'), (2, 'y')").rowcount == 2
    assert con.executemany("INSERT INTO t VALUES (?, ?)", [(3, "z"), (4, None)]).rowcount == 2
    assert con.execute("SELECT count(*), count(b) FROM t").fetchone() == (4, 3)


def test_an_error_leaves_the_session_usable(con) -> None:
    con.execute("CREATE TABLE t AS SELECT 1 AS a")
    for bad in ("SELECT", "SELECT nope FROM t", "SELECT CAST('x' AS INTEGER)", "INSERT INTO t VALUES (1, 2)"):
        with pytest.raises(tandemdb.DatabaseError):
            con.execute(bad).fetchall()
        assert con.execute("SELECT a FROM t").fetchall() == [(1,)]


def test_statements_without_rows_say_so(con) -> None:
    with pytest.raises(tandemdb.ProgrammingError):
        con.execute("CREATE TABLE t(a INTEGER)").fetchall()


def test_closed(con) -> None:
    cursor = con.cursor()
    cursor.close()
    with pytest.raises(tandemdb.InterfaceError):
        cursor.execute("SELECT 1")
    con.close()
    with pytest.raises(tandemdb.InterfaceError):
        con.execute("SELECT 1")


def test_database_path_is_refused_by_name() -> None:
    with pytest.raises(tandemdb.NotSupportedError, match=r"my\.db"):
        tandemdb.connect("my.db")


def worker_threads() -> int:
    return sum(t.name.startswith("tandemdb-query") for t in threading.enumerate())


SLOW = "SELECT count(*) FROM range(3000000) a, range(3000000) b WHERE a.range * b.range % 7 = 3"


def test_interrupt_from_another_thread_ends_a_query_fast(con) -> None:
    interrupted = []

    def stop() -> None:
        time.sleep(0.5)
        interrupted.append(time.perf_counter())
        con.interrupt()

    thread = threading.Thread(target=stop)
    thread.start()
    with pytest.raises(tandemdb.OperationalError, match="interrupted"):
        con.execute(SLOW).fetchall()
    took = time.perf_counter() - interrupted[0]
    thread.join()
    assert took < 0.5
    assert worker_threads() == 0
    assert con.execute("SELECT 1").fetchall() == [(1,)]


def test_closing_a_cursor_cancels_its_query(con) -> None:
    cursor = con.execute(SLOW)
    time.sleep(0.2)
    began = time.perf_counter()
    cursor.close()
    assert time.perf_counter() - began < 0.5
    assert worker_threads() == 0


def test_memory_limit_names_the_setting(con) -> None:
    con.execute("SET memory_limit = '20MB'")
    with pytest.raises(tandemdb.OperationalError, match="memory_limit"):
        con.execute("SELECT range, count(*) FROM range(5000000) GROUP BY range").fetchall()
    con.execute("RESET memory_limit")
    assert con.execute("SELECT 1").fetchall() == [(1,)]
    assert con.session.memory.used == 0


def test_arrow_after_rows_gives_what_is_left(con) -> None:
    cursor = con.execute("SELECT range FROM range(10)")
    assert cursor.fetchmany(3) == [(0,), (1,), (2,)]
    assert cursor.fetch_arrow_table().column(0).to_pylist() == list(range(3, 10))
    assert cursor.fetch_arrow_table().num_rows == 0
    cursor = con.execute("SELECT range FROM range(10)")
    cursor.fetchone()
    assert sum(b.num_rows for b in cursor.fetch_record_batch()) == 9


def test_a_bug_of_ours_is_one_sentence_and_the_session_goes_on(con, monkeypatch) -> None:
    from tandemdb.engine import session

    def broken(*_: object, **__: object) -> None:
        raise KeyError("oops")

    monkeypatch.setattr(session, "plan_query", broken)
    with pytest.raises(tandemdb.InternalError, match="this is a bug"):
        con.execute("SELECT 1")
    monkeypatch.undo()
    assert con.execute("SELECT 1").fetchall() == [(1,)]


def test_profile_is_checked_when_it_is_set(con) -> None:
    with pytest.raises(tandemdb.ProgrammingError, match="h200"):
        con.execute("SET gpu_profile = 'foo'")


def test_limit_errors_point_into_the_statement(con) -> None:
    with pytest.raises(tandemdb.DatabaseError, match="LIMIT"):
        con.execute("SELECT 1 LIMIT 'a'")


def test_drop_offers_names_of_its_own_kind(con) -> None:
    con.execute("CREATE TABLE foo(a INTEGER); CREATE VIEW vfoo AS SELECT 1")
    with pytest.raises(tandemdb.ProgrammingError, match='"vfoo"'):
        con.execute("DROP VIEW vfo")


def test_type_objects_of_pep_249(con) -> None:
    cursor = con.execute("SELECT 1, 'x', 1.5, DATE '2020-01-01', '\\x00'::BLOB, true")
    kinds = [column[1] for column in cursor.description]
    groups = (tandemdb.NUMBER, tandemdb.STRING, tandemdb.DATETIME, tandemdb.BINARY, tandemdb.ROWID)
    assert [[kind == group for group in groups].index(True) for kind in kinds[:5]] == [0, 1, 0, 2, 3]
    assert not any(kinds[5] == group for group in groups)
    assert con.execute("SELECT ?", [tandemdb.Date(2020, 2, 29)]).fetchone() == (datetime.date(2020, 2, 29),)


@pytest.mark.parametrize("parameters", ["ab", 5, b"x"])
def test_parameters_of_the_wrong_kind(con, parameters: object) -> None:
    with pytest.raises(tandemdb.ProgrammingError):
        con.execute("SELECT ?", parameters)
    with pytest.raises(tandemdb.ProgrammingError):
        con.execute(5)


def test_commit_and_rollback_without_a_transaction_do_nothing(con) -> None:
    con.commit()
    con.rollback()


@pytest.mark.parametrize("again", ["", "; CREATE TABLE t(b VARCHAR)"])
def test_a_table_that_goes_while_rows_for_it_are_made(con, again: str) -> None:
    def drop(x: int) -> int:
        con.execute("DROP TABLE IF EXISTS t" + again)
        return x

    con.create_function("drop_t", drop, side_effects=True)
    con.execute("CREATE TABLE t(a BIGINT)")
    with pytest.raises(tandemdb.Error, match='"t" was dropped or replaced'):
        con.execute("INSERT INTO t SELECT drop_t(range) FROM range(3)")
    assert con.execute("SELECT 1").fetchall() == [(1,)]


def test_an_interval_that_python_cannot_hold(con) -> None:
    with pytest.raises(tandemdb.Error, match="more days than Python"):
        con.execute("SELECT INTERVAL '100000000 months'").fetchall()
