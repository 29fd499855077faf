"""Queries over more rows than the device's budget holds: the CPU's rows, by spilling, still on the GPU."""

from __future__ import annotations

import gc
import json
import os
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import tandemdb
from oracle.compare import same_in_order
from tandemdb.engine.runners import local
from tandemdb.physical.backend import DeviceMemoryShort
from tandemdb.tpch.generate import Description, generate

QUERIES = Path(tandemdb.__file__).parent / "tpch" / "queries"
ROWS = 25_000
TABLES = (
    f"""CREATE TABLE t AS SELECT (range * 7919) % {ROWS} AS a, range % 10 AS b, 'text number ' || range AS s,
    CASE WHEN range % 11 <> 0 THEN range * 0.5::DOUBLE END AS d, range AS n FROM range({ROWS})""",
    f"""CREATE TABLE u AS SELECT CASE WHEN range % 5 <> 0 THEN (range * 3) % {ROWS} END AS a,
    'right ' || range AS w FROM range({ROWS // 2})""",
    # Half of the rows have one key.
    f"""CREATE TABLE skew AS SELECT CASE WHEN range % 2 = 0 THEN 17 ELSE range END AS k, range AS n,
    repeat('z', 20) || range AS s FROM range({ROWS})""",
)
STATEMENTS = (
    "SELECT a, s FROM t ORDER BY a DESC",
    "SELECT d, n FROM t ORDER BY d NULLS FIRST, n DESC",
    "SELECT k, n, s FROM skew ORDER BY k",
    "SELECT s, a FROM t ORDER BY s LIMIT 30000 OFFSET 500",
    "SELECT a, count(*), min(s), sum(n), first(n) FROM t GROUP BY a",
    "SELECT s, median(n), count(DISTINCT b) FROM t GROUP BY s",
    "SELECT k, count(*), max(s) FROM skew GROUP BY k",
    "SELECT DISTINCT s FROM t",
    "SELECT count(*), sum(n), max(s) FROM t",
    "SELECT s, rank() OVER w, sum(n) OVER w FROM t WINDOW w AS (PARTITION BY a % 400 ORDER BY d)",
    "SELECT t.a, t.s, u.w FROM t JOIN u USING (a)",
    "SELECT t.n, u.w FROM t LEFT JOIN u ON t.a = u.a AND u.w <> 'right 7'",
    "SELECT t.n, u.w FROM t RIGHT JOIN u ON t.a = u.a",
    "SELECT count(*), count(u.w), sum(t.n) FROM t FULL JOIN u ON t.a = u.a",
    "SELECT a, s FROM t WHERE a IN (SELECT a FROM u)",
    "SELECT n, a IN (SELECT a FROM u) FROM t",
    "SELECT n FROM t WHERE a NOT IN (SELECT a FROM u WHERE a IS NOT NULL)",
    "SELECT w FROM u WHERE EXISTS (SELECT 1 FROM t WHERE t.a = u.a)",
    "SELECT s FROM t UNION ALL SELECT w FROM u",
    "SELECT a FROM t INTERSECT SELECT a FROM u",
    "WITH w AS (SELECT a, s FROM t WHERE b < 5) SELECT x.s, y.a FROM w x JOIN w y ON x.a = y.a",
)


@pytest.fixture
def con(double: Any) -> Iterator[tandemdb.Connection]:
    del double
    with tandemdb.connect(config={"threads": 2, "device": "cpu"}) as connection:
        for table in TABLES:
            connection.execute(table)
        connection.execute("SET gpu_memory_limit = '1MiB'; SET on_fallback = 'error'")
        yield connection


def both(con: Any, sql: str) -> tuple[list[Any], list[Any]]:
    con.execute("SET device = 'cpu'")
    expected = con.execute(sql).fetchall()
    con.execute("SET device = 'gpu'")
    return con.execute(sql).fetchall(), expected


@pytest.mark.parametrize("sql", STATEMENTS)
def test_beyond_the_budget(con: Any, double: Any, sql: str) -> None:
    gc.collect()
    double.reset()  # the peak is this query's
    given, expected = both(con, sql)
    assert same_in_order(given, expected)
    gc.collect()
    assert double.live_bytes == 0
    # The budget, and the buffer that rows are packed through.
    assert double.peak_bytes <= 2 << 20


