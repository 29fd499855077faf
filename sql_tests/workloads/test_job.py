"""The 113 queries of the Join Order Benchmark on made-up films give what DuckDB gives."""

from __future__ import annotations

import pytest
from oracle.compare import difference
from oracle.engines import Engine
from workloads import imdb, job
from workloads.conftest import LARGE, SMALL, Database, Open, on_gpu, quick, thorough

QUERIES = job.queries()
LEAST_SHARE = {False: 0.7, True: 0.85}
"""Of the queries, how many must find rows, on small and on large data."""


@pytest.fixture(scope="module")
def small(databases: Open) -> Database:
    return databases("imdb", SMALL)


@pytest.fixture(scope="module")
def large(databases: Open) -> Database:
    return databases("imdb", LARGE)


def check(engine: Engine, database: Database, name: str) -> None:
    expected = database.answer(QUERIES[name])
    found = difference(expected, engine.execute(QUERIES[name]), ordered=True)
    assert found is None, f"query {name}:\n{found}"


def share_that_finds_rows(database: Database) -> float:
    found = [database.answer(sql).rows[0] for sql in QUERIES.values()]
    return sum(any(value is not None for value in row) for row in found) / len(found)


def test_every_query_is_here() -> None:
    assert len(job.families()) == 33
    assert len(QUERIES) == 113


def test_joins_follow_keys_and_each_other() -> None:
    assert job.joins(["film", "made_by", "film_word", "firm"]) == [
        "made_by.movie_id = film.id",
        "film_word.movie_id = film.id",
        "made_by.movie_id = film_word.movie_id",
        "made_by.company_id = firm.id",
    ]


def test_keys_refer_to_rows_that_exist() -> None:
    made = imdb.tables(300)
    for table, keys in job.ALIASES.values():
        for column, target in keys.items():
            ids = set(made[job.ALIASES[target][0]]["id"].to_pylist())
            assert set(made[table][column].drop_null().to_pylist()) <= ids, (table, column)


@pytest.mark.parametrize("name", QUERIES)
def test_query(small: Database, name: str) -> None:
    check(quick(small), small, name)


def test_most_queries_find_rows(small: Database) -> None:
    assert share_that_finds_rows(small) >= LEAST_SHARE[False]


@pytest.mark.slow
@pytest.mark.parametrize("name", QUERIES)
def test_query_on_many_films(large: Database, name: str) -> None:
    check(thorough(large), large, name)


@pytest.mark.slow
def test_most_queries_find_rows_among_many_films(large: Database) -> None:
    assert share_that_finds_rows(large) >= LEAST_SHARE[True]


@pytest.mark.slow
@pytest.mark.usefixtures("gpu")
@pytest.mark.parametrize("name", QUERIES)
def test_query_on_the_gpu(small: Database, name: str) -> None:
    check(on_gpu(small), small, name)
