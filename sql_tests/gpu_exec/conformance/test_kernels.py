"""The kernels of Python functions compile to PTX with the real numba.cuda, on a machine without a GPU."""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from tandemdb.cpu_fallback.udf_compiled import compiled
from tandemdb.gpu_exec.jit import kernel_function
from tandemdb.gpu_exec.udf import device_row
from tandemdb.planner.functions import Nulls, UserFunction
from tandemdb.planner.types import (
    BIGINT,
    BOOLEAN,
    DATE,
    DOUBLE,
    FLOAT,
    INTEGER,
    SMALLINT,
    TIMESTAMP,
    UINTEGER,
)


def plain(x: float, k: int) -> float:
    total = 0.0
    for step in range(k):
        total += x / (step - 1)
    return total


def checked(x: int) -> int:
    if x > 6:
        raise ValueError("too large")
    return x + 1


def either(x: int | None, y: int | None) -> int | None:
    if x is None:
        return y
    return None if y is None else x // y


FUNCTIONS: list[tuple[Callable[..., Any], tuple[Any, ...], Any, Nulls]] = [
    (plain, (DOUBLE, INTEGER), DOUBLE, Nulls.PROPAGATE),
    (checked, (BIGINT,), SMALLINT, Nulls.PROPAGATE),
    (either, (BIGINT, UINTEGER), BIGINT, Nulls.HANDLED),
    (lambda b, day: not b or day % 2 == 0, (BOOLEAN, DATE), BOOLEAN, Nulls.PROPAGATE),
    (lambda day, x: day + int(x), (DATE, FLOAT), DATE, Nulls.PROPAGATE),
    (lambda at: at - at % 3_600_000_000, (TIMESTAMP,), TIMESTAMP, Nulls.PROPAGATE),
]


def ptx(function: Callable[..., Any], params: Any, result: Any, nulls: Nulls, cc: tuple[int, int]) -> str:
    from numba import cuda

    signature = UserFunction(1, "f", params, None, result, result, nulls=nulls)
    kernel, types = kernel_function(*device_row(compiled(signature, function)))
    code, _ = cuda.compile_ptx(kernel, types, device=False, cc=cc)
    return code


@pytest.fixture(params=[(8, 0), (9, 0)], ids=["sm_80", "sm_90"])
def cc(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> tuple[int, int]:
    """A compute capability, which numba asks the current device for when it compiles what a kernel calls."""
    from numba import cuda

    dispatcher = sys.modules[type(cuda.jit(device=True)(checked)).__module__]
    monkeypatch.setattr(
        dispatcher, "get_current_device", lambda: SimpleNamespace(compute_capability=request.param)
    )
    return request.param


@pytest.mark.parametrize("case", FUNCTIONS, ids=lambda case: case[0].__name__)
def test_compiles(case: tuple[Any, ...], cc: tuple[int, int]) -> None:
    code = ptx(*case, cc)
    assert f".target sm_{cc[0]}{cc[1]}" in code
    assert code.count(".visible .entry") == 1


def test_a_thread_that_raises_ends_before_it_marks_its_row_as_done(cc: tuple[int, int]) -> None:
    """So its state stays FAILED: numba.cuda tells nobody of errors outside its debugger."""
    code = ptx(checked, (BIGINT,), BIGINT, Nulls.PROPAGATE, cc)
    (raised,) = re.findall(r"setp\.gt\.s64\s+(%p\d+), %rd\d+, 6;", code)
    (label,) = re.findall(rf"@{raised} bra\s+(\S+);", code)
    assert re.search(rf"{re.escape(label)}:\s+ret;", code)
    branch = re.search(rf"@{raised} bra", code)
    assert branch is not None
    before, after = code[: branch.start()], code[branch.end() :]
    marked = r"mov\.u16\s+(%rs\d+), {};\s+st\.global\.u8\s+\[%rd\d+\], \1;"
    assert re.search(marked.format(2), before)
    assert re.search(marked.format(1), after)
    assert not re.search(marked.format(1), before)


def test_the_double_has_the_functions_of_the_real_module() -> None:
    from doubles import numba_cuda as double
    from numba import cuda
    from numba.cuda.cudadrv.devicearray import DeviceNDArray

    for name in ("as_cuda_array", "external_stream"):
        real, ours = (inspect.signature(getattr(module, name)).parameters for module in (cuda, double))
        assert list(ours) == list(real)
    assert {"func_or_sig", "device"} <= set(inspect.signature(cuda.jit).parameters)
    assert "dtype" in inspect.signature(DeviceNDArray.view).parameters
