"""Checks this machine's GPU: python -m tandemdb.tpch.gpu_check --output DIR. See docs/gpu_check.sh.

Preflight, the probe, copies, TPC-H against DuckDB, the contract tests: each in processes of its own with a
limit of time. The report, JSON and Markdown, is written after every step and every query.
"""

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from .gpu_check_report import markdown
from .gpu_check_run import Check, Options
from .gpu_check_steps import all_steps


def main(arguments: Sequence[str] | None = None) -> int:
    """Command line entry; returns the exit code: 0 all passed, 1 something did not, 2 wrong usage."""
    parser = argparse.ArgumentParser(
        prog="docs/gpu_check.sh", description="Check this machine's GPU and write a dated report."
    )
    parser.add_argument("--output", type=Path, default=Path("gpu_check"), metavar="DIR", help="(gpu_check)")
    parser.add_argument("--budget", type=float, default=540.0, metavar="S", help="seconds for all (540)")
    parser.add_argument("--scales", default="1,10", help="of TPC-H, in this order (1,10)")
    parser.add_argument("--runs", type=int, default=2, help="counted runs of a query (2)")
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1, help="of each engine (all cores)")
    parser.add_argument(
        "--lakes", type=Path, default=Path("lake"), metavar="DIR", help="generated files (lake)"
    )
    parser.add_argument("--tests", default="sql_tests", help="what pytest is given, with spaces between")
    parser.add_argument("--copy-bytes", type=int, default=1 << 30, help="of a measured copy (1 GiB)")
    parser.add_argument(
        "--rehearsal",
        type=Path,
        metavar="DIR",
        help="put this folder first on the module path of every step: its doubles stand in for a GPU",
    )
    chosen = parser.parse_args(arguments)
    try:
        scales = tuple(float(text) for text in chosen.scales.split(","))
    except ValueError:
        parser.error("--scales is a list of numbers with commas between")
    if chosen.budget <= 0 or chosen.runs < 1 or chosen.threads < 1 or min(scales) <= 0:
        parser.error("--budget, --runs, --threads and --scales must be above zero")
    options = Options(
        chosen.output.absolute(),
        chosen.budget,
        scales,
        chosen.threads,
        chosen.runs,
        chosen.lakes.absolute(),
        tuple(chosen.tests.split()),
        chosen.copy_bytes,
        chosen.rehearsal,
    )
    check = Check(options, markdown)
    all_steps(check)
    check.report["complete"] = True
    check.write()
    print(markdown(check.report))
    print(f"the report is {check.path}", flush=True)
    if check.passed:
        return 0
    failed = [
        f"{name}: {step.get('problem', step['status'])}"
        for name, step in check.report["steps"].items()
        if step["status"] != "passed"
    ]
    print(f"error: {'; '.join(failed)}", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
