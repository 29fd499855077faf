"""Fixtures of the operator contract tests: the backend under test, batch sizes, numbers of tasks.

Every contract test runs on the backend of each device; what the GPU leaves out is in exclusions.py.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from operators.exclusions import CPU_ONLY, NOT_BUILT, excluded
from operators.harness import BATCH_SIZES, NotOnThisDevice, Runner


def _cpu() -> Any:
    from tandemdb.cpu_fallback.backend import CpuBackend

    return CpuBackend()


def _gpu() -> Any:
    from tandemdb.gpu_exec.backend import GpuBackend

    return GpuBackend()


# Device name to what makes its backend: every contract test runs on each.
BACKENDS = {"cpu": _cpu, "gpu": _gpu}
TASKS = (1, 2)
# Batch sizes that two tasks have in the slow suite only: a row each, and so many that there is one batch.
_ONE_TASK = (BATCH_SIZES[0], BATCH_SIZES[-1])
# Tests of many parameter sets: on the GPU each has one batch size in the quick suite, all in the slow one.
MANY = frozenset(
    {
        "test_aggregate.test_empty_and_all_null",
        "test_aggregate.test_functions",
        "test_aggregate.test_group_keys",
        "test_joins.test_empty_sides",
        "test_joins.test_hash_join",
        "test_joins.test_mark_join",
        "test_joins.test_nested_loop_join",
        "test_rows.test_limit",
        "test_sort.test_sort",
        "test_sort.test_top_n",
        "test_window.test_aggregates",
        "test_window.test_frames",
        "test_window.test_keys_of_every_type",
        "test_window.test_long_frames",
        "test_window.test_ranks_and_other_rows",
        "test_window.test_sets",
    }
)
# Of these also on the CPU.
SLOW_TO_CHECK = frozenset(name for name in MANY if name.startswith("test_window."))
# On the GPU for the slow suite: the double takes seconds for each. The quick one has less of the same in
# gpu_exec/test_windows.py.
HEAVY = frozenset({"test_window.test_aggregates", "test_window.test_frames", "test_window.test_long_frames"})


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Each backend that the test is about."""
    if "backend" not in metafunc.fixturenames:
        return
    module, test = metafunc.module.__name__.rpartition(".")[2], metafunc.function.__name__
    whole = any(entry.names(module, test) and not entry.where for entry in CPU_ONLY)
    names = ["cpu"] if whole else list(BACKENDS)
    marked = [pytest.param(name, marks=[pytest.mark.gpu] if name == "gpu" else []) for name in names]
    metafunc.parametrize("backend", marked, indirect=True)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """The less telling runs are slow tests, and what is not built for the GPU is expected to be refused."""
    left = []
    for item in items:
        if item.path.parent != Path(__file__).parent or not isinstance(item, pytest.Function):
            continue
        parameters = item.callspec.params if hasattr(item, "callspec") else {}
        if parameters.get("backend") != "gpu":
            many = f"{item.path.stem}.{item.originalname}" in SLOW_TO_CHECK
            two = parameters.get("runner") == TASKS[-1]
            if (many and (two or not _is_quick(item))) or (two and parameters.get("batch_size") in _ONE_TASK):
                item.add_marker(pytest.mark.slow)
            continue
        entry = excluded(NOT_BUILT, item.path.stem, item.originalname, parameters)
        if entry is None:
            if not _is_quick(item):
                item.add_marker(pytest.mark.slow)
        elif (parameters.get("batch_size", 3), parameters.get("runner", 1)) == (3, 1):
            item.add_marker(pytest.mark.xfail(raises=NotOnThisDevice, strict=True, reason=entry.reason))
        else:
            # Refused before the first row, whatever the batch size.
            left.append(item)
    if left:
        config.hook.pytest_deselected(items=left)
        items[:] = [item for item in items if item not in set(left)]


def _is_quick(item: pytest.Function) -> bool:
    """Every batch size with one task, 3 with two; where there are many parameter sets, one of these each."""
    indices = dict(item.callspec.indices)
    indices.pop("backend")
    size, tasks = indices.pop("batch_size", 0), indices.pop("runner", 0)
    name = f"{item.path.stem}.{item.originalname}"
    if name in HEAVY and item.callspec.params["backend"] == "gpu":
        return False
    many = name in MANY
    mine = not many or sum(indices.values()) % len(BATCH_SIZES) == size
    return mine and (tasks == 0 or BATCH_SIZES[size] == 3)


@pytest.fixture
def backend(request: pytest.FixtureRequest) -> Any:
    """The backend of a device."""
    if request.param == "gpu":
        request.getfixturevalue("gpu")
    return BACKENDS[request.param]()


@pytest.fixture(params=BATCH_SIZES, ids=lambda size: f"batch{size}")
def batch_size(request: pytest.FixtureRequest) -> int:
    """Rows a batch."""
    return request.param


@pytest.fixture(params=TASKS, ids=lambda n: f"tasks{n}")
def runner(request: pytest.FixtureRequest, backend: Any, batch_size: int) -> Runner:
    """Runs pipelines on the backend, with every batch size, by one task and by two."""
    return Runner(backend, request.param, batch_size)
