"""The command line as a user types it: output clean for pipes, errors with place, exit codes."""

import csv
import io
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tandemdb.engine.cli.main import main


class Ended(NamedTuple):
    """What a command gave."""

    returncode: int
    stdout: str
    stderr: str


Run = Callable[..., Ended]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs the command in this process: other streams than files and pipes are in test_streams.py."""

    def run(*arguments: str, stdin: str = "") -> Ended:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin.encode())))
        code = main(arguments)
        return Ended(code, *capsys.readouterr())

    return run


@pytest.fixture
def lake(tmp_path: Path) -> Path:
    folder = tmp_path / "lake"
    (folder / "many").mkdir(parents=True)
    pq.write_table(pa.table({"k": [1, 2, None], "s": ["a", "", None]}), folder / "one.parquet")
    for part in range(3):
        pq.write_table(pa.table({"n": [part, part + 10]}), folder / "many" / f"{part}.parquet")
    return folder


def test_csv_keeps_null_and_empty_apart(run: Run, lake: Path) -> None:
    found = run("--lake", str(lake), "--format", "csv", "-c", "SELECT k, s FROM one ORDER BY k")
    assert found.returncode == 0, found.stderr
    assert found.stdout == 'k,s\n1,a\n2,""\n,\n'


def test_a_pipe_gets_csv_with_nothing_cut(run: Run, lake: Path) -> None:
    found = run("-c", f"SELECT range AS r, repeat('x', 300) AS wide FROM range({2000})")
    lines = found.stdout.splitlines()
    assert len(lines) == 2001
    assert lines[1] == "0," + "x" * 300
    assert "\x1b" not in found.stdout


def test_json(run: Run, lake: Path) -> None:
    values = "k, s, k / 2 AS half, CAST(k AS DECIMAL(9,2)) AS d, 1e308 * 10 AS inf"
    sql = f"SELECT {values} FROM one ORDER BY k NULLS LAST"
    found = run("--lake", str(lake), "--format", "json", "-c", sql)
    rows = json.loads(found.stdout)
    assert rows[0] == {"k": 1, "s": "a", "half": 0.5, "d": "1.00", "inf": "inf"}
    assert rows[2] == {"k": None, "s": None, "half": None, "d": None, "inf": "inf"}


def test_empty_results(run: Run) -> None:
    assert run("--format", "json", "-c", "SELECT 1 AS x WHERE false").stdout == "[]\n"
    assert run("--format", "csv", "-c", "SELECT 1 AS x WHERE false").stdout == "x\n"
    assert "0 rows" in run("--format", "table", "-c", "SELECT 1 AS x WHERE false").stdout


def test_table_shows_names_types_and_rows(run: Run, lake: Path) -> None:
    found = run("--lake", str(lake), "--format", "table", "-c", "SELECT * FROM many ORDER BY n")
    assert "n" in found.stdout
    assert "BIGINT" in found.stdout
    assert found.stdout.rstrip().endswith("6 rows")


def test_batch_file_reports_each_statement_and_stops_at_the_first_error(run: Run, tmp_path: Path) -> None:
    script = tmp_path / "job.sql"
    first = "CREATE TABLE t AS SELECT 1 AS a;\n-- a comment; with a semicolon\n"
    script.write_text(first + "SELECT nope\nFROM t;\nSELECT 3 AS late;\n")
    found = run("-f", str(script), "--format", "csv")
    assert found.returncode == 1
    assert "job.sql: statement 1/3" in found.stderr
    assert "job.sql:3: Binder Error" in found.stderr
    assert "SELECT nope\n" in found.stderr
    assert "^~~~" in found.stderr
    assert "late" not in found.stdout
    assert "Traceback" not in found.stderr


def test_on_error_continue_runs_the_rest(run: Run, tmp_path: Path) -> None:
    script = tmp_path / "job.sql"
    script.write_text("SELECT nope;\nSELECT 3 AS late;\n")
    found = run("-f", str(script), "--on-error", "continue", "--format", "csv")
    assert found.returncode == 1
    assert found.stdout == "late\n3\n"


def test_on_error_is_kept_from_one_text_of_the_command_to_the_next(run: Run) -> None:
    texts = ("-c", "SELECT 1 AS a", "-c", "SELECT bad", "-c", "SELECT 'unterminated", "-c", "SELECT 2 AS b")
    found = run("--on-error", "continue", "--format", "csv", *texts)
    assert (found.returncode, found.stdout) == (1, "a\n1\nb\n2\n")
    assert found.stderr.count("Error:") == 2
    found = run("--format", "csv", *texts)
    assert (found.returncode, found.stdout, found.stderr.count("Error:")) == (1, "a\n1\n", 1)


def test_a_carriage_return_in_csv_is_quoted_as_a_line_feed_is(run: Run) -> None:
    """Python 3.11's csv writer leaves it bare; its reader, as many, takes it for the end of a row."""
    for others in ("1", "''", "NULL", "e'\\n'"):
        names = "'a' || chr(13) || 'b' AS \"x\ry\", 'c' AS z"
        text = run("--format", "csv", "-c", f"SELECT {names}, {others} AS o").stdout
        assert '"x\ry",z,o\n"a\rb",c,' in text
        read = [row[:2] for row in csv.reader(io.StringIO(text, newline=""))]
        assert read == [["x\ry", "z"], ["a\rb", "c"]]
    assert run("--format", "tsv", "-c", f"SELECT {names}").stdout == '"x\ry"\tz\n"a\rb"\tc\n'


