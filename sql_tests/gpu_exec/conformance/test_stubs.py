"""pyright reads the real stubs through the backend's own modules: a wrong call is found."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

CALLS = """
from tandemdb.gpu_exec.library import plc, rmm
from tandemdb.gpu_exec.ops import Ops


def calls(ops: Ops) -> None:
    of = ops.int32(1)
    plc().unary.is_null(ops.repeated(of, 2), stream=ops.stream)
    plc().unary.is_null(ops.repeated(of, 2), strem=ops.stream)  # wrong
    plc().unary.is_nul(ops.repeated(of, 2))  # wrong
    plc().unary.is_null(of)  # wrong
    ops.plc.binaryop.BinaryOperator.PLUS  # wrong
    rmm().mr.PoolMemoryResource()  # wrong
"""


def test_wrong_calls_are_found(tmp_path: Path, pytestconfig: pytest.Config) -> None:
    (tmp_path / "tandemdb").symlink_to(pytestconfig.rootpath)
    (tmp_path / "calls.py").write_text(CALLS)
    (tmp_path / "pyrightconfig.json").write_text(json.dumps({"include": ["calls.py"], "extraPaths": ["."]}))
    command = [sys.executable, "-m", "pyright", "--outputjson", "--pythonpath", sys.executable]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    found = {entry["range"]["start"]["line"] for entry in json.loads(done.stdout)["generalDiagnostics"]}
    assert found == {i for i, line in enumerate(CALLS.splitlines()) if line.endswith("# wrong")}, done.stdout
