"""The steps of a GPU check, in the order of what is missed most when time runs out."""

import contextlib
import importlib.util
import re
import tempfile
import time
from collections import Counter
from pathlib import Path
from statistics import geometric_mean
from typing import Any, Final

from . import report, texts
from .client import Client
from .gpu_check_run import Check, StepError, inherited
from .rounds import ORACLE, SUBJECT, Schedule, measure

_PACKAGE: Final = str(__package__).rpartition(".")[0]
_ROOT: Final = Path(__file__).resolve().parent.parent
# The most that one query may take of a run.
_QUERY_SECONDS: Final = 60.0
_NAMED: Final = 200
# A probe may need several: some calls end theirs.
_PROCESSES: Final = 20
_OUTCOME: Final = re.compile(r"\b(PASSED|FAILED|ERROR|SKIPPED|XFAIL|XPASS)\b")


def all_steps(check: Check) -> None:
    """Runs every step; without a usable GPU only the first."""
    budget = check.options.budget
    if not check.step("preflight", 60, lambda entry, end: preflight(check, entry, end)):
        return
    check.step("probe", 150, lambda entry, end: probe(check, entry, end))
    check.step("copies", 60, lambda entry, end: copies(check, entry, end))
    first, *others = check.options.scales
    tpch_steps(check, first, budget * 0.3)
    check.step("contract", budget * 0.35, lambda entry, end: contract(check, entry, end))
    for scale in others:
        tpch_steps(check, scale, budget * 0.5)


def tpch_steps(check: Check, scale: float, limit: float) -> None:
    """Makes the files of a scale, runs the queries, and measures the rate of one."""
    name = f"{scale:g}"
    if check.step(f"lake {name}", limit, lambda entry, end: lake(check, scale, entry, end)):
        check.step(f"rate {name}", limit / 2, lambda entry, end: rate(check, scale, entry, end))
        check.step(f"tpch {name}", limit, lambda entry, end: tpch(check, scale, entry, end))


def preflight(check: Check, entry: dict[str, Any], end: float) -> None:
    """The card, its driver, free memory, versions; fails with the reason where there is no usable GPU."""
    entry |= check.answer("preflight", ["-m", f"{_PACKAGE}.gpu_exec.machine", "facts"], end)
    if entry["absent"] is not None:
        raise StepError(f"there is no GPU to check: {entry['absent']}")


def probe(check: Check, entry: dict[str, Any], end: float) -> None:
    """The small calls, whose record the double has to repeat."""
    path = check.options.output / "probe.json"
    path.unlink(missing_ok=True)
    arguments = ["-m", f"{_PACKAGE}.gpu_exec.probe", f"--output={path}", "--resume"]
    entry |= {"record": path.name, "ended": []}
    for _ in range(_PROCESSES):
        code, text = check.python("probe", arguments, end)
        entry["said"] = text.strip()[-400:]
        if code == 0:
            break
        # A call ended the process, or lost it the device. The next one goes on behind that call.
        entry["ended"].append(code)
        check.write()
    else:
        raise StepError(f"{_PROCESSES} processes ended before their time: see probe.errors.log")


def copies(check: Check, entry: dict[str, Any], end: float) -> None:
    """How fast bytes are copied, in bytes a second."""
    size = check.options.copy_bytes
    module = f"{_PACKAGE}.gpu_exec.machine"
    found = check.answer("copies", ["-m", module, "copies", f"--bytes={size}"], end)
    entry |= {"bytes": size, "bytes_a_second": found}


def lake(check: Check, scale: float, entry: dict[str, Any], end: float) -> None:
    """The Parquet files of a scale, generated unless they are there."""
    folder = _lake(check, scale)
    entry["folder"] = str(folder)
    arguments = ["-m", f"{_PACKAGE}.tpch.generate", f"--scale={scale:g}", f"--output={folder}"]
    code, _ = check.python(f"lake-{scale:g}", arguments, end)
    if code:
        raise StepError(f"exit code {code}: see lake-{scale:g}.errors.log")


def _lake(check: Check, scale: float) -> Path:
    return check.options.lakes / f"sf{scale:g}"


