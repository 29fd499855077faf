"""Collected only where the real pylibcudf is installed: `make conformance` has an environment of its own."""

from __future__ import annotations

import importlib.util
import os
import sys
from pathlib import Path

import pytest

# The real library is imported without touching a device, and finds none: dummies must not meet a kernel.
os.environ["RAPIDS_NO_INITIALIZE"] = "1"
os.environ["CUDA_VISIBLE_DEVICES"] = ""

_HERE = Path(__file__).parent
collect_ignore = (
    [] if importlib.util.find_spec("pylibcudf") else [path.name for path in _HERE.glob("test_*.py")]
)
# The gpu extra brings it; it compiles without a device.
if not importlib.util.find_spec("numba_cuda"):
    collect_ignore.append("test_kernels.py")
if importlib.util.find_spec("pylibcudf"):
    sys.path.insert(0, str(_HERE))


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--recorded-calls",
        type=Path,
        metavar="FILE",
        help="the calls to make on the real library, as --record-calls wrote them; else they are recorded",
    )


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """What was tried and what could not be, line by line."""
    for reports in terminalreporter.stats.values():
        for report in reports:
            for name, text in getattr(report, "user_properties", ()):
                if name == "calls" and report.when == "call":
                    terminalreporter.write_line(f"{report.nodeid.rpartition('::')[2]}: {text}")
