"""What README.md shows works as it stands there."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from product_tree import ROOT
from tandemdb.tpch.generate import Description, generate

TEXT = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    """The fenced code blocks of a language."""
    return re.findall(rf"^```{language}\n(.*?)^```", TEXT, re.MULTILINE | re.DOTALL)


def commands() -> list[str]:
    """The commands that run a query and end by themselves."""
    lines = [line[2:] for block in blocks("console") for line in block.splitlines() if line.startswith("$ ")]
    return [
        line for line in lines if line.startswith("tandemdb ") and re.search(r" -[cf] | gpu-report ", line)
    ]


@pytest.fixture(scope="module", autouse=True)
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder that looks like the repository after `make demo`, with a smaller lake."""
    folder = tmp_path_factory.mktemp("readme")
    generate(folder / "lake" / "sf1", Description(0.001), threads=1)
    (folder / "tpch").symlink_to(ROOT / "tpch")
    before = Path.cwd()
    os.chdir(folder)
    yield folder
    os.chdir(before)


def test_there_are_examples_to_run() -> None:
    assert len(commands()) >= 3
    assert len(blocks("python")) >= 1
    assert len(blocks("sql")) >= 1


@pytest.mark.parametrize("command", commands())
def test_command(command: str, place: Path) -> None:
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    done = subprocess.run(
        ["bash", "-c", command], cwd=place, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    written = re.search(r" --output (\S+)", command)
    assert (place / written[1]).read_text().strip() if written else done.stdout.strip()


@pytest.mark.parametrize("block", blocks("python"))
def test_python(block: str) -> None:
    names: dict[str, object] = {}
    exec(compile(block, "README.md", "exec"), names)
    table = names["table"]
    assert table.num_rows == 5  # type: ignore[attr-defined]


@pytest.mark.parametrize("block", blocks("sql"))
def test_sql(block: str) -> None:
    import tandemdb

    with tandemdb.connect(lake="lake/sf1") as connection:
        connection.execute(block)