def tpch(check: Check, scale: float, entry: dict[str, Any], end: float) -> None:
    """The 22 queries on the GPU and on DuckDB, every row compared, fallbacks counted."""
    options = check.options
    entry |= {"source": "parquet", "device": "gpu", "threads": options.threads, "runs": options.runs}
    entry["queries"] = found = {}
    with contextlib.ExitStack() as stack:
        stack.enter_context(inherited(check.environment()))
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="tandemdb-check-")))
        clients = {
            name: Client(name, _lake(check, scale), options.threads, "parquet", folder, _QUERY_SECONDS, "gpu")
            for name in (SUBJECT, ORACLE)
        }
        for client in clients.values():
            stack.callback(client.close)
        for number in texts.parse_selection("all"):
            left = end - time.monotonic()
            if left < 1:
                break
            for client in clients.values():
                client.timeout = min(_QUERY_SECONDS, left)
            schedule = Schedule([number], options.runs, 1, 1, scale)
            cells = measure(schedule, clients, lambda _turn, _query: None)[number]
            found[str(number)] = {name: report.cell(cell) for name, cell in cells.items()}
            found[str(number)]["ratio"] = report.ratio(cells, SUBJECT, ORACLE)
            if cells[SUBJECT].problem is not None:
                # Its process may have lost the device: the next query gets another one.
                clients[SUBJECT].close()
            entry["versions"] = {name: client.version for name, client in clients.items()}
            entry |= _summary(found)
            check.write()
    problems = [f"Q{number}: {row[SUBJECT]['problem']}" for number, row in found.items() if _wrong(row)]
    if len(found) < 22:
        problems.append(f"time was up after {len(found)} of 22 queries")
    if problems:
        raise StepError("; ".join(problems)[:2000])


def _wrong(row: dict[str, Any]) -> bool:
    return row[SUBJECT]["problem"] is not None or bool(row[SUBJECT]["uncounted"])


def _summary(found: dict[str, Any]) -> dict[str, Any]:
    ratios = [row["ratio"] for row in found.values() if row["ratio"] is not None]
    return {
        "verified": sum(not _wrong(row) for row in found.values()),
        "fallbacks": sum(row[SUBJECT]["fallback_count"] for row in found.values()),
        "geometric_mean": geometric_mean(ratios) if ratios else None,
    }


def rate(check: Check, scale: float, entry: dict[str, Any], end: float) -> None:
    """Bytes a second that a scan with filter and aggregate gets through, and their share of a plain copy."""
    options = check.options
    arguments = ["-m", f"{_PACKAGE}.tpch.gpu_check_rate", f"--lake={_lake(check, scale)}", "--device=gpu"]
    arguments += [f"--threads={options.threads}", f"--scale={scale:g}"]
    entry["sources"] = found = check.answer(f"rate-{scale:g}", arguments, end)
    copied = check.report["steps"].get("copies", {}).get("bytes_a_second", {}).get("host_to_device_pinned")
    for source in found.values():
        source["share_of_copy"] = source["bytes_a_second"] / copied if copied else None
    wrong = [name for name, source in found.items() if not source["verified"]]
    if wrong:
        raise StepError(f"not what {ORACLE} gives, from: {', '.join(wrong)}")


def contract(check: Check, entry: dict[str, Any], end: float) -> None:
    """The tests of every operator and function that need a GPU."""
    if not (_ROOT / "sql_tests").is_dir():
        raise StepError("the tests come with a checkout only, which this installation is not")
    gpu = "real" if check.options.rehearsal is None else "double"
    arguments = ["-m", "pytest", *check.options.tests, f"--gpu={gpu}", "-m", "gpu and not slow", "-v"]
    arguments += ["--tb=short", "--color=no", "-p", "no:cacheprovider"]
    if importlib.util.find_spec("xdist") is not None:
        arguments += ["-n", str(max(min(check.options.threads // 2, 8), 1))]
    entry["command"] = " ".join(arguments)
    log = check.options.output / "contract.log"
    try:
        code, _ = check.python("contract", arguments, end, cwd=_ROOT)
    finally:
        # What the log says until then counts, also when time was up.
        entry |= outcomes(log.read_text(encoding="utf-8", errors="replace") if log.exists() else "")
    if code:
        raise StepError(f"pytest ended with code {code}: {entry['summary'] or 'see contract.errors.log'}")


def outcomes(log: str) -> dict[str, Any]:
    """What pytest -v said: how many tests of each outcome, those that failed, its last line.

    >>> outcomes("[gw0] [ 50%] PASSED a.py::x \\na.py::y[FAILED] FAILED [100%]\\n== 1 failed, 1 passed ==")
    {'tests': {'passed': 1, 'failed': 1}, 'failed': ['a.py::y[FAILED]'], 'summary': '1 failed, 1 passed'}
    """
    counts: Counter[str] = Counter()
    failed = []
    lines = log.splitlines()
    for line in lines:
        words = line.split()
        if line.startswith(("FAILED ", "ERROR ")) or "::" not in line:
            continue
        outcome = next((word for word in words if _OUTCOME.fullmatch(word)), None)
        if outcome is not None:
            counts[outcome.lower()] += 1
            if outcome in ("FAILED", "ERROR"):
                failed.append(next(word for word in words if "::" in word))
    summary = lines[-1].strip("= ") if lines else ""
    return {"tests": dict(counts), "failed": failed[:_NAMED], "summary": summary}
