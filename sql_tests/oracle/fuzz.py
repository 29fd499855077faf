"""Hunts for differences from DuckDB: generated queries, failures grouped by cause, the smallest of each
shown.

    python sql_tests/oracle/fuzz.py --seed 1 --count 500
    python sql_tests/oracle/fuzz.py --feature not_in --feature left --count 200 --stop-first
    python sql_tests/oracle/fuzz.py --query "SELECT count(*) FROM t0" --seed 4

--feature narrows the features asked for to those named (see oracle/generator.py), for smaller queries.
Exit code 1 where something failed.
"""

from __future__ import annotations

import argparse
import atexit
import contextlib
import shutil
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

sys.path[0] = str(Path(__file__).resolve().parents[1])

from doubles.process import GPUS
from oracle.choices import Choices
from oracle.datasets import dataset
from oracle.differential import Outcome, Pair, Tally
from oracle.engines import ENGINES, ON_GPU
from oracle.generator import FEATURES
from oracle.parquet_data import parquet_pair
from oracle.queries import Query, query
from oracle.reproduce import outcome_on, script, smallest

DATASETS = 4


@dataclass(frozen=True)
class Failure:
    seed: int
    query: Query
    outcome: Outcome


def hunt(options: argparse.Namespace) -> tuple[Tally, dict[str, list[Failure]]]:
    """Run the queries of the seeds; returns the counts and the failures by group."""
    pairs = [make_pair(options, i) for i in range(DATASETS)]
    tally, groups = Tally(), {}
    for seed in range(options.seed, options.seed + options.count):
        pair = pairs[seed % DATASETS]
        made = query(Choices(seed), pair.data, options.feature or None)
        started = time.perf_counter()
        outcome = pair.check(made)
        seconds = time.perf_counter() - started
        if seconds > options.slow:
            print(f"-- slow: {seconds:.1f} s, seed {seed}: {made.sql}")
        tally.add(made, outcome)
        if outcome.failed:
            groups.setdefault(outcome.group, []).append(Failure(seed, made, outcome))
            if options.stop_first:
                break
    for pair in pairs:
        tally.add_engine(pair.engine)
        pair.close()
    return tally, groups


def make_pair(options: argparse.Namespace, number: int) -> Pair:
    """The engines over one of the datasets, in memory or as Parquet files."""
    data = dataset(options.dataset + number, rows=options.rows)
    if not options.parquet:
        return Pair(options.engine, data, settings(options))
    folder = Path(tempfile.mkdtemp(prefix="fuzz"))
    atexit.register(shutil.rmtree, folder)
    return parquet_pair(options.engine, data, folder, settings(options))


def settings(options: argparse.Namespace) -> dict[str, str]:
    return dict(part.split("=", 1) for part in options.set)


def example(failures: list[Failure], options: argparse.Namespace) -> str:
    """The shortest failure of a group, made smaller, as a script."""
    failure = min(failures, key=lambda found: len(found.query.sql))
    pair = make_pair(options, failure.seed % DATASETS)
    try:
        return smallest(pair, failure.query, failure.outcome, options.shrink)
    finally:
        pair.close()


def report(tally: Tally, groups: dict[str, list[Failure]], options: argparse.Namespace) -> None:
    shown = sorted(groups.items(), key=lambda item: -len(item[1]))
    for group, failures in shown[: options.groups]:
        seeds = ", ".join(str(failure.seed) for failure in failures[:5])
        features = Counter(feature for failure in failures for feature in failure.query.features)
        common = (
            [feature for feature, times in features.items() if times == len(failures)]
            if len(failures) > 2
            else []
        )
        note = f"; all have {', '.join(sorted(common))}" if common else ""
        print(f"\n== {len(failures)} x {group}  (seeds {seeds}{note})")
        print(example(failures, options))
    if len(shown) > options.groups:
        print(f"\n... {len(shown) - options.groups} more groups (--groups N)")
        for group, failures in shown[options.groups :]:
            print(f"   {len(failures)} x {group}  (seed {failures[0].seed})")
    kinds = ", ".join(f"{kind} {number}" for kind, number in tally.kinds.most_common())
    nonempty = 100 * tally.nonempty // max(1, tally.queries)
    print(f"\n{tally.queries} queries, {nonempty}% with rows: {kinds}")
    if options.engine in ON_GPU:
        print(
            f"{tally.operators} operators on the GPU, {sum(tally.fallbacks.values())} reasons of fallbacks:"
        )
        for reason, times in tally.fallbacks.most_common():
            print(f"{times:6} {reason}")


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description="Compare generated queries with DuckDB.")
    parser.add_argument("--seed", type=int, default=0, help="seed of the first query")
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--dataset", type=int, default=0, help="seed of the first of the four datasets")
    parser.add_argument("--engine", choices=sorted(ENGINES), default="tandemdb")
    parser.add_argument("--gpu", choices=sorted(GPUS), default="double", help="the GPU of tandemdb-gpu")
    parser.add_argument("--feature", action="append", default=[], choices=FEATURES, metavar="FEATURE")
    parser.add_argument(
        "--set", action="append", default=[], metavar="NAME=VALUE", help="a setting of the engine"
    )
    parser.add_argument("--parquet", action="store_true", help="the tables as Parquet files")
    parser.add_argument("--rows", type=int, help="rows of the largest table")
    parser.add_argument("--stop-first", action="store_true", help="stop at the first failure")
    parser.add_argument(
        "--groups", type=int, default=8, help="how many groups of failures to shrink and show"
    )
    parser.add_argument("--shrink", type=int, default=400, help="attempts at a smaller query")
    parser.add_argument("--slow", type=float, default=5.0, help="name queries slower than this many seconds")
    parser.add_argument("--query", help="compare this query on the dataset instead of generating any")
    options = parser.parse_args(arguments)
    with GPUS[options.gpu]() if options.engine in ON_GPU else contextlib.nullcontext():
        return run(options)


def run(options: argparse.Namespace) -> int:
    if options.query:
        data, made = dataset(options.dataset), Query(options.query, False, frozenset())
        outcome = outcome_on(data, made, options.engine)
        print(script(data, made, options.engine, outcome))
        return 1 if outcome.failed else 0
    tally, groups = hunt(options)
    report(tally, groups, options)
    return 1 if groups else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
