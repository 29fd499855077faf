"""A lake is there whole or not at all."""

import subprocess
import sys
from pathlib import Path

import pytest
from tandemdb.tpch import generate as module
from tandemdb.tpch.generate import (
    Description,
    GenerationError,
    generate,
    is_complete,
    row_counts,
    table_files,
)
from tandemdb.tpch.texts import TABLES

TINY = Description(0.001)

BROKEN_GENERATOR = """#!/bin/sh
for argument
do
    case $argument in
        --output-dir=*) echo rows > "${argument#*=}/part.parquet" ;;
    esac
done
exit 3
"""


def hidden(folder: Path) -> list[str]:
    """What a generation left beside the lake, locks aside."""
    return [path.name for path in folder.iterdir() if path.name.startswith(".") and path.suffix != ".lock"]


def test_every_table_is_there_and_a_second_call_changes_nothing(tmp_path: Path) -> None:
    lake = tmp_path / "lakes" / "tiny"
    assert generate(lake, TINY, threads=1)
    before = {path: path.stat().st_mtime_ns for path in lake.iterdir()}
    assert not generate(lake, TINY, threads=1)
    assert {path: path.stat().st_mtime_ns for path in lake.iterdir()} == before
    counts = row_counts(lake)
    assert set(counts) == set(TABLES)
    assert (counts["nation"], counts["region"], counts["customer"]) == (25, 5, 150)
    assert hidden(tmp_path / "lakes") == []


def test_parts_become_a_folder_of_files_a_table(tmp_path: Path) -> None:
    lake = tmp_path / "parts"
    generate(lake, Description(0.001, parts=3), threads=1)
    assert len(table_files(lake, "lineitem")) == 3
    assert all(path.parent == lake / "lineitem" for path in table_files(lake, "lineitem"))
    assert row_counts(lake)["customer"] == 150


@pytest.mark.parametrize("damage", ["cut", "gone"])
def test_a_damaged_lake_is_made_again(tmp_path: Path, damage: str) -> None:
    lake = tmp_path / "tiny"
    generate(lake, TINY, threads=1)
    part = lake / "part.parquet"
    if damage == "cut":
        part.write_bytes(part.read_bytes()[:-100])
    else:
        part.unlink()
    assert not is_complete(lake, TINY)
    assert generate(lake, TINY, threads=1)
    assert is_complete(lake, TINY)
    assert hidden(tmp_path) == []


def test_a_failed_generation_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The generator writes some files and then fails."""
    script = tmp_path / "broken"
    script.write_text(BROKEN_GENERATOR)
    script.chmod(0o755)
    monkeypatch.setattr(module, "_generator", lambda: str(script))
    with pytest.raises(GenerationError, match="exit code 3"):
        generate(tmp_path / "tiny", TINY)
    assert not (tmp_path / "tiny").exists()
    assert hidden(tmp_path) == []


def test_leftovers_of_a_killed_generation_are_removed(tmp_path: Path) -> None:
    leftover = tmp_path / ".tiny.partial-abc"
    leftover.mkdir()
    (leftover / "part.parquet").write_bytes(b"x")
    assert generate(tmp_path / "tiny", TINY, threads=1)
    assert hidden(tmp_path) == []


def test_a_folder_of_something_else_is_never_replaced(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "letters.txt").write_text("dear")
    with pytest.raises(GenerationError, match="is not a TPC-H lake"):
        generate(tmp_path / "mine", TINY)
    assert (tmp_path / "mine" / "letters.txt").read_text() == "dear"


def test_a_lake_of_another_scale_is_never_replaced(tmp_path: Path) -> None:
    generate(tmp_path / "tiny", TINY, threads=1)
    with pytest.raises(GenerationError, match=r"scale 0\.001"):
        generate(tmp_path / "tiny", Description(0.002))
    assert is_complete(tmp_path / "tiny", TINY)


def test_two_generations_at_once_make_one_lake(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tandemdb.tpch.generate", "--scale", "0.001", "--output", "tiny"]
    both = [
        subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    said = [process.communicate(timeout=60) for process in both]
    assert [process.returncode for process in both] == [0, 0], said
    assert sorted(out.rsplit("0.001 ", 1)[1].strip() for out, _ in said) == [
        "generated",
        "is complete already",
    ]
    assert is_complete(tmp_path / "tiny", TINY)


@pytest.mark.parametrize("arguments", [["--scale", "0"], ["--parts", "0"], ["--scale", "many"]])
def test_wrong_arguments_are_refused(arguments: list[str], tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="2"):
        module.main([*arguments, "--output", str(tmp_path / "x")])
    assert not (tmp_path / "x").exists()
