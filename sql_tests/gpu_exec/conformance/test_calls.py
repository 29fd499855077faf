"""Every call that the suite makes on the double is taken by the real functions, up to the missing driver."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import doubles
import pylibcudf as real
import pytest
from doubles.calls import recording
from doubles.recorder import record_to, with_doubles
from dummies import dtype, made
from replayed import Outcomes, replay
from tandemdb.gpu_exec.probe.cases import all_cases
from tandemdb.gpu_exec.probe.evaluate import Library

# What cannot be tried without a device, and why. Nothing else may go untried.
UNTRIED = {
    "pylibcudf.contiguous_split.": "packed columns are what the device made",
    "pylibcudf.expressions.Literal": "its constructor reads the scalar",
    "pylibcudf.expressions.Operation": "one of a test is deeper than what is recorded",
    "pylibcudf.transform.compute_column": "the same",
    "pylibcudf.io.parquet.ChunkedParquetReader.": "its constructor reads the file",
    "pylibcudf.io.types.TableWithMetadata.": "it is what was read",
    "pylibcudf.join.FilteredJoin.": "its constructor hashes the keys",
    "rmm.pylibrmm.device_buffer.DeviceBuffer.": "it is memory of the device",
    "rmm.mr.PoolMemoryResource.": "its constructor allocates",
    "rmm.mr.DeviceMemoryResource.": "those of a pool",
    "rmm.pylibrmm.cuda_stream_pool.CudaStreamPool.": "its constructor makes streams",
    "rmm.pylibrmm.stream.Stream.synchronize": "it ends the process where there is no driver",
}


@pytest.fixture(scope="module")
def suite(pytestconfig: pytest.Config, tmp_path_factory: pytest.TempPathFactory) -> list[Any]:
    """The calls of the quick tests that use the device, on the double."""
    path = pytestconfig.getoption("--recorded-calls")
    if path is None:
        path = tmp_path_factory.mktemp("calls") / "calls.json"
        tests = ["sql_tests", "-m", "gpu and not slow", f"--ignore={Path(__file__).parent}"]
        command = [sys.executable, "-m", "pytest", "-q", "-n", "2", *record_to(path), *tests]
        done = subprocess.run(
            command, cwd=pytestconfig.rootpath, env=with_doubles(), capture_output=True, text=True
        )
        assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-4000:]
    return json.loads(path.read_text())


@pytest.fixture(scope="module")
def probe(tmp_path_factory: pytest.TempPathFactory) -> list[Any]:
    """The calls of the probe."""
    with doubles.install(), recording() as found:
        import pylibcudf
        import rmm

        library = Library(pylibcudf, rmm, tmp_path_factory.mktemp("probe"))
        for case in all_cases():
            library.result(case.form)
    return found.forms()


def judged(outcomes: Outcomes, record: Callable[[str, object], None]) -> None:
    record("calls", str(outcomes))
    assert outcomes.refused == []
    untried = [name for name in (*outcomes.bound, *outcomes.untold) if not name.startswith(tuple(UNTRIED))]
    assert untried == []


def test_the_calls_of_the_suite_are_taken(
    suite: list[Any], record_property: Callable[[str, object], None]
) -> None:
    outcomes = replay(suite)
    assert outcomes.taken > 1000
    judged(outcomes, record_property)


def test_the_calls_of_the_probe_are_taken(
    probe: list[Any], record_property: Callable[[str, object], None]
) -> None:
    outcomes = replay(probe)
    assert outcomes.taken > 400
    judged(outcomes, record_property)


@pytest.mark.parametrize(
    "wrong",
    [
        {"call": "pylibcudf.unary.is_null", "args": [5], "kwargs": {}},
        {"call": "pylibcudf.unary.is_null", "args": [{"table": [], "rows": 0}], "kwargs": {}},
        {"call": "pylibcudf.types.DataType", "args": [], "kwargs": {"kind": 1}},
        {"call": "pylibcudf.table.Table.num_rows", "of": {"table": [], "rows": 0}, "args": [1], "kwargs": {}},
    ],
    ids=lambda form: form["call"],
)
def test_a_wrong_call_is_refused(wrong: dict[str, Any]) -> None:
    outcomes = replay([wrong])
    assert len(outcomes.refused) == 1
    assert outcomes.taken == 0


def test_a_call_that_only_a_device_can_make_is_held_against_the_signature() -> None:
    unknown = {"object": "pylibcudf.contiguous_split.PackedColumns"}
    call = {"call": "pylibcudf.contiguous_split.unpack", "args": [unknown], "kwargs": {}}
    assert replay([call]).bound.total() == 1
    assert len(replay([call | {"kwargs": {"speed": 1}}]).refused) == 1


def types_of(forms: list[Any], name: str) -> Iterator[tuple[Any, list[Any]]]:
    """The arguments of the calls of a function, with the types of columns and scalars in their place."""
    for form in forms:
        if form["call"] == name:
            named = (value for key, value in form["kwargs"].items() if key not in ("stream", "mr"))
            yield form, [_type(argument) for argument in (*form["args"], *named)]


def _type(form: Any) -> Any:
    match form:
        case {"column": kind} | {"scalar": kind}:
            return dtype(kind)
    return made(form)


def test_the_library_computes_what_the_suite_asks_for(suite: list[Any], probe: list[Any]) -> None:
    """Its own predicates say yes to the types of every operation and cast that gave a result."""
    operations = casts = 0
    binary = types_of(suite + probe, "pylibcudf.binaryop.binary_operation")
    for form, (left, right, operator, output) in binary:
        operations += 1
        assert real.binaryop.is_supported_operation(output, left, right, operator), form
    for form, (source, target) in types_of(suite + probe, "pylibcudf.unary.cast"):
        casts += 1
        assert real.unary.is_supported_cast(source, target), form
    assert operations > 50
    assert casts > 20
