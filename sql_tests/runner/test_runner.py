"""The runner of .slt files itself: what it reads, what it accepts, and that it fails where it should."""

from __future__ import annotations

from pathlib import Path

import pytest
from oracle.engines import DuckDB
from runner.complete import complete
from runner.execute import Mismatch, execute
from runner.records import Query, SltSyntaxError, Statement, read, split_types
from runner.values import digest, written


def run(tmp_path: Path, text: str, config: dict[str, str] | None = None) -> int:
    path = tmp_path / "case.slt"
    path.write_text(text)
    return execute(read(path), DuckDB, config or {})


@pytest.mark.parametrize(
    "text",
    [
        "query I\nSELECT 1\n---- INTEGER\n1\n",
        "query I\nSELECT 1\n----\n1\n",
        "query IT nosort\nSELECT 1,\n  'a b'\n----\n1\ta b\n",
        "query I rowsort\nSELECT * FROM (VALUES (2), (1)) AS t\n----\n1\n2\n",
        "query II valuesort\nSELECT 2, 1\n----\n1\n2\n",
        "query I\nSELECT 1 WHERE false\n----\n",
        "query T\nSELECT ''\n----\n(empty)\n",
        "query T\nSELECT NULL::VARCHAR\n----\nNULL\n",
        "query T\nSELECT 'NULL'\n----\n\\NULL\n",
        "statement ok\nSELECT 1\n",
        "statement error\nSELECT nosuch\n",
        "statement error NOSUCH\nSELECT nosuch\n",
        "statement error\nSELECT nosuch\n----\nnosuch\n",
        "statement error\nSELECT nosuch\n----\n<REGEX>:.*nosuch.*\n",
        "skipif duckdb\nquery I\nSELECT 1\n----\n2\n",
        "onlyif tandemdb\nquery I\nSELECT 1\n----\n2\n",
        "require tandemdb\n\nquery I\nSELECT 1\n----\n2\n",
        "halt\n\nquery I\nSELECT 1\n----\n2\n",
        "hash-threshold 1\n\nquery II\nSELECT 1, 2\n----\n2 values hashing to " + digest("12") + "\n",
        "query I nosort same\nSELECT 1\n----\n1\n\nquery I nosort same\nSELECT 1\n----\n1\n",
    ],
)
def test_records_that_hold(tmp_path: Path, text: str) -> None:
    run(tmp_path, text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("query I\nSELECT 1\n----\n2\n", "case.slt:1: wrong result"),
        ("\nquery I\nSELECT 1\n---- BIGINT\n1\n", "case.slt:2: wrong column types"),
        ("query T\nSELECT 1\n----\n1\n", "column types T expected, I given"),
        ("query II\nSELECT 1\n----\n1\n", "2 columns expected, 1 given"),
        ("query I\nSELECT 1\n", "no result section"),
        ("query I\nSELECT nosuch\n----\n1\n", "should succeed"),
        ("query I\nSELECT 1\n----\n1\n2\n", "wrong result"),
        ("query I\nSELECT * FROM (VALUES (2), (1)) AS t\n----\n1\n2\n", "wrong result"),
        ("statement ok\nSELECT nosuch\n", "should succeed"),
        ("statement error\nSELECT 1\n", "should fail"),
        ("statement error overflow\nSELECT nosuch\n", "expected an error matching 'overflow'"),
        ("hash-threshold 0\n\nquery I\nSELECT 1\n----\n1 values hashing to 0\n", "wrong result"),
        ("query I nosort x\nSELECT 1\n----\n1\n\nquery I nosort x\nSELECT 2\n----\n2\n", "labelled x"),
    ],
)
def test_records_that_do_not_hold(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(Mismatch) as caught:
        run(tmp_path, text)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("frobnicate\n", "case.slt:1: unknown directive"),
        ("loop i 0 2\n\nstatement ok\nSELECT 1\n", "loop without endloop"),
        ("endloop\n", "endloop without loop"),
        ("query\nSELECT 1\n", "column types"),
        ("statement maybe\nSELECT 1\n", "expected `statement ok`"),
        ("statement ok\n\n", "a statement needs SQL"),
    ],
)
def test_files_that_cannot_be_read(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "case.slt"
    path.write_text(text)
    with pytest.raises(SltSyntaxError) as caught:
        read(path)
    assert message in str(caught.value)


def test_loops_are_unrolled_with_their_variables(tmp_path: Path) -> None:
    loop = (
        "loop i 1 4\n\nforeach t INTEGER BIGINT\n\n"
        "query I\nSELECT ${i}::${t}\n---- ${t}\n${i}\n\nendloop\n\nendloop\n"
    )
    assert run(tmp_path, loop) == 6


def test_a_file_runs_once_for_every_combination_of_its_settings(tmp_path: Path) -> None:
    path = tmp_path / "case.slt"
    path.write_text("# configs: batch_size=1,default threads=1,2\n\nstatement ok\nSELECT 1\n")
    configs = read(path).configs
    assert len(configs) == 4
    assert {"batch_size": "default", "threads": "2"} in configs


def test_records_know_their_lines(tmp_path: Path) -> None:
    path = tmp_path / "case.slt"
    path.write_text("# a comment\n\nstatement ok\nSELECT 1\n\nquery I\nSELECT 1\n----\n1\n")
    first, second = read(path).records
    assert isinstance(first, Statement)
    assert isinstance(second, Query)
    assert (first.line, second.line) == (3, 6)


def test_completing_fills_types_and_results_from_duckdb(tmp_path: Path) -> None:
    path = tmp_path / "case.slt"
    path.write_text(
        "# kept\n\nquery ?\nSELECT 1,\n  'x'\n\nquery I\nSELECT 2.5\n----\n99\n\nstatement error\nSELECT x\n"
    )
    assert complete(path) == []
    lines = path.read_text().split("\n")
    assert lines[2:7] == ["query IT", "SELECT 1,", "  'x'", "---- INTEGER, VARCHAR", "1\tx"]
    assert lines[8:12] == ["query R", "SELECT 2.5", "---- DECIMAL(2,1)", "2.5"]
    assert execute(read(path), DuckDB, {}) == 3
    assert complete(path) == []
    assert path.read_text().split("\n") == lines


def test_completing_reports_what_duckdb_does_not_agree_with(tmp_path: Path) -> None:
    path = tmp_path / "case.slt"
    path.write_text("statement error\nSELECT 1\n\nquery I\nSELECT nosuch\n----\n1\n")
    problems = complete(path)
    assert len(problems) == 2
    assert "case.slt:1: the statement should fail" in problems[0]
    assert "case.slt:4: the query fails in DuckDB" in problems[1]


def test_values_that_could_be_misread_are_escaped() -> None:
    assert written("a\tb\nc", "VARCHAR") == "a\\tb\\nc"
    assert written("----", "VARCHAR") == "\\----"
    assert written(" ", "VARCHAR") == "\\ "
    assert written(0.1 + 0.2, "DOUBLE") == "0.3"
    assert split_types("INTEGER, DECIMAL(4,1), STRUCT(a INTEGER, b INTEGER)") == (
        "INTEGER",
        "DECIMAL(4,1)",
        "STRUCT(a INTEGER, b INTEGER)",
    )
