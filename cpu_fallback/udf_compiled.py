"""Python functions that numba compiles: their form on the CPU, twin of the GPU's kernel and its oracle."""

from __future__ import annotations

import contextlib
import linecache
import re
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from types import FunctionType
from typing import Any

import numpy as np

from ..physical import function_kernels as kernels
from ..physical.batch import Device
from ..physical.python_functions import PythonFunction, call_text, error_text
from ..planner import messages_udf as messages
from ..planner.functions import UserFunction
from ..planner.types import SQLType, TypeId
from .udf_values import python_column
from .vector import Vector

# Division by zero gives infinity, NaN or 0 instead of an error, as it does on the GPU.
_OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy"}
# Characters shown of the line that cannot be compiled.
_LINE = 100
_STATE = np.dtype(np.uint8)


def compiled(signature: UserFunction, function: Callable[..., Any]) -> PythonFunction:
    """The function compiled for the types of its signature, whose `computed` type is found out.

    Raises UnsupportedError with the reason and the line where numba cannot compile it.
    """
    import numba
    from numba import types

    function = getattr(function, "py_func", function)  # of a function that is compiled by its user
    if not isinstance(function, FunctionType):
        raise messages.not_compiled(signature.name, "CPU", "it is not written in Python", None)
    scalars = [numba.from_dtype(_dtype(kind)) for kind in _types(signature)]
    taken = tuple(scalars if signature.is_strict else map(types.Optional, scalars))
    inner: Any = numba.njit(**_OPTIONS)(function)
    with _compiling(signature):
        inner.compile(taken)
    found = types.unliteral(inner.overloads[taken].signature.return_type)
    found = getattr(found, "type", found) if isinstance(found, types.Optional) else found
    computed = _computed(found, signature)
    if computed is None:
        reason = f"it returns {found}, where a {signature.result} is declared"
        raise messages.not_compiled(signature.name, "CPU", reason, None)
    signature = replace(signature, computed=computed)
    with _compiling(signature):
        loop = _loop(signature, inner)
    return PythonFunction(signature, function, {Device.CPU: loop})


@contextlib.contextmanager
def _compiling(signature: UserFunction) -> Iterator[None]:
    """What numba raises is told as the reason why the function cannot be compiled."""
    try:
        with warnings.catch_warnings():
            # numba's own use of what Python 3.13 has deprecated is no concern of who wrote the function.
            warnings.simplefilter("ignore", DeprecationWarning)
            yield
    except Exception as error:
        raise messages.not_compiled(signature.name, "CPU", *numba_reason(error)) from error


def numba_reason(error: Exception) -> tuple[str, str | None]:
    """What numba says, in one line, and the line of the user's code that it says it of."""
    text = re.sub(r"\x1b\[[0-9;]*m", "", str(error))
    lines = [line.strip() for line in text.splitlines()]
    said = [line for line in lines if line and not line.startswith(("Failed in ", "File ", "---", "def "))]
    places = re.findall(r'File "([^"]+)", line (\d+)', text)
    if not places:
        return (said or ["no reason given"])[0], None
    path, number = places[-1]
    line = linecache.getline(path, int(number)).strip()
    line = line if len(line) <= _LINE else line[: _LINE - 3] + "..."
    return (said or ["no reason given"])[0], f"line {number}: {line}" if line else f"line {number}"


def _types(signature: UserFunction) -> list[SQLType]:
    return [kind for kind in signature.params if isinstance(kind, SQLType)]


def _dtype(kind: SQLType) -> np.dtype[Any]:
    found = kernels.kernel_dtype(kind)
    assert found is not None, kind
    return found


def _computed(returned: Any, signature: UserFunction) -> SQLType | None:
    from numba.core.errors import NumbaError
    from numba.np.numpy_support import as_dtype

    try:
        dtype = as_dtype(returned)
    except (NumbaError, NotImplementedError):
        return None
    return kernels.computed_type(dtype, signature.result)


def _loop(signature: UserFunction, inner: Any) -> Any:
    """The loop over rows, compiled: it takes the first row, the number of rows, and the parameters of
    `kernels.row_code` after `i`. All of it is compiled here: what compiles at a first call would fail there,
    among the errors of the user's function.
    """
    import numba
    from numba import types

    names = ", ".join(kernels.arguments(signature))
    code = f"def loop(start, n, {names}):\n    for i in range(start, n):\n        row(i, {names})\n"
    row = numba.njit(**_OPTIONS)(kernels.row_function(signature, inner))
    loop: Any = numba.njit(**_OPTIONS)(kernels.defined(code, "loop", {"row": row}))
    written = [_dtype(signature.computed), _STATE]
    columns = [_dtype(kind) for kind in _types(signature)]
    valid = np.dtype(np.bool_)
    read = [valid, *columns] if signature.is_strict else [d for column in columns for d in (column, valid)]
    loop.compile(
        (
            types.intp,
            types.intp,
            *(types.Array(numba.from_dtype(dtype), 1, "C") for dtype in written),
            # As files and buffers of others may have them.
            *(types.Array(numba.from_dtype(d), 1, "C", readonly=True, aligned=False) for d in read),
        )
    )
    loop.disable_compile()
    return loop


def call(made: PythonFunction, args: Sequence[Vector], n: int) -> Vector:
    """The function's values for `n` rows, in its computed type."""
    signature, loop = made.signature, made.kernels[Device.CPU]
    out = np.empty(n, dtype=_dtype(signature.computed))
    state = np.full(n, kernels.PENDING, dtype=_STATE)
    inputs = _inputs(signature, args, n)
    start = 0
    while start < n:
        try:
            loop(start, n, out, state, *inputs)
            break
        except Exception as error:
            failed = np.flatnonzero(state[start:] == kernels.FAILED)
            if not len(failed):
                raise  # no row's: an error of ours
            row = start + int(failed[0])
            if not signature.fails_as_null:
                called = row_text(signature, args, row)
                raise messages.failed(signature.name, called, error_text(error)) from error
            start = row + 1
    _raise_wrong(signature, args, state)
    valid = state == kernels.VALUE
    type_ = signature.computed
    if type_.id is TypeId.BOOLEAN:
        return Vector.of_truth(type_, out & valid, None if valid.all() else valid)
    return Vector.of_values(type_, out, None if valid.all() else valid)


def _inputs(signature: UserFunction, args: Sequence[Vector], n: int) -> list[Any]:
    columns = [np.ascontiguousarray(arg.values) for arg in args]
    if signature.is_strict:
        return [np.ones(n, dtype=np.bool_), *columns]
    valid = [np.ones(n, dtype=np.bool_) if arg.valid is None else arg.valid for arg in args]
    return [array for pair in zip(columns, valid, strict=True) for array in pair]


def row_text(signature: UserFunction, args: Sequence[Vector], row: int) -> str:
    """The call for one row, as error messages show it."""
    return call_text(signature.name, [python_column(signature, arg.slice(row, 1))[0] for arg in args])


def _raise_wrong(signature: UserFunction, args: Sequence[Vector], state: np.ndarray) -> None:
    none = state == kernels.NONE
    if signature.is_strict and none.any():
        raise messages.returned_null(signature.name, row_text(signature, args, int(np.argmax(none))))
    outside = state == kernels.OUT_OF_RANGE
    if outside.any():
        called = row_text(signature, args, int(np.argmax(outside)))
        raise messages.bad_return(
            signature.name, called, "a number of days", signature.result, "out of range"
        )
