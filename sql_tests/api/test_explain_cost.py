"""EXPLAIN (COST): what every node would cost on each device, and the plan beside its forced placements."""

from __future__ import annotations

import contextlib
import json
from typing import Any

import pytest
import tandemdb
from tandemdb.engine import devices
from tandemdb.gpu_exec import support
from tandemdb.planner.frontend import parse_script

QUERY = "SELECT b, sum(a) FROM t WHERE upper(s) <> 'X' AND a > 5 GROUP BY b ORDER BY b"


@pytest.fixture
def con(monkeypatch: pytest.MonkeyPatch):
    """Plans for a machine with a GPU that lacks one function of QUERY; this machine has no GPU."""
    monkeypatch.setattr(devices, "why_no_gpu", lambda: "there is no GPU: install one")
    monkeypatch.setitem(support.FUNCTIONS, "upper", "taken away")
    with tandemdb.connect(config={"gpu_profile": "h200"}) as connection:
        connection.execute(
            "CREATE TABLE t AS SELECT range AS a, range % 9 AS b, 'x' || range % 7 AS s FROM range(200000)"
        )
        yield connection


def explained(con: Any, options: str, sql: str = QUERY) -> str:
    ((_, text),) = con.execute(f"EXPLAIN ({options}) {sql}").fetchall()
    return text


def nodes(plan: dict[str, Any]) -> list[dict[str, Any]]:
    return [plan, *(node for child in plan["inputs"] for node in nodes(child))]


@pytest.mark.parametrize("device", ["auto", "cpu", "gpu"])
def test_costs_of_nodes_add_up_to_the_plans(con: Any, device: str) -> None:
    with pytest.warns(tandemdb.GpuWarning) if device == "gpu" else contextlib.nullcontext():
        con.execute(f"SET device = '{device}'")
    result = json.loads(explained(con, "COST, FORMAT json"))
    cost = result["cost"]
    assert cost["profile"] == "h200"
    own = sum(node["cost"][f"{node['device'].lower()}_seconds"] for node in nodes(result["plan"]))
    assert own == pytest.approx(cost["seconds"])
    if device == "auto":
        assert cost["seconds"] <= min(cost["cpu_seconds"], cost["gpu_seconds"])
    else:
        assert cost["seconds"] == pytest.approx(cost[f"{device}_seconds"])


def test_a_device_that_cannot_run_a_node_has_no_cost(con: Any) -> None:
    con.execute("SET device = 'cpu'")
    result = json.loads(explained(con, "COST, FORMAT json"))
    scan = nodes(result["plan"])[-1]
    assert scan["operator"] == "Scan"
    assert scan["cost"]["gpu_seconds"] is None
    assert scan["cost"]["cpu_seconds"] > 0


def test_the_text_has_a_line_a_node_and_one_for_the_plan(con: Any) -> None:
    text = explained(con, "COST")
    headlines = sum("[CPU] ~" in line or "[GPU] ~" in line for line in text.splitlines())
    assert sum("cost: " in line for line in text.splitlines()) == headlines
    last = text.splitlines()[-1]
    assert last.startswith("cost on h200 (assumed from data sheets): as placed ")
    assert "; on the CPU " in last
    assert "; on the GPU wherever it can " in last


def test_without_a_gpu_there_is_nothing_to_force(con: Any) -> None:
    con.execute("SET gpu_profile = 'cpu-2'")
    cost = json.loads(explained(con, "COST, FORMAT json"))["cost"]
    assert cost["gpu_seconds"] is None
    assert cost["seconds"] == cost["cpu_seconds"]
    assert cost["no_gpu"] == "profile cpu-2 has no GPU"
    assert explained(con, "COST").endswith("; profile cpu-2 has no GPU")


def test_options_are_switched_and_combined(con: Any) -> None:
    assert "cost: " not in explained(con, "COST FALSE, FORMAT text")
    analyzed = explained(con, "ANALYZE, COST TRUE")
    assert "cost on " in analyzed
    assert "execution " in analyzed
    with pytest.raises(tandemdb.ProgrammingError, match="syntax error"):
        con.execute("EXPLAIN (COST, 1) SELECT 1")
    (parsed,) = parse_script("EXPLAIN (COST) SELECT 1")
    assert parsed.ast.cost
