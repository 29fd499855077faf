"""WITH RECURSIVE: what has no end can be cancelled, is limited by memory, and gives rows as they come."""

from __future__ import annotations

import threading

import pytest
import tandemdb

ENDLESS = "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n % 1000 + 1 FROM r) SELECT {} FROM r"


def test_an_endless_recursion_is_interrupted() -> None:
    connection = tandemdb.connect()
    timer = threading.Timer(0.3, connection.interrupt)
    timer.start()
    with pytest.raises(tandemdb.OperationalError, match="interrupted"):
        connection.cursor().execute(ENDLESS.format("count(*)")).fetchall()
    timer.join()


def test_rows_come_before_the_end() -> None:
    cursor = tandemdb.connect().cursor()
    cursor.execute(ENDLESS.format("n"))
    assert [cursor.fetchone() for _ in range(3)] == [(1,), (2,), (3,)]
    cursor.close()


def test_what_a_union_remembers_is_reserved() -> None:
    connection = tandemdb.connect()
    connection.cursor().execute("SET memory_limit = '4MB'")
    step = "SELECT 2 * n + x FROM r, range(2) t(x)"
    query = f"WITH RECURSIVE r(n) AS (SELECT 1 UNION {step}) SELECT count(*) FROM r"
    with pytest.raises(tandemdb.OperationalError, match="memory_limit"):
        connection.cursor().execute(query).fetchall()


def test_rounds_give_their_memory_back() -> None:
    connection = tandemdb.connect()
    connection.cursor().execute("SET memory_limit = '4MB'")
    step = "SELECT min(n) + 1 FROM (SELECT n, x FROM r, range(2000) t(x) ORDER BY x) WHERE n < 200 GROUP BY n"
    query = f"WITH RECURSIVE r(n) AS (SELECT 1::BIGINT UNION ALL {step}) SELECT count(*) FROM r"
    assert connection.cursor().execute(query).fetchall() == [(200,)]
