"""Run TPC-H on TandemDB and on rivals, verify every result against DuckDB, and report times.

    python -m tandemdb.tpch.run --scale 1 --rivals duckdb,polars,datafusion --runs 5 --source parquet

Each engine runs in a process of its own with equal threads. Every counted run has literals of its own and
planning is part of the time. The exit code is 1 if TandemDB fails on a query, returns anything else than
DuckDB, or falls back to another device without counting it.
"""

import argparse
import contextlib
import json
import os
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from . import report, texts
from .client import Client, WorkerError
from .engines import RIVALS
from .generate import Description, GenerationError, describe, generate, row_counts
from .plan_text import PlanText
from .rounds import ORACLE, SUBJECT, Schedule, measure


def main(arguments: Sequence[str] | None = None) -> int:
    """Command line entry; returns the exit code: 0 passed, 1 failed, 2 wrong usage."""
    parser = _parser()
    chosen = parser.parse_args(arguments)
    try:
        queries = texts.parse_selection(chosen.queries)
        names = [SUBJECT, *_rivals(chosen.rivals)]
    except ValueError as error:
        parser.error(str(error))
    if chosen.runs < 1 or chosen.warmup < 0 or chosen.threads < 1 or not chosen.scale > 0:
        parser.error("--runs, --threads and --scale must be above zero, and --warmup not below")
    lake = chosen.lake or Path("lake") / f"sf{chosen.scale:g}"
    try:
        _prepare(lake, chosen.scale)
    except GenerationError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    schedule = Schedule(queries, chosen.runs, chosen.warmup, chosen.seed, chosen.scale)
    with tempfile.TemporaryDirectory(prefix="tandemdb-tpch-") as folder, contextlib.ExitStack() as stack:
        clients = {
            name: Client(
                name, lake, chosen.threads, chosen.source, Path(folder), chosen.timeout, chosen.device
            )
            for name in names
        }
        for client in clients.values():
            stack.callback(client.close)
        try:
            for client in clients.values():
                client.start()
        except WorkerError as error:
            print(f"error: {client.name} does not start: {error}", file=sys.stderr)
            return 1
        return _measure_and_report(schedule, clients, lake, chosen)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m tandemdb.tpch.run",
        description="Run TPC-H on TandemDB and on rivals, verified against DuckDB, and report times.",
    )
    parser.add_argument("--scale", type=float, default=1.0, help="scale factor of the lake (1)")
    parser.add_argument("--lake", type=Path, metavar="DIR", help="the lake's folder (lake/sf<scale>)")
    parser.add_argument("--rivals", default=ORACLE, help=f"of {', '.join(RIVALS)}; {ORACLE} always runs")
    parser.add_argument("--queries", default="all", help="such as 1,6,14-16 (all)")
    parser.add_argument("--runs", type=int, default=5, help="counted runs of each query (5)")
    parser.add_argument("--warmup", type=int, default=1, help="checked but uncounted runs before them (1)")
    parser.add_argument("--source", choices=("parquet", "memory"), default="parquet")
    parser.add_argument(
        "--device", choices=("auto", "cpu", "gpu"), default="auto", help="where TandemDB runs (auto)"
    )
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1, help="of each engine (all cores)")
    parser.add_argument(
        "--seed", type=int, default=1, help="what the literals of the runs are drawn from (1)"
    )
    parser.add_argument(
        "--timeout", type=float, default=300.0, metavar="S", help="seconds a query may take (300)"
    )
    parser.add_argument(
        "--explain", action="store_true", help="show TandemDB's plan of each query at the end"
    )
    parser.add_argument("--json", type=Path, metavar="OUT", help="also write everything measured to a file")
    return parser


