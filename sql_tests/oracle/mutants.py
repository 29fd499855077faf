"""Twenty bugs planted on purpose, one at a time, in a copy of the product: how many does the fuzzer find?

    python sql_tests/oracle/mutants.py
    python sql_tests/oracle/mutants.py --only not_in_forgets_nulls --count 2000

A mutant is a text of one source file and what replaces it. Each runs against the queries of fuzz.py until the
first failure. Exit code 1 where fewer than --least are found, or the product itself fails on these queries.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PARTS = ("engine", "planner", "physical", "cpu_fallback", "gpu_exec", "tpch")


@dataclass(frozen=True)
class Mutant:
    """A planted bug: `old`, which stands exactly once in the file, becomes `new`."""

    name: str
    file: str
    old: str
    new: str


OPERATORS = "cpu_fallback/operators"
RULES = "planner/optimizer/rules"
MUTANTS = (
    Mutant(
        "outer_join_with_residual_loses_unmatched_rows",
        f"{OPERATORS}/join_pairs.py",
        "        if len(missing):\n",
        "        if len(missing) > 3:\n",
    ),
    Mutant(
        "right_rows_owed_are_those_that_matched",
        f"{OPERATORS}/leftover.py",
        "matched if self.kind is JoinKind.RIGHT_SEMI else ~matched",
        "matched if self.kind is not JoinKind.RIGHT_ANTI else ~matched",
    ),
    Mutant(
        "not_in_forgets_nulls",
        f"{OPERATORS}/mark_join.py",
        "        if built.mark_tables is not None:\n",
        "        if built.mark_tables is not None and batch.num_rows > 1000:\n",
    ),
    Mutant(
        "false_and_null_is_null",
        "cpu_fallback/expr_logic.py",
        "valid = (a_valid & (b_valid | ~a)) | (b_valid & ~b)",
        "valid = a_valid & b_valid",
    ),
    Mutant(
        "true_or_null_is_null",
        "cpu_fallback/expr_logic.py",
        "valid = values | (a_valid & b_valid)",
        "valid = a_valid & b_valid",
    ),
    Mutant(
        "top_n_skips_one_row_too_few",
        f"{OPERATORS}/top_n.py",
        "        skipped = self.offset\n",
        "        skipped = max(self.offset - 1, 0)\n",
    ),
    Mutant(
        "sort_ignores_nulls_first",
        f"{OPERATORS}/sort_keys.py",
        "        how = sorting.SortKey(key.descending, key.nulls_first)\n        # Ranking",
        "        how = sorting.SortKey(key.descending, key.descending)\n        # Ranking",
    ),
    Mutant(
        "count_counts_nulls",
        f"{OPERATORS}/aggregate_sums.py",
        "return total if nulls is None or not len(nulls.count) else",
        "return total if nulls is None or len(nulls.count) != 1 else",
    ),
    Mutant(
        "sum_of_nothing_is_zero",
        f"{OPERATORS}/aggregate_sums.py",
        "words, some = total.result(groups), counts(rows, nulls, groups) > 0",
        "words, some = total.result(groups), counts(rows, nulls, groups) >= 0",
    ),
    Mutant(
        "nan_is_the_least_value_of_max",
        "cpu_fallback/kernels/aggregates.py",
        "return value > best or (value != value and best == best)",
        "return value > best or (value == value and best != best)",
    ),
    Mutant(
        "distinct_aggregates_keep_filtered_rows",
        f"{OPERATORS}/aggregate_distinct.py",
        "        if rows.selected is not None:\n",
        "        if rows.selected is not None and rows.gids is None:\n",
    ),
    Mutant(
        "like_counts_bytes",
        "cpu_fallback/kernels/like.py",
        "return (byte & 0xC0) == 0x80",
        "return (byte & 0xC0) == 0xF0",
    ),
    Mutant(
        "decimal_casts_cut_halves",
        "cpu_fallback/casts/numeric.py",
        "((twice > divisor) | ((twice == divisor) & (values >= 0)))",
        "((twice > divisor) | ((twice == divisor) & (values < 0)))",
    ),
    Mutant(
        "months_do_not_end_early",
        "cpu_fallback/functions/calendar.py",
        "return days_from_civil(year, month, np.minimum(date.day, days_in_month(year, month)))",
        "return days_from_civil(year, month, date.day)",
    ),
    Mutant(
        "intersect_all_takes_the_larger_count",
        "physical/set_operations.py",
        'Comparison(BOOLEAN, "<", here, there), here',
        'Comparison(BOOLEAN, ">", here, there), here',
    ),
    Mutant(
        "where_is_pushed_below_the_nullable_side",
        f"{RULES}/push_filters_joins.py",
        "    JoinKind.LEFT: (True, False),\n    JoinKind.RIGHT: (False, True),\n    JoinKind.FULL",
        "    JoinKind.LEFT: (True, True),\n    JoinKind.RIGHT: (False, True),\n    JoinKind.FULL",
    ),
    Mutant(
        "on_is_pushed_below_the_preserved_side",
        f"{RULES}/push_filters_joins.py",
        "    JoinKind.LEFT: (False, True),\n",
        "    JoinKind.LEFT: (True, True),\n",
    ),
    Mutant(
        "correlated_count_over_nothing_is_null",
        "planner/optimizer/unnest/push.py",
        "    return Case(value.type, ((found, value),), absent)",
        "    return value",
    ),
    Mutant(
        "not_less_is_greater",
        "planner/optimizer/folding/comparisons.py",
        '"<": ">=", "<=": ">"',
        '"<": ">", "<=": ">"',
    ),
    Mutant(
        "limit_into_a_union_forgets_the_offset",
        f"{RULES}/push_limits.py",
        "return _into_branches(node, source, limit + offset)",
        "return _into_branches(node, source, limit)",
    ),
)


def stale(root: Path) -> list[str]:
    """Mutants whose text does not stand exactly once in its file."""
    return [
        mutant.name
        for mutant in MUTANTS
        if (root / mutant.file).read_text(encoding="utf-8").count(mutant.old) != 1
    ]


def copy_of_product(folder: Path) -> Path:
    """The product as a package `tandemdb` below the folder."""
    package = folder / "tandemdb"
    package.mkdir()
    shutil.copy(ROOT / "__init__.py", package)
    ignored = shutil.ignore_patterns("__pycache__")
    for part in PARTS:
        shutil.copytree(ROOT / part, package / part, ignore=ignored)
    return package


def failure(folder: Path, count: int, seed: int) -> str | None:
    """The first failure of the copied product among the queries; None where all agree with DuckDB.

    The queries of the seed over small tables, then a twentieth as many over a large one, and as many of these
    that are a scan of it.
    """
    large = ["--rows", "2500", "--count", str(count // 20)]
    scans = [
        *large,
        "--feature",
        "like",
        "--feature",
        "string_fn",
        "--feature",
        "compare",
        "--feature",
        "cast",
    ]
    for arguments in (["--count", str(count)], large, scans):
        seen = first_failure(folder, ["--seed", str(seed), *arguments])
        if seen is not None:
            return seen
    return None


def first_failure(folder: Path, arguments: list[str]) -> str | None:
    """The line in which fuzz.py, with these arguments, tells of its first failure."""
    fuzz = ROOT / "sql_tests" / "oracle" / "fuzz.py"
    arguments = [*arguments, "--stop-first", "--groups", "0"]
    environment = {**os.environ, "PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        [sys.executable, str(fuzz), *arguments], env=environment, capture_output=True, text=True, check=False
    )
    if done.returncode == 0:
        return None
    lines = [line.strip() for line in (done.stdout + done.stderr).splitlines() if line.strip()]
    return next((line for line in lines if "(seed" in line), lines[-1] if lines else "no output")


def hunt(mutants: list[Mutant], count: int, seed: int) -> int:
    """Run every mutant, a line for each; returns how many were found, -1 where the product itself fails."""
    with tempfile.TemporaryDirectory(prefix="mutants") as name:
        folder = Path(name)
        package = copy_of_product(folder)
        clean = failure(folder, count, seed)
        if clean is not None:
            print(f"the product itself fails: {clean}")
            return -1
        found = 0
        for mutant in mutants:
            path = package / mutant.file
            text = path.read_text(encoding="utf-8")
            path.write_text(text.replace(mutant.old, mutant.new), encoding="utf-8")
            started = time.perf_counter()
            seen = failure(folder, count, seed)
            path.write_text(text, encoding="utf-8")
            found += seen is not None
            seconds = time.perf_counter() - started
            print(f"{'found ' if seen else 'MISSED'} {seconds:5.1f} s  {mutant.name}: {seen}", flush=True)
        return found


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description="Plant bugs and count those that the fuzzer finds.")
    parser.add_argument("--count", type=int, default=1000, help="queries a mutant has to survive")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", action="append", help="a mutant by name")
    parser.add_argument("--least", type=int, default=18, help="how many must be found")
    options = parser.parse_args(arguments)
    if old := stale(ROOT):
        print(f"these no longer match the source: {', '.join(old)}")
        return 1
    chosen = [mutant for mutant in MUTANTS if not options.only or mutant.name in options.only]
    found = hunt(chosen, options.count, options.seed)
    print(f"{found} of {len(chosen)} found")
    return 0 if found >= min(options.least, len(chosen)) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
