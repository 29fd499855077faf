"""Declaring kernels: one signature each, compiled at first use, cached on disk under a content key.

``@kernel(IN_I64, IN_U8, OUT_I64)`` fixes the argument types, so a kernel is compiled exactly once whatever
arrays come in: ``IN_*`` types are read-only arrays, to which numba converts writable ones for free (the
views of arrow buffers are read-only). Nothing is compiled or loaded before the first call.

numba keys its disk cache on the content of the kernel's own file, so an edit of a helper in another file
would leave stale machine code behind and an edit of a neighbour would throw good code away. Here the key is
a digest of the bytecode and constants of the kernel and of everything it calls, and it is part of the file
names, so that processes of different versions may share the folder.
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable
from types import CodeType, FunctionType
from typing import Any

import numba
from numba import types
from numba.core.caching import CompileResultCacheImpl, FunctionCache
from numba.core.compiler_lock import global_compiler_lock
from numba.core.dispatcher import Dispatcher

from ...planner.forks import kept_over_forks

IN_I32 = types.Array(types.int32, 1, "C", readonly=True)
IN_I64 = types.Array(types.int64, 1, "C", readonly=True)
IN_U8 = types.Array(types.uint8, 1, "C", readonly=True)
IN_U64 = types.Array(types.uint64, 1, "C", readonly=True)
IN_F64 = types.Array(types.float64, 1, "C", readonly=True)
IN_WORDS = types.Array(types.int64, 2, "C", readonly=True)
IN_KEYS = types.Array(types.uint64, 2, "C", readonly=True)
IN_PLACES = types.Array(types.int32, 2, "C", readonly=True)
OUT_I32 = types.Array(types.int32, 1, "C")
OUT_I64 = types.Array(types.int64, 1, "C")
OUT_U8 = types.Array(types.uint8, 1, "C")
OUT_U64 = types.Array(types.uint64, 1, "C")
OUT_F64 = types.Array(types.float64, 1, "C")
OUT_WORDS = types.Array(types.int64, 2, "C")
OUT_PLACES = types.Array(types.int32, 2, "C")
OUT_TABLE = types.Array(types.float64, 2, "C")
INT = types.int64
UINT = types.uint64
FLOAT = types.float64
BOOL = types.boolean

_OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy"}
# A fork must not come while another thread compiles: numba's lock covers also what is not compiled here.
kept_over_forks(global_compiler_lock)
_compiling = kept_over_forks(threading.RLock())


def device(function: Callable[..., Any]) -> Any:
    """A helper called from kernels only: compiled into each of them and inlined by LLVM."""
    return numba.njit(**_OPTIONS)(function)


class Kernel:
    """A function compiled for one signature at its first call; calling it releases the GIL."""

    def __init__(self, function: FunctionType, signature: tuple[types.Type, ...]) -> None:
        self.function = function
        self.signature = signature
        self._compiled: Callable[..., Any] | None = None
        self.__doc__ = function.__doc__
        self.__name__ = function.__name__

    def __call__(self, *args: Any) -> Any:
        compiled = self._compiled
        if compiled is None:
            compiled = self.compile()
        return compiled(*args)

    def compile(self) -> Callable[..., Any]:
        """Compile, or load from the disk cache, for the declared signature."""
        with _compiling:
            compiled = self._compiled
            if compiled is None:
                dispatcher: Any = numba.njit(**_OPTIONS)(self.function)
                dispatcher._cache = _ContentCache(self.function)
                dispatcher.compile(self.signature)
                dispatcher.disable_compile()
                self._compiled = compiled = dispatcher
            return compiled


def kernel(*signature: types.Type) -> Callable[[Callable[..., Any]], Kernel]:
    """Declare a kernel with the given argument types (the result's type is inferred)."""

    def declare(function: Callable[..., Any]) -> Kernel:
        assert isinstance(function, FunctionType)
        assert function.__code__.co_argcount == len(signature), function.__name__
        return Kernel(function, signature)

    return declare


def content_key(function: FunctionType) -> str:
    """Digest of the bytecode, constants and (recursively) helpers and global constants of ``function``."""
    digest = hashlib.sha256()
    seen: set[CodeType] = set()

    def add_code(code: CodeType, namespace: dict[str, Any]) -> None:
        if code in seen:
            return
        seen.add(code)
        digest.update(repr((code.co_name, code.co_code, code.co_names, code.co_varnames)).encode())
        for constant in code.co_consts[_first_constant(code) :]:
            if isinstance(constant, CodeType):
                add_code(constant, namespace)
            else:
                digest.update(repr(constant).encode())
        for name in code.co_names:
            if name in namespace:
                add_global(name, namespace[name])

    def add_global(name: str, value: Any) -> None:
        if isinstance(value, Dispatcher):
            value = value.py_func
        elif isinstance(value, Kernel):
            value = value.function
        elif isinstance(definition := getattr(value, "_defn", None), FunctionType):
            value = definition  # an intrinsic
        if isinstance(value, FunctionType):
            add_code(value.__code__, value.__globals__)
        elif isinstance(value, int | float | str | tuple) or type(value).__module__ == "numpy":
            digest.update(f"{name}={value!r}".encode())

    add_code(function.__code__, function.__globals__)
    return digest.hexdigest()[:24]


def _first_constant(code: CodeType) -> int:
    # The docstring is the first constant of a function that has one; editing it must not recompile.
    return 1 if code.co_consts and isinstance(code.co_consts[0], str) else 0


class _ContentCacheImpl(CompileResultCacheImpl):
    def __init__(self, py_func: FunctionType) -> None:
        super().__init__(py_func)
        key = content_key(py_func)
        # Instance attributes shadow the methods of the chosen locator: its folder is right, its keys are not.
        self._locator.get_source_stamp = lambda: key
        self._filename_base = f"{py_func.__module__.rpartition('.')[2]}.{py_func.__name__}-{key}"


class _ContentCache(FunctionCache):
    _impl_class = _ContentCacheImpl
