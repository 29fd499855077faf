"""Packs of wheels: what is joined is what was packed, and what is missing or damaged is named."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tandemdb.tpch import gpu_check_pack as pack

PIECE = 10_000


@pytest.fixture
def wheels(tmp_path: Path) -> list[Path]:
    """Three files: one of several pieces, one that ends where a piece does not, one that is empty."""
    folder = tmp_path / "wheels"
    folder.mkdir()
    found = []
    for name, size in (("a-1-py3.whl", 35_001), ("b-1-py3.whl", 77), ("c-1-py3.whl", 0)):
        path = folder / name
        path.write_bytes(hashlib.shake_128(name.encode()).digest(size))
        found.append(path)
    return found


@pytest.fixture
def packed(wheels: list[Path], tmp_path: Path) -> Path:
    note = pack.split(wheels, tmp_path / "pack", PIECE, requirements=["a"])
    assert len(note["pieces"]) > 3
    return tmp_path / "pack"


def test_what_is_joined_is_what_was_packed(packed: Path, wheels: list[Path], tmp_path: Path) -> None:
    assert all(path.stat().st_size <= PIECE for path in packed.glob("piece-*"))
    joined = pack.join(packed, tmp_path / "joined")
    assert [path.name for path in joined] == [path.name for path in wheels]
    assert [path.read_bytes() for path in joined] == [path.read_bytes() for path in wheels]
    assert pack.note_of(packed)["requirements"] == ["a"]


def test_a_missing_piece_is_named(packed: Path, tmp_path: Path) -> None:
    (packed / "piece-001").unlink()
    with pytest.raises(pack.PackError, match=r"1 of \d+ pieces are missing: piece-001"):
        pack.join(packed, tmp_path / "joined")


def test_a_damaged_piece_is_named(packed: Path, tmp_path: Path) -> None:
    path = packed / "piece-002"
    data = bytearray(path.read_bytes())
    data[17] ^= 1
    path.write_bytes(data)
    with pytest.raises(pack.PackError, match="piece-002 is damaged"):
        pack.join(packed, tmp_path / "joined")


def test_a_pack_is_not_written_over(packed: Path, wheels: list[Path]) -> None:
    with pytest.raises(pack.PackError, match="holds a pack already"):
        pack.split(wheels, packed, PIECE)


def test_a_folder_without_a_pack_is_a_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert pack.main(["join", str(tmp_path), "--into", str(tmp_path / "venv")]) == 1
    said = capsys.readouterr().err
    assert said.startswith("error: there is no pack in")
    assert not (tmp_path / "venv").exists()


def test_an_environment_may_reuse_the_packages_of_the_one_that_makes_it(tmp_path: Path) -> None:
    environment = tmp_path / "venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", environment], check=True)
    python = str(environment / "bin" / "python")
    without = subprocess.run([python, "-c", "import numpy"], capture_output=True)
    assert without.returncode == 1
    pack._see_packages_of_this(environment)
    subprocess.run([python, "-c", "import numpy"], check=True)


def test_the_requirements_are_the_projects_own(pytestconfig: pytest.Config) -> None:
    import tomllib

    project: dict[str, Any] = tomllib.loads((pytestconfig.rootpath / "pyproject.toml").read_text())["project"]
    lean = pack.requirements(project, whole=False)
    assert set(project["dependencies"]) < set(lean)
    assert [text for text in lean if text.startswith("pylibcudf-cu13==")]
    assert not [text for text in lean if text.startswith(("cudf", "polars"))]
    assert [text for text in pack.requirements(project, whole=True) if text.startswith("cudf-cu13==")]
    tested = [text for text in lean if text not in project["dependencies"]]
    assert len(tested) == len(pack.OF_CUDF) + len(pack.CHECKED_WITH)
