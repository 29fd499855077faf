"""Long and deep statements: chains have room, nothing is exponential, and planning can be interrupted."""

import threading
import time

import pytest
import tandemdb


@pytest.fixture
def con():
    with tandemdb.connect() as connection:
        yield connection


def test_250_ctes_each_over_the_one_before(con) -> None:
    ctes = ", ".join(f"c{i} AS (SELECT a + 1 AS a FROM c{i - 1})" for i in range(1, 250))
    assert con.execute(f"WITH c0 AS (SELECT 1 AS a), {ctes} SELECT * FROM c249").fetchall() == [(250,)]


def test_views_each_over_the_one_before(con) -> None:
    con.execute("CREATE VIEW v0 AS SELECT 1 AS a")
    for i in range(1, 60):
        con.execute(f"CREATE VIEW v{i} AS SELECT a + 1 AS a FROM v{i - 1}")
    assert con.execute("SELECT * FROM v59").fetchall() == [(60,)]


@pytest.mark.parametrize(
    ("opening", "ending"),
    [("nullif(", ", {})"), ("CASE ", " WHEN {} THEN 1 ELSE 2 END"), ("(", " BETWEEN {} AND 100)::INT")],
)
def test_parts_used_twice_are_not_copied_at_each_level(con, opening: str, ending: str) -> None:
    depth = 60
    text = opening * depth + "x" + "".join(ending.format(i + 50) for i in range(depth))
    start = time.process_time()
    con.execute(f"SELECT {text} FROM range(3) t(x)").fetchall()
    assert time.process_time() - start < 20  # 2^60 copies would never end


def test_an_alias_used_twice_by_each_next_one(con) -> None:
    items = ", ".join(f"a{i - 1} + a{i - 1} AS a{i}" for i in range(1, 40))
    (row,) = con.execute(f"SELECT x AS a0, {items} FROM range(1, 2) t(x)").fetchall()
    assert row[-1] == 2**39


def test_nested_cases_stay_cheap(con) -> None:
    text = "CASE WHEN x = 1 THEN 2 ELSE " * 900 + "x" + " END" * 900
    start = time.process_time()
    assert con.execute(f"SELECT {text} FROM range(3) t(x)").fetchall() == [(0,), (2,), (2,)]
    assert time.process_time() - start < 15  # spans found anew at each level took minutes on this scale


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT count(*) FROM (VALUES " + ", ".join(f"({i} + 0, 'a')" for i in range(60_000)) + ") t",
        "SELECT " + " OR ".join(f"x = {i}" for i in range(60_000)) + " FROM range(3) t(x)",
    ],
    ids=["values", "or"],
)
def test_a_statement_that_is_being_planned_can_be_interrupted(con, sql: str) -> None:
    asked: list[float] = []

    def interrupt() -> None:
        asked.append(time.perf_counter())
        con.interrupt()

    timer = threading.Timer(1.5, interrupt)
    timer.start()
    try:
        with pytest.raises(tandemdb.OperationalError, match="interrupted"):
            con.execute(sql).fetchall()
        assert time.perf_counter() - asked[0] < 3
    finally:
        timer.cancel()
    assert con.execute("SELECT 1").fetchall() == [(1,)]
