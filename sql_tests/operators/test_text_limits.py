"""Strings too many for one arrow array, with limits lowered so that little text is too much."""

from __future__ import annotations

import duckdb
import pytest
import tandemdb
from tandemdb.cpu_fallback import pieces
from tandemdb.cpu_fallback.kernels import arrays

LIMIT = 20_000
QUERIES = [
    "SELECT i, repeat(s, 10) FROM t ORDER BY i",
    "SELECT i, s || s || s, upper(s || s) FROM t ORDER BY i",
    "SELECT i, replace(s, 'a', 'bcdefghijk'), regexp_replace(s, '[a-c]', 'xyzxyzxyz', 'g') FROM t ORDER BY i",
    "SELECT i, lpad(s, 300, 'xyz'), concat_ws(s, s, s), translate(s, 'abc', 'äöü') FROM t ORDER BY i",
    "SELECT i, CASE i % 3 WHEN 0 THEN s || 'x' WHEN 1 THEN upper(s) ELSE repeat(s, 5) END FROM t ORDER BY i",
    "SELECT i, coalesce(CASE WHEN i % 2 = 0 THEN s || s END, lower(s)) FROM t ORDER BY i",
    "SELECT sum(length(repeat(s, 20))) FROM t WHERE length(repeat(s, 30)) > 100",
    "SELECT i % 7, max(repeat(s, 5)), min(s || s), count(s || 'x') FROM t GROUP BY ALL ORDER BY ALL",
    "SELECT i FROM t ORDER BY repeat(s, 5) DESC, i",
    "SELECT i, s FROM t ORDER BY repeat(s, 5), i LIMIT 900 OFFSET 10",
    "SELECT s, i FROM t ORDER BY s, i",
    "SELECT first(s ORDER BY i), last(s), any_value(s), arg_max(s, i) FROM t",
    "SELECT i % 50, first(s), last(s) FROM t GROUP BY ALL ORDER BY ALL",
    "SELECT a.i, a.s, b.s FROM t a JOIN t b ON a.i = b.i % 97 ORDER BY ALL",
    "SELECT a.i, b.i FROM t a JOIN t b ON a.s || 'x' = b.s || 'x' ORDER BY ALL",
    "SELECT a.i, b.i FROM t a JOIN t b ON a.i = b.i % 97 AND a.s || 'q' <> b.s ORDER BY ALL",
    "SELECT a.i, a.s, b.s FROM t a LEFT JOIN t b ON a.i = b.i + 900 ORDER BY ALL",
    "SELECT a.s, b.s, b.i FROM t a RIGHT JOIN t b ON a.i = b.i + 900 ORDER BY ALL",
    "SELECT a.s, b.s FROM t a FULL JOIN t b ON a.s = b.s || 'x' ORDER BY ALL",
    "SELECT a.i, b.s FROM t a JOIN t b ON a.i < b.i - 970 AND a.s <> b.s || 'x' ORDER BY ALL",
    "SELECT i, s IN (SELECT s || '' FROM t WHERE i % 2 = 0) FROM t ORDER BY ALL",
    "WITH c AS MATERIALIZED (SELECT s, i FROM t) SELECT x.s, y.i FROM c x JOIN c y USING (i) ORDER BY ALL",
    "SELECT s FROM t UNION ALL SELECT s || 'x' FROM t ORDER BY ALL",
    "SELECT b, i FROM (SELECT s::BLOB AS b, i FROM t) ORDER BY b, i",
    "SELECT i, s || repeat('z', 500) FROM t ORDER BY i",
    "SELECT i, (CASE WHEN i % 2 = 0 THEN repeat('k', 90) ELSE 'o' END) || s FROM t ORDER BY i",
    "SELECT i, repeat('z', 600) FROM t ORDER BY i",
    "SELECT DISTINCT left(s, 2) FROM t ORDER BY ALL",
]
ROWS = "SELECT i, CASE WHEN i % 11 = 3 THEN NULL ELSE md5(i::VARCHAR) || md5((i % 50)::VARCHAR) END AS s"
ROWS = f"CREATE TABLE t AS {ROWS} FROM range(1000) r(i)"


@pytest.fixture
def low_limits(monkeypatch):
    monkeypatch.setattr(arrays, "TEXT_LIMIT", LIMIT)
    monkeypatch.setattr(pieces, "BATCH_TEXT", LIMIT // 2)
    monkeypatch.setattr(pieces, "FIRST_ROWS", 16)


@pytest.fixture(scope="module")
def oracle():
    connection = duckdb.connect()
    connection.execute(ROWS)
    return connection


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("query", QUERIES)
def test_same_rows_as_with_room(low_limits, oracle, query, threads):
    with tandemdb.connect() as con:
        con.execute(ROWS)
        con.execute(f"SET threads = {threads}")
        assert con.execute(query).fetchall() == oracle.execute(query).fetchall()


@pytest.mark.parametrize(
    ("query", "code"),
    [
        ("SELECT repeat(s, 1000) FROM t", "too_large"),
        ("SELECT max(repeat(s, 1000)) FROM t", "too_large"),
        ("SELECT i FROM t ORDER BY repeat(s, 1000)", "too_large"),
        ("SELECT string_agg(s || s, ',') FROM t", "too_large"),
        ("SELECT count(*) FROM (SELECT s FROM t GROUP BY s)", "too_large"),
        ("SELECT count(DISTINCT s || 'x') FROM t", "too_large"),
        ("SELECT i, first(s) FROM t GROUP BY i", "too_large"),
        ("SELECT i % 50, first(s ORDER BY i), arg_max(s, i) FROM t GROUP BY ALL", "too_large"),
    ],
)
def test_what_one_array_cannot_hold_is_a_user_error(low_limits, query, code):
    with tandemdb.connect() as con:
        con.execute(ROWS)
        with pytest.raises(tandemdb.Error) as caught:
            con.execute(query).fetchall()
        assert caught.value.code == code
        assert con.execute("SELECT count(*) FROM t").fetchall() == [(1000,)]
