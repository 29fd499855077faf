"""The wheel holds what the tree holds: a file that is not listed works in editable installs only."""

import shutil
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest
from product_tree import ROOT, product_files


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel built from a copy of the tree, so that nothing is left in the repository."""
    copy = tmp_path_factory.mktemp("tree")
    for path in (*product_files(), Path("pyproject.toml"), Path("README.md"), Path("LICENSE")):
        (copy / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / path, copy / path)
    out = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation"]
    done = subprocess.run(
        [*build, "--disable-pip-version-check", "--wheel-dir", str(out), str(copy)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    (built,) = out.glob("tandemdb-*.whl")
    return built


def test_wheel_holds_the_tree_and_nothing_else(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = {Path(name) for name in archive.namelist()}
    held = {path.relative_to("tandemdb") for path in names if path.parts[0] == "tandemdb"}
    others = {path.parts[0] for path in names if path.parts[0] != "tandemdb"}
    expected = set(product_files())
    assert sorted(expected - held) == [], "listed neither as a package nor as package data in pyproject.toml"
    assert sorted(held - expected) == []
    assert all(name.endswith(".dist-info") for name in others), others


def test_wheel_carries_licence_and_command(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        texts = {name: archive.read(name).decode() for name in archive.namelist() if ".dist-info/" in name}
    licence = next(text for name, text in texts.items() if name.endswith("LICENSE"))
    commands = next(text for name, text in texts.items() if name.endswith("entry_points.txt"))
    assert "Apache License" in licence
    assert "tandemdb = tandemdb.engine.cli.main:main" in commands


def test_installed_wheel_imports_and_finds_its_queries(wheel: Path, tmp_path: Path) -> None:
    """In an environment that sees our dependencies but not the repository."""
    venv.create(tmp_path / "clean", with_pip=False)
    python = tmp_path / "clean" / "bin" / "python"
    libraries = next(Path(entry) for entry in sys.path if entry.endswith("site-packages"))
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "installed")
    # PYTHONPATH, unlike a .pth file, does not run the hooks of the editable install.
    done = subprocess.run(
        [
            python,
            "-c",
            "import tandemdb.tpch.texts as texts; print(texts.__file__, len(texts.load(22)))",
        ],
        cwd=tmp_path,
        env={"PYTHONPATH": f"{tmp_path / 'installed'}:{libraries}", "PATH": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(str(tmp_path / "installed"))
