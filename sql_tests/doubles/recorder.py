"""A plugin of pytest that writes the calls that the tests make on the double, of each shape one.

PYTHONPATH=sql_tests python -m pytest -p doubles.recorder --record-calls FILE ...

With several workers each watches its own tests, and the process that ends the run puts them together.
"""

from __future__ import annotations

import contextlib
import json
import os
from pathlib import Path
from typing import Any

import pytest

from .calls import Calls, recording

OPTION = "--record-calls"
_SENT = "recorded_calls"


def record_to(path: Path) -> list[str]:
    """The options of a pytest, in the environment `with_doubles`, that writes to a file."""
    return ["-p", __name__, f"{OPTION}={path}"]


def with_doubles() -> dict[str, str]:
    """The environment of a process that can import this."""
    return {**os.environ, "PYTHONPATH": str(Path(__file__).parent.parent)}


def pytest_addoption(parser: pytest.Parser) -> None:
    """Registers the option."""
    parser.addoption(
        OPTION, type=Path, metavar="FILE", help="write the calls made on the doubles of the GPU libraries"
    )


def pytest_configure(config: pytest.Config) -> None:
    """Begins to watch, where the option asks for it."""
    path = config.getoption(OPTION)
    if path is not None:
        config.pluginmanager.register(_Recorder(config, Path(path)))


class _Recorder:
    """Watches until the session ends; in a worker it sends what it saw, else it writes the file."""

    def __init__(self, config: pytest.Config, path: Path) -> None:
        self._config, self._path = config, path
        self._watching = contextlib.ExitStack()
        self._calls: Calls = self._watching.enter_context(recording())

    def pytest_testnodedown(self, node: Any, error: Any) -> None:
        """Takes what a worker saw."""
        for form in json.loads(getattr(node, "workeroutput", {}).get(_SENT, "[]")):
            self._calls.keep(form)

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Ends watching. The workers are down by now."""
        self._watching.close()
        forms = self._calls.forms()
        output = getattr(self._config, "workeroutput", None)
        if output is not None:
            output[_SENT] = json.dumps(forms)
        else:
            lines = ",\n".join(json.dumps(form) for form in forms)
            self._path.write_text(f"[\n{lines}\n]\n", encoding="utf-8")
