"""What device='gpu' refuses, when the function is made: with the construct and its line."""

from __future__ import annotations

import ast
import datetime
import math
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tandemdb
from tandemdb.cpu_fallback.udf_compiled import call, compiled
from tandemdb.cpu_fallback.vector import Vector
from tandemdb.physical import function_kernels
from tandemdb.physical.batch import Device
from tandemdb.physical.python_functions import PythonFunction
from tandemdb.planner.functions import UserFunction
from tandemdb.planner.types import BIGINT, DOUBLE


def opens(x: int) -> int:
    y = x + 1
    return open(y)


def attribute(x: int) -> int:
    return x.numerator2  # type: ignore[attr-defined]


def generator(x: int) -> int:
    return sum(y for y in range(x))


def unknown(x: int) -> int:
    return nowhere(x)  # type: ignore[name-defined]  # noqa: F821


def today(x: int) -> int:
    return datetime.date.today().day + x


REFUSED = [
    (opens, (), r"(?s)numba cannot compile \"f\" for the CPU: .*'open'.*line \d+: return open\(y\)"),
    (attribute, (), r"(?s)'numerator2'.*line \d+: return x.numerator2"),
    (generator, (), "yield in a closure"),
    (unknown, (), "'nowhere' is not defined"),
    (today, (), "Unknown attribute 'date'"),
    (lambda x: [x], (["BIGINT"], "BIGINT"), "it returns list"),
    (lambda x: None, (["BIGINT"], "BIGINT"), "it returns none, where a BIGINT is declared"),
    (lambda x: x + 0.5, (["DATE"], "DATE"), "it returns float64, where a DATE is declared"),
    (math.sqrt, (["DOUBLE"], "DOUBLE"), "it is not written in Python"),
    (lambda x: x, (["VARCHAR"], "BIGINT"), "no value of type VARCHAR goes into a kernel"),
    (lambda x: x, (["BIGINT"], "DECIMAL(9,2)"), r"no value of type DECIMAL\(9,2\) goes into a kernel"),
    (lambda x: x, (None, "BIGINT"), "every parameter needs a type"),
    (lambda *x: 1, (None, "BIGINT"), "every parameter needs a type"),
    (lambda: 1, ([], "BIGINT"), "every parameter needs a type"),
]


@pytest.mark.parametrize(("function", "args", "message"), REFUSED)
def test_refused_when_it_is_made(function: Any, args: tuple[Any, ...], message: str) -> None:
    con = tandemdb.connect()
    with pytest.raises(tandemdb.DatabaseError, match=message) as found:
        con.create_function("f", function, *args, device="gpu")
    assert "Traceback" not in str(found.value)
    assert "\x1b" not in str(found.value)


def uncompilable(i: int, out: Any, state: Any, valid: Any, a0: Any) -> None:
    out[i] = input(a0[i])


