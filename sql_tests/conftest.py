"""Collects .slt files as tests, and chooses the engine under test."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import doubles
import pytest
from oracle.engines import ENGINES, Engine
from oracle.shares import pytest_runtest_logreport, pytest_sessionfinish, pytest_terminal_summary
from runner.execute import Mismatch, execute
from runner.records import File, SltSyntaxError, read
from tandemdb.engine import devices
from tandemdb.gpu_exec import library

__all__ = ["pytest_runtest_logreport", "pytest_sessionfinish", "pytest_terminal_summary"]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--engine",
        default="tandemdb",
        choices=sorted(ENGINES),
        help="the engine that .slt files, reports and fuzz tests check; duckdb checks the tests themselves",
    )


@pytest.fixture
def gpu(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """A process with a GPU: doubles of the libraries are in their place. Gives the double's device."""
    with doubles.install() as device:
        library.forget()
        monkeypatch.setattr(devices, "why_no_gpu", lambda: None)
        yield device
    library.forget()


@pytest.fixture
def engine(request: pytest.FixtureRequest) -> Iterator[Engine]:
    """A fresh connection of the engine under test."""
    found = ENGINES[request.config.getoption("--engine")]()
    yield found
    found.close()


@pytest.fixture
def engine_name(request: pytest.FixtureRequest) -> str:
    return str(request.config.getoption("--engine"))


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    return SltFile.from_parent(parent, path=file_path) if file_path.suffix == ".slt" else None


class SltFile(pytest.File):
    """A sqllogictest file: one test for each configuration of its `# configs:` line."""

    def collect(self) -> Iterator[pytest.Item]:
        try:
            file = read(self.path)
        except SltSyntaxError as error:
            raise self.CollectError(str(error)) from error
        for config in file.configs:
            name = ",".join(f"{setting}={value}" for setting, value in config.items()) or "records"
            yield SltItem.from_parent(self, name=name, file=file, settings=config)


class SltItem(pytest.Item):
    """One run of a file under one configuration."""

    def __init__(self, *, file: File, settings: dict[str, str], **kwargs: object) -> None:
        super().__init__(**kwargs)
        self.file = file
        self.settings = settings

    def runtest(self) -> None:
        name = self.config.getoption("--engine")
        execute(self.file, ENGINES[name], self.settings)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException]) -> str:
        if isinstance(excinfo.value, Mismatch):
            return str(excinfo.value)
        return str(super().repr_failure(excinfo))

    def reportinfo(self) -> tuple[Path, int, str]:
        return self.path, 0, f"{self.path.name} [{self.name}]"