def test_rows_left_the_device(con: Any) -> None:
    both(con, STATEMENTS[0])
    cursor = con.execute(STATEMENTS[0])
    cursor.fetchall()
    assert cursor.profile.spilled_bytes > 1 << 18
    assert cursor.profile.spilled_to_disk == 0
    ((_, text),) = con.execute(f"EXPLAIN (ANALYZE, FORMAT json) {STATEMENTS[0]}").fetchall()
    told = json.loads(text)["profile"]
    assert told["spilled_bytes"] > 1 << 18
    assert told["spilled_to_disk"] == 0


def test_rows_went_to_disk_and_the_file_is_gone(con: Any, tmp_path: Path) -> None:
    con.execute(f"SET temp_directory = '{tmp_path}'")
    given, expected = both(con, STATEMENTS[0])
    con.execute("SET memory_limit = '3MB'")
    cursor = con.execute(STATEMENTS[0])
    assert same_in_order(cursor.fetchall(), expected)
    assert cursor.profile.spilled_to_disk > 1 << 18
    assert os.listdir(tmp_path) == []
    assert same_in_order(given, expected)


def test_no_room_on_disk_is_one_error(con: Any, tmp_path: Path) -> None:
    con.execute("SET device = 'gpu'")
    con.execute(f"SET temp_directory = '{tmp_path / 'missing'}'; SET memory_limit = '3MB'")
    with pytest.raises(tandemdb.Error, match="cannot be written to"):
        con.execute(STATEMENTS[0]).fetchall()
    con.execute("RESET memory_limit")
    assert con.execute("SELECT count(*) FROM t").fetchall() == [(ROWS,)]


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT n // 0 FROM t",
        "SELECT s::INTEGER FROM t",
        "SELECT n::UTINYINT FROM t ORDER BY s",
        "SELECT sum(n // (n - 24000)) FROM t GROUP BY a",
        "SELECT t.n // 0 FROM t JOIN u USING (a)",
    ],
)
def test_a_kept_error_keeps_no_rows(con: Any, double: Any, sql: str) -> None:
    con.execute("SET device = 'gpu'")
    with pytest.raises(tandemdb.Error) as kept:
        con.execute(sql).fetchall()
    gc.collect()
    assert kept.value
    assert double.live_bytes == 0


def short_after(
    monkeypatch: pytest.MonkeyPatch, target: str, calls: int, before: Callable[[], object] = lambda: None
) -> list[int]:
    """The operator method named `target` runs out of device memory from its call number `calls` on, when
    `before` has returned.
    """
    from tandemdb.gpu_exec.operators import aggregate, build, filter, hash_join, sort

    kinds = {"filter": filter.Filter, "probe": hash_join.Probe, "sort": sort.Sort, "build": build.Build}
    kinds["aggregate"] = aggregate.Aggregate
    kind, _, method = target.partition(".")
    found, seen = getattr(kinds[kind], method), [0]

    def failing(*args: Any, **kwargs: Any) -> Any:
        seen[0] += 1
        if seen[0] > calls:
            before()
            raise DeviceMemoryShort
        return found(*args, **kwargs)

    monkeypatch.setattr(kinds[kind], method, failing)
    return seen


@pytest.mark.parametrize(
    ("target", "sql", "calls"),
    [
        ("filter.made", "SELECT n, s FROM t WHERE b < 9", 3),
        ("probe.made", "SELECT t.n, u.w FROM t LEFT JOIN u USING (a)", 0),
        ("probe.made", "SELECT t.n, u.w FROM t LEFT JOIN u USING (a)", 5),
        ("probe.made", "SELECT t.n, u.w FROM t FULL JOIN u USING (a)", 3),
        ("build.add", "SELECT t.n, u.w FROM t JOIN u USING (a)", 1),
        ("sort.finish", "SELECT n FROM t ORDER BY s", 0),
        ("aggregate.add", "SELECT b, sum(n) FROM t GROUP BY b ORDER BY b", 3),
        ("probe.made", "SELECT t.n, u.w FROM t LEFT JOIN u USING (a) UNION ALL SELECT n, s FROM t", 4),
    ],
)
def test_the_cpu_at_last(
    con: Any, double: Any, monkeypatch: pytest.MonkeyPatch, target: str, sql: str, calls: int
) -> None:
    """Counted and named; rows that were given out before do not come again."""
    con.execute("SET device = 'cpu'")
    expected = con.execute(sql).fetchall()
    con.execute("SET device = 'gpu'; SET on_fallback = 'report'; SET gpu_batch_size = 4000")
    if target == "filter.made":
        con.execute("SET disabled_rules = 'all'")
    short_after(monkeypatch, target, calls)
    cursor = con.execute(sql)
    given = cursor.fetchmany(100)
    given += cursor.fetchall()
    assert same_in_order(given, expected)
    assert any("too little memory" in str(found) for found in cursor.profile.fallbacks)
    con.execute("SET on_fallback = 'error'")
    with pytest.raises(tandemdb.Error, match="too little memory") as kept:
        con.execute(sql).fetchall()
    gc.collect()
    assert kept.value
    assert double.live_bytes == 0


