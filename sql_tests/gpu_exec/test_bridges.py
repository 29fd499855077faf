"""Expressions that the GPU cannot evaluate are evaluated on the CPU while the rows stay where they are."""

from __future__ import annotations

import gc
import json
import re
from collections.abc import Iterator
from typing import Any

import pyarrow as pa
import pytest
import tandemdb
from golden_placements import machine, unplaced_query
from oracle.compare import same_value
from tandemdb.engine.settings import SettingValues
from tandemdb.gpu_exec import support
from tandemdb.gpu_exec.operators.base import ops_of
from tandemdb.gpu_exec.operators.bridge import Bridge as GpuBridge
from tandemdb.physical.backend import Refusal
from tandemdb.physical.batch import Batch, Device
from tandemdb.physical.context import QueryContext, Task
from tandemdb.physical.memory import MemoryBroker
from tandemdb.physical.nodes import Bridge, TableScan, Transfer, Values, walk_nodes
from tandemdb.physical.placement import place
from tandemdb.planner import expr as e
from tandemdb.planner.types import BIGINT, SQLType, TypeId

TABLES = (
    """CREATE TABLE t AS SELECT range AS a, range % 5 AS b, range * 1.5::DOUBLE AS x, '7' || (range % 3) AS n,
    CASE WHEN range % 4 <> 1 THEN 'x' || range END AS s FROM range(20)""",
    "CREATE TABLE u AS SELECT range * 2 AS a, 'X' || (range * 2) AS s, range - 3 AS z FROM range(9)",
)
# What the fixture `lacking` takes from the GPU, whatever it can do today: these functions, one aggregate,
# casts of text to INTEGER, and values of TIME. What else stands below is the GPU's.
FUNCTIONS = ("upper", "lower", "ilike")
TAKEN = "taken away"
BRIDGED = {
    "project": "SELECT a, upper(s), a + 1 FROM t",
    "part of an expression": "SELECT a + length(upper(s)) * 2 FROM t",
    "used twice": "SELECT upper(s) || 'a', upper(s) || 'b' FROM t",
    "within a guard, cannot fail": "SELECT CASE WHEN a > 3 THEN upper(s) ELSE s END FROM t",
    "predicate of a scan": "SELECT a, s FROM t WHERE upper(s) LIKE 'X1%' AND a > 3",
    "column read by the predicate only": "SELECT a FROM t WHERE upper(s) = 'X7'",
    "two predicates": "SELECT a FROM t WHERE upper(s) LIKE 'X%' AND b < 4 AND s ILIKE '%1%'",
    "filter over an aggregate": "SELECT b, max(s) m FROM t GROUP BY b HAVING upper(max(s)) > 'X3'",
    "group key": "SELECT upper(s), count(*), sum(a) FROM t GROUP BY 1",
    "argument of an aggregate": "SELECT b, max(lower(s)), sum(length(lower(s))) FROM t GROUP BY b",
    "sort key": "SELECT a, s FROM t ORDER BY lower(s) DESC, a",
    "top-n key": "SELECT a FROM t ORDER BY lower(s) NULLS FIRST, a LIMIT 5",
    "join keys": "SELECT t.a, u.z FROM t JOIN u ON upper(t.s) = u.s",
    "keys of a left join": "SELECT t.a, u.z FROM t LEFT JOIN u ON upper(t.s) = upper(u.s)",
    "one side of a residual": "SELECT t.a, u.z FROM t LEFT JOIN u ON t.a = u.a AND upper(t.s) <> 'X4'",
    "both sides of a residual": "SELECT t.a, u.z FROM t JOIN u ON t.a = u.a AND lower(t.s || u.s) LIKE '%4%'",
    "condition without keys": "SELECT t.a, u.a FROM t, u WHERE t.a < u.a AND length(upper(t.s)) < u.z",
    "below an IN": "SELECT a FROM t WHERE upper(s) IN (SELECT s FROM u)",
    "can fail, on every row": "SELECT a, CAST(n AS INTEGER) + 1 FROM t",
    "can fail, after an earlier term": "SELECT a FROM t WHERE s IS NOT NULL AND CAST(n AS INTEGER) = 71",
    "type that the GPU has not": "SELECT a FROM t WHERE CAST('10:00:0' || b AS TIME) > TIME '10:00:02'",
}


def cast_reasons(source: SQLType, target: SQLType) -> list[str]:
    taken = source.is_string and target.id is TypeId.INTEGER
    return [f"CAST from {source} to {target}: {TAKEN}"] if taken else CAN_CAST(source, target)


CAN_CAST = support.cast_reasons


