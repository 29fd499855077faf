"""A shard of generated queries: each on one of some pairs of engines, until the first that differs."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
from oracle.choices import Choices
from oracle.differential import Pair, Tally
from oracle.hypothesis_runs import many
from oracle.queries import Query, query
from oracle.reproduce import smallest


def compare_queries(
    pairs: Sequence[Pair], shard: int, count: int, seen: Callable[[Query], None] = lambda made: None
) -> Tally:
    """Compare `count` queries of a seed; `seen` is told of each. A difference fails the test."""
    tally = Tally()

    @many(shard, count)
    def compare(choices: Choices) -> None:
        pair = choices.pick(pairs)
        made = query(choices, pair.data)
        seen(made)
        outcome = pair.check(made)
        tally.add(made, outcome)
        if outcome.failed:
            pytest.fail(f"{outcome.group}\n{smallest(pair, made, outcome)}", pytrace=False)

    compare()
    return tally
