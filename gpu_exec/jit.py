"""Kernels that numba.cuda compiles: one thread a row, on a task's stream."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numba.core.compiler_lock import global_compiler_lock

from ..planner.forks import kept_over_forks
from .library import cuda
from .ops import Ops

THREADS = 256
# Held outside of numba's own lock, so it must be the later one.
kept_over_forks(global_compiler_lock)
_compiling = kept_over_forks(threading.RLock())


class RowKernel:
    """`row(i, arguments...)`, a function that numba can compile, over all rows: thread i does row i.

    `dtypes` are those of the arguments, which are arrays. The kernel is compiled when it is made: raises what
    numba raises. A thread whose row raises an error ends there.
    """

    def __init__(self, row: Callable[..., Any], dtypes: Sequence[np.dtype[Any]]) -> None:
        self.dtypes = tuple(dtypes)
        with _compiling:
            function, signature = kernel_function(row, dtypes)
            self.compiled = cuda().jit(signature)(function)

    def launch(self, rows: int, arguments: Sequence[Any], ops: Ops) -> None:
        """Starts the kernel on the stream of `ops`, for one row or more; `arguments` are spans of device
        memory (`memory`).
        """
        target = cuda()
        arrays = [
            target.as_cuda_array(span, sync=False).view(dtype)
            for span, dtype in zip(arguments, self.dtypes, strict=True)
        ]
        stream = target.external_stream(ops.stream.__cuda_stream__()[1])
        self.compiled[(rows + THREADS - 1) // THREADS, THREADS, stream](rows, *arrays)


def kernel_function(row: Callable[..., Any], dtypes: Sequence[np.dtype[Any]]) -> tuple[Any, Any]:
    """What numba compiles to a kernel, and its signature: the number of rows, then the arrays."""
    import numba
    from numba import types

    names = ", ".join(f"p{k}" for k in range(len(dtypes)))
    body = f"    i = cuda.grid(1)\n    if i < rows:\n        row(i, {names})\n"
    namespace: dict[str, Any] = {"cuda": cuda(), "row": row, "__name__": __name__}
    exec(compile(f"def kernel(rows, {names}):\n{body}", "<kernel>", "exec"), namespace)
    arrays = [types.Array(numba.from_dtype(dtype), 1, "C") for dtype in dtypes]
    return namespace["kernel"], types.void(types.int64, *arrays)


def on_device(function: Callable[..., Any]) -> Any:
    """A function that kernels may call."""
    return cuda().jit(device=True)(function)


def memory(column: Any, ops: Ops) -> Any:
    """The memory of a column's values, from its first row on. A sliced column is copied: not all views
    of memory tell what lies before its rows.
    """
    return (column.copy(stream=ops.stream) if column.offset() else column).data()
