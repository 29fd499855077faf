"""Collects .slt files as tests, and chooses the engine under test and the GPU that tests see."""

from __future__ import annotations

import contextlib
import gc
import os
from collections.abc import Iterator
from pathlib import Path

import doubles
import pytest
from doubles import process
from oracle.engines import ENGINES, ON_GPU, Engine
from oracle.shares import pytest_runtest_logreport, pytest_sessionfinish, pytest_terminal_summary
from runner.execute import Mismatch, execute
from runner.records import File, SltSyntaxError, read

__all__ = ["pytest_runtest_logreport", "pytest_sessionfinish", "pytest_terminal_summary"]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--engine",
        default="tandemdb",
        choices=sorted(ENGINES),
        help="the engine that .slt files, reports and fuzz tests check; duckdb checks the tests themselves",
    )
    parser.addoption(
        "--gpu",
        default="double",
        choices=sorted(process.GPUS),
        help="what tests marked gpu run on: the double of its libraries, or the machine's own GPU",
    )


def pytest_configure(config: pytest.Config) -> None:
    """No test goes by the hardware profile that the user may have stored. An engine on the GPU has one for
    the whole run: .slt files have no fixtures.
    """
    os.environ["XDG_CONFIG_HOME"] = str(Path(__file__).parent / "no config")
    if config.getoption("--engine") in ON_GPU:
        stack = contextlib.ExitStack()
        try:
            stack.enter_context(process.GPUS[config.getoption("--gpu")]())
        except process.NoGpu as error:
            raise pytest.UsageError(str(error)) from error
        config.add_cleanup(stack.close)


@pytest.fixture
def double() -> Iterator[doubles.Device]:
    """A process whose GPU is the double, whatever --gpu says: for tests of counters and injected failures."""
    with process.double() as device:
        yield device


@pytest.fixture
def gpu(request: pytest.FixtureRequest) -> Iterator[doubles.Device | None]:
    """A process with a GPU, the double or the machine's own (--gpu). Gives the double's device, or None."""
    with contextlib.ExitStack() as stack:
        try:
            device = stack.enter_context(process.GPUS[request.config.getoption("--gpu")]())
        except process.NoGpu as error:
            pytest.fail(str(error), pytrace=False)
        yield device


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Marks the tests that need a GPU, and those that need the double; a real GPU leaves the latter out."""
    for item in items:
        needed = set(getattr(item, "fixturenames", ()))
        if "double" in needed:
            item.add_marker("double")
        if needed & {"double", "gpu"} or item.get_closest_marker("double"):
            item.add_marker("gpu")
    if config.getoption("--gpu") == "real":
        left = [item for item in items if item.get_closest_marker("double") is not None]
        config.hook.pytest_deselected(items=left)
        items[:] = [item for item in items if item.get_closest_marker("double") is None]


@pytest.fixture
def engine(request: pytest.FixtureRequest) -> Iterator[Engine]:
    """A fresh connection of the engine under test."""
    found = ENGINES[request.config.getoption("--engine")]()
    yield found
    found.close()


@pytest.fixture
def engine_name(request: pytest.FixtureRequest) -> str:
    return str(request.config.getoption("--engine"))


def pytest_collection_finish() -> None:
    """Thousands of collected tests are no garbage, and syntax trees and plans are many small objects: looking
    for cycles as often as Python does by itself took a tenth of the suite's time.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    return SltFile.from_parent(parent, path=file_path) if file_path.suffix == ".slt" else None


class SltFile(pytest.File):
    """A sqllogictest file: one test for each configuration of its `# configs:` line, and one on the GPU."""

    def collect(self) -> Iterator[pytest.Item]:
        try:
            file = read(self.path)
        except SltSyntaxError as error:
            raise self.CollectError(str(error)) from error
        for config in file.configs:
            name = ",".join(f"{setting}={value}" for setting, value in config.items()) or "records"
            item = SltItem.from_parent(self, name=name, file=file, settings=config)
            if file.slow:
                item.add_marker("slow")
            yield item
        if self.config.getoption("--engine") == "tandemdb":
            item = SltItem.from_parent(self, name="gpu", file=file, settings={}, engine="tandemdb-gpu")
            item.add_marker("gpu")
            item.add_marker("slow")
            yield item


class SltItem(pytest.Item):
    """One run of a file under one configuration."""

    def __init__(
        self, *, file: File, settings: dict[str, str], engine: str | None = None, **kwargs: object
    ) -> None:
        super().__init__(**kwargs)
        self.file = file
        self.settings = settings
        self.engine = engine or self.config.getoption("--engine")

    def runtest(self) -> None:
        gpu = (
            process.GPUS[self.config.getoption("--gpu")] if self.engine in ON_GPU else contextlib.nullcontext
        )
        with gpu():
            execute(self.file, ENGINES[self.engine], self.settings)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException]) -> str:
        if isinstance(excinfo.value, (Mismatch, process.NoGpu)):
            return str(excinfo.value)
        return str(super().repr_failure(excinfo))

    def reportinfo(self) -> tuple[Path, int, str]:
        return self.path, 0, f"{self.path.name} [{self.name}]"
