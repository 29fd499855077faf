"""Public reports of wrong answers in other engines, retold: each case gives the answer it names.

A case that uses what TandemDB does not support yet is refused as "not supported" and stands in
not_supported.txt; the
two lists must agree, so a feature that arrives takes its cases off the list.
"""

from __future__ import annotations

import datetime
import json
import math
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from oracle.compare import ABSOLUTE, same_row
from oracle.engines import Engine, EngineError, Row

HERE = Path(__file__).parent
CASES = [json.loads(line) for line in (HERE / "reports.jsonl").read_text(encoding="utf-8").splitlines()]


def not_supported() -> dict[str, str]:
    """The listed cases: identifier and the feature that is missing."""
    lines = (HERE / "not_supported.txt").read_text(encoding="utf-8").splitlines()
    pairs = [line.split(maxsplit=1) for line in lines if line.strip() and not line.startswith("#")]
    return dict(pairs)


REFUSED = not_supported()


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_report(case: dict[str, Any], engine: Engine, tmp_path: Path) -> None:
    if "py" in case:
        exec(case["py"], {"pa": pa, "pq": pq, "TMP": str(tmp_path)})
    if engine.name == "duckdb" and case["duckdb_2_0_1"] != "agrees":
        check_answer(run(case, engine, tmp_path), case["duckdb_2_0_1"]["got"], case["ordered"])
        return
    listed = case["id"] in REFUSED and engine.name != "duckdb"
    try:
        rows = run(case, engine, tmp_path)
    except EngineError as error:
        if error.unsupported:
            assert listed, f"refused, but not in not_supported.txt: {error.message}"
            return
        assert case["expected"] == "error", error.message
        assert not listed, f"in not_supported.txt, but answered with an error as it should: {error.message}"
        return
    assert not listed, f"in not_supported.txt ({REFUSED[case['id']]}), but supported"
    assert case["expected"] != "error", f"should be an error, gave {rows}"
    check_answer(rows, case["expected"], case["ordered"])


def test_every_listed_case_exists() -> None:
    assert set(REFUSED) <= {case["id"] for case in CASES}


def run(case: dict[str, Any], engine: Engine, tmp_path: Path) -> list[Row]:
    for statement in case["setup"]:
        engine.execute(statement.replace("{TMP}", str(tmp_path)))
    return engine.execute(case["query"].replace("{TMP}", str(tmp_path))).rows


def check_answer(rows: list[Row], expected: list[list[Any]], ordered: bool) -> None:
    """The rows in the form of the cases: decimals, dates and times as strings, and NaN and infinities too."""
    left = [tuple(spelled(value, like) for value, like in zip_rows(row, expected)) for row in rows]
    right = [tuple(row) for row in expected]
    types = tuple("DOUBLE" for _ in right[0]) if right else ()
    assert len(left) == len(right), f"{len(right)} rows expected, given {left}"
    if ordered:
        for ours, theirs in zip(left, right, strict=True):
            assert same_row(ours, theirs, types), f"{theirs} expected, {ours} given"
        return
    for theirs in right:
        partner = next((row for row in left if same_row(row, theirs, types)), None)
        assert partner is not None, f"{theirs} expected among {left}"
        left.remove(partner)


def zip_rows(row: Row, expected: list[list[Any]]) -> list[tuple[Any, Any]]:
    """The row's values, each with the first expected value of its column that isn't NULL."""
    columns = zip(*expected, strict=True)
    samples = [next((value for value in column if value is not None), None) for column in columns]
    return list(zip(row, samples or [None] * len(row), strict=True))


def spelled(value: Any, like: Any) -> Any:
    """The value as the cases spell it: a string where the case has a string."""
    if isinstance(value, float):
        if math.isnan(value):
            return "NaN"
        if math.isinf(value):
            return "Infinity" if value > 0 else "-Infinity"
        return 0.0 if abs(value) < ABSOLUTE else value
    if isinstance(value, Decimal):
        return format(value, "f") if isinstance(like, str) else float(value)
    if isinstance(value, (datetime.date, datetime.datetime)):
        return str(value)
    if isinstance(value, int) and not isinstance(value, bool) and isinstance(like, (float, str)):
        return str(value) if isinstance(like, str) else float(value)
    return value
