"""The measuring loop, the report and the comparison of runs, over engines that are made up."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from tandemdb.tpch import compare, report
from tandemdb.tpch.client import WorkerError
from tandemdb.tpch.rounds import Cell, Schedule, measure

Answer = Callable[[str], pa.Table]

RIGHT = pa.table({"revenue": [1]})


class MadeUp:
    """Stands in for a worker: the same answer to every text."""

    def __init__(self, log: list[str], name: str, answer: Answer, **reply: Any) -> None:
        self.log, self.name, self.answer = log, name, answer
        self.reply = {"seconds": 0.5, "peak_bytes": 1 << 20, "fallbacks": [], "uncounted": [], **reply}
        self.texts: list[str] = []

    def run(self, sql: str) -> tuple[dict[str, Any], pa.Table]:
        self.log.append(self.name)
        self.texts.append(sql)
        result = self.answer(sql)
        return {**self.reply, "rows": result.num_rows}, result


def fails(sql: str) -> pa.Table:
    raise WorkerError("cannot do that")


def run(subject: Answer, rival: Answer = lambda _: RIGHT, oracle: Answer = lambda _: RIGHT, **reply: Any):
    log: list[str] = []
    clients: Any = {
        "tandemdb": MadeUp(log, "tandemdb", subject, **reply),
        "duckdb": MadeUp(log, "duckdb", oracle),
        "polars": MadeUp(log, "polars", rival),
    }
    schedule = Schedule(queries=(6, 14), runs=3, warmup=1, seed=1, scale=1.0)
    return measure(schedule, clients, lambda turn, query: None), log, clients


def test_engines_take_turns_and_get_the_same_texts() -> None:
    cells, log, clients = run(lambda _: RIGHT)
    assert [log[place : place + 3] for place in (0, 3, 6)] == [
        ["tandemdb", "duckdb", "polars"],
        ["duckdb", "polars", "tandemdb"],
        ["polars", "tandemdb", "duckdb"],
    ]
    assert clients["tandemdb"].texts == clients["duckdb"].texts == clients["polars"].texts
    counted = clients["duckdb"].texts[2:]
    assert len(set(counted)) == len(counted)
    assert cells[6]["tandemdb"].times == [0.5] * 3
    assert report.failures(cells) == []


def test_a_wrong_result_fails_the_run_and_has_no_time() -> None:
    cells, _, _ = run(lambda _: pa.table({"revenue": [2]}))
    assert cells[6]["tandemdb"].median is None
    assert report.failures(cells)[0] == "Q6: wrong: rows: missing row (1), unexpected row (2)"
    assert "wrong" in report.table(cells, ["tandemdb", "duckdb", "polars"])


def test_a_wrong_type_fails_the_run() -> None:
    cells, _, _ = run(lambda _: pa.table({"revenue": [1.0]}))
    assert report.failures(cells)[0] == "Q6: wrong: column 'revenue' is double, expected int64"


def test_a_failed_query_fails_the_run_and_is_not_tried_again() -> None:
    cells, log, _ = run(fails)
    assert report.failures(cells) == ["Q6: cannot do that", "Q14: cannot do that"]
    assert log.count("tandemdb") == 2


def test_a_rival_may_fail_and_the_table_says_so() -> None:
    cells, _, _ = run(lambda _: RIGHT, rival=fails)
    assert report.failures(cells) == []
    names = ["tandemdb", "duckdb", "polars"]
    assert "n/a" in report.table(cells, names)
    assert report.reasons(cells, names) == ["Q6 polars: cannot do that", "Q14 polars: cannot do that"]


def test_without_the_oracle_nothing_counts_as_verified() -> None:
    cells, _, _ = run(lambda _: RIGHT, oracle=fails)
    assert report.failures(cells)[0].startswith("Q6: not verified")


def test_a_counted_fallback_is_shown_and_an_uncounted_one_fails_the_run() -> None:
    cells, _, _ = run(lambda _: RIGHT, fallbacks=["Sort: out of memory"])
    assert report.failures(cells) == []
    assert report.table(cells, ["tandemdb", "duckdb"]).splitlines()[2].split()[-1] == "4"
    assert report.fallbacks(cells)[0] == "Q6 fallback: Sort: out of memory (4 times)"
    cells, _, _ = run(lambda _: RIGHT, uncounted=["Sort"])
    assert report.failures(cells)[0] == "Q6: uncounted fallback: Sort"


def document(milliseconds: dict[int, tuple[float | None, float]], **settings: Any) -> dict[str, Any]:
    """A run's document from TandemDB's and DuckDB's milliseconds of each query."""

    def cell(value: float | None) -> Cell:
        return Cell(problem="failed") if value is None else Cell(times=[value / 1000])

    cells = {
        query: {"tandemdb": cell(ours), "duckdb": cell(theirs)}
        for query, (ours, theirs) in milliseconds.items()
    }
    settings = {"scale": 1.0, "source": "parquet", "threads": 2, **settings}
    return report.document(cells, settings, {"tandemdb": "1", "duckdb": "2.0.1"})


def compared(tmp_path: Path, old: dict[str, Any], new: dict[str, Any]) -> int:
    (tmp_path / "old.json").write_text(json.dumps(old))
    (tmp_path / "new.json").write_text(json.dumps(new))
    return compare.main([str(tmp_path / "old.json"), str(tmp_path / "new.json")])


def test_equal_runs_show_no_regression(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run_document = document({1: (100, 50), 6: (20, 10)})
    assert compared(tmp_path, run_document, run_document) == 0
    said = capsys.readouterr().out
    assert "SLOWER" not in said
    assert said.splitlines()[-1].split() == ["geometric", "mean", "1.00", "1.00"]


def test_a_slower_query_is_flagged(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        compared(tmp_path, document({1: (100, 50), 6: (20, 10)}), document({1: (150, 50), 6: (20, 10)})) == 1
    )
    flagged = [line.split()[0] for line in capsys.readouterr().out.splitlines() if "SLOWER" in line]
    assert flagged == ["Q1"]


def test_a_busier_machine_is_not_a_regression(tmp_path: Path) -> None:
    assert compared(tmp_path, document({1: (100, 50)}), document({1: (150, 75)})) == 0


def test_a_query_that_fails_now_is_a_regression(tmp_path: Path) -> None:
    assert compared(tmp_path, document({1: (100, 50)}), document({1: (None, 50)})) == 1
    assert compared(tmp_path, document({1: (None, 50)}), document({1: (100, 50)})) == 0


def test_unlike_runs_are_not_compared(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert compared(tmp_path, document({1: (1, 1)}), document({1: (1, 1)}, scale=10.0)) == 2
    assert "the runs differ in scale: 1.0 and 10.0" in capsys.readouterr().err
    assert compared(tmp_path, document({1: (1, 1)}), {"format": 0}) == 2
    assert compare.main([str(tmp_path / "nowhere.json"), str(tmp_path / "new.json")]) == 2
