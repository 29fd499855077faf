"""The 43 queries of ClickBench on made-up page views give what DuckDB gives."""

from __future__ import annotations

from collections import Counter

import pytest
from oracle.compare import difference
from oracle.engines import Engine, Result
from workloads import clickbench
from workloads.conftest import LARGE, SMALL, Database, Open, on_gpu, quick, thorough

NAMES = list(clickbench.queries(0))


@pytest.fixture(scope="module")
def small(databases: Open) -> Database:
    return databases("hits", SMALL)


@pytest.fixture(scope="module")
def large(databases: Open) -> Database:
    return databases("hits", LARGE)


def check(engine: Engine, database: Database, name: str) -> None:
    query = clickbench.queries(database.size)[name]
    expected, given = database.answer(query.sql), engine.execute(query.sql)
    assert expected.rows, f"query {name} finds no rows"
    if query.any_rows:
        found = some_of(database.answer(query.whole), given, len(expected.rows))
    else:
        found = difference(expected, given, ordered=True)
    assert found is None, f"query {name}:\n{found}"


def some_of(whole: Result, given: Result, count: int) -> str | None:
    """What is wrong with `given` as any `count` rows of `whole`; None if nothing is."""
    if whole.types != given.types or len(given.rows) != count:
        return f"{count} rows of {whole.types} expected, {len(given.rows)} of {given.types} given"
    extra = Counter(given.rows) - Counter(whole.rows)
    return f"not in the result without LIMIT: {list(extra)}" if extra else None


def test_every_query_is_here() -> None:
    assert [str(number) for number in range(1, 44)] == NAMES
    assert len(clickbench.queries(0)["30"].sql.split("sum(")) == clickbench.SUMS + 1


@pytest.mark.parametrize("name", NAMES)
def test_query(small: Database, name: str) -> None:
    check(quick(small), small, name)


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_query_on_many_rows(large: Database, name: str) -> None:
    check(thorough(large), large, name)


@pytest.mark.slow
@pytest.mark.usefixtures("gpu")
@pytest.mark.parametrize("name", NAMES)
def test_query_on_the_gpu(small: Database, name: str) -> None:
    check(on_gpu(small), small, name)
