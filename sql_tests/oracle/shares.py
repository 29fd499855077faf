"""Sums over all shards of generated queries: too few with rows fail the run; fallbacks by reason."""

from __future__ import annotations

from collections import Counter

import pytest

LEAST_WITH_ROWS = 0.7
REASONS_SHOWN = 10
_seen: Counter[str] = Counter()
_fallbacks: Counter[str] = Counter()


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Every test's report comes to the process that ends the run, whichever worker ran it."""
    if report.when == "call":
        for name, value in report.user_properties:
            if name == "fallbacks":
                assert isinstance(value, dict)
                _fallbacks.update(value)
            elif name in ("queries", "nonempty", "operators on the GPU"):
                assert isinstance(value, int)
                _seen[name] += value


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """One line on what was compared, and what fell back."""
    if _seen["queries"]:
        share = 100 * _seen["nonempty"] / _seen["queries"]
        terminalreporter.write_line(f"{_seen['queries']} generated queries, {share:.1f}% with rows")
    if on_gpu := _seen["operators on the GPU"]:
        reasons = ", ".join(f"{times} {reason}" for reason, times in _fallbacks.most_common(REASONS_SHOWN))
        rest = sum(_fallbacks.values()) - sum(times for _, times in _fallbacks.most_common(REASONS_SHOWN))
        more = f", {rest} for other reasons" if rest else ""
        terminalreporter.write_line(f"{on_gpu} operators on the GPU; fallbacks: {reasons or 'none'}{more}")


@pytest.hookimpl(tryfirst=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """Fails the run where too few queries gave rows."""
    if _seen["nonempty"] < LEAST_WITH_ROWS * _seen["queries"]:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
