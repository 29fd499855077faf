"""docs/gpu_support.md is what the capability table says."""

from __future__ import annotations

from pathlib import Path

import pytest
from product_tree import ROOT
from tandemdb.gpu_exec import support
from tandemdb.gpu_exec.support_cases import aggregate_answers, cast_answers, scalar_answers, window_functions
from tandemdb.gpu_exec.support_docs import COMMAND, main, page
from tandemdb.physical import nodes
from tandemdb.planner.functions import AGGREGATES, SCALARS, WINDOWS
from tandemdb.planner.types import BIGINT, DATE, DOUBLE, INTERVAL, VARCHAR, TypeId, decimal

PAGE = ROOT / "docs" / "gpu_support.md"


def test_the_page_is_up_to_date() -> None:
    stale = f"docs/gpu_support.md is not what the capability table says: run `{COMMAND}`"
    assert PAGE.read_text(encoding="utf-8") == page(), stale


def test_the_command_writes_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(tmp_path / "page.md")]) == 0
    assert (tmp_path / "page.md").read_text() == page()
    assert main([str(tmp_path / "no" / "page.md")]) == 1
    assert "No such file" in capsys.readouterr().err


def rows(text: str, section: str) -> dict[str, list[str]]:
    """The rows of a section's table by their first cell."""
    part = text.split(f"## {section}\n")[1].split("\n## ", maxsplit=1)[0]
    cells = [
        [c.strip().replace("\0", "|") for c in line.replace("\\|", "\0").strip("|").split(" |")]
        for line in part.splitlines()
        if line.startswith("| ")
    ]
    return {row[0].strip("`"): row[1:] for row in cells[2:]}


def test_everything_there_is_has_a_row() -> None:
    text = page()
    assert set(rows(text, "Functions")) == set(SCALARS)
    assert set(rows(text, "Aggregates")) == set(AGGREGATES)
    assert set(rows(text, "Windows")) == {function.name for function in window_functions()} > set(WINDOWS)
    assert set(rows(text, "Types")) == {kind.value.strip('"') for kind in TypeId}
    operators = rows(text, "Operators")
    assert set(operators) >= {kind.__name__ for kind in support.OPERATORS}
    assert "TableScan" in operators
    assert "Unary" not in operators


def test_a_change_of_the_table_changes_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    before = page()
    for table, key in (
        (support.OPERATORS, nodes.Sort),
        (support.TYPES, TypeId.DOUBLE),
        (support.FUNCTIONS, "abs"),
        (support.AGGREGATES, "max"),
        (support.JOIN_KINDS, nodes.JoinKind.FULL),
        (support.WINDOWS, "lag"),
    ):
        with monkeypatch.context() as patch:
            patch.setitem(table, key, "not on a Sunday")  # type: ignore[arg-type]
            after = page()
        assert "not on a Sunday" in after
        assert "not on a Sunday" not in before


def test_answers_are_those_of_the_types(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(support.FUNCTIONS, "+", None)
    found = {a.types: a for a in scalar_answers(SCALARS["+"])}
    assert found[BIGINT, BIGINT].reasons == ()
    assert any("INTERVAL" in r or "interval" in r for r in found[INTERVAL, INTERVAL].reasons)
    assert {a.types for a in aggregate_answers(AGGREGATES["sum"])} >= {(DOUBLE,), (decimal(18, 2),)}


def test_arguments_that_must_be_constants_are_found() -> None:
    (like,) = scalar_answers(SCALARS["like_escape"])
    assert (like.types, like.reasons, like.constants) == ((VARCHAR,) * 3, (), (1, 2))


def test_casts_that_do_not_exist_are_left_out() -> None:
    assert BIGINT not in {answer.types[0] for answer in cast_answers()[DATE]}
