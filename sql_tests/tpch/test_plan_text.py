"""Plans in short: every operator is there, with its device and its reason."""

from typing import Any

from tandemdb.tpch.plan_text import PlanText


def node(operator: str, *inputs: dict[str, Any], device: str = "CPU", reason: str = "r") -> dict[str, Any]:
    return {
        "operator": operator,
        "details": [f"of {operator}"],
        "device": device,
        "reason": reason,
        "estimated_rows": 1234567.0,
        "inputs": list(inputs),
    }


def test_every_operator_has_a_line_that_shows_its_place() -> None:
    plan = node("Join", node("Filter", node("Left")), node("Right"))
    trees = [line[9:].split(":")[0] for line in PlanText().lines(plan)]
    assert trees == ["Join", "├─Filter", "│ └─Left", "└─Right"]


def test_reasons_are_numbered_across_plans_and_spelled_out_once() -> None:
    plans = PlanText()
    first = plans.lines(node("Sort", node("Scan", device="GPU", reason="cheap"), reason="small"))
    second = plans.lines(node("Scan", reason="small"))
    assert [line[:8] for line in (*first, *second)] == ["CPU [1] ", "GPU [2] ", "CPU [1] "]
    assert plans.reasons() == ["[1] small", "[2] cheap"]


def test_long_lines_are_cut_visibly_and_rows_stay_in_their_column() -> None:
    long, short = PlanText().lines(node("A" * 300, node("B")))
    assert "..." in long
    assert len(long) == len(short)
    assert long.endswith(" 1,234,567")


def test_a_plan_a_thousand_operators_deep_is_written() -> None:
    plan = node("Scan")
    for _ in range(1500):
        plan = node("Filter", plan)
    assert len(PlanText().lines(plan)) == 1501
