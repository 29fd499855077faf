"""Recursions whose rounds run on the double: the CPU leads them, and gives each round its rows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import tandemdb

QUERIES = (
    "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 20) SELECT sum(n) FROM r",
    "WITH RECURSIVE r(n) AS (SELECT 1 UNION SELECT (n * 7) % 31 FROM r) SELECT n FROM r",
    """WITH RECURSIVE r(id, depth) AS (SELECT 0::BIGINT, 0 UNION ALL
    SELECT e.id, depth + 1 FROM e JOIN r ON e.parent = r.id)
    SELECT depth, count(*) FROM r GROUP BY depth ORDER BY 1""",
    """WITH RECURSIVE r(n) AS (SELECT 1::BIGINT UNION ALL
    SELECT max(e.id) FROM r JOIN e ON e.parent = n GROUP BY n) SELECT n FROM r ORDER BY n""",
    """SELECT id, (WITH RECURSIVE up(i) AS (SELECT e.id UNION ALL SELECT parent FROM e x JOIN up ON x.id =
    up.i) SELECT count(*) FROM up) FROM e WHERE id < 9 ORDER BY id""",
)


@pytest.fixture
def con(gpu: Any) -> Iterator[tandemdb.Connection]:
    with tandemdb.connect() as connection:
        connection.execute(
            "CREATE TABLE e AS SELECT range AS id, (range - 1) // 2 AS parent FROM range(1, 200)"
        )
        yield connection


@pytest.mark.parametrize("sql", QUERIES)
def test_the_same_rows_with_rounds_on_the_gpu(con: tandemdb.Connection, sql: str) -> None:
    expected = con.execute(sql).fetchall()
    con.execute("SET device = 'gpu'")
    cursor = con.execute(sql)
    assert cursor.fetchall() == expected
    profile = con.execute(f"EXPLAIN ANALYZE {sql}").fetchall()[0][1]
    assert "[GPU]" in profile
    assert "Recursion [CPU]" in profile
