"""Kernels compile once, load from the disk cache, and never from the code of another version."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
from tandemdb.cpu_fallback.kernels import _jit


def _make(constant: int):
    namespace = {"constant": constant, "np": np}
    exec("def helper(x):\n    return x + constant\n", namespace)
    namespace["helper"] = _jit.device(namespace["helper"])
    exec(
        "def outer(values, out):\n    for i in range(len(out)):\n        out[i] = helper(values[i])\n",
        namespace,
    )
    return namespace["outer"]


def test_the_cache_key_covers_helpers_and_constants() -> None:
    assert _jit.content_key(_make(1)) == _jit.content_key(_make(1))
    assert _jit.content_key(_make(1)) != _jit.content_key(_make(2))


def test_read_only_arrays_need_no_second_compilation() -> None:
    from tandemdb.cpu_fallback.kernels.hashing import _combine

    a = np.arange(3, dtype=np.uint64)
    frozen = a.copy()
    frozen.flags.writeable = False
    first, second = np.empty_like(a), np.empty_like(a)
    _combine(a, a, first)
    _combine(frozen, frozen, second)
    assert (first == second).all()
    assert len(_combine.compile().signatures) == 1


def test_the_package_and_arrays_import_without_numba() -> None:
    code = "import sys, tandemdb.cpu_fallback.kernels.arrays; sys.exit('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_importing_every_kernel_module_compiles_nothing() -> None:
    code = """
import importlib, pkgutil, sys
import tandemdb.cpu_fallback.kernels as package
from tandemdb.cpu_fallback.kernels import _jit
for module in pkgutil.iter_modules(package.__path__):
    found = importlib.import_module(package.__name__ + "." + module.name)
    for value in vars(found).values():
        assert not (isinstance(value, _jit.Kernel) and value._compiled), value.__name__
"""
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
