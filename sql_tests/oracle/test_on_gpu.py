"""Generated queries on the GPU give what DuckDB gives, types and values, as they do on the CPU.

What the GPU cannot run is bridged over the CPU; the run ends with a summary of the reasons.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest
from oracle.datasets import dataset
from oracle.differential import Pair
from oracle.engines import TandemDBOnGpu
from oracle.shards import compare_queries

Record = Callable[[str, object], None]

# The shards of test_differential.py, which the CPU runs: the first queries of each.
SHARDS, QUERIES = 2, 25
LONG_SHARDS, LONG_QUERIES = 20, 250
# The GPU's batches are large, but rows must not depend on where they are cut.
BATCH_SIZES = ("default", "16")
LEAST_OPERATORS_A_QUERY = 8


def check_shard(shard: int, count: int, record_property: Record) -> None:
    """Compare `count` queries of a seed on two datasets, each with batches of another size."""
    pairs = [
        Pair(TandemDBOnGpu.name, dataset(2 * shard + i), {"batch_size": size, "threads": "2"})
        for i, size in enumerate(BATCH_SIZES)
    ]
    try:
        tally = compare_queries(pairs, shard, count)
        for pair in pairs:
            tally.add_engine(pair.engine)
    finally:
        for pair in pairs:
            pair.close()
    assert tally.operators >= LEAST_OPERATORS_A_QUERY * tally.queries
    record_property("queries", tally.queries)
    record_property("nonempty", tally.nonempty)
    record_property("operators on the GPU", tally.operators)
    record_property("fallbacks", dict(tally.fallbacks))


@pytest.mark.usefixtures("gpu")
@pytest.mark.parametrize("shard", range(SHARDS))
def test_generated_queries_on_the_gpu(shard: int, record_property: Record) -> None:
    check_shard(shard, QUERIES, record_property)


@pytest.mark.slow
@pytest.mark.usefixtures("gpu")
@pytest.mark.parametrize("shard", range(SHARDS, SHARDS + LONG_SHARDS))
def test_many_generated_queries_on_the_gpu(shard: int, record_property: Record) -> None:
    check_shard(shard, LONG_QUERIES, record_property)
