"""More rows than a column of libcudf has numbers for: smaller steps, at last the CPU, counted; never a bug's
error.
"""

from __future__ import annotations

from typing import Any

import pytest
import tandemdb

pytestmark = pytest.mark.double
LIMIT = 100
TWICE = "(SELECT a, b FROM t UNION ALL SELECT a, b FROM t)"
QUERIES = (
    "SELECT count(*) FROM t x, t y WHERE x.a < y.a",
    "SELECT x.a, y.a FROM t x JOIN t y ON x.b = y.b",
    "SELECT x.a, y.a FROM t x LEFT JOIN t y ON x.b = y.b AND x.a > y.a",
    f"SELECT a FROM {TWICE} ORDER BY a, b",
    f"SELECT a, count(*) FROM {TWICE} GROUP BY a",
    f"SELECT median(a) FROM {TWICE}",
    f"WITH w AS MATERIALIZED {TWICE} SELECT count(*) FROM w x JOIN w y USING (a)",
    f"SELECT a FROM t WHERE a NOT IN (SELECT a + 50 FROM {TWICE})",
    f"SELECT a, (a, b) IN (SELECT a, b + 1 FROM {TWICE}) FROM t",
)


@pytest.mark.parametrize("sql", QUERIES)
def test_rows_are_the_cpus(gpu: Any, sql: str) -> None:
    with tandemdb.connect(config={"threads": 2}) as con:
        con.execute("CREATE TABLE t AS SELECT range AS a, range % 2 AS b FROM range(60)")
        con.execute("SET device = 'cpu'")
        expected = con.execute(sql).fetchall()
        con.execute("SET device = 'gpu'")
        gpu.row_limit = LIMIT
        cursor = con.execute(sql)
        assert cursor.fetchall() == expected
        assert all(
            "too little memory for it, or its rows are too many" in str(fallback)
            for fallback in cursor.profile.fallbacks
        )
