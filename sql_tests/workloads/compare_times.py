"""Time the queries of this folder on TandemDB and on DuckDB, from Parquet files, and compare every answer.

    python sql_tests/workloads/compare_times.py hits --size 2000000
    python sql_tests/workloads/compare_times.py imdb --size 100000 --queries 1a,29c

Each engine runs in a process of its own with two threads; they take turns query by query. Times are medians,
of the clock and of the CPU (all threads), planning included; machines are shared, so ratios of CPU say most.
"""

from __future__ import annotations

import argparse
import math
import multiprocessing
import statistics
import sys
import time
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent))

from oracle.compare import difference
from oracle.engines import Engine, Result, TandemDB
from workloads import clickbench, hits, imdb, job

THREADS = 2
WORST = 10
ANY_ROWS = frozenset(query.sql for query in clickbench.queries(0).values() if query.any_rows)
"""Queries of which any rows are right: they cannot be compared."""
Outcome = tuple[Result, float, float]
"""A result, with the seconds of the clock and of the CPU that it took."""


@dataclass
class Times:
    """What the runs of one query took one engine, in milliseconds."""

    clock: list[float] = field(default_factory=list)
    cpu: list[float] = field(default_factory=list)

    def medians(self) -> tuple[float, float]:
        return statistics.median(self.clock), statistics.median(self.cpu)


class Worker:
    """One engine in a process of its own, over files that are there."""

    def __init__(self, name: str, files: dict[str, Path]) -> None:
        context = multiprocessing.get_context("spawn")
        self._pipe, end = context.Pipe()
        self._process = context.Process(target=_serve, args=(end, name, files), daemon=True)
        self._process.start()

    def ask(self, sql: str) -> Outcome:
        self._pipe.send(sql)
        answer = self._pipe.recv()
        if isinstance(answer, str):
            raise RuntimeError(f"{answer}\n{sql}")
        return answer

    def close(self) -> None:
        self._pipe.send(None)
        self._process.join()


def _serve(pipe: Connection, name: str, files: dict[str, Path]) -> None:
    """Answer statements until None comes; an error is answered by its text."""
    engine = _engine(name)
    for table, path in files.items():
        engine.execute(f"CREATE VIEW {table} AS SELECT * FROM read_parquet('{path}')")
    while (sql := pipe.recv()) is not None:
        clock, cpu = time.perf_counter(), time.process_time()
        try:
            result = engine.execute(sql)
        except Exception as error:  # noqa: BLE001  the other process reports it
            pipe.send(f"{name}: {type(error).__name__}: {error}")
            continue
        pipe.send((result, time.perf_counter() - clock, time.process_time() - cpu))


def _engine(name: str) -> Engine:
    from oracle.engines import DuckDB

    if name == DuckDB.name:
        engine: Engine = DuckDB()
        engine.execute(f"SET threads = {THREADS}")
    else:
        engine = TandemDB()
        engine.set("threads", str(THREADS))
    return engine


def main() -> int:
    """Command line entry; 1 if an answer differs."""
    chosen = _arguments()
    queries = texts(chosen.workload, chosen.size)
    names = chosen.queries.split(",") if chosen.queries else list(queries)
    files = prepare(chosen.workload, chosen.size, chosen.lake)
    workers = {name: Worker(name, files) for name in ("duckdb", "tandemdb")}
    times = {name: (Times(), Times(), Times()) for name in names}
    different = []
    for turn in range(chosen.runs + 1):
        for name in names:
            told = _one_turn(workers, queries[name], times[name], counted=turn > 0)
            if told and turn == 0:
                different.append(f"{name}: {told}")
    for worker in workers.values():
        worker.close()
    _report(chosen, times)
    for line in different:
        print(f"DIFFERENT {line}", file=sys.stderr)
    return 1 if different else 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("workload", choices=("hits", "imdb"))
    parser.add_argument("--size", type=int, required=True, help="rows of hits, or films")
    parser.add_argument("--runs", type=int, default=3, help="counted runs after one warm-up (3)")
    parser.add_argument("--queries", default="", help="names, such as 1a,29c (all)")
    parser.add_argument("--lake", type=Path, default=Path("lake"), help="folder for generated files (lake)")
    return parser.parse_args()


def prepare(workload: str, size: int, lake: Path) -> dict[str, Path]:
    """The files of a generated database by table, written once into the lake."""
    folder = lake / f"{workload}-{size}"
    if folder.exists():
        return {path.stem: path for path in folder.glob("*.parquet")}
    return (hits if workload == "hits" else imdb).write(folder, size)


def texts(workload: str, size: int) -> dict[str, str]:
    """All queries of a workload by name."""
    if workload == "imdb":
        return job.queries()
    return {name: query.sql for name, query in clickbench.queries(size).items()}


def _one_turn(
    workers: dict[str, Worker], sql: str, times: tuple[Times, Times, Times], *, counted: bool
) -> str | None:
    """Run a query on both engines and plan it on ours; what differs."""
    expected, given = workers["duckdb"].ask(sql), workers["tandemdb"].ask(sql)
    planned = workers["tandemdb"].ask(f"EXPLAIN {sql}")
    if counted:
        for kept, outcome in zip(times, (expected, given, planned), strict=True):
            kept.clock.append(outcome[1] * 1000)
            kept.cpu.append(outcome[2] * 1000)
    if sql in ANY_ROWS:
        return None if len(expected[0].rows) == len(given[0].rows) else "another number of rows"
    return difference(expected[0], given[0], ordered=True)


def _report(chosen: argparse.Namespace, times: dict[str, tuple[Times, Times, Times]]) -> None:
    print(f"{chosen.workload} of size {chosen.size}: milliseconds, medians of {chosen.runs} runs after one,")
    print(f"{THREADS} threads each; 'plan': CPU of EXPLAIN; 'vs': TandemDB over DuckDB")
    print(f"{'query':6}{'duckdb':>9}{'cpu':>9}{'tandemdb':>10}{'cpu':>9}{'plan':>7}{'vs':>7}{'vs cpu':>8}")
    ratios: dict[str, Any] = {}
    for name, (theirs, ours, plan) in times.items():
        (clock, cpu), (our_clock, our_cpu) = theirs.medians(), ours.medians()
        ratios[name] = (our_clock / clock, our_cpu / cpu)
        print(
            f"{name:6}{clock:9.1f}{cpu:9.1f}{our_clock:10.1f}{our_cpu:9.1f}{plan.medians()[1]:7.1f}"
            f"{ratios[name][0]:7.2f}{ratios[name][1]:8.2f}"
        )
    for place, what in enumerate(("clock", "CPU")):
        mean = math.exp(statistics.fmean(math.log(ratio[place]) for ratio in ratios.values()))
        print(f"geometric mean of the ratios by {what}: {mean:.2f}")
    worst = sorted(ratios, key=lambda name: -ratios[name][1])[:WORST]
    print("worst by CPU:", ", ".join(f"{name} {ratios[name][1]:.1f}" for name in worst))


if __name__ == "__main__":
    sys.exit(main())
