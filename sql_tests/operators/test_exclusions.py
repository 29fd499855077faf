"""The table of what the contract tests leave out on the GPU names tests that there are."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest
from operators.exclusions import CPU_ONLY, NOT_BUILT, Exclusion

HERE = Path(__file__).parent


@pytest.mark.parametrize("entry", [*CPU_ONLY, *NOT_BUILT], ids=lambda e: f"{e.module}-{e.test}")
def test_each_entry_is_about_tests_that_there_are(entry: Exclusion) -> None:
    spec = importlib.util.spec_from_file_location(entry.module, HERE / f"{entry.module}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    tests = [name for name in vars(module) if name.startswith("test_") and entry.names(entry.module, name)]
    assert tests
    assert entry.reason
