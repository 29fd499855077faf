"""What --gpu chooses: the double or the machine's own GPU, without which tests fail with the reason."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from doubles import process
from tandemdb.gpu_exec import library

HERE = Path(__file__).parent


def test_a_machine_without_a_gpu_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(library, "why_absent", lambda: "there is none, buy one")
    with pytest.raises(process.NoGpu, match="there is none, buy one"), process.GPUS["real"]():
        pass


def test_on_a_real_gpu_tests_fail_with_the_reason_and_those_of_the_double_are_left_out() -> None:
    chosen = ("-m", "gpu", "-k", "errors_are_raised or device_memory", str(HERE / "test_queries.py"))
    found = subprocess.run(
        [sys.executable, "-m", "pytest", "-v", "-p", "no:cacheprovider", "--gpu=real", *chosen],
        capture_output=True,
        text=True,
        cwd=HERE.parents[1],
        env=os.environ | {"CUDA_VISIBLE_DEVICES": ""},
        timeout=120,
    ).stdout
    assert "test_errors_are_raised_as_on_the_cpu" in found
    assert re.search(r"\b[1-9]\d* errors", found)
    assert "install" in found, "what to do about it"
    assert "Traceback" not in found
    assert "test_device_memory_is_given_back" not in found