def test_a_loop_that_cannot_be_compiled_is_refused_when_the_function_is_made(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Not at the first call, where it was told as an error of the function's: NULLs, with return_null."""
    monkeypatch.setattr(function_kernels, "row_function", lambda signature, inner: uncompilable)
    options: dict[str, Any] = {"device": "gpu", "exception_handling": "return_null"}
    with (
        tandemdb.connect() as con,
        pytest.raises(tandemdb.NotSupportedError, match=r'numba cannot compile "f" for the CPU: .*input'),
    ):
        con.create_function("f", lambda x: x + 1, ["BIGINT"], "BIGINT", **options)


def test_an_error_that_no_row_raised_is_not_the_functions() -> None:
    def broken(*args: Any) -> None:
        raise TypeError("no matching definition")

    signature = UserFunction(1, "f", (BIGINT,), None, BIGINT, BIGINT, fails_as_null=True)
    made = PythonFunction(signature, lambda x: x, {Device.CPU: broken})
    with pytest.raises(TypeError, match="no matching definition"):
        call(made, [Vector.of_values(BIGINT, np.arange(3))], 3)


def test_the_loop_takes_columns_as_files_and_buffers_have_them() -> None:
    """Read-only, and not aligned to the size of a value."""
    signature = UserFunction(1, "f", (BIGINT, DOUBLE), None, DOUBLE, DOUBLE)
    made = compiled(signature, lambda x, y: x + y)
    x = np.frombuffer(b"." + np.arange(3, dtype=np.int64).tobytes(), np.int64, offset=1)
    y = np.array([0.5, 1.5, 2.5])
    assert not x.flags.aligned
    assert not x.flags.writeable
    assert call(made, [Vector.of_values(BIGINT, x), Vector.of_values(DOUBLE, y)], 3).values.tolist() == [
        0.5,
        2.5,
        4.5,
    ]


@pytest.mark.parametrize("options", [{"type": "arrow"}, {"side_effects": True}])
def test_options_that_do_not_go_with_it(options: dict[str, Any]) -> None:
    with pytest.raises(tandemdb.ProgrammingError, match="device='gpu'"):
        tandemdb.connect().create_function("f", lambda x: x, [int], int, device="gpu", **options)


def test_numba_cuda_is_named_under_gpu_exec_only() -> None:
    """import-linter sees numba only, which the CPU's kernels use too."""
    root = Path(tandemdb.__file__).parent
    found = set()
    for folder in ("engine", "planner", "physical", "cpu_fallback", "gpu_exec", "tpch"):
        for path in (root / folder).rglob("*.py"):
            if "numba" not in path.read_text(encoding="utf-8"):
                continue
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
                names += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
                text = node.value if isinstance(node, ast.Constant) else None
                names += [text] if isinstance(text, str) and " " not in text else []
                if any(name.startswith(("numba.cuda", "numba_cuda")) for name in names):
                    found.add(path.relative_to(root).parts[0])
    assert found == {"gpu_exec"}


SIMULATED = """
import numpy as np
from numba import cuda
from tandemdb.cpu_fallback.udf_compiled import compiled
from tandemdb.gpu_exec.udf import row_kernel
from tandemdb.physical.batch import Device
from tandemdb.planner.functions import Nulls, UserFunction
from tandemdb.planner.types import BIGINT, BOOLEAN, DOUBLE

def same(signature, function, *inputs):
    made = compiled(signature, function)
    n = len(inputs[0])
    kernel = row_kernel(made)
    given = [np.zeros(n, kernel.dtypes[0]), np.full(n, 5, np.uint8)]
    expected = [array.copy() for array in given]
    made.kernels[Device.CPU](0, n, *expected, *inputs)
    arrays = [cuda.to_device(array) for array in (*given, *inputs)]
    kernel.compiled[2, 4](n - 1, *arrays)
    for left, right in zip(arrays, expected):
        left = left.copy_to_host()
        assert np.array_equal(left[:-1], right[:-1], equal_nan=True), (left, right)
        assert left[-1] in (0, 5), left  # a thread beyond the rows does nothing

x = np.array([1.5, -0.0, np.nan, np.inf, 2.0, -3.25])
k = np.array([1, 2, 3, 4, 5, 6])
valid = np.array([True, True, True, False, True, True])
half = UserFunction(1, "half", (DOUBLE, BIGINT), None, DOUBLE, DOUBLE)
same(half, lambda x, k: x / 2 + k if x > 0 else -x, valid, x, k)

def either(x, k):
    if x is None:
        return None if k is None else k == 3
    return x > 1

special = UserFunction(2, "either", (DOUBLE, BIGINT), None, BOOLEAN, BOOLEAN, nulls=Nulls.HANDLED)
same(special, either, x, valid, k, ~valid)
print("same")
"""


def test_the_kernel_runs_in_numbas_simulator_of_cuda() -> None:
    environment = {"NUMBA_ENABLE_CUDASIM": "1", "PATH": "/usr/bin:/bin"}
    command = [sys.executable, "-c", SIMULATED]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120, check=False)
    assert done.stdout == "same\n", done.stderr


def test_without_a_gpu_the_twin_runs_and_is_counted_like_any_operator() -> None:
    with tandemdb.connect() as connection:
        connection.create_function("twice", lambda x: x * 2, [int], int, device="gpu")
        with pytest.warns(tandemdb.GpuWarning):
            connection.execute("SET device = 'gpu'")
        cursor = connection.execute("SELECT twice(i) FROM range(3) t(i)")
        assert cursor.fetchall() == [(0,), (2,), (4,)]
        assert any(f.operator == "Project" for f in cursor.profile.fallbacks)
        connection.execute("SET gpu_profile = 'h200'")
        text = connection.execute("EXPLAIN SELECT twice(i) FROM range(3) t(i)").fetchall()[0][1]
        assert "Project [GPU]" in text
