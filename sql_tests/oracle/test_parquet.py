"""Queries over Parquet files of many layouts give what they give over tables."""

from __future__ import annotations

from pathlib import Path

import pytest
from oracle.choices import Choices
from oracle.datasets import dataset
from oracle.hypothesis_runs import many
from oracle.parquet_data import parquet_pair
from oracle.queries import query
from oracle.reproduce import smallest


@pytest.mark.parametrize(
    "number", [0, *(pytest.param(number, marks=pytest.mark.slow) for number in range(1, 9))]
)
def test_queries_over_parquet_files(engine_name: str, tmp_path: Path, number: int) -> None:
    pair = parquet_pair(engine_name, dataset(110 + number), tmp_path)

    @many(110 + number, 60)
    def compare(choices: Choices) -> None:
        made = query(choices, pair.data)
        outcome = pair.check(made)
        if outcome.failed:
            pytest.fail(f"{outcome.group}\n{smallest(pair, made, outcome)}", pytrace=False)

    compare()
    pair.close()
