"""Calls of users' Python functions on the device: those that numba compiled (`physical.function_kernels`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from ..physical import function_kernels as kernels
from ..physical.arrow_types import result_type
from ..physical.batch import Device
from ..physical.python_functions import PythonFunction, call_text, error_text
from ..physical.python_values import python_values
from ..planner import messages_udf as messages
from ..planner.errors import SqlError
from ..planner.expr import UserCall
from ..planner.functions import UserFunction
from ..planner.types import SQLType
from .jit import RowKernel, memory, on_device
from .library import plc, rmm
from .storage import data_type, integer_type, named_type
from .values import Evaluation, Failure, Value, null_value

_STATE = np.dtype(np.uint8)
_BOOL = np.dtype(np.bool_)


def compile_kernel(made: PythonFunction) -> None:
    """Compiles the function for the device and keeps the kernel in it. Raises UnsupportedError with what
    numba says where it cannot.
    """
    try:
        made.kernels[Device.GPU] = row_kernel(made)
    except Exception as error:
        reason = str(error).strip().splitlines() or [type(error).__name__]
        name = made.signature.name
        raise messages.not_compiled(name, "GPU", reason[-1].strip(), None) from error


def row_kernel(made: PythonFunction) -> RowKernel:
    """The kernel of a function."""
    return RowKernel(*device_row(made))


def device_row(made: PythonFunction) -> tuple[Any, list[np.dtype[Any]]]:
    """What a thread of the kernel does, and the dtypes of its arguments after the row's number."""
    row = kernels.row_function(made.signature, on_device(made.function))
    return on_device(row), _dtypes(made.signature)


def _dtypes(signature: UserFunction) -> list[np.dtype[Any]]:
    """Of the kernel's arguments: out, state, then those of `kernels.row_code`."""
    params = [_dtype(kind) for kind in signature.params if isinstance(kind, SQLType)]
    if signature.is_strict:
        inputs = [_BOOL, *params]
    else:
        inputs = [dtype for param in params for dtype in (param, _BOOL)]
    return [_dtype(signature.computed), _STATE, *inputs]


def _dtype(kind: SQLType) -> np.dtype[Any]:
    found = kernels.kernel_dtype(kind)
    assert found is not None, kind
    return found


def user_call(node: UserCall, args: Sequence[Value], run: Evaluation) -> Value:
    """The value of a call. Rows at which it raised, or returned what it may not, are failures."""
    signature = node.function
    if signature.is_strict and any(arg.is_null for arg in args):
        return null_value(node.type).failing(*args)
    made: PythonFunction = run.ops.functions[signature.number]
    if not run.rows:
        return Value(node.type, run.column(null_value(node.type))).failing(*args)
    if Device.GPU not in made.kernels:
        compile_kernel(made)
    columns = [run.column(arg) for arg in args]
    out, state = _launched(made, columns, run)
    column = _only_values(out, state, run)
    wrong = _Wrong(node, made, columns, state, run)
    return Value(node.type, column, failures=wrong.failures()).failing(*args)


def _launched(made: PythonFunction, columns: Sequence[Any], run: Evaluation) -> tuple[Any, Any]:
    """The columns of values and of states that the kernel writes."""
    signature, ops = made.signature, run.ops
    inputs: list[Any] = []
    valid = [ops.is_valid(column) for column in columns]
    if signature.is_strict:
        together = valid[0]
        for other in valid[1:]:
            together = ops.both(together, other)
        inputs.append(memory(together, ops))
    for column, there in zip(columns, valid, strict=True):
        inputs.append(memory(column, ops))
        if not signature.is_strict:
            inputs.append(memory(there, ops))
    dtype = _dtype(signature.computed)
    out = rmm().DeviceBuffer(size=run.rows * dtype.itemsize, stream=ops.stream)
    state = rmm().DeviceBuffer(size=run.rows, stream=ops.stream)
    made.kernels[Device.GPU].launch(run.rows, [out, state, *inputs], ops)
    column = plc().Column.from_rmm_buffer
    return (
        column(out, data_type(signature.computed), run.rows, []),
        column(state, named_type("UINT8"), run.rows, []),
    )


