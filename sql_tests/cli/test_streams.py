"""Closed streams, full disks, encodings without the characters, plans in a pipe: no traceback, a fitting exit
code, and nothing where it does not belong.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

TANDEM = f"{sys.executable} -m tandemdb"
PLAIN_LOCALE = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}


def shell(command: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Runs a line of bash; `tandem` stands for the command."""
    found = subprocess.run(
        ["bash", "-c", "set -o pipefail; " + command.replace("tandem", TANDEM, 1)],
        capture_output=True,
        encoding="utf-8",
        stdin=subprocess.DEVNULL,
        timeout=120,
        env={**os.environ, **environment},
        check=False,
    )
    assert "Traceback" not in found.stderr, found.stderr
    assert "Exception ignored" not in found.stderr, found.stderr
    return found


@pytest.mark.parametrize(
    ("command", "code", "error"),
    [
        ("tandem -c 'SELECT 1' >&-", 1, "IO Error: cannot write the output: standard output is closed"),
        ("tandem -c 'SET threads = 1' >&-", 0, ""),
        ("tandem -c 'SELEC 1' 2>&-", 1, ""),
        ("tandem -c 'SELECT 1' <&-", 0, ""),
        ("tandem <&-", 1, "IO Error: cannot read '<stdin>': standard input is closed"),
        ("tandem -f - <&-", 1, "IO Error: cannot read '<stdin>': standard input is closed"),
        ("tandem -c 'SELECT 1' <&- >&- 2>&-", 1, ""),
        (
            "tandem -c 'SELECT range FROM range(300000)' >/dev/full",
            1,
            "IO Error: cannot write the output: No space",
        ),
        ("tandem --format json -c 'SELECT 1' >/dev/full", 1, "IO Error: cannot write the output: No space"),
        ("tandem -c 'SELECT 1' -o /dev/full", 1, "IO Error: cannot write '/dev/full': No space"),
        ("tandem -c 'SELEC 1' 2>/dev/full", 1, ""),
        ("tandem -f no_such_file.sql 2>/dev/full", 1, ""),
        ("tandem --format json -c 'SELECT range FROM range(300000)' | head -n 1 >/dev/null", 0, ""),
        ("printf 'SELECT \\xff;' | tandem", 1, "IO Error: cannot read '<stdin>': it is not UTF-8 text"),
    ],
)
def test_streams_that_do_not_work(command: str, code: int, error: str) -> None:
    found = shell(command)
    assert found.returncode == code, found.stderr
    assert found.stderr.startswith(error) and bool(found.stderr) == bool(error), found.stderr
    assert found.stdout == "" or code == 0


def test_errors_never_go_to_a_data_stream() -> None:
    """Without standard error print() would write to standard output."""
    assert shell("tandem -c 'SELEC 1' 2>&-").stdout == ""
    assert shell("tandem --nope 2>&-").stdout == ""


def test_a_file_opened_for_a_query_is_not_the_closed_output(tmp_path: Path) -> None:
    """With standard output closed the first file opened would get its number."""
    kept = tmp_path / "kept.csv"
    found = shell(f"tandem -c 'SELECT 1 AS a' -o {kept} >&- 2>&-")
    assert found.returncode == 0
    assert kept.read_text() == "a\n1\n"


TEXT = "SELECT 'é☃𝄞' AS \"naïve\""
ENCODINGS = [{"PYTHONIOENCODING": "ascii"}, PLAIN_LOCALE]


@pytest.mark.parametrize("environment", ENCODINGS, ids=["encoding", "locale"])
def test_characters_that_the_output_lacks(environment: dict[str, str]) -> None:
    found = shell(f'tandem --format csv -c "{TEXT.replace(chr(34), chr(92) + chr(34))}"', **environment)
    assert found.returncode == 0, found.stderr
    assert found.stdout == "na\\u00efve\n\\u00e9\\u2603\\ud834\\udd1e\n"


@pytest.mark.parametrize("environment", [*ENCODINGS, {}], ids=["encoding", "locale", "plain"])
def test_json_stays_json(environment: dict[str, str]) -> None:
    found = shell(f'tandem --format json -c "{TEXT.replace(chr(34), chr(92) + chr(34))}"', **environment)
    assert json.loads(found.stdout) == [{"naïve": "é☃𝄞"}]


@pytest.mark.parametrize("environment", ENCODINGS, ids=["encoding", "locale"])
def test_frames_and_plans_in_ascii(environment: dict[str, str]) -> None:
    queries = "SELECT 'é' AS a, 12345678 AS b; EXPLAIN SELECT count(*) FROM range(9)"
    found = shell(f'tandem --format table -c "{queries}"', **environment).stdout
    table, _, plan = found.partition("1 row\n")
    lines = table.splitlines()
    assert {len(line) for line in lines} == {len("| \\u00e9  | 12345678 |")}
    assert lines[0] == "+---------+----------+"
    assert plan.isascii()
    assert "\\u" not in plan
    assert "+-" in plan


@pytest.mark.parametrize("environment", ENCODINGS, ids=["encoding", "locale"])
def test_errors_with_such_characters(environment: dict[str, str]) -> None:
    found = shell("tandem -c \"SELECT 'é' + nope\"", **environment)
    assert found.returncode == 1
    assert "SELECT '\\u00e9' + nope" in found.stderr
