"""interrupt() ends a query within half a second, whatever function the query is inside."""

from __future__ import annotations

import threading
import time

import pytest
import tandemdb

ROWS = 1_000_000
# What a slow machine that runs other tests too may add to the half second.
SLACK = 1.0
QUERIES = [
    "SELECT max(levenshtein(s || s || s, 'abcdefghijklmnop' || s)) FROM t",
    r"SELECT max(regexp_replace(s || s || s, '(\d)(\d)', '\2\1', 'g')) FROM t",
    "SELECT max(regexp_extract(s || s, s)) FROM t",
    "SELECT sum(length(repeat(s, 100))) FROM t",
    "SELECT sum(length(lpad(s, 1000, 'x'))) FROM t",
    "SELECT count(*) FROM t WHERE length(rpad(s, 1000, s)) > 5 AND translate(s, '123', 'abc') <> s",
    "SELECT max(sha256(s || s)) FROM t",
    "SELECT max(reverse(s || s)) FROM t",
    "SELECT max(strftime(TIMESTAMP '2020-01-01' + to_days(i::INTEGER), '%A %d %B %Y %H:%M')) FROM t",
    "SELECT count(*) FROM t WHERE CASE WHEN i > 5 THEN levenshtein(s, '123456789') ELSE 0 END > 3",
    "SELECT string_agg(s, ',') FROM t",
    "SELECT s FROM t ORDER BY md5(s || 'a'), sha256(s)",
    "SELECT count(*) FROM t a JOIN t b ON md5(a.s) = sha256(b.s)",
    (
        "SELECT max(a), max(b) FROM (SELECT min(s) OVER w AS a, count(s) OVER w AS b FROM t "
        "WINDOW w AS (ORDER BY md5(s) ROWS BETWEEN i % 1000 PRECEDING AND CURRENT ROW))"
    ),
    "SELECT levenshtein(repeat('ab', 200000), repeat('cd', 200000))",
]


@pytest.fixture(scope="module")
def numbers():
    con = tandemdb.connect()
    con.execute(f"CREATE TABLE t AS SELECT i::VARCHAR AS s, i FROM range({ROWS}) r(i)")
    yield con
    con.close()


@pytest.mark.parametrize("batch_size", [131_072, ROWS])
@pytest.mark.parametrize("query", QUERIES)
def test_ends_within_half_a_second(numbers, query, batch_size):
    numbers.execute(f"SET batch_size = {batch_size}")
    ended: list[float] = []

    def work() -> None:
        try:
            numbers.execute(query).fetchall()
        except tandemdb.Error as error:
            assert "interrupted" in str(error)
        ended.append(time.monotonic())

    thread = threading.Thread(target=work)
    thread.start()
    time.sleep(0.5)
    if not thread.is_alive():
        return  # quick enough never to need an interruption
    start = time.monotonic()
    numbers.interrupt()
    thread.join(timeout=60)
    assert ended, "still running"
    assert ended[0] - start < 0.5 + SLACK
