"""Rows have one order, whatever the threads and batch sizes; ties stay in the order they came in."""

from __future__ import annotations

import pytest
import tandemdb

ROWS = """CREATE TABLE t AS SELECT i, (i * 7919) % 13 AS a, (i * 31) % 5 AS b,
    CASE WHEN i % 11 <> 0 THEN ((i * 37) % 17)::VARCHAR END AS s FROM range(60000) r(i)"""

QUERIES = [
    "SELECT a, i FROM t ORDER BY a",
    "SELECT s, b, i FROM t ORDER BY s, b DESC",
    "SELECT a, i FROM t ORDER BY a LIMIT 20000 OFFSET 7",
    "SELECT s, i FROM t ORDER BY s DESC NULLS LAST LIMIT 100",
    "SELECT a, b, count(*), first(i), last(i), string_agg(i::VARCHAR, ',') FROM t GROUP BY a, b",
    "SELECT DISTINCT s, a FROM t",
    "SELECT s FROM t WHERE i < 300 UNION SELECT a::VARCHAR FROM t",
    "SELECT a FROM t WHERE i > 59000 UNION ALL SELECT b FROM t WHERE i % 7 = 0",
    "SELECT i FROM t WHERE a = 3 LIMIT 500 OFFSET 17",
    "SELECT x.i, y.i FROM t x JOIN t y ON x.i = y.a",
    "SELECT a FROM t EXCEPT SELECT b FROM t",
    "SELECT a FROM t INTERSECT ALL SELECT b FROM t",
]


@pytest.mark.parametrize("query", QUERIES)
def test_one_order_for_every_thread_count_and_batch_size(query):
    with tandemdb.connect() as con:
        con.execute(ROWS)
        found = []
        for threads in (1, 2, 5):
            for batch_size in (1024, 10_000, 131_072):
                con.execute(f"SET threads = {threads}")
                con.execute(f"SET batch_size = {batch_size}")
                found.append(con.execute(query).fetchall())
        assert all(rows == found[0] for rows in found)


def test_equal_rows_of_order_by_stay_in_the_order_of_insertion():
    with tandemdb.connect() as con:
        con.execute(ROWS)
        rows = con.execute("SELECT a, i FROM t ORDER BY a").fetchall()
        assert rows == sorted(rows)
        assert con.execute("SELECT a, i FROM t ORDER BY a LIMIT 9000").fetchall() == rows[:9000]
