"""A record of the probe is replayed on the double; what differs is named."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest
from doubles import assumptions
from doubles.replay import compared, main, replay, unprobed
from tandemdb.gpu_exec.probe.__main__ import record as recorded
from tandemdb.gpu_exec.probe.case import Order
from tandemdb.gpu_exec.probe.cases import all_cases
from tandemdb.gpu_exec.probe.evaluate import Library

pytestmark = pytest.mark.usefixtures("device")
# One case of each kind of result.
CHOSEN = (
    "group/sum/int64",
    "group/collect_set/int64",
    "join/left/null_unequal",
    "join/left_semi/null_equal",
    "sort/two_keys",
    "binary/POW/float64",
    "filter/mask_of_integers",
    "partition/hash/42",
    "partition/map",
    "parquet/all",
    "interop/scalar/decimal128_38_2",
    "memory/limit/limit",
)


def library(folder: Path) -> Library:
    import pylibcudf as plc
    import rmm

    return Library(plc, rmm, folder)


@pytest.fixture
def record(tmp_path: Path) -> dict[str, Any]:
    """What the double itself gives, as the probe would have written it."""
    cases = [case for case in all_cases() if case.name in CHOSEN]
    assert len(cases) == len(CHOSEN)
    return json.loads(json.dumps({"cases": recorded(library(tmp_path), cases)}))


def test_a_record_of_the_double_replays(record: dict[str, Any], tmp_path: Path, device: Any) -> None:
    assert replay(record, library(tmp_path)) == []
    # Another order of chance is no difference where there is no order.
    device.seed = 7
    assert replay(record, library(tmp_path)) == []


@pytest.mark.parametrize("name", CHOSEN)
def test_a_record_that_was_changed_does_not(name: str, record: dict[str, Any], tmp_path: Path) -> None:
    changed = copy.deepcopy(record)
    changed["cases"][name]["gives"] = _changed(changed["cases"][name]["gives"])
    found = replay(changed, library(tmp_path))
    if name == "partition/hash/42":
        # Only types and row counts of a partition are promised.
        assert found == []
        changed["cases"][name]["gives"][0]["rows"] += 1
        found = replay(changed, library(tmp_path))
    assert [difference.name for difference in found] == [name]


def _changed(gives: Any) -> Any:
    """A result with one value changed."""
    match gives:
        case {"error": _}:
            return {"error": "OSError", "message": ""}
        case {"values": [*values]}:
            return gives | {"values": [_other(values[0]), *values[1:]]}
        case {"columns": [first, *rest]}:
            return gives | {"columns": [_changed(first), *rest]}
        case [first, *rest]:
            return [_changed(first), *rest]
        case int():
            return gives + 1
    raise AssertionError(gives)


def _other(value: Any) -> Any:
    match value:
        case None:
            return 5
        case str():
            return "0x1.8p+9" if value.startswith("0x") else "123.45"
        case list():
            return [*value, 99]
    return value + 1


@pytest.mark.parametrize(
    ("left", "right", "order", "what"),
    [
        ({"values": [1, 2], "type": "int64"}, {"values": [2, 1], "type": "int64"}, Order.EXACT, "values"),
        ({"values": [1, 2], "type": "int64"}, {"values": [2, 1], "type": "int64"}, Order.ROWS, None),
        ({"values": [1, 2], "type": "int64"}, {"values": [1], "type": "int64"}, Order.NONE, "row counts"),
        ({"values": [1], "type": "int64"}, {"values": [1], "type": "int32"}, Order.NONE, "types"),
        ({"values": ["nan"], "type": "double"}, {"values": ["nan"], "type": "double"}, Order.EXACT, None),
        (
            {"values": ["0x1.0000000000001p+0"], "type": "double"},
            {"values": ["0x1.0000000000000p+0"], "type": "double"},
            Order.ROWS,
            None,
        ),
        (
            {"values": ["0x1.0001p+0"], "type": "double"},
            {"values": ["0x1.0000p+0"], "type": "double"},
            Order.EXACT,
            "values",
        ),
        ({"error": "TypeError", "message": "a"}, {"error": "TypeError", "message": "b"}, Order.EXACT, None),
        ({"error": "TypeError", "message": "a"}, {"values": [1], "type": "int64"}, Order.EXACT, "error"),
        (3, 4, Order.EXACT, "value"),
        (True, 1, Order.EXACT, "value"),
    ],
)
def test_what_counts_as_a_difference(left: Any, right: Any, order: Order, what: str | None) -> None:
    assert compared(left, right, order) == what


def test_pairs_must_stay_pairs() -> None:
    def pairs(left: list[int], right: list[int]) -> Any:
        return [{"values": left, "type": "int32"}, {"values": right, "type": "int32"}]

    assert compared(pairs([1, 2], [3, 4]), pairs([2, 1], [4, 3]), Order.PAIRS) is None
    assert compared(pairs([1, 2], [3, 4]), pairs([1, 2], [4, 3]), Order.PAIRS) == "rows"


def test_the_command_lists_differences(
    record: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "record.json"
    path.write_text(json.dumps(record))
    assert main([str(path)]) == 0
    record["cases"]["memory/limit/limit"]["gives"] = 1
    path.write_text(json.dumps(record))
    assert main([str(path)]) == 1
    said = capsys.readouterr().out
    assert "memory/limit/limit: value: recorded 1" in said
    assert f"{len(all_cases()) - len(CHOSEN)} cases unprobed" in said


def test_cases_that_a_record_lacks(record: dict[str, Any]) -> None:
    missing = unprobed(record)
    assert "memory/pool/size" in missing
    assert not set(missing) & set(CHOSEN)


def test_assumptions_name_calls_of_the_double() -> None:
    import functools

    import pylibcudf as plc
    import rmm

    for name, what in assumptions.ASSUMED.items():
        root = rmm if name.startswith("rmm.") else plc
        functools.reduce(getattr, name.removeprefix("rmm.").split("."), root)
        assert what.endswith("."), name
