"""Settings change how a query runs, never what it gives: batch sizes, threads, rules switched off."""

from __future__ import annotations

import pytest
from oracle.choices import Choices
from oracle.datasets import dataset
from oracle.differential import Pair
from oracle.hypothesis_runs import many
from oracle.queries import query
from oracle.reproduce import smallest

QUERIES = 30
BATCH_SIZES = ("1", "3", "1024", "default")


def check(engine_name: str, number: int, settings_of: list[dict[str, str]]) -> None:
    """Compare queries with DuckDB, each under one of the settings."""
    pair = Pair(engine_name, dataset(70 + number))

    @many(number, QUERIES)
    def compare(choices: Choices) -> None:
        chosen = choices.pick(settings_of)
        for setting, value in chosen.items():
            pair.engine.set(setting, value)
        made = query(choices, pair.data)
        outcome = pair.check(made)
        if outcome.failed:
            pytest.fail(f"under {chosen}: {outcome.group}\n{smallest(pair, made, outcome)}", pytrace=False)
        for setting in chosen:
            pair.engine.set(setting, "default")

    try:
        compare()
    finally:
        pair.close()


@pytest.mark.parametrize(
    "number", [0, *(pytest.param(number, marks=pytest.mark.slow) for number in (10, 11, 12))]
)
def test_batch_sizes_and_threads_change_no_result(engine_name: str, number: int) -> None:
    check(
        engine_name,
        number,
        [{"batch_size": size, "threads": threads} for size in BATCH_SIZES for threads in ("1", "2")],
    )


def test_no_result_depends_on_an_optimizer_rule(engine_name: str) -> None:
    check(engine_name, 2, [{"disabled_rules": name} for name in [*rule_names(), "all"]])


def test_no_result_depends_on_several_rules(engine_name: str) -> None:
    names = rule_names()
    every_second = [",".join(names[start::2]) for start in (0, 1)]
    every_third = [",".join(names[start::3]) for start in (0, 1, 2)]
    check(engine_name, 3, [{"disabled_rules": names} for names in [*every_second, *every_third]])


def rule_names() -> list[str]:
    """The optimiser's rules that may be switched off."""
    from tandemdb.planner.optimizer.batches import BATCHES

    return [rule.name for batch in BATCHES for rule in batch.rules if not rule.required]
