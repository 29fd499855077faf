"""A Python function may stand wherever an expression may, with the answers of an equal SQL expression."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import tandemdb

# F is the function, given as `f(...)` and as SQL.
STATEMENTS = (
    "SELECT F(a), F(a) + 1 FROM t",
    "SELECT a FROM t WHERE F(a) > 8",
    "SELECT a FROM t WHERE a > 1 AND F(b) <> 4 OR F(a) = 2",
    "SELECT i FROM range(9) r(i) WHERE F(i) > 9",
    "SELECT a FROM 'FILE' WHERE F(a) > 8",
    "SELECT F(a) AS k, count(*), sum(F(b)) FROM t GROUP BY F(a)",
    "SELECT b, sum(a) FROM t GROUP BY b HAVING F(b) > 1",
    "SELECT sum(a) FILTER (WHERE F(a) > 3), count(DISTINCT F(b)) FROM t",
    "SELECT a FROM t ORDER BY F(-a), a LIMIT 3",
    "SELECT string_agg(a::VARCHAR, ',' ORDER BY F(-a)) FROM t",
    "SELECT t.a, u.a FROM t JOIN t u ON F(t.a) = u.a",
    "SELECT t.a, u.a FROM t LEFT JOIN t u ON t.a = u.a AND F(u.b) > F(t.a)",
    "SELECT t.a, u.a FROM t JOIN t u ON F(t.a) < u.a",
    "SELECT t.a, u.a FROM t FULL JOIN t u ON F(t.a) = F(u.b)",
    "SELECT a FROM t WHERE F(a) IN (SELECT a FROM t)",
    "SELECT a, F(a) IN (SELECT F(b) FROM t) FROM t",
    "SELECT a FROM t WHERE NOT EXISTS (SELECT 1 FROM t u WHERE u.b = t.b AND F(u.a) > 20)",
    "SELECT a, (SELECT max(F(u.a)) FROM t u WHERE u.b = t.b) FROM t",
    "SELECT * FROM (VALUES (F(1), 2), (F(3), F(4))) v(x, y)",
    "SELECT F(a) FROM t UNION SELECT F(b) FROM t",
    "SELECT F(b) FROM t INTERSECT SELECT b FROM t",
    "WITH w AS (SELECT F(a) AS x FROM t) SELECT w.x FROM w JOIN w z ON w.x = z.x",
    "SELECT CASE F(b) WHEN 2 THEN F(a) ELSE coalesce(F(NULL), F(7)) END FROM t",
    "SELECT a FROM t LIMIT (SELECT F(0))",
    "SELECT F(F(a)), F(?) FROM t",
    "SELECT DISTINCT F(b) FROM t",
)


@pytest.fixture(scope="module")
def con(tmp_path_factory: pytest.TempPathFactory) -> Any:
    with tandemdb.connect(config={"batch_size": 4}) as connection:
        connection.create_function("f", lambda x: x * 2 + 2, [int], int)
        connection.execute("CREATE TABLE t AS SELECT range AS a, range % 4 AS b FROM range(10)")
        connection.execute("INSERT INTO t VALUES (NULL, 1), (3, NULL)")
        file = tmp_path_factory.mktemp("udf") / "t.parquet"
        pq.write_table(pa.table({"a": range(10)}), file)
        yield connection, file


@pytest.mark.parametrize("statement", STATEMENTS)
def test_a_function_in_every_place(con: tuple[Any, Path], statement: str) -> None:
    connection, file = con
    statement = statement.replace("FILE", str(file))

    def answer(sql: str) -> list[Any]:
        values = [[5]] if "?" in sql else []
        return connection.execute(sql, *values).fetchall()

    as_sql = statement
    while "F(" in as_sql:
        start = as_sql.rindex("F(")
        end = as_sql.index(")", start)
        as_sql = f"{as_sql[:start]}((({as_sql[start + 2 : end]})::BIGINT) * 2 + 2){as_sql[end + 1 :]}"
    expected = answer(as_sql)
    assert answer(statement.replace("F(", "f(")) == expected
    assert expected


def test_explain_shows_the_call_and_where_it_runs(con: tuple[Any, Path]) -> None:
    connection, _ = con
    connection.execute("SET gpu_profile = 'h200'")
    lines = [row[1] for row in connection.execute("EXPLAIN SELECT f(a + 1) FROM t").fetchall()]
    connection.execute("RESET gpu_profile")
    text = "\n".join(map(str, lines))
    assert "f(" in text
    assert "the Python function f runs on the CPU" in text
