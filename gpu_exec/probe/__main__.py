"""Runs the probe on this machine's GPU: python -m tandemdb.gpu_exec.probe --output FILE.

The record is written as it grows. A call may end the process, or leave the device unusable for all that
follow in it: then `--resume` goes on behind it with what is left, in a new process.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

from ..machine import facts
from .case import Case
from .cases import all_cases
from .evaluate import Library
from .forms import to_json

# Exit code: the device is lost to this process, go on with --resume.
LOST = 3
# After these every call in the process fails.
_STICKY = (
    *("cudaErrorIllegalAddress", "cudaErrorMisalignedAddress", "cudaErrorIllegalInstruction"),
    *("cudaErrorLaunchFailure", "cudaErrorAssert", "cudaErrorHardwareStackError", "cudaErrorInvalidPc"),
)
_WRITTEN_EVERY = 50


def entry(case: Case, gives: Any) -> dict[str, Any]:
    """What the record holds of a case."""
    return {"call": to_json(case.form), "order": case.order.value, "gives": gives}


def record(library: Library, cases: list[Case]) -> dict[str, Any]:
    """Calls and results by name, as JSON."""
    return {case.name: entry(case, library.result(case.form)) for case in cases}


def main(arguments: list[str]) -> int:
    """Exit code 0 when every call was made, whatever it gave; LOST where the device is."""
    parser = argparse.ArgumentParser(
        description="Record what small calls of pylibcudf and rmm give on this GPU."
    )
    parser.add_argument("--output", type=Path, required=True, help="the JSON file to write")
    parser.add_argument("--only", default="", help="only the cases whose name begins so")
    parser.add_argument("--resume", action="store_true", help="add to the file what it lacks")
    options = parser.parse_args(arguments)
    import pylibcudf  # pyright: ignore[reportMissingImports]
    import rmm.mr  # pyright: ignore[reportMissingImports]

    started, machine = time.perf_counter(), facts()
    cases = [case for case in all_cases() if case.name.startswith(options.only)]
    results = _resumed(options.output, cases) if options.resume else {}
    before, lost = len(results), False
    left = [case for case in cases if case.name not in results]
    with tempfile.TemporaryDirectory() as folder:
        library = Library(pylibcudf, rmm, Path(folder))
        for case in left:
            _running(options.output).write_text(case.name)
            results[case.name] = entry(case, library.result(case.form))
            lost = any(name in str(results[case.name]["gives"]) for name in _STICKY)
            if lost or len(results) % _WRITTEN_EVERY == 0:
                _write(options.output, machine, results)
            if lost:
                break
    _running(options.output).unlink(missing_ok=True)
    _write(options.output, machine, results)
    errors = Counter(r["gives"]["error"] for r in results.values() if _is_error(r["gives"]))
    seconds = time.perf_counter() - started
    print(f"{len(results) - before} calls in {seconds:.1f} s; errors of all: {dict(errors) or 'none'}")
    if lost:
        print("the device is lost to this process: go on with --resume")
    return LOST if lost else 0


def _is_error(gives: Any) -> bool:
    return isinstance(gives, dict) and "error" in gives


def _running(output: Path) -> Path:
    """Where the case in progress is named: what ended the process is found there."""
    return output.with_name(f"{output.name}.running")


def _resumed(output: Path, cases: list[Case]) -> dict[str, Any]:
    """What a record has; the case that ended the process before is an error of that name."""
    found: dict[str, Any] = json.loads(output.read_text())["cases"] if output.exists() else {}
    running = _running(output)
    if running.exists():
        name = running.read_text()
        for case in cases:
            if case.name == name:
                found[name] = entry(case, {"error": "EndOfProcess", "message": "the call ended the process"})
    return found


def _write(output: Path, machine: dict[str, Any], results: dict[str, Any]) -> None:
    made = {"date": time.strftime("%Y-%m-%d", time.gmtime()), "machine": machine, "cases": results}
    fresh = output.with_name(f"{output.name}.new")
    fresh.write_text(json.dumps(made, ensure_ascii=False, indent=1) + "\n")
    os.replace(fresh, output)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