def _only_values(out: Any, state: Any, run: Evaluation) -> Any:
    """The column with NULL at the rows that have no value."""
    ops = run.ops
    null = ops.plc.Column.all_null_like(out, run.rows, stream=ops.stream)
    return ops.choose(out, null, _has_state(state, kernels.VALUE, run))


def _has_state(state: Any, wanted: int, run: Evaluation) -> Any:
    return run.ops.binary("EQUAL", state, run.ops.scalar(pa.scalar(wanted, pa.uint8())))


class _Wrong:
    """The rows of a call that are errors, and the error of the first of those that are left when it is
    raised.
    """

    def __init__(
        self, node: UserCall, made: PythonFunction, columns: Sequence[Any], state: Any, run: Evaluation
    ) -> None:
        self.made, self.columns, self.state, self.run = made, columns, state, run

    def failures(self) -> tuple[Failure, ...]:
        """One for each way to fail that the function has."""
        signature = self.made.signature
        states = [] if signature.fails_as_null else [kernels.FAILED]
        if signature.is_strict:
            states.append(kernels.NONE)
        if not signature.computed.is_numeric:
            states.append(kernels.OUT_OF_RANGE)
        return tuple(
            Failure(_has_state(self.state, state, self.run), at=lambda rows, s=state: self.error(rows, s))
            for state in states
        )

    def error(self, rows: Any, state: int) -> SqlError:
        """The error of the first of `rows`, all of which have this state. Waits for the device."""
        row = int(np.argmax(rows.to_arrow(stream=self.run.ops.stream).to_numpy(zero_copy_only=False)))
        signature = self.made.signature
        kinds = [kind for kind in signature.params if isinstance(kind, SQLType)]
        pieces = [self.run.ops.sliced([column], row, row + 1)[0] for column in self.columns]
        shown = [self._python(piece, kind) for piece, kind in zip(pieces, kinds, strict=True)]
        called = call_text(signature.name, shown)
        if state == kernels.NONE:
            return messages.returned_null(signature.name, called)
        if state == kernels.OUT_OF_RANGE:
            days = "a number of days"
            return messages.bad_return(signature.name, called, days, signature.result, "out of range")
        cause = self._cause(pieces, kinds)
        text = "it raised an error on the GPU" if cause is None else error_text(cause)
        error = messages.failed(signature.name, called, text)
        error.__cause__ = cause
        return error

    def _python(self, piece: Any, kind: SQLType) -> Any:
        stored = piece.to_arrow(stream=self.run.ops.stream)
        try:
            return python_values(stored.cast(result_type(kind)), kind)[0]
        except SqlError:
            return stored[0].value  # a date beyond those of Python

    def _cause(self, pieces: Sequence[Any], kinds: Sequence[SQLType]) -> Exception | None:
        """What the function raises for the row: the GPU tells only that it did, so its twin is called."""
        signature = self.made.signature
        inputs = []
        for piece, kind in zip(pieces, kinds, strict=True):
            plain = self.run.ops.bits_as(piece, integer_type(kind)) if kind.is_temporal else piece
            stored = plain.to_arrow(stream=self.run.ops.stream)
            there = np.array([stored.null_count == 0])
            value = np.array([stored[0].as_py() if there[0] else 0], dtype=_dtype(kind))
            inputs += [value] if signature.is_strict else [value, there]
        if signature.is_strict:
            inputs.insert(0, np.ones(1, dtype=np.bool_))
        out, state = np.empty(1, dtype=_dtype(signature.computed)), np.zeros(1, dtype=_STATE)
        try:
            self.made.kernels[Device.CPU](0, 1, out, state, *inputs)
        except Exception as error:  # noqa: BLE001 - what the user's function raises is asked for
            return error
        return None
