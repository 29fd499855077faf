"""The command that runs the benchmark, from its arguments to its exit code."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from tandemdb.tpch import run


def tpch_run(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "tandemdb.tpch.run", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)


def test_a_run_verifies_times_and_explains(lake: Path, tmp_path: Path) -> None:
    out = tmp_path / "run.json"
    chosen = ["--queries", "6,3", "--runs", "2", "--threads", "2", "--rivals", "polars"]
    done = tpch_run("--scale", "0.01", "--lake", str(lake), *chosen, "--explain", "--json", str(out))
    assert done.returncode == 0, done.stdout + done.stderr
    assert "2 of 2 queries equal to duckdb" in done.stdout
    assert "CPU" in done.stdout
    document = json.loads(out.read_text())
    assert list(document["queries"]) == ["6", "3"]
    assert list(document["versions"]) == ["tandemdb", "duckdb", "polars"]
    cell = document["queries"]["6"]["tandemdb"]
    assert len(cell["times"]) == 2
    assert cell["problem"] is None
    assert document["failures"] == []


def test_a_missing_lake_is_generated(tmp_path: Path) -> None:
    lake = tmp_path / "new"
    done = tpch_run("--scale", "0.001", "--lake", str(lake), "--queries", "6", "--runs", "1")
    assert done.returncode == 0, done.stdout + done.stderr
    assert (lake / "lineitem.parquet").exists()


def test_a_lake_of_another_scale_is_refused(lake: Path) -> None:
    done = tpch_run("--scale", "1", "--lake", str(lake), "--queries", "6")
    assert done.returncode == 1
    assert "not at scale 1" in done.stderr


@pytest.mark.parametrize(
    "arguments",
    [["--rivals", "oracle9"], ["--queries", "23"], ["--runs", "0"], ["--source", "tape"], ["--threads", "0"]],
)
def test_wrong_arguments_are_refused(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        run.main(arguments)
    assert "error:" in capsys.readouterr().err


def test_a_device_may_be_asked_for_and_fallbacks_are_counted_by_query(lake: Path, tmp_path: Path) -> None:
    """Where there is no GPU every operator of a query that is asked onto one falls back."""
    out = tmp_path / "run.json"
    chosen = ["--queries", "6", "--runs", "2", "--threads", "2", "--device", "gpu", "--json", str(out)]
    command = [sys.executable, "-m", "tandemdb.tpch.run", "--scale", "0.01", "--lake", str(lake), *chosen]
    done = subprocess.run(
        command, capture_output=True, text=True, env={**os.environ, "CUDA_VISIBLE_DEVICES": ""}
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "device gpu" in done.stdout
    document = json.loads(out.read_text())
    assert document["settings"]["device"] == "gpu"
    cell = document["queries"]["6"]["tandemdb"]
    assert cell["fallback_count"] == len(cell["fallbacks"]) >= 3
    assert document["queries"]["6"]["duckdb"]["fallback_count"] == 0
