"""Generated queries give what DuckDB gives: 3,000 of them here, 20,000 with the `slow` mark."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from oracle.choices import Choices
from oracle.datasets import Dataset, dataset
from oracle.differential import Outcome, Pair, Tally
from oracle.generator import FEATURES, SCALAR_FEATURES
from oracle.hypothesis_runs import many
from oracle.queries import query
from oracle.shards import compare_queries

Record = Callable[[str, object], None]

SHARDS, QUERIES = 10, 300
LONG_SHARDS, LONG_QUERIES = 40, 500
LEAST_OF_A_FEATURE = 500
# Of the mean, in a single shard: shards differ by chance.
LEAST_IN_A_SHARD = 0.75 * LEAST_OF_A_FEATURE / (SHARDS * QUERIES)
# Datasets differ by chance: that 70 in 100 of all queries have rows is checked at the end of the run.
LEAST_WITH_ROWS_IN_A_SHARD = 0.63
MOST_WHERE_THE_ORACLE_RAISES = 0.02
MOST_WHERE_THE_ORACLE_SKIPS = 0.01


def check_shard(engine: str, shard: int, count: int) -> Tally:
    """Compare `count` queries of a seed; every feature and enough results must be among them."""
    pairs = [Pair(engine, dataset(2 * shard + i)) for i in range(2)]
    texts = set()
    try:
        tally = compare_queries(pairs, shard, count, lambda made: texts.add(made.sql))
    finally:
        for pair in pairs:
            pair.close()
    assert len(texts) >= 0.99 * count, "the same queries again and again"
    assert not rare(tally, LEAST_IN_A_SHARD * count)
    assert tally.nonempty >= LEAST_WITH_ROWS_IN_A_SHARD * tally.queries
    assert tally.kinds["oracle raises"] <= MOST_WHERE_THE_ORACLE_RAISES * tally.queries
    assert tally.kinds["oracle skips"] <= MOST_WHERE_THE_ORACLE_SKIPS * tally.queries
    return tally


def record(tally: Tally, record_property: Record) -> None:
    """For the sum over all shards, see conftest.py."""
    record_property("queries", tally.queries)
    record_property("nonempty", tally.nonempty)


def rare(tally: Tally, least: float) -> dict[str, int]:
    """The features seen less often than that."""
    return {name: tally.features[name] for name in FEATURES if tally.features[name] < least}


def test_every_feature_is_in_500_queries_or_more() -> None:
    """Counted over all the shards of the quick test, which draw the same queries."""
    tally = Tally()
    for shard in range(SHARDS):
        datasets = [dataset(2 * shard + i) for i in range(2)]

        @many(shard, QUERIES)
        def draw(choices: Choices, datasets: list[Dataset] = datasets) -> None:
            tally.add(query(choices, choices.pick(datasets)), Outcome("same"))

        draw()
    assert tally.queries == SHARDS * QUERIES
    assert not rare(tally, LEAST_OF_A_FEATURE)


@pytest.mark.parametrize("shard", range(SHARDS))
def test_generated_queries_give_what_duckdb_gives(
    engine_name: str, shard: int, record_property: Record
) -> None:
    record(check_shard(engine_name, shard, QUERIES), record_property)


@pytest.mark.slow
@pytest.mark.parametrize("shard", range(SHARDS, SHARDS + LONG_SHARDS))
def test_many_generated_queries_give_what_duckdb_gives(
    engine_name: str, shard: int, record_property: Record
) -> None:
    record(check_shard(engine_name, shard, LONG_QUERIES), record_property)


def test_rows_come_in_the_order_they_were_inserted(engine_name: str) -> None:
    """Filters and projections over many rows, on several threads, with LIMIT and without."""
    pair = Pair(engine_name, dataset(90, rows=5000), {"threads": "2"})
    ordered = 0

    @many(90, 300)
    def compare(choices: Choices) -> None:
        nonlocal ordered
        batch_size = choices.pick(("1024", "default"))
        pair.engine.set("batch_size", batch_size)
        made = query(choices, pair.data, choices.some(SCALAR_FEATURES, 1, 3))
        if not made.ordered:
            return
        ordered += 1
        outcome = pair.check(made)
        if outcome.failed:
            detail = f"batch_size {batch_size}: {outcome.group}\n{made.sql};\n{outcome.detail}"
            pytest.fail(detail, pytrace=False)

    compare()
    pair.close()
    assert ordered >= 80
