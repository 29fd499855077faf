"""Long and deep statements are optimised: what DuckDB takes, in seconds at most."""

from __future__ import annotations

import time

import pytest
from planner_catalog import tpch_catalog
from tandemdb.planner.binder import bind
from tandemdb.planner.frontend import parse_script, run_deep
from tandemdb.planner.logical import ColumnIds, Join, Plan, walk_plan
from tandemdb.planner.optimizer import OptimizerContext, optimize
from tandemdb.planner.statements import BindContext, Query


def nested(levels: int) -> str:
    sql = "SELECT a FROM t"
    for level in range(levels):
        sql = f"SELECT a FROM ({sql}) WHERE a <> {level}"
    return sql


def scalars(levels: int) -> str:
    sql = "SELECT max(a) FROM t"
    for _ in range(levels):
        sql = f"SELECT (({sql}) + 1) AS a FROM t LIMIT 1"
    return sql


def correlated(levels: int) -> str:
    sql = f"SELECT 1 FROM u x{levels} WHERE x{levels}.a = x{levels - 1}.a"
    for level in range(levels - 1, 0, -1):
        sql = f"SELECT 1 FROM u x{level} WHERE x{level}.a = x{level - 1}.a AND EXISTS ({sql})"
    return f"SELECT a FROM t x0 WHERE EXISTS ({sql})"


def unequal(levels: int) -> str:
    """Every level needs the domain of the one above."""
    sql = f"SELECT max(x{levels}.c) FROM u x{levels} WHERE x{levels}.a < x{levels - 1}.a"
    for level in range(levels - 1, 0, -1):
        where = f"x{level}.a < x{level - 1}.a AND x{level}.c > ({sql})"
        sql = f"SELECT max(x{level}.c) FROM u x{level} WHERE {where}"
    return f"SELECT a FROM u x0 WHERE x0.c > ({sql})"


def chain(count: int) -> str:
    terms = " AND ".join(f"t{i}.a = t{i + 1}.b" for i in range(count - 1))
    return f"SELECT count(*) FROM {', '.join(f't t{i}' for i in range(count))} WHERE {terms}"


def one_key(count: int) -> str:
    terms = " AND ".join(f"t{i}.a = t{i + 1}.a" for i in range(count - 1))
    return f"SELECT count(*) FROM {', '.join(f't t{i}' for i in range(count))} WHERE {terms}"


STATEMENTS = {
    "4,000 ANDed terms": f"SELECT a FROM t WHERE {' AND '.join(f'a <> {i}' for i in range(4000))}",
    "4,000 ORed terms": f"SELECT a FROM t WHERE {' OR '.join(f'(a = {i} AND b = {i})' for i in range(2000))}",
    "1,000 UNIONs": " UNION ".join(f"SELECT a FROM t WHERE a = {i}" for i in range(1000)),
    "200 nested subqueries": nested(200),
    "200 nested scalar subqueries": scalars(200),
    "150 correlated levels": correlated(150),
    "20 levels of inequalities": unequal(20),
    "60 relations in a chain": chain(60),
    "40 relations on one key": one_key(40),
    "12 relations on one key": one_key(12),
    "100 outer joins": "SELECT count(*) FROM t t0 "
    + " ".join(f"LEFT JOIN u u{i} ON u{i}.a = t0.a" for i in range(100)),
}


def optimised(sql: str) -> Plan:
    (parsed,) = parse_script(sql)
    ids = ColumnIds()

    def plan() -> Plan:
        query = bind(parsed, BindContext(tpch_catalog(), ids=ids))
        assert isinstance(query, Query)
        return optimize(query.plan, OptimizerContext(ids))

    return run_deep(plan, parsed.depth)


@pytest.mark.parametrize("what", STATEMENTS)
def test_statement(what: str) -> None:
    start = time.monotonic()
    optimised(STATEMENTS[what])
    # On a busy machine; a quadratic walk takes minutes.
    assert time.monotonic() - start < 30


def test_three_hundred_relations_are_joined() -> None:
    plan = optimised(chain(300))
    assert sum(isinstance(node, Join) for node in walk_plan(plan)) == 299
