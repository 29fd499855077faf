"""Queries on the double: the CPU's answers, every operator on the GPU, nothing left in device memory."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import tandemdb
from oracle.compare import same_in_order
from tandemdb.tpch.generate import Description, generate

QUERIES = Path(tandemdb.__file__).parent / "tpch" / "queries"
TABLES = (
    """CREATE TABLE t AS SELECT range AS a, range % 3 AS b, 'x' || range AS s, range * 1.5::DOUBLE AS d,
    (range / 4)::DECIMAL(9,2) AS p, DATE '2020-01-30' + range::INTEGER AS day FROM range(10)""",
    "CREATE TABLE u AS SELECT CASE WHEN range <> 2 THEN range * 2 END AS a, 'y' || range AS s FROM range(6)",
    """CREATE TABLE f AS SELECT * FROM (VALUES (1, 'nan'::DOUBLE), (2, 0.0), (3, -0.0), (4, NULL), (5, 'inf'),
    (6, 'nan'), (NULL, -1.5)) v(k, x)""",
    "CREATE TABLE big AS SELECT range AS i, (range * 10**15)::HUGEINT * 1000000 AS h FROM range(300)",
    "CREATE TABLE none AS SELECT * FROM t WHERE a < 0",
)
STATEMENTS = (
    "SELECT a, b FROM t WHERE a > 3",
    "SELECT a + b, d * 2, p * p, s || '!' FROM t WHERE s LIKE 'x%' AND d < 9 ORDER BY a DESC LIMIT 3",
    "SELECT b, count(*), sum(a), avg(p), min(d), max(s) FROM t GROUP BY b",
    "SELECT t.a, u.s FROM t JOIN u USING (a)",
    "SELECT t.a, u.s FROM t LEFT JOIN u USING (a)",
    "SELECT t.a, u.s FROM t RIGHT JOIN u ON t.a = u.a",
    "SELECT t.a, u.s FROM t FULL JOIN u ON t.a = u.a AND t.b < 2",
    "SELECT t.a, u.a FROM t JOIN u ON t.a IS NOT DISTINCT FROM u.a",
    """SELECT n.v, g.k, h.k FROM (VALUES (CAST(1::BIGINT AS INTEGER))) n(v) CROSS JOIN t LEFT JOIN f g
    ON n.v = g.k FULL JOIN f h ON g.k IS NOT DISTINCT FROM h.k""",
    "SELECT t.a, u.a, v.a FROM t LEFT JOIN u ON t.a = u.a AND u.a > 4 FULL JOIN u v ON u.a = v.a",
    "SELECT t.a, v.a FROM t LEFT JOIN none n ON t.a = n.a FULL JOIN u v ON n.s IS NOT DISTINCT FROM v.s",
    "SELECT count(*) FROM t, u WHERE t.a < u.a",
    "SELECT t.a, u.a FROM t LEFT JOIN u ON t.a < u.a",
    "SELECT DISTINCT b FROM t",
    "SELECT sum(p), count(DISTINCT b), count(*) FROM none",
    "SELECT b, sum(p) FROM none GROUP BY b",
    "SELECT a FROM t WHERE a IN (SELECT a FROM u)",
    "SELECT a FROM t WHERE a NOT IN (SELECT a FROM u)",
    "SELECT a, a IN (SELECT a FROM u) FROM t",
    "SELECT a FROM t WHERE NOT EXISTS (SELECT 1 FROM u WHERE u.a = t.a)",
    "SELECT a, (SELECT max(s) FROM u WHERE u.a = t.a) FROM t",
    "SELECT CASE WHEN a > 5 THEN p ELSE 0 END, coalesce(nullif(b, 1), 7) FROM t",
    "SELECT b FROM t UNION SELECT a FROM u ORDER BY 1",
    "SELECT b FROM t INTERSECT ALL SELECT a FROM u",
    "SELECT b FROM t EXCEPT ALL SELECT a FROM u",
    "SELECT a FROM t LIMIT 3 OFFSET 2",
    "WITH w AS (SELECT b, sum(a) AS x FROM t GROUP BY b) SELECT * FROM w v JOIN w z ON v.b = z.b",
    "SELECT x, count(*), min(k) FROM f GROUP BY x",
    "SELECT min(x), max(x), count(x) FROM f",
    "SELECT k, x FROM f ORDER BY x DESC, k",
    "SELECT k, x FROM f ORDER BY x NULLS FIRST, k DESC",
    "SELECT f.k, g.k FROM f JOIN f g ON f.x = g.x",
    "SELECT k, x > 0, x = x, x <> 1, x <= x, x IS DISTINCT FROM NULL FROM f",
    "SELECT sum(h), avg(h), max(h), min(h) FROM big",
    "SELECT i % 3, sum(h), sum(i) FROM big GROUP BY ALL",
    "SELECT h + 1, h * 10 FROM big WHERE i < 5",
    "SELECT i // 7, i % 7, -i // 7, abs(3 - i) FROM big WHERE i < 20",
    "SELECT year(day), month(day), dayofweek(day), dayofyear(day), last_day(day), day + 40 FROM t",
    "SELECT substring(s, 2, 1), length(s), replace(s, 'x', 'zz'), s LIKE '_1', strpos(s, '5') FROM t",
    "SELECT substring(s, 1), substring(s, -1), substring(s, 0, 2), substring(s, -5, 2) FROM t",
    "SELECT a::VARCHAR, d::INTEGER, p::INTEGER, a::DOUBLE, p::DECIMAL(12,4), a::DECIMAL(9,1) FROM t",
    "SELECT b::BOOLEAN, b::TINYINT, day::TIMESTAMP, (day::TIMESTAMP)::DATE FROM t",
    "SELECT b, var_samp(d), stddev_pop(a), median(a), bool_or(a > 8) FROM t GROUP BY b",
    "SELECT b, first(a), last(a), any_value(s) FROM t GROUP BY b",
    "SELECT count(*) FILTER (WHERE a > 3), sum(a) FILTER (WHERE b = 1), count_if(a > 4) FROM t",
    "SELECT a FROM t WHERE a IN (1, 4, NULL) OR s IN ('x2', 'x7')",
    "SELECT a FROM t WHERE a NOT IN (1, 4)",
    "SELECT * FROM (VALUES (1, 'a', 1.50), (NULL, 'b', NULL)) v(i, s, p)",
    "SELECT a FROM t WHERE b <> 0 AND 10 // b > 5",
    "SELECT CASE WHEN b = 0 THEN 0 ELSE 10 // b END FROM t",
    "SELECT d % 0.7::DOUBLE, d % (b * 0.0::DOUBLE) FROM t",
)
FAILING = (
    ("SELECT 10 // b FROM t", "Division by zero"),
    ("SELECT (a * 30)::TINYINT FROM t", "range|cast"),
    ("SELECT h * h FROM big", "Overflow|range"),
    # Twice 2^64: the product is 0 modulo 2^128.
    ("SELECT (h - h + 18446744073709551616) * 18446744073709551616 FROM big", "Overflow|range"),
    ("SELECT sum(h * 0 + 90000000000000000000000000000000000000) FROM big", "Overflow"),
    ("SELECT (SELECT a FROM u WHERE a > t.a) FROM t", "row"),
)

# Of the rows that fail, the first one that is not skipped is named.
TOLD_ALIKE = (
    "SELECT CAST(s AS INTEGER) FROM t",
    "SELECT CAST(s AS DATE) FROM t",
    "SELECT CAST(s AS DECIMAL(5, 2)) FROM t",
    "SELECT CAST(s AS BOOLEAN) FROM t",
    "SELECT CAST('99' || a AS TINYINT) FROM t",
    "SELECT a FROM t WHERE CAST(s AS INTEGER) > 3 AND a > 7",
    "SELECT CASE WHEN a > 4 THEN CAST(s AS INTEGER) END FROM t",
    "SELECT coalesce(NULLIF(a, 6), CAST(s AS BIGINT)) FROM t",
    "SELECT sum(CAST(s AS INTEGER)) FROM t",
    "SELECT a FROM t ORDER BY CAST(s AS INTEGER)",
    "SELECT t.a FROM t JOIN u ON t.a = CAST(u.s AS INTEGER)",
    "SELECT a // (10 // b) FROM t",
    "SELECT (10 // (a - 8)) // (a - 5), 10 // b FROM t",
    "SELECT factorial((a * 10)::INTEGER) FROM t",
)


@pytest.fixture
def con(gpu: Any) -> Iterator[tandemdb.Connection]:
    del gpu
    with tandemdb.connect(config={"threads": 2}) as connection:
        for table in TABLES:
            connection.execute(table)
        connection.execute("SET on_fallback = 'error'")
        yield connection


def answers(con: Any, sql: str, device: str) -> list[tuple[Any, ...]]:
    con.execute(f"SET device = '{device}'")
    return con.execute(sql).fetchall()


@pytest.mark.parametrize("batch_size", [3, 1024])
@pytest.mark.parametrize("sql", STATEMENTS)
def test_the_cpus_rows_in_the_cpus_order(con: Any, sql: str, batch_size: int) -> None:
    con.execute(f"SET batch_size = {batch_size}")
    expected, given = answers(con, sql, "cpu"), answers(con, sql, "gpu")
    assert same_in_order(given, expected), (given[:5], expected[:5])


@pytest.mark.parametrize(("sql", "message"), FAILING)
def test_errors_are_raised_as_on_the_cpu(con: Any, sql: str, message: str) -> None:
    for device in ("cpu", "gpu"):
        with pytest.raises(tandemdb.Error, match=message):
            answers(con, sql, device)
    assert answers(con, "SELECT 1", "gpu") == [(1,)]


@pytest.mark.parametrize("sql", TOLD_ALIKE)
def test_errors_name_the_value_and_the_place_as_the_cpu_does(con: Any, sql: str) -> None:
    told = []
    for device in ("cpu", "gpu"):
        with pytest.raises(tandemdb.Error) as error:
            answers(con, sql, device)
        told.append(str(error.value))
    assert told[0] == told[1]
    assert "LINE 1: " in told[0]


@pytest.mark.double
def test_device_memory_is_given_back(con: Any, gpu: Any) -> None:
    gc.collect()
    before = gpu.live_bytes
    answers(con, "SELECT b, sum(a) FROM t JOIN u USING (a) GROUP BY b ORDER BY 2", "gpu")
    gc.collect()
    assert gpu.allocations > 10
    assert gpu.live_bytes == before


@pytest.fixture(scope="module")
def lake(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("gpu") / "lake"
    assert generate(folder, Description(0.01), threads=1)
    return folder


@pytest.mark.parametrize("number", range(1, 23))
def test_tpch(gpu: Any, lake: Path, number: int) -> None:
    """All operators on the GPU: a fallback would be an error."""
    sql = (QUERIES / f"q{number:02}.sql").read_text()
    with tandemdb.connect(lake=lake, config={"threads": 2, "on_fallback": "error"}) as con:
        assert same_in_order(answers(con, sql, "gpu"), answers(con, sql, "cpu"))