def _rivals(text: str) -> list[str]:
    """The rivals named, the oracle first: every run needs it."""
    chosen = [name.strip() for name in text.split(",") if name.strip()]
    unknown = [name for name in chosen if name not in RIVALS]
    if unknown:
        raise ValueError(f"no such rival: {', '.join(unknown)} (there are {', '.join(RIVALS)})")
    return [ORACLE, *(name for name in dict.fromkeys(chosen) if name != ORACLE)]


def _prepare(lake: Path, scale: float) -> None:
    """Generate the lake if need be; a lake from elsewhere is used as it is."""
    if lake.exists() and describe(lake) is None:
        row_counts(lake)
        return
    noted = describe(lake) if lake.exists() else None
    wanted = noted[0] if noted is not None else Description(scale)
    if wanted.scale != scale:
        raise GenerationError(f"{lake} holds TPC-H at {wanted}, not at scale {scale:g}")
    if generate(lake, wanted):
        print(f"generated {lake}", file=sys.stderr)


def _measure_and_report(
    schedule: Schedule, clients: dict[str, Client], lake: Path, chosen: argparse.Namespace
) -> int:
    versions = {name: client.version for name, client in clients.items()}
    settings: dict[str, Any] = {
        "scale": schedule.scale,
        "lake": str(lake),
        "source": chosen.source,
        "threads": chosen.threads,
        "device": chosen.device,
        "runs": schedule.runs,
        "warmup": schedule.warmup,
        "seed": schedule.seed,
        "queries": list(schedule.queries),
    }
    print(_headline(settings, versions), flush=True)
    cells = measure(schedule, clients, _progress(schedule))
    names = list(clients)
    print(report.table(cells, names))
    for line in (*report.reasons(cells, names), *report.fallbacks(cells)):
        print(f"  {line}")
    if chosen.explain:
        _explain(clients[SUBJECT], schedule)
    if chosen.json is not None:
        document = report.document(cells, settings, versions)
        chosen.json.write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")
    failed = report.failures(cells)
    equal = sum(1 for row in cells.values() if row[SUBJECT].problem is None)
    print(f"{equal} of {len(cells)} queries equal to {ORACLE} {versions[ORACLE]}")
    for line in failed:
        print(f"FAILED {line}", file=sys.stderr)
    return 1 if failed else 0


def _headline(settings: dict[str, Any], versions: dict[str, str]) -> str:
    engines = ", ".join(f"{name} {number}" for name, number in versions.items())
    lay = "Parquet files" if settings["source"] == "parquet" else "tables held in memory"
    warm = f"after {settings['warmup']} warm-up" if settings["warmup"] else "without warm-up"
    return (
        f"TPC-H at scale {settings['scale']:g} from {lay}: {engines}\n"
        f"{settings['threads']} threads each, device {settings['device']}, {settings['runs']} runs {warm}, "
        f"literals from seed {settings['seed']}; median milliseconds, planning included;\n"
        f"'vs' columns: time of {SUBJECT} over that of the rival"
    )


def _progress(schedule: Schedule):
    """Say on standard error which round has begun, if someone is looking."""

    def report_round(turn: int, query: int) -> None:
        if query == schedule.queries[0] and sys.stderr.isatty():
            name = f"run {turn + 1} of {schedule.runs}" if turn >= 0 else "warm-up"
            print(f"{name} ...", file=sys.stderr, flush=True)

    return report_round


def _explain(client: Client, schedule: Schedule) -> None:
    """Print the plan of each query, with the device of every operator."""
    plans = PlanText()
    print("\nplans: device [why], operator, estimated rows")
    for turn, query, text in Schedule(schedule.queries, 0, 1, schedule.seed, schedule.scale).texts():
        assert turn < 0, "plans are shown for the validation literals"
        print(f"\nQ{query}")
        try:
            print("\n".join(plans.lines(json.loads(client.explain(text))["plan"])))
        except WorkerError as error:
            print(f"  no plan: {error}")
    print("\n" + "\n".join(plans.reasons()) + "\n")


if __name__ == "__main__":
    sys.exit(main())
