"""Generated window functions give what DuckDB gives, types and values, on both devices."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from oracle.choices import Choices
from oracle.datasets import dataset
from oracle.differential import Pair
from oracle.engines import TandemDBOnGpu
from oracle.hypothesis_runs import many
from oracle.window_queries import window_query

QUERIES, LONG_QUERIES, LONG_SHARDS = 120, 1000, 8
SETTINGS = (
    {"threads": "2"},
    {"batch_size": "1"},
    {"batch_size": "3", "threads": "2"},
    {"disabled_rules": "all"},
)


def check_shard(pairs: Sequence[Pair], shard: int, count: int) -> None:
    """Compare `count` queries of a seed, each on one of the pairs; most must have rows."""
    nonempty = 0

    @many(shard, count)
    def compare(choices: Choices) -> None:
        nonlocal nonempty
        pair = choices.pick(pairs)
        made = window_query(choices, pair.data)
        outcome = pair.check(made)
        nonempty += bool(outcome.rows)
        if outcome.failed:
            pytest.fail(f"{outcome.group}\n{made.sql}\n{outcome.detail}", pytrace=False)

    try:
        compare()
    finally:
        for pair in pairs:
            pair.close()
    assert nonempty >= count // 2


def on(engine: str, shard: int) -> list[Pair]:
    return [Pair(engine, dataset(5 * shard + i), settings) for i, settings in enumerate(SETTINGS)]


@pytest.mark.parametrize("shard", range(2))
def test_generated_windows(engine_name: str, shard: int) -> None:
    check_shard(on(engine_name, shard), shard, QUERIES)


@pytest.mark.slow
@pytest.mark.parametrize("shard", range(2, 2 + LONG_SHARDS))
def test_many_generated_windows(engine_name: str, shard: int) -> None:
    check_shard(on(engine_name, shard), shard, LONG_QUERIES)


@pytest.mark.usefixtures("gpu")
@pytest.mark.parametrize(("shard", "count"), [(0, 12), pytest.param(1, QUERIES, marks=pytest.mark.slow)])
def test_generated_windows_on_the_gpu(shard: int, count: int) -> None:
    check_shard(on(TandemDBOnGpu.name, shard), shard, count)
