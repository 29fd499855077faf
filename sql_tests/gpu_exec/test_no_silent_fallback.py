"""Silent fallback is impossible: whatever is taken from the GPU, in its table of capabilities or only when
operators are made, is counted, named, shown, and fatal under on_fallback = 'error'.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest
import tandemdb
from tandemdb.engine.cli.main import main
from tandemdb.gpu_exec import support
from tandemdb.gpu_exec.functions import registry as functions
from tandemdb.gpu_exec.operators import aggregate_plan, window_plan
from tandemdb.gpu_exec.operators import registry as operators
from tandemdb.physical import nodes, pipeline
from tandemdb.planner.logical import JoinKind
from tandemdb.planner.types import TypeId
from tandemdb.tpch.engines import uncounted

TABLES = (
    "CREATE TABLE t AS SELECT range AS a, range % 3 AS b, 'x' || range AS s FROM range(10)",
    "CREATE TABLE u AS SELECT range * 2 AS a, DATE '2020-01-01' + range::INTEGER AS d FROM range(6)",
)


@dataclass(frozen=True)
class Loss:
    """A query, what is taken away, and words of the reason that users are told."""

    sql: str
    table: dict[Any, Any]
    key: Any
    reason: str


JOIN = "SELECT count(*) FROM t JOIN u ON t.a = u.a"
LOOP = "SELECT count(*) FROM t JOIN u ON t.a < u.a"
SORT = "SELECT a FROM t ORDER BY b, a DESC"
TOP_N = f"{SORT} LIMIT 3"
GROUPS = "SELECT b, sum(a) FROM t GROUP BY b"
WINDOW = "SELECT a, rank() OVER (PARTITION BY b ORDER BY a) FROM t"
# Taken from the capability table: placement knows.
PLANNED = {
    "scan": Loss("SELECT a FROM t", support.OPERATORS, nodes.TableScan, "TableScan has no GPU operator"),
    "values": Loss("VALUES (1), (2)", support.OPERATORS, nodes.Values, "Values has no GPU operator"),
    "filter": Loss("SELECT a FROM t WHERE b = 1 OR a = 2", support.OPERATORS, nodes.TableScan, "TableScan"),
    "having": Loss(f"{GROUPS} HAVING sum(a) > 12", support.OPERATORS, nodes.Filter, "Filter has no GPU"),
    "project": Loss("SELECT a + 1 FROM t", support.OPERATORS, nodes.Project, "Project has no GPU operator"),
    "hash join": Loss(JOIN, support.OPERATORS, nodes.HashJoin, "HashJoin has no GPU operator"),
    "loop join": Loss(LOOP, support.OPERATORS, nodes.NestedLoopJoin, "NestedLoopJoin has no GPU operator"),
    "aggregate": Loss(GROUPS, support.OPERATORS, nodes.HashAggregate, "HashAggregate has no GPU operator"),
    "sort": Loss(SORT, support.OPERATORS, nodes.Sort, "Sort has no GPU operator"),
    "window": Loss(WINDOW, support.OPERATORS, nodes.Window, "Window has no GPU operator"),
    "top-n": Loss(TOP_N, support.OPERATORS, nodes.TopN, "TopN has no GPU operator"),
    "limit": Loss("SELECT a FROM t LIMIT 3", support.OPERATORS, nodes.Limit, "Limit has no GPU operator"),
    "union": Loss(
        "SELECT a FROM t UNION ALL SELECT a FROM u", support.OPERATORS, nodes.UnionAll, "UnionAll has no GPU"
    ),
    "function": Loss(
        "SELECT substring(s, 2, 1) FROM t", support.FUNCTIONS, "substring", "substring is not built"
    ),
    "aggregate function": Loss(GROUPS, support.AGGREGATES, "sum", "sum is not built for the GPU"),
    "window function": Loss(WINDOW, support.WINDOWS, "rank", "rank is not built for the GPU"),
}
# Not there when the operators are made, though the capability table promises it: the backend refuses.
MADE = {
    "scan": Loss("SELECT a FROM t", operators.MODULES, pipeline.ScanSource, "ScanSource has no GPU operator"),
    "values": Loss("VALUES (1), (2)", operators.MODULES, pipeline.ValuesSource, "ValuesSource has no GPU"),
    "having": Loss(f"{GROUPS} HAVING sum(a) > 12", operators.MODULES, nodes.Filter, "Filter has no GPU"),
    "project": Loss("SELECT a + 1 FROM t", operators.MODULES, nodes.Project, "Project has no GPU operator"),
    "build": Loss(JOIN, operators.MODULES, pipeline.BuildSink, "BuildSink has no GPU operator"),
    "probe": Loss(JOIN, operators.MODULES, pipeline.ProbeTransform, "ProbeTransform has no GPU operator"),
    "loop": Loss(LOOP, operators.MODULES, pipeline.LoopTransform, "LoopTransform has no GPU operator"),
    "leftover": Loss(
        "SELECT count(*) FROM t FULL JOIN u ON t.a = u.a",
        operators.MODULES,
        pipeline.LeftoverSource,
        "LeftoverSource has no GPU operator",
    ),
    "aggregate": Loss(GROUPS, operators.MODULES, pipeline.AggregateSink, "AggregateSink has no GPU operator"),
    "sort": Loss(SORT, operators.MODULES, pipeline.SortSink, "SortSink has no GPU operator"),
    "window": Loss(WINDOW, operators.MODULES, pipeline.WindowSink, "WindowSink has no GPU operator"),
    "top-n": Loss(TOP_N, operators.MODULES, pipeline.TopNSink, "TopNSink has no GPU operator"),
    "limit": Loss("SELECT a FROM t LIMIT 3", operators.MODULES, pipeline.LimitSink, "LimitSink has no GPU"),
    "collect": Loss(
        "WITH w AS MATERIALIZED (SELECT b FROM t) SELECT count(*) FROM w x JOIN w y USING (b)",
        operators.MODULES,
        pipeline.CollectSink,
        "CollectSink has no GPU operator",
    ),
    "union": Loss(
        "SELECT a FROM t UNION ALL SELECT a FROM u", operators.MODULES, pipeline.UnionSource, "UnionSource"
    ),
    "function": Loss(
        "SELECT substring(s, 2, 1) FROM t", functions.FUNCTIONS, "substring", "substring is not built"
    ),
    "aggregate function": Loss(GROUPS, aggregate_plan.PLANS, "sum", "sum is not built for the GPU"),
    "window function": Loss(
        WINDOW, window_plan.WINDOWS, "rank", "rank over a window is not built for the GPU"
    ),
}
# No entry is taken away, its answer becomes no.
REFUSED = {
    "type": Loss("SELECT d FROM u", support.TYPES, TypeId.DATE, "column d: taken away"),
    "join kind": Loss(JOIN, support.JOIN_KINDS, JoinKind.INNER, "taken away"),
}


@pytest.fixture
def con(gpu: Any) -> Iterator[tandemdb.Connection]:
    del gpu
    functions.load_all()
    with tandemdb.connect(config={"threads": 2}) as connection:
        for table in TABLES:
            connection.execute(table)
        connection.execute("SET device = 'gpu'")
        yield connection


def check(con: Any, loss: Loss, take: Callable[[], None]) -> None:
    """Before the loss nothing falls back; after it that is told, and the rows are the same."""
    con.execute("SET on_fallback = 'error'")
    before = con.execute(loss.sql).fetchall()
    take()
    with pytest.raises(tandemdb.NotSupportedError, match=loss.reason):
        con.execute(loss.sql).fetchall()
    con.execute("SET on_fallback = 'report'")
    cursor = con.execute(loss.sql)
    assert cursor.fetchall() == before
    told = [str(fallback) for fallback in cursor.profile.fallbacks]
    assert any(loss.reason in text for text in told), told
    assert uncounted(cursor.profile) == []
    ((_, shown),) = con.execute(f"EXPLAIN ANALYZE {loss.sql}").fetchall()
    assert f"fallbacks: {len(told)}\n" in shown
    assert all(text in shown for text in told)


@pytest.mark.parametrize("name", PLANNED)
def test_what_the_capability_table_loses(con: Any, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    loss = PLANNED[name]
    check(con, loss, lambda: monkeypatch.delitem(loss.table, loss.key))


@pytest.mark.parametrize("name", REFUSED)
def test_what_the_capability_table_refuses(con: Any, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    loss = REFUSED[name]
    check(con, loss, lambda: monkeypatch.setitem(loss.table, loss.key, "taken away"))


@pytest.mark.parametrize("name", MADE)
def test_what_is_missing_when_operators_are_made(
    con: Any, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    loss = MADE[name]
    check(con, loss, lambda: monkeypatch.delitem(loss.table, loss.key))


@pytest.mark.usefixtures("gpu")
@pytest.mark.parametrize("table", ["planned", "made"])
def test_the_command_line_says_it(
    table: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    functions.load_all()
    loss = {"planned": PLANNED, "made": MADE}[table]["function"]
    monkeypatch.delitem(loss.table, loss.key)
    sql = loss.sql.replace("FROM t", "FROM (VALUES ('abc')) v(s)")
    assert main(["--device", "gpu", "-c", sql]) == 0
    shown = capsys.readouterr()
    assert shown.out.splitlines()[1:] == ["b"]
    # What the plan knows is bridged by itself; what is missed later takes the whole operator along.
    operator = {"planned": "Bridge over the CPU", "made": "Project"}[table]
    assert f"fallback: {operator}: the function substring is not built for the GPU" in shown.err
    assert main(["--device", "gpu", "-c", f"SET on_fallback = 'error'; {sql}"]) == 1
    assert "the function substring is not built for the GPU" in capsys.readouterr().err


def test_the_json_form_has_it(con: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(support.OPERATORS, nodes.Sort)
    ((_, shown),) = con.execute(f"EXPLAIN (ANALYZE, FORMAT json) {SORT}").fetchall()
    assert any("Sort has no GPU operator" in text for text in json.loads(shown)["profile"]["fallbacks"])


def test_the_last_line_of_an_analyzed_plan_says_where_it_ran(
    con: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def told(sql: str) -> str:
        ((_, shown),) = con.execute(f"EXPLAIN ANALYZE {sql}").fetchall()
        return shown.splitlines()[-1]

    on_gpu = "the query ran on this machine's GPU"
    assert told(TOP_N) == on_gpu
    con.execute("SET gpu_profile = 'h200'")
    assert told(TOP_N).startswith(f"{on_gpu}; gpu_profile = 'h200' changes only")
    con.execute("SET gpu_profile = 'none'")
    monkeypatch.delitem(operators.MODULES, nodes.Project)
    assert told(GROUPS) == f"{on_gpu} and, in 1 of 3 operators, on its CPU"
    con.execute("SET device = 'cpu'")
    assert told(GROUPS) == "the query ran on this machine's CPU"
