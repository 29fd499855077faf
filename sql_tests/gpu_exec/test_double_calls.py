"""What is recorded of the calls made on the double, and how the recordings of several workers become one."""

from __future__ import annotations

import datetime
import decimal
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from doubles.calls import Calls, recording
from doubles.recorder import record_to, with_doubles
from doubles.testing import col, dtype, scalar, table

pytestmark = pytest.mark.usefixtures("device")
I64 = pa.int64()
INTEGER = {"column": ["INT64", 0, []], "rows": 2, "nulls": 1, "offset": 0}


def calls_of(calls: Calls, name: str) -> list[Any]:
    return [form for form in calls.forms() if form["call"].endswith(name)]


def test_a_call_is_recorded_once_with_how_its_arguments_were_given() -> None:
    import pylibcudf as plc

    of = col(I64, [1, None])
    with recording() as calls:
        for _ in range(2):
            plc.unary.cast(of, data_type=dtype("INT32"))
        plc.unary.cast(col(I64, [1, 2, 3, None]), data_type=dtype("INT32"))
        with pytest.raises(TypeError):
            plc.unary.cast(of, 1)  # type: ignore[arg-type]
    kwargs = {"data_type": {"dtype": ["INT32", 0]}}
    assert calls_of(calls, "unary.cast") == [
        {"call": "pylibcudf.unary.cast", "args": [INTEGER], "kwargs": kwargs}
    ]


def test_what_the_double_calls_itself_is_not_recorded() -> None:
    import pylibcudf as plc

    of = table(col(I64, [1, 2]))
    with recording() as calls, recording() as again:
        assert plc.copying.reverse(of).num_rows() == 2
    assert [form["call"] for form in calls.forms()] == [
        "pylibcudf.copying.reverse",
        "pylibcudf.table.Table.num_rows",
    ]
    assert again.forms() == calls.forms()


def test_an_object_is_described_by_the_calls_that_made_it() -> None:
    import pylibcudf as plc

    of = col(I64, [1, 2])
    with recording() as calls:
        request = plc.groupby.GroupByRequest(of, [plc.aggregation.sum()])
        plc.groupby.GroupBy(plc.Table([of])).aggregate([request])
    (form,) = calls_of(calls, "aggregate")
    assert form["of"]["made"]["call"] == "pylibcudf.groupby.GroupBy"
    (asked,) = form["args"][0]
    assert asked["made"]["args"][1][0]["made"]["call"] == "pylibcudf.aggregation.sum"


def test_an_object_is_described_by_the_calls_that_changed_it(tmp_path: Path) -> None:
    import pyarrow.parquet as pq
    import pylibcudf as plc

    path = tmp_path / "t.parquet"
    pq.write_table(pa.table({"a": [1]}), path)
    with recording() as calls:
        source = plc.io.types.SourceInfo([str(path)])
        options = plc.io.parquet.ParquetReaderOptions.builder(source).column_indices([0]).build()
        options.set_row_groups([[0]])
        plc.io.parquet.read_parquet(options)
    (form,) = calls_of(calls, "read_parquet")
    assert form["args"][0]["then"] == [["set_row_groups", [[[0]]], {}]]
    builder = form["args"][0]["made"]["of"]
    assert builder["then"] == [["column_indices", [[0]], {}]]


def test_values_of_python_are_described_by_their_class() -> None:
    import pylibcudf as plc

    with recording() as calls:
        for value in (decimal.Decimal("1.5"), datetime.date(2020, 1, 2), datetime.datetime(2020, 1, 2, 3)):
            plc.Scalar.from_py(value)
        plc.Scalar.from_py(datetime.timedelta(seconds=5))
    given = {form["args"][0]["python"] for form in calls_of(calls, "from_py")}
    assert given == {"Decimal", "date", "datetime", "timedelta"}


def test_a_call_that_ran_out_of_memory_is_a_call(device: Any) -> None:
    import pylibcudf as plc

    of = col(I64, [1, 2])
    with recording() as calls, device.failing(1), pytest.raises(MemoryError):
        plc.copying.reverse(table(of))
    assert len(calls_of(calls, "reverse")) == 1


def test_afterwards_the_double_is_as_it_was() -> None:
    import pylibcudf as plc

    before = plc.unary.cast, plc.Table.num_rows, plc.Column.__init__, plc.Scalar.from_arrow
    with recording() as calls:
        assert scalar(I64, 1).to_py() == 1
    assert len(calls) == 2
    assert (plc.unary.cast, plc.Table.num_rows, plc.Column.__init__, plc.Scalar.from_arrow) == before


@pytest.mark.parametrize("name", ["INT8", "INT16", "INT32", "INT64"])
def test_a_type_is_made(name: str) -> None:
    """What the test below has two workers do."""
    assert dtype(name).id().name == name


def test_the_calls_of_all_workers_are_written(tmp_path: Path, pytestconfig: pytest.Config) -> None:
    output = tmp_path / "calls.json"
    options = ["-q", "-n", "2", "--dist", "load", "-p", "no:cacheprovider", *record_to(output)]
    command = [sys.executable, "-m", "pytest", *options, f"{Path(__file__)}::test_a_type_is_made"]
    done = subprocess.run(
        command, cwd=pytestconfig.rootpath, env=with_doubles(), capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr
    made = [form for form in json.loads(output.read_text()) if form["call"].endswith("types.DataType")]
    assert [form["args"][0]["name"] for form in made] == ["INT16", "INT32", "INT64", "INT8"]
