"""Checks this machine's GPU: python -m tandemdb.tpch.gpu_check --output DIR. See docs/gpu_check.sh.

Preflight, the probe, copies, TPC-H against DuckDB, the contract tests: each in processes of its own with a
limit of time. The report, JSON and Markdown, is written after every step and every query.
"""

import sys
from collections.abc import Sequence

from .gpu_check_options import options_parser
from .gpu_check_report import markdown
from .gpu_check_run import Check, Options
from .gpu_check_steps import all_steps


def main(arguments: Sequence[str] | None = None) -> int:
    """Command line entry; returns the exit code: 0 all passed, 1 something did not, 2 wrong usage."""
    parser = options_parser()
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