@pytest.fixture
def lacking(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in FUNCTIONS:
        monkeypatch.setitem(support.FUNCTIONS, name, TAKEN)
    monkeypatch.setitem(support.AGGREGATES, "mode", TAKEN)
    monkeypatch.setitem(support.TYPES, TypeId.TIME, TAKEN)
    monkeypatch.setattr(support, "cast_reasons", cast_reasons)


@pytest.fixture
def con(gpu: Any, lacking: None) -> Iterator[tandemdb.Connection]:
    del gpu, lacking
    with tandemdb.connect(config={"threads": 2}) as connection:
        for table in TABLES:
            connection.execute(table)
        yield connection


def run(con: tandemdb.Connection, sql: str, device: str) -> Any:
    con.execute(f"SET device = '{device}'")
    cursor = con.execute(sql)
    return cursor.fetchall(), cursor.profile


def assert_same(given: list[Any], expected: list[Any]) -> None:
    assert len(given) == len(expected)
    for one, other in zip(given, expected, strict=True):
        assert all(same_value(a, b) for a, b in zip(one, other, strict=True)), (one, other)


def bridges(profile: Any) -> list[Bridge]:
    return [node for node in walk_nodes(profile.root) if isinstance(node, Bridge)]


@pytest.mark.parametrize("name", BRIDGED)
def test_the_cpus_rows_and_nothing_else_on_the_cpu(con: Any, name: str) -> None:
    con.execute("SET batch_size = 7")
    con.execute("SET gpu_batch_size = 7")
    expected, _ = run(con, BRIDGED[name], "cpu")
    given, profile = run(con, BRIDGED[name], "gpu")
    assert expected
    assert_same(given, expected)
    found = bridges(profile)
    assert found
    assert all(n.device is Device.GPU for n in walk_nodes(profile.root) if not isinstance(n, Transfer))
    assert all(TAKEN in reason for bridge in found for reasons in bridge.why for reason in reasons)
    # What was bridged is counted as a fallback, each once and by name, and nothing else is.
    assert sorted(f.op_id for f in profile.fallbacks) == sorted(b.op_id for b in found)
    assert any(profile.operators[bridge.op_id].extra.get("bridged_rows") for bridge in found)


SKIPPED = (
    # What can fail stands where rows are skipped: the whole CASE is bridged.
    ("SELECT CASE WHEN s IS NULL THEN 0 ELSE CAST(substring(s, 2) AS INTEGER) + 1 END FROM t", "case"),
    ("SELECT a FROM t WHERE s IS NOT NULL AND CAST(substring(s, 2) AS INTEGER) // a >= 0 AND a > 0", None),
    ("SELECT a FROM t WHERE 10 // b > 3 AND CAST(substring(s, 2) AS INTEGER) // b > 0 AND b <> 0", "cast"),
    ("SELECT a FROM t WHERE 10 // b > 3 AND b <> 0", None),
    ("SELECT a FROM t WHERE a > 0 AND 10 // length(lower(CAST(a AS VARCHAR))) > 3", "lower"),
)


@pytest.mark.parametrize(("sql", "taken"), SKIPPED)
def test_errors_of_rows_that_are_skipped_do_not_surface(con: Any, sql: str, taken: str | None) -> None:
    expected, _ = run(con, sql, "cpu")
    given, profile = run(con, sql, "gpu")
    assert_same(given, expected)
    names = [column.name for bridge in bridges(profile) for column in bridge.columns]
    assert taken is None or names == [taken]


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT CAST(s AS INTEGER) FROM t",
        "SELECT sum(CAST(s AS INTEGER)) FROM t",
        "SELECT a FROM t ORDER BY CAST(s AS INTEGER)",
        "SELECT a FROM t WHERE CAST(s AS INTEGER) > 3 AND a > 10",
    ],
)
def test_errors_are_raised_as_on_the_cpu(con: Any, sql: str) -> None:
    raised = []
    for device in ("cpu", "gpu"):
        with pytest.raises(tandemdb.Error) as error:
            run(con, sql, device)
        raised.append(str(error.value))
    assert raised[0] == raised[1]


NOT_BRIDGED = {
    "an aggregate itself": "SELECT b, mode(a) FROM t GROUP BY b ORDER BY b",
    "both sides of a left join": "SELECT t.a, z FROM t LEFT JOIN u ON t.a = u.a AND lower(t.s || u.s) <> ''",
    "can fail, for pairs only": "SELECT t.a, z FROM t LEFT JOIN u ON t.a = u.a AND CAST(n AS INTEGER) > 1",
}


@pytest.mark.parametrize("name", NOT_BRIDGED)
def test_where_a_bridge_would_not_do_the_operator_runs_on_the_cpu(con: Any, name: str) -> None:
    expected, _ = run(con, NOT_BRIDGED[name], "cpu")
    given, profile = run(con, NOT_BRIDGED[name], "gpu")
    assert_same(given, expected)
    assert not bridges(profile)
    assert any(TAKEN in fallback.reason for fallback in profile.fallbacks)


