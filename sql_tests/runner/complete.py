"""Fills the expectations of test files from DuckDB, the oracle: types line, type letters and results.

    python sql_tests/runner/complete.py sql_tests/slt/*.slt

Rewrites each `query` record in place. A `statement error` must fail in DuckDB too and a `statement ok`
must not; what
does not hold is reported, and the exit code is then 1. Records for TandemDB only (`onlyif tandemdb`) stay
as they are.
"""

from __future__ import annotations

import itertools
import sys
from dataclasses import dataclass
from pathlib import Path

sys.path[0] = str(Path(__file__).resolve().parents[1])

from oracle.engines import DuckDB, EngineError
from runner.execute import Mismatch, Run, check_statement, direct
from runner.records import Directive, File, Loop, Query, Record, SltSyntaxError, Statement, read, substitute
from runner.values import letter, lines


@dataclass(frozen=True)
class Edit:
    """New text of a query record: its head line and its result section; `end` is the line after the old
    one.
    """

    end: int
    head: str
    results: tuple[str, ...]


def complete(path: Path) -> list[str]:
    """Rewrite the file; returns what DuckDB did not agree with, a message each."""
    file = read(path)
    run = Run(DuckDB(), labels={})
    edits: dict[int, Edit] = {}
    problems: list[str] = []
    try:
        for record in file.records:
            _visit(run, record, edits, problems, in_loop=False)
            if run.halted:
                break
    finally:
        run.engine.close()
    _rewrite(file, edits)
    return problems


def _visit(run: Run, record: Record, edits: dict[int, Edit], problems: list[str], *, in_loop: bool) -> None:
    if not record.applies("duckdb") or run.halted:
        return
    if isinstance(record, Loop):
        for value in record.values:
            for inner in record.body:
                _visit(run, substitute(inner, record.name, value), edits, problems, in_loop=True)
    elif isinstance(record, Directive):
        direct(run, record)
    elif isinstance(record, Statement):
        try:
            check_statement(run.engine, record)
        except Mismatch as mismatch:
            problems.append(str(mismatch))
    else:
        assert isinstance(record, Query), record
        try:
            new = _completed(run, record)
        except EngineError as error:
            problems.append(f"{record.where}: the query fails in DuckDB\n{record.sql}\n{error.headline}")
            return
        # In a loop every round must give the same text, since the file holds only one.
        if in_loop and edits.get(record.line, new) != new:
            problems.append(f"{record.where}: the rounds of the loop give different results\n{record.sql}")
        edits[record.line] = new


def _completed(run: Run, record: Query) -> Edit:
    result = run.engine.execute(record.sql)
    letters = "".join(letter(type_) for type_ in result.types)
    sort = [record.sort] if record.sort != "nosort" or record.label else []
    head = " ".join(["query", letters, *sort, *([record.label] if record.label else [])])
    results = (f"---- {', '.join(result.types)}", *lines(result, record.sort, run.hash_threshold))
    return Edit(record.end, head, results)


def _rewrite(file: File, edits: dict[int, Edit]) -> None:
    output: list[str] = []
    at = 0
    for line, edit in sorted(edits.items()):
        sql = itertools.takewhile(lambda text: not text.startswith("----"), file.lines[line : edit.end])
        output += [*file.lines[at : line - 1], edit.head, *sql, *edit.results]
        at = edit.end
    output += file.lines[at:]
    file.path.write_text("\n".join(output), encoding="utf-8")


def main(paths: list[str]) -> int:
    if not paths:
        print("usage: complete.py FILE...", file=sys.stderr)
        return 2
    failed = 0
    for path in paths:
        try:
            problems = complete(Path(path))
        except SltSyntaxError as error:
            problems = [str(error)]
        for problem in problems:
            print(problem, end="\n\n")
        failed += len(problems)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
