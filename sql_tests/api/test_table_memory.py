"""In-memory tables count against memory_limit for as long as somebody holds their rows."""

import gc

import pyarrow as pa
import pytest
import tandemdb
from tandemdb.engine.table_memory import keep
from tandemdb.physical.batch import Batch
from tandemdb.physical.memory import MemoryBroker
from tandemdb.planner.expr import Column
from tandemdb.planner.types import VARCHAR


def used(con: tandemdb.Connection) -> int:
    memory = con.session.memory
    gc.collect()
    memory.reserve(0, "nothing")
    return memory.used


def test_a_table_beyond_the_limit_is_refused_and_leaves_nothing() -> None:
    con = tandemdb.connect(config={"memory_limit": "10MB"})
    needs = r'(?s)table "big" needs .*SET memory_limit'
    with pytest.raises(tandemdb.OperationalError, match=needs) as caught:
        con.execute("CREATE TABLE big AS SELECT range AS a, range * 2 AS b FROM range(1000000)")
    assert str(caught.value).startswith("Out of Memory Error")
    with pytest.raises(tandemdb.ProgrammingError):
        con.execute("SELECT * FROM big")
    assert used(con) == 0
    con.execute("SET memory_limit = '1GB'")
    assert con.execute("CREATE TABLE big AS SELECT range AS a FROM range(1000000)").rowcount == 1_000_000
    assert used(con) == 8_000_000


def test_inserted_rows_count_too() -> None:
    con = tandemdb.connect(config={"memory_limit": "10MB"})
    con.execute("CREATE TABLE t (a BIGINT)")
    con.execute("INSERT INTO t SELECT range FROM range(500000)")
    before = used(con)
    assert before == 4_000_000
    with pytest.raises(tandemdb.OperationalError, match='table "t" needs'):
        con.execute("INSERT INTO t SELECT range FROM range(1000000)")
    assert used(con) == before
    assert con.execute("SELECT count(*) FROM t").fetchall() == [(500_000,)]


def test_dropped_and_replaced_tables_give_their_bytes_back() -> None:
    con = tandemdb.connect(config={"memory_limit": "10MB"})
    for _ in range(5):
        con.execute("CREATE OR REPLACE TABLE t AS SELECT range AS a FROM range(500000)")
    assert used(con) == 4_000_000
    con.execute("DROP TABLE t")
    assert used(con) == 0


def test_rows_that_a_cursor_still_reads_still_count() -> None:
    con = tandemdb.connect()
    con.execute("CREATE TABLE t AS SELECT range AS a FROM range(500000)")
    cursor = con.execute("SELECT a FROM t")
    con.execute("DROP TABLE t")
    assert used(con) >= 4_000_000
    assert len(cursor.fetchall()) == 500_000
    del cursor
    assert used(con) == 0


def test_a_shared_dictionary_counts_once() -> None:
    texts = pa.array([f"{'x' * 500}{number}" for number in range(1000)] * 300).dictionary_encode()
    column = Column(0, "s", VARCHAR)
    batches = [Batch((column,), [texts.slice(at, 10_000)], 10_000) for at in range(0, len(texts), 10_000)]
    memory = MemoryBroker(None)
    _, held = keep(memory, "t", batches)
    assert 4 * len(texts) < memory.used < 4 * len(texts) + 600_000
    del held
    memory.reserve(0, "nothing")
    assert memory.used == 0


def test_explain_analyze_says_where_the_query_ran() -> None:
    con = tandemdb.connect()
    text = con.execute("EXPLAIN ANALYZE SELECT count(*) FROM range(10)").fetchall()[0][1]
    assert text.splitlines()[-1] == "the query ran on this machine's CPU"
    con.execute("SET gpu_profile = 'h200'")
    text = con.execute("EXPLAIN ANALYZE SELECT count(*) FROM range(10)").fetchall()[0][1]
    assert text.splitlines()[-1].startswith(
        "the query ran on this machine's CPU; gpu_profile = 'h200' changes only"
    )
    json = con.execute("EXPLAIN (ANALYZE, FORMAT json) SELECT count(*) FROM range(10)").fetchall()[0][1]
    assert '"note": "the query ran on this machine' in json
    assert "this machine's CPU" not in con.execute("EXPLAIN SELECT 1").fetchall()[0][1]