def test_a_bridge_is_fatal_where_fallbacks_are(con: Any) -> None:
    con.execute("SET on_fallback = 'error'")
    with pytest.raises(tandemdb.NotSupportedError, match="Bridge over the CPU: the function upper: taken"):
        run(con, BRIDGED["project"], "gpu")


def test_a_bridge_that_the_gpu_refuses_runs_on_the_cpu_and_is_counted(
    con: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: Any) -> None:
        raise Refusal("no room")

    expected, _ = run(con, BRIDGED["used twice"], "cpu")
    monkeypatch.setattr(GpuBridge, "__init__", refuse)
    given, profile = run(con, BRIDGED["used twice"], "gpu")
    assert_same(given, expected)
    assert "Bridge over the CPU: no room" in map(str, profile.fallbacks)


def test_explain_shows_what_runs_on_the_cpu_and_why(con: Any) -> None:
    con.execute("SET device = 'gpu'")
    ((_, text),) = con.execute(f"EXPLAIN ANALYZE {BRIDGED['argument of an aggregate']}").fetchall()
    lines = [line.strip(" │") for line in text.splitlines()]
    at = next(i for i, line in enumerate(lines) if "Bridge over the CPU [GPU]" in line)
    assert "over the CPU 20 rows" in lines[at]
    assert lines[at + 1] == "on the CPU: lower(s) AS lower"
    assert lines[at + 2] == "moved there: s"
    assert lines[at + 3].startswith("GPU because: the function lower: taken away")
    assert "fallbacks: 1" in text
    assert re.fullmatch(
        r"the query ran on this machine's GPU and, in 1 of \d operators, on its CPU", text.splitlines()[-1]
    )
    ((_, text),) = con.execute(f"EXPLAIN (FORMAT json) {BRIDGED['sort key']}").fetchall()
    assert '"operator": "Bridge over the CPU"' in json.dumps(json.loads(text))


def test_device_memory_is_given_back(con: Any, gpu: Any) -> None:
    gc.collect()
    before = gpu.live_bytes
    run(con, BRIDGED["group key"], "gpu")
    gc.collect()
    assert gpu.live_bytes == before


@pytest.mark.usefixtures("gpu")
def test_values_that_come_in_several_batches_stay_with_their_rows() -> None:
    """The CPU splits a batch whose texts are too long for one."""
    from tandemdb.gpu_exec.operators.transfer import download, upload

    columns = (e.Column(1, "a", BIGINT), e.Column(2, "b", BIGINT))
    added = e.Column(3, "c", BIGINT)
    node = Bridge(
        input=Values(columns=columns, literals=()), columns=(added,), exprs=(e.ref(columns[1]),), why=((),)
    )

    class Splitting:
        def transform(self, spec: Any) -> Any:
            def halves(rows: Iterator[Batch], task: Task) -> Iterator[Batch]:
                for batch in rows:
                    assert batch.schema == (columns[1],)
                    for start in range(0, batch.num_rows, 2):
                        yield batch.slice(start, 2).renamed((added,), (0,))

            return halves

    task = Task(
        QueryContext({**SettingValues().frozen(), "gpu_batch_size": 7}, MemoryBroker(None)), Device.GPU
    )
    ops = ops_of(task)
    arrays = [pa.array([1, 2, 3, 4, 5]), pa.array([10, 20, None, 40, 50])]
    given = list(GpuBridge(node, Splitting())(iter([upload(Batch(columns, arrays, 5), ops)]), task))
    rows = [tuple(c.to_pylist() for c in download(batch, ops).columns) for batch in given]
    assert rows == [([1, 2], [10, 20], [10, 20]), ([3, 4], [None, 40], [None, 40]), ([5], [50], [50])]
    task.end()


LARGE = """SELECT l_returnflag, sum(l_extendedprice * (1 - l_discount)), sum(l_tax), avg(l_quantity)
    FROM lineitem WHERE upper(l_shipmode) <> 'AIR' GROUP BY l_returnflag"""
SMALL = "SELECT n_regionkey, count(*) FROM nation WHERE upper(n_name) <> 'CHINA' GROUP BY n_regionkey"


@pytest.mark.usefixtures("lacking")
@pytest.mark.parametrize("profile", ["h200", "l4"])
def test_a_bridge_is_chosen_by_cost(profile: str) -> None:
    """One function in a large scan does not bring the plan to the CPU; for a few rows the GPU is not worth
    it.
    """
    large, small = (place(unplaced_query(sql, 10), machine(profile)) for sql in (LARGE, SMALL))
    assert any(isinstance(node, Bridge) for node in walk_nodes(large))
    assert all(node.device is Device.GPU for node in walk_nodes(large) if isinstance(node, TableScan))
    assert all(node.device is Device.CPU for node in walk_nodes(small))
