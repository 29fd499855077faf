"""Queries bind with DuckDB's column names and types, or fail where DuckDB fails; every plan is valid.

queries.txt holds one query a line over the tables of planner_catalog.
"""

from __future__ import annotations

from pathlib import Path

import duckdb
import pytest
from planner_catalog import bind_query, describe, duckdb_connection, tpch_catalog
from tandemdb.planner.errors import SqlError
from tandemdb.planner.expr import ColumnRef, ScalarSubquery, walk
from tandemdb.planner.logical import (
    Aggregate,
    Cte,
    Distinct,
    Join,
    JoinKind,
    Limit,
    Plan,
    Project,
    SetOp,
    Sort,
    UnionAll,
    walk_plan,
)
from tandemdb.planner.optimizer.verify import plan_problem

QUERIES = Path(__file__).with_name("queries.txt").read_text().splitlines()
TPCH = sorted((Path(__file__).parents[2] / "tpch" / "queries").glob("*.sql"))


@pytest.fixture(scope="module")
def oracle() -> duckdb.DuckDBPyConnection:
    return duckdb_connection()


def duckdbs(oracle: duckdb.DuckDBPyConnection, sql: str) -> list[tuple[str, str]] | None:
    try:
        return [(row[0], row[1]) for row in oracle.execute(f"DESCRIBE {sql}").fetchall()]
    except duckdb.Error:
        return None


def ours(sql: str) -> list[tuple[str, str]] | None:
    try:
        return describe(sql, tpch_catalog())
    except SqlError as error:
        _ = error.render()
        return None


def test_names_and_types_are_duckdbs(oracle: duckdb.DuckDBPyConnection) -> None:
    wrong = [(q, duckdbs(oracle, q), ours(q)) for q in QUERIES if duckdbs(oracle, q) != ours(q)]
    assert not wrong
    assert sum(ours(q) is not None for q in QUERIES) > 130


def test_plans_are_valid() -> None:
    for sql in QUERIES:
        if ours(sql) is not None:
            assert plan_problem(bind_query(sql).plan) is None, sql


@pytest.mark.parametrize("path", TPCH, ids=lambda p: p.stem)
def test_tpch(path: Path, oracle: duckdb.DuckDBPyConnection) -> None:
    sql = path.read_text()
    assert describe(sql) == duckdbs(oracle, sql)
    assert plan_problem(bind_query(sql).plan) is None


def nodes(sql: str, kind: type[Plan]) -> list:
    return [n for n in walk_plan(bind_query(sql).plan) if isinstance(n, kind)]


def test_plain_references_keep_their_ids() -> None:
    query = bind_query("SELECT b, a AS x, a FROM t")
    assert isinstance(query.plan, Project)
    assert [c.id for c in query.plan.columns] == [e.id for e in query.plan.exprs if isinstance(e, ColumnRef)]
    assert query.names == ("b", "x", "a")


def test_correlated_columns_keep_the_outer_id() -> None:
    (project,) = nodes("SELECT (SELECT max(c) FROM u WHERE u.a = t.a) FROM t", Project)
    (subquery,) = [e for e in project.exprs if isinstance(e, ScalarSubquery)]
    assert subquery.plan.outer_references == {project.input.columns[0].id}


def test_equal_aggregates_are_computed_once() -> None:
    (aggregate,) = nodes("SELECT sum(a), sum(a) + 1 FROM t HAVING sum(a) > 1 ORDER BY sum(a)", Aggregate)
    assert len(aggregate.calls) == 1


def test_outer_aggregate_in_a_subquery_belongs_to_the_outer_query() -> None:
    found = nodes("SELECT (SELECT sum(t.a) FROM u) FROM t", Aggregate)
    assert [c.function for a in found for c in a.calls] == ["sum"]


def test_order_by_what_is_not_selected_is_dropped_at_the_end() -> None:
    query = bind_query("SELECT a FROM t ORDER BY b + 1")
    assert isinstance(query.plan, Project)
    assert isinstance(query.plan.input, Sort)
    assert [c.name for c in query.plan.schema] == ["a"]


def test_defaults_of_order_by() -> None:
    (sort,) = nodes("SELECT a, b, s FROM t ORDER BY a, b DESC, s NULLS FIRST", Sort)
    assert [(k.descending, k.nulls_first) for k in sort.keys] == [
        (False, False),
        (True, False),
        (False, True),
    ]


def test_distinct_on_keeps_the_first_of_the_order() -> None:
    (distinct,) = nodes("SELECT DISTINCT ON (a) b FROM t ORDER BY b DESC", Distinct)
    assert len(distinct.on) == 1
    assert distinct.order[0].descending


def test_chains_of_union_are_one_node() -> None:
    sql = " UNION ALL ".join(f"SELECT {i} AS n" for i in range(50))
    (union,) = nodes(sql, UnionAll)
    assert len(union.branches) == 50
    (union,) = nodes(sql.replace(" ALL", ""), UnionAll)
    assert len(union.branches) == 50
    mixed = nodes("SELECT 1 UNION SELECT 2 UNION ALL SELECT 3", UnionAll)
    assert [len(u.branches) for u in mixed] == [2, 2]


def test_intersect_binds_tighter() -> None:
    query = bind_query("SELECT 1 UNION ALL SELECT 2 INTERSECT SELECT 2")
    assert isinstance(query.plan, UnionAll)
    assert any(isinstance(n, SetOp) and n.kind == "intersect" for n in walk_plan(query.plan.branches[1]))


def test_unused_ctes_are_not_bound() -> None:
    assert not nodes("WITH q AS (SELECT 1) SELECT 2", Cte)
    assert len(nodes("WITH q AS MATERIALIZED (SELECT 1 AS a) SELECT * FROM q, q AS r", Cte)) == 1
    assert not nodes("WITH q AS (SELECT zz FROM t), r AS (SELECT * FROM q) SELECT 2", Cte)
    with pytest.raises(SqlError, match="zz"):
        bind_query("WITH q AS (SELECT zz FROM t), r AS (SELECT * FROM q) SELECT 2 FROM r")


def test_a_comma_binds_weaker_than_join() -> None:
    (outer,) = [j for j in nodes("SELECT 1 FROM t, u RIGHT JOIN w ON u.c = w.k", Join) if j.condition is None]
    assert isinstance(outer.right, Join)
    assert outer.right.kind is JoinKind.RIGHT


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT * FROM t, (SELECT t.a + 1) AS k(z)",
        "SELECT * FROM t LEFT JOIN LATERAL (SELECT t.a + 1) AS k(z) ON true",
        "SELECT * FROM t, LATERAL (SELECT max(c) FROM u WHERE u.a = t.a) AS k",
    ],
)
def test_lateral(sql: str) -> None:
    (join,) = nodes(sql, Join)
    assert join.lateral


def test_limits() -> None:
    (limit,) = nodes("SELECT a FROM t LIMIT 3 OFFSET 1", Limit)
    assert (limit.limit, limit.offset) == (3, 1)
    (limit,) = nodes("SELECT a FROM t LIMIT (SELECT 2)", Limit)
    assert any(isinstance(n, ScalarSubquery) for n in walk(limit.limit))
    assert nodes("SELECT a FROM t LIMIT NULL", Limit)[0].limit is None


def test_values_are_columns_of_common_types() -> None:
    assert describe("VALUES (1, 'a'), (2.5, NULL)") == [("col0", "DECIMAL(11,1)"), ("col1", "VARCHAR")]