def test_standard_input_is_a_script(run: Run) -> None:
    assert run("--format", "csv", stdin="SELECT 1 AS a; SELECT 2 AS b;").stdout == "a\n1\nb\n2\n"


def test_output_file(run: Run, tmp_path: Path) -> None:
    out = tmp_path / "out.csv"
    assert run("-c", "SELECT 1 AS a", "-o", str(out), "--format", "csv").returncode == 0
    assert out.read_text() == "a\n1\n"


@pytest.mark.parametrize(
    ("arguments", "needle"),
    [
        (("-c", "SELEC 1"), "Parser Error"),
        (("-c", "SELECT * FROM 'missing.parquet'"), "missing.parquet"),
        (("-f", "missing.sql"), "missing.sql"),
        (("--lake", "missing_folder", "-c", "SELECT 1"), "missing_folder"),
        (("a.db", "-c", "SELECT 1"), "a.db"),
        (("-c", "SELECT CAST('x' AS INTEGER)"), "Conversion Error"),
        (("-c", "SELECT 2147483647 + 1::INTEGER"), "Out of Range Error"),
        (("--threads", "0", "-c", "SELECT 1"), "threads"),
        (("--memory-limit", "lots", "-c", "SELECT 1"), "memory_limit"),
        (("-c", "SELECT 'open"), "Parser Error"),
    ],
)
def test_errors_are_one_clear_text_and_a_bad_exit_code(
    run: Run, arguments: tuple[str, ...], needle: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    found = run(*arguments)
    assert found.returncode != 0
    assert needle in found.stderr
    assert "Traceback" not in found.stderr + found.stdout


def test_closed_pipe_is_no_error() -> None:
    command = f"{sys.executable} -m tandemdb --format csv -c 'SELECT range FROM range(500000)' | head -n 1"
    found = subprocess.run(command, shell=True, capture_output=True, text=True, timeout=120, check=False)
    assert found.stdout == "range\n"
    assert found.stderr == ""


def test_an_error_late_in_a_long_script_has_its_line(run: Run, tmp_path: Path) -> None:
    """The place is that of the file, and long scripts take time in proportion to their length."""
    script = tmp_path / "long.sql"
    inserts = "INSERT INTO t VALUES (1);\n" * 500
    script.write_text(f"CREATE TABLE t(a INTEGER);\n{inserts}SELECT b FROM t;\n")
    found = run("-f", str(script), "--format", "csv")
    assert "long.sql:502: Binder Error" in found.stderr
    assert "LINE 502: SELECT b FROM t" in found.stderr


@pytest.mark.parametrize("form", ["csv", "json", "markdown"])
def test_a_failing_query_leaves_no_header(run: Run, form: str) -> None:
    found = run("--format", form, "-c", "SELECT CAST(s AS INTEGER) AS i FROM (VALUES ('abc')) t(s)")
    assert found.returncode == 1
    assert found.stdout == ""


def test_json_keeps_columns_of_one_name(run: Run) -> None:
    assert run("--format", "json", "-c", "SELECT 1 AS a, 2 AS a").stdout == '[{"a": 1, "a": 2}]\n'


def test_a_full_disk_is_one_sentence() -> None:
    command = f"{sys.executable} -m tandemdb -c 'SELECT 1' > /dev/full"
    found = subprocess.run(command, shell=True, capture_output=True, text=True, timeout=120, check=False)
    assert found.returncode == 1
    assert found.stderr.startswith("IO Error: cannot write the output")
    assert "Traceback" not in found.stderr


def test_a_plan_in_a_pipe_is_its_lines(run: Run) -> None:
    query = "EXPLAIN SELECT count(*) FROM range(9)"
    plan = run("-c", query).stdout
    assert " [CPU] ~" in plan.splitlines()[0]
    assert '"' not in plan
    assert run("--format", "table", "-c", query).stdout == plan
    assert run("--format", "markdown", "-c", query).stdout == f"```\n{plan}```\n"
    (row,) = json.loads(run("--format", "json", "-c", query).stdout)
    assert row == {"explain_key": "physical_plan", "explain_value": plan[:-1]}
    assert json.loads(run("-c", "EXPLAIN (FORMAT json) SELECT 1").stdout)["plan"]["operator"]
    text = run("--format", "csv", "-c", "EXPLAIN SELECT 1").stdout
    assert text.startswith('explain_key,explain_value\nphysical_plan,"')
