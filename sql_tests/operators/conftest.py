"""Fixtures of the operator contract tests: the backend under test, batch sizes, numbers of tasks."""

from __future__ import annotations

from typing import Any

import pytest
from operators.harness import BATCH_SIZES, Runner


def _cpu() -> Any:
    from tandemdb.cpu_fallback.backend import CpuBackend

    return CpuBackend()


# Device name to what makes its backend: every contract test runs on each.
BACKENDS = {"cpu": _cpu}


@pytest.fixture(params=sorted(BACKENDS))
def backend(request: pytest.FixtureRequest) -> Any:
    """The backend of a device."""
    return BACKENDS[request.param]()


@pytest.fixture(params=BATCH_SIZES, ids=lambda size: f"batch{size}")
def batch_size(request: pytest.FixtureRequest) -> int:
    """Rows a batch."""
    return request.param


@pytest.fixture(params=(1, 2), ids=lambda n: f"tasks{n}")
def runner(request: pytest.FixtureRequest, backend: Any, batch_size: int) -> Runner:
    """Runs pipelines on the backend, with every batch size, by one task and by two."""
    return Runner(backend, request.param, batch_size)