@pytest.mark.parametrize(
    "window", ["ORDER BY n", pytest.param("PARTITION BY k ORDER BY n", marks=pytest.mark.slow)]
)
def test_one_partition_beyond_the_budget_is_the_cpus(con: Any, double: Any, window: str) -> None:
    """Partitions are not divided; that is counted and named."""
    sql = f"SELECT n, lag(s) OVER ({window}) FROM skew"
    with pytest.raises(tandemdb.NotSupportedError, match="Window: the GPU has too little memory"):
        both(con, sql)
    con.execute("SET on_fallback = 'report'")
    given, expected = both(con, sql)
    assert same_in_order(given, expected)
    gc.collect()
    assert double.live_bytes == 0


def test_rows_that_would_be_others_are_not_made_again(
    con: Any, double: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Passing over as many rows as were given out would lose some and give others twice."""
    del double
    con.execute("SET device = 'gpu'; SET on_fallback = 'report'; SET gpu_batch_size = 4000")
    con.execute("SET disabled_rules = 'all'")
    sql = "SELECT n FROM (SELECT n, random() AS r FROM t WHERE b < 9) WHERE r < 0.5"
    given = threading.Event()
    short_after(monkeypatch, "filter.made", 3, lambda: given.wait(timeout=60))
    cursor = con.execute(sql)
    assert len(cursor.fetchmany(100)) == 100
    given.set()
    with pytest.raises(tandemdb.Error, match="between the rows of the result"):
        cursor.fetchall()
    short_after(monkeypatch, "filter.made", 0)
    # Nothing was given out: the CPU makes all rows.
    rows = con.execute(sql).fetchall()
    assert len(rows) > ROWS // 3
    assert len(set(rows)) == len(rows)


def test_a_failed_attempt_leaves_the_device_at_once(
    con: Any, double: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One of its tasks fails when others keep rows; no collection of garbage is waited for."""
    from tandemdb.gpu_exec.operators.sort import Sort

    con.execute("RESET gpu_memory_limit; SET device = 'gpu'; SET threads = 3")
    con.execute("SET gpu_batch_size = 4000")
    monkeypatch.setattr(local, "ROWS_PER_TASK", 1000)
    add, start = Sort.add, Sort.start
    kept: list[int] = []
    live: list[int] = []

    def adding(sink: Any, state: Any, batch: Any, seq: int) -> Any:
        kept.append(double.live_bytes)
        if len(kept) == 5:
            raise DeviceMemoryShort
        return add(sink, state, batch, seq)

    def starting(sink: Any, task: Any) -> Any:
        live.append(double.live_bytes)
        return start(sink, task)

    monkeypatch.setattr(Sort, "add", adding)
    monkeypatch.setattr(Sort, "start", starting)
    gc.collect()
    gc.disable()
    try:
        assert len(con.execute("SELECT s, a FROM t ORDER BY a").fetchall()) == ROWS
    finally:
        gc.enable()
    assert len(live) == 4
    assert kept[4] > 0
    assert live[3] == 0


def test_a_failed_attempt_is_not_counted(con: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from tandemdb.gpu_exec.operators.sort import Sort

    con.execute("RESET gpu_memory_limit; SET device = 'gpu'")
    monkeypatch.setattr(local, "ROWS_PER_TASK", 1000)
    sql = "SELECT s, a FROM t WHERE b < 5 ORDER BY a"
    rows = []
    finish = Sort.finish

    def failing(*args: Any) -> Any:
        monkeypatch.setattr(Sort, "finish", finish)
        raise DeviceMemoryShort

    for fails in (False, True):
        if fails:
            monkeypatch.setattr(Sort, "finish", failing)
        cursor = con.execute(sql)
        cursor.fetchall()
        rows.append({op_id: found.rows for op_id, found in cursor.profile.operators.items()})
    assert rows[0] == rows[1]
    assert max(rows[0].values()) == ROWS // 2


def test_both_parts_of_a_join_are_one_fallback(con: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    con.execute("SET device = 'gpu'; SET on_fallback = 'report'")
    short_after(monkeypatch, "build.add", 0)
    short_after(monkeypatch, "aggregate.add", 0)
    cursor = con.execute("SELECT b, sum(n) FROM t JOIN u USING (a) GROUP BY b")
    cursor.fetchall()
    numbers = [found.op_id for found in cursor.profile.fallbacks]
    assert len(numbers) >= 4
    assert len(numbers) == len(set(numbers))


def test_queries_share_the_device(con: Any, double: Any) -> None:
    """Four at once, each of which needs more than the budget: all end, on the GPU."""
    statements = [STATEMENTS[0], STATEMENTS[4], STATEMENTS[9], STATEMENTS[6]]
    con.execute("SET device = 'cpu'")
    expected = [con.execute(sql).fetchall() for sql in statements]
    con.execute("SET device = 'gpu'; SET on_fallback = 'report'")
    given: dict[int, list[Any]] = {}

    def work(number: int) -> None:
        cursor = con.cursor()
        cursor.execute("SET gpu_memory_limit = '1MiB'; SET device = 'gpu'")
        given[number] = cursor.execute(statements[number]).fetchall()

    threads = [threading.Thread(target=work, args=(number,)) for number in range(len(statements))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for number, rows in enumerate(expected):
        assert same_in_order(given[number], rows), number
    gc.collect()
    assert double.live_bytes == 0


def test_the_limit_is_checked(con: Any) -> None:
    for value in ("12", "50%", "much"):
        with pytest.raises(tandemdb.Error, match="gpu_memory_limit"):
            con.execute(f"SET gpu_memory_limit = '{value}'")
    with pytest.raises(tandemdb.Error) as wrong:
        con.execute("SET gpu_memory_limit = 'much'")
    assert "'8GB'" in str(wrong.value) and "%" not in str(wrong.value)
    con.execute("SET gpu_memory_limit = 'none'")
    assert con.execute("SHOW gpu_memory_limit").fetchall()[0][-1] == "none"


def test_a_limit_beyond_the_device(double: Any) -> None:
    del double
    with tandemdb.connect(config={"device": "gpu", "on_fallback": "error"}) as con:
        con.execute("SET gpu_memory_limit = '99999999999999999GB'")
        assert con.execute("SELECT sum(range) FROM range(10)").fetchall() == [(45,)]


def test_an_interrupt_ends_the_cutting_of_a_step(double: Any) -> None:
    """A step that would make too much is asked for an interrupt before it is tried on fewer rows."""
    del double
    from tandemdb.gpu_exec import memory

    seen: list[int] = []

    def step(start: int, stop: int) -> None:
        seen.append(stop - start)
        raise memory.TooMuch

    def check() -> None:
        raise KeyboardInterrupt

    shared = memory.enter(None)
    with pytest.raises(KeyboardInterrupt):
        list(shared.each(1 << 20, step, check))
    shared.leave()
    assert seen == [1 << 20]


@pytest.mark.slow
@pytest.mark.parametrize("number", range(1, 23))
def test_tpch_with_a_tenth(double: Any, tmp_path_factory: pytest.TempPathFactory, number: int) -> None:
    """A tenth of what a query takes when it may take all, at scale 0.1: all operators on the GPU."""
    lake = tmp_path_factory.getbasetemp() / "tenth"
    generate(lake, Description(0.1), threads=1)
    sql = (QUERIES / f"q{number:02}.sql").read_text()
    with tandemdb.connect(lake=lake, config={"threads": 2, "on_fallback": "error"}) as con:
        given, expected = both(con, sql)
        assert same_in_order(given, expected)
        gc.collect()
        double.reset()
        con.execute(sql).fetchall()
        limit = max(1 << 20, double.peak_bytes // 10)
        gc.collect()
        con.execute(f"SET gpu_memory_limit = '{limit}'")
        assert same_in_order(con.execute(sql).fetchall(), expected)
        gc.collect()
        assert double.live_bytes == 0
