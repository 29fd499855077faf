"""The GPU check: steps with limits, a report that is whole at any moment, and a rehearsal on the doubles."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
import tandemdb
from tandemdb.tpch.gpu_check_report import markdown
from tandemdb.tpch.gpu_check_run import Check, Options, StepError

ROOT = Path(tandemdb.__file__).parent


@pytest.fixture
def check(tmp_path: Path) -> Check:
    options = Options(tmp_path / "out", 60.0, (0.01,), 2, 1, tmp_path, (), 1 << 10)
    return Check(options, markdown)


def written(check: Check) -> dict[str, Any]:
    return json.loads(check.path.read_text())


def test_a_failed_step_is_told_and_the_others_go_on(check: Check) -> None:
    def fails(entry: dict[str, Any], end: float) -> None:
        entry["found"] = 1
        raise StepError("the card is on fire")

    def breaks(entry: dict[str, Any], end: float) -> None:
        raise ZeroDivisionError("oh")

    assert not check.step("first", 10, fails)
    assert not check.step("second", 10, breaks)
    assert check.step("third", 10, lambda entry, end: None)
    steps = written(check)["steps"]
    assert [step["status"] for step in steps.values()] == ["failed", "failed", "passed"]
    assert steps["first"]["problem"] == "the card is on fire"
    assert steps["first"]["found"] == 1
    assert steps["second"]["problem"] == "ZeroDivisionError: oh"
    assert not check.passed
    assert "| first | failed |" in check.path.with_suffix(".md").read_text()


def test_the_report_is_written_before_and_within_a_step(check: Check) -> None:
    seen = []

    def looks(entry: dict[str, Any], end: float) -> None:
        seen.append(written(check)["steps"]["one"]["status"])
        entry["queries"] = {}
        check.write()
        seen.append("queries" in written(check)["steps"]["one"])

    assert check.step("one", 10, looks)
    assert seen == ["running", True]
    assert written(check)["complete"] is False


def test_a_process_that_takes_too_long_is_ended_with_its_children(check: Check, tmp_path: Path) -> None:
    mark = tmp_path / "alive"
    child = f"import time, pathlib; time.sleep(2.5); pathlib.Path({str(mark)!r}).touch()"
    text = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {child!r}])"
    start = time.monotonic()
    assert not check.step("long", 5.1, lambda _, end: check.answer("long", ["-c", text], start + 1))
    assert time.monotonic() - start < 2
    assert "longer than its time" in written(check)["steps"]["long"]["problem"]
    time.sleep(max(0, start + 3.5 - time.monotonic()))
    assert not mark.exists()


def test_what_a_process_said_before_its_time_was_up_is_kept(check: Check) -> None:
    text = "print('so far', flush=False); import time; time.sleep(9)"
    with pytest.raises(StepError):
        check.python("long", ["-c", text], time.monotonic() + 1)
    assert (check.options.output / "long.log").read_text() == "so far\n"


def test_the_budget_limits_every_step(check: Check) -> None:
    check.started -= 50
    ends: list[float] = []
    assert check.step("some", 30, lambda _, end: ends.append(end - time.monotonic()))
    assert 5 < ends[0] <= 10
    check.started -= 8
    assert not check.step("none", 30, lambda _, end: ends.append(end))
    assert written(check)["steps"]["none"]["status"] == "no time left"
    assert len(ends) == 1


def test_an_answer_is_the_last_line_or_the_reason(check: Check) -> None:
    end = time.monotonic() + 20
    assert check.answer("a", ["-c", "print('hello'); print('{\"x\": 1}')"], end) == {"x": 1}
    with pytest.raises(StepError, match="exit code 3: bad luck"):
        check.answer("b", ["-c", "import sys; print('bad luck', file=sys.stderr); sys.exit(3)"], end)
    with pytest.raises(StepError, match="no JSON"):
        check.answer("c", ["-c", "print('{')"], end)


def command(*options: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "tandemdb.tpch.gpu_check", *options],
        capture_output=True,
        text=True,
        env={**os.environ, **environment},
    )


def test_without_a_gpu_it_says_so_in_a_sentence(tmp_path: Path) -> None:
    done = command(f"--output={tmp_path}", CUDA_VISIBLE_DEVICES="")
    assert done.returncode == 1
    (path,) = tmp_path.glob("*.json")
    step = json.loads(path.read_text())["steps"]
    assert list(step) == ["preflight"]
    assert step["preflight"]["problem"].startswith("there is no GPU to check: ")
    assert done.stderr == f"error: preflight: {step['preflight']['problem']}\n"


@pytest.mark.slow
def test_a_rehearsal_on_the_doubles(tmp_path: Path) -> None:
    """Every step passes on the double, and the report says that it is one."""
    options = ["--scales=0.01", "--runs=1", "--threads=2", "--copy-bytes=65536", "--budget=600"]
    doubles = ROOT / "sql_tests/doubles/as_gpu"
    done = command(
        f"--output={tmp_path / 'out'}",
        f"--lakes={tmp_path / 'lake'}",
        f"--rehearsal={doubles}",
        "--tests=sql_tests/gpu_exec/test_queries.py -k Decimal",
        *options,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    (path,) = (tmp_path / "out").glob("gpu_check-*.json")
    report = json.loads(path.read_text())
    assert report["rehearsal"] is True
    assert report["complete"] is True
    steps = report["steps"]
    assert {step["status"] for step in steps.values()} == {"passed"}
    assert steps["tpch 0.01"]["verified"] == 22
    assert steps["tpch 0.01"]["fallbacks"] == 0
    assert steps["rate 0.01"]["sources"]["memory"]["share_of_copy"] > 0
    assert len(json.loads((tmp_path / "out/probe.json").read_text())["cases"]) > 1000
    assert "A rehearsal on doubles" in path.with_suffix(".md").read_text()
