"""The probe's calls: as data they survive JSON to the bit, and they cover what the backend uses."""

from __future__ import annotations

import decimal
import json
import math
from collections import Counter
from types import SimpleNamespace
from typing import Any

import pyarrow as pa
import pytest
from tandemdb.gpu_exec.probe import forms, samples
from tandemdb.gpu_exec.probe.arrow_json import decode_array, encode_array
from tandemdb.gpu_exec.probe.cases import all_cases
from tandemdb.gpu_exec.probe.evaluate import Library

AREAS = (
    "interop",
    "binary",
    "logic",
    "cast",
    "filter",
    "gather",
    "sort",
    "group",
    "reduce",
    "join",
    "strings",
    "parquet",
)


def test_there_are_enough_calls_and_each_has_its_name() -> None:
    cases = all_cases()
    areas = Counter(case.name.split("/")[0] for case in cases)
    assert len(cases) >= 300
    assert all(areas[area] >= 10 for area in AREAS), areas


def test_calls_survive_json() -> None:
    for case in all_cases():
        text = json.dumps(forms.to_json(case.form), allow_nan=False)
        assert json.dumps(forms.to_json(forms.from_json(json.loads(text)))) == text, case.name


@pytest.mark.parametrize(
    "array",
    [
        *(pa.array(values, kind) for kind, values in samples.VALUES.items()),
        pa.array(samples.DECIMAL64_VALUES, samples.DECIMAL64),
        pa.array([None, decimal.Decimal("1.5")], pa.decimal128(3, 1)),
        pa.array([], pa.string()),
        pa.array([[1, None], None, []], pa.list_(pa.int64())),
        pa.array([{"x": 1.5, "y": None}, None], pa.struct([("x", pa.float64()), ("y", pa.string())])),
        pa.array(["a", None, "a"]).dictionary_encode(),
    ],
    ids=lambda array: samples.label(array.type)[:30],
)
def test_arrays_survive_json(array: pa.Array) -> None:
    again = decode_array(json.loads(json.dumps(encode_array(array), allow_nan=False)))
    assert again.type == array.type
    again.validate(full=True)
    assert repr(again.to_pylist()) == repr(array.to_pylist())


def test_signs_of_zero_and_nan_survive_json() -> None:
    values = decode_array(encode_array(pa.array([-0.0, 0.0, math.nan, -math.inf], pa.float64()))).to_pylist()
    assert [math.copysign(1, v) for v in values[:2]] == [-1, 1]
    assert math.isnan(values[2])
    assert values[3] == -math.inf


class Box:
    """A stand-in for an object of a library."""

    def __init__(self, *args: Any) -> None:
        self.args, self.limit = args, 0

    def set_limit(self, limit: int) -> None:
        self.limit = limit

    def doubled(self) -> int:
        return 2 * self.limit


def test_calls_are_evaluated_inside_out(tmp_path: Any) -> None:
    library: Any = Library(SimpleNamespace(boxes=SimpleNamespace(Box=Box)), SimpleNamespace(mr=7), tmp_path)
    limited = forms.after(forms.call("boxes.Box", [1, forms.name("rmm.mr")]), ("set_limit", 4))
    assert library.value(limited).args == ([1, 7],)
    assert library.value(forms.method(limited, "doubled")) == 8
    assert library.value(forms.MemberForm(limited, "limit")) == 4
    assert library.value(forms.ItemForm(forms.MemberForm(limited, "args"), 0)) == [1, 7]


def test_an_error_is_a_result() -> None:
    library: Any = Library(SimpleNamespace(), SimpleNamespace(), None)  # type: ignore[arg-type]
    assert library.result(forms.call("nothing"))["error"] == "AttributeError"
