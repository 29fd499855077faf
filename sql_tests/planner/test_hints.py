"""Hints: `/*+ device(gpu) */` directly after a statement's first SELECT."""

from __future__ import annotations

import json
from typing import Any

import pytest
import tandemdb
from tandemdb.engine import devices
from tandemdb.planner.frontend import parse_script

NO_GPU = "there is no GPU: install one"


@pytest.fixture
def con(monkeypatch: pytest.MonkeyPatch):
    """Plans for a machine with a GPU; this machine has none."""
    monkeypatch.setattr(devices, "why_no_gpu", lambda: NO_GPU)
    with tandemdb.connect(config={"gpu_profile": "h200"}) as connection:
        connection.execute("CREATE TABLE t AS SELECT range AS a FROM range(10)")
        yield connection


def plan(con: Any, sql: str) -> dict[str, Any]:
    ((_, text),) = con.execute(f"EXPLAIN (FORMAT json) {sql}").fetchall()
    return json.loads(text)["plan"]


def reasons(node: dict[str, Any]) -> set[str]:
    return {node["reason"]}.union(*map(reasons, node["inputs"]))


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT /*+ device(gpu) */ a FROM t",
        "select/*+device( GPU )*/a FROM t",
        "SELECT -- a comment\n /* and /* one */ more */ /*+ device(gpu) */ a FROM t",
        "SELECT /*+ on_fallback(report), device(gpu) */ a FROM t",
        "SELECT /*+ device(gpu) */ a FROM t UNION ALL SELECT a FROM t",
        "WITH c AS (SELECT a FROM t) SELECT /*+ device(gpu) */ * FROM c",
        "(SELECT /*+ device(gpu) */ a FROM t)",
        "FROM t SELECT /*+ device(gpu) */ a",
        "SELECT /*+ device(gpu) */ a FROM (SELECT a FROM t) x WHERE a IN (SELECT a FROM t)",
    ],
)
def test_a_hint_sets_the_device_of_its_statement(con: Any, sql: str) -> None:
    assert "hint device(gpu)" in reasons(plan(con, sql))
    assert "hint device(gpu)" not in reasons(plan(con, "SELECT a FROM t"))


def test_a_hint_goes_before_the_setting(con: Any) -> None:
    with pytest.warns(tandemdb.GpuWarning):
        con.execute("SET device = 'gpu'")
    assert reasons(plan(con, "SELECT /*+ device(cpu) */ a FROM t")) == {"hint device(cpu)"}
    assert "SET device = 'gpu'" in reasons(plan(con, "SELECT a FROM t"))


def test_a_hint_holds_while_the_statement_runs(con: Any) -> None:
    """Without a GPU the operators are counted as fallbacks, which say why, or refused. There is no warning:
    unlike a setting, a hint asks for its own statement only, whose fallbacks are told in any case.
    """
    cursor = con.execute("SELECT /*+ device(gpu) */ a FROM t WHERE a > 3")
    assert len(cursor.fetchall()) == 6
    assert cursor.messages == []
    assert {fallback.reason for fallback in cursor.profile.fallbacks} == {NO_GPU}
    with pytest.raises(tandemdb.NotSupportedError, match="cannot run on the GPU"):
        con.execute("SELECT /*+ device(gpu) on_fallback(error) */ a FROM t")
    cursor = con.execute("SELECT a FROM t WHERE a > 3")
    cursor.fetchall()
    assert not cursor.profile.fallbacks


@pytest.mark.parametrize(
    "sql",
    [
        "INSERT INTO t SELECT /*+ device(cpu) */ 1",
        "CREATE TABLE u AS SELECT /*+ device(cpu) */ 1 AS b",
        "EXPLAIN ANALYZE SELECT /*+ device(cpu) */ a FROM t",
    ],
)
def test_statements_around_a_query_take_its_hints(con: Any, sql: str) -> None:
    with pytest.warns(tandemdb.GpuWarning):
        con.execute("SET device = 'gpu'")
    con.execute("SET on_fallback = 'error'")
    with pytest.raises(tandemdb.NotSupportedError, match="cannot run on the GPU"):
        con.execute(sql.replace("/*+ device(cpu) */", ""))
    con.execute(sql)


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT a /*+ device(gpu) */ FROM t",
        "SELECT DISTINCT /*+ anything */ a FROM t",
        "SELECT '/*+ device(gpu) */' FROM t",
        "SELECT /* + device(gpu) */ a FROM t",
        "/*+ nonsense */ SELECT a FROM t",
        "SELECT /*+ */ a FROM t",
    ],
)
def test_comments_elsewhere_are_comments(con: Any, sql: str) -> None:
    (parsed,) = parse_script(sql)
    assert parsed.hints == ()
    con.execute(sql).fetchall()


@pytest.mark.parametrize(
    ("sql", "caret", "message"),
    [
        ("SELECT /*+ devise(gpu) */ 1", "devise", 'no hint named "devise"'),
        ("SELECT /*+ BROADCAST(t) */ 1", "BROADCAST", "Hints are device, on_fallback"),
        ("SELECT /*+ device(tpu) */ 1", "tpu", "'auto', 'cpu', 'gpu' is expected"),
        ("SELECT /*+ device */ 1", "device", "'auto', 'cpu', 'gpu' is expected"),
        ("SELECT /*+ device(cpu) device(gpu) */ 1", "device(gpu)", "given twice"),
        ("SELECT /*+ device(gpu)) */ 1", ") */", "a hint is a name"),
        ("SELECT /*+ 1 */ 1", "1", "a hint is a name"),
        ("SELECT (SELECT /*+ device(gpu) */ 1)", "/*+", "whole statement"),
        ("SELECT 1 UNION SELECT /*+ device(gpu) */ 2", "/*+", "whole statement"),
        ("CREATE VIEW v AS SELECT /*+ device(gpu) */ 1", "device", "whole statement"),
    ],
)
def test_wrong_hints_are_refused_with_their_place(con: Any, sql: str, caret: str, message: str) -> None:
    with pytest.raises(tandemdb.Error) as error:
        con.execute(sql)
    text = str(error.value)
    assert message in text
    line, marks = text.split("LINE 1: ")[1].splitlines()[:2]
    assert line[marks.index("^") - len("LINE 1: ") :].startswith(caret)


def test_later_statements_and_views_are_free_of_a_hint(con: Any) -> None:
    con.execute("SELECT /*+ device(gpu) */ 1; CREATE VIEW v AS SELECT a FROM t")
    assert not {r for r in reasons(plan(con, "SELECT * FROM v")) if "hint" in r}
