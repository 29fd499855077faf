"""Statements other than queries."""

from __future__ import annotations

from typing import Any

import pytest
from planner_catalog import MemoryTable, bind_query, bind_sql, tpch_catalog
from tandemdb.planner.catalog import TableColumn, View
from tandemdb.planner.errors import SqlError, UnsupportedError
from tandemdb.planner.expr import Literal
from tandemdb.planner.logical import Values
from tandemdb.planner.statements import (
    CreateTable,
    CreateView,
    Describe,
    Drop,
    Explain,
    Insert,
    Query,
    ResetVariable,
    SetVariable,
    Show,
)
from tandemdb.planner.types import DATE, INTEGER, VARCHAR, decimal


def test_create_table() -> None:
    statement = bind_sql(
        "CREATE OR REPLACE TEMP TABLE main.x (a INT NOT NULL DEFAULT -1, b DECIMAL(4,1), "
        "c TEXT DEFAULT 'it''s', "
        "d DATE DEFAULT current_date)"
    )
    assert statement == CreateTable(
        "x",
        (
            TableColumn("a", INTEGER, False, "-1"),
            TableColumn("b", decimal(4, 1)),
            TableColumn("c", VARCHAR, True, "'it''s'"),
            TableColumn("d", DATE, True, "current_date"),
        ),
        or_replace=True,
    )


def test_create_table_as() -> None:
    statement = bind_sql("CREATE TABLE IF NOT EXISTS x AS SELECT a, NULL AS n, a FROM t")
    assert isinstance(statement, CreateTable)
    assert statement.if_not_exists
    assert [(c.name, str(c.type)) for c in statement.columns] == [
        ("a", "INTEGER"),
        ("n", "INTEGER"),
        ("a_1", "INTEGER"),
    ]
    assert statement.query is not None
    assert statement.query.names == ("a", "n", "a_1")


def test_create_view_keeps_the_text_of_its_query() -> None:
    statement = bind_sql("CREATE OR REPLACE VIEW v (p, \"q r\") AS SELECT a /* one */, ';' FROM t ; ")
    columns = (TableColumn("p", INTEGER), TableColumn("q r", VARCHAR))
    assert statement == CreateView(
        "v", "SELECT a /* one */, ';' FROM t", ("p", "q r"), columns, if_not_exists=False, or_replace=True
    )


def test_views_are_expanded() -> None:
    catalog = tpch_catalog()
    catalog.entries["v"] = View("v", "SELECT a, b + 1 AS c FROM t", ("x",))
    query = bind_query("SELECT *, v.c AS d FROM v WHERE x > 1", catalog)
    assert query.names == ("x", "c", "d")


@pytest.mark.parametrize(
    ("sql", "rows"),
    [
        ("INSERT INTO w VALUES (1, 'x'), (2, DEFAULT)", [(1, "x"), (2, "none")]),
        ("INSERT INTO w (v) VALUES ('1'), ('b')", [(None, "1"), (None, "b")]),
        ("INSERT INTO w (v, k) VALUES ('a', '7')", [(7, "a")]),
        ("INSERT INTO w DEFAULT VALUES", [(None, "none")]),
    ],
)
def test_insert_values(sql: str, rows: list[tuple[Any, ...]]) -> None:
    catalog = tpch_catalog()
    columns = (TableColumn("k", INTEGER), TableColumn("v", VARCHAR, True, "'none'"))
    catalog.entries["w"] = MemoryTable("w", columns)
    statement = bind_sql(sql, catalog)
    assert isinstance(statement, Insert)
    plan = statement.query.plan
    assert isinstance(plan, Values)
    values = [tuple(e.value if isinstance(e, Literal) else e for e in row) for row in plan.rows]
    assert values == rows
    assert [c.type for c in plan.columns] == [INTEGER, VARCHAR]


def test_insert_query_casts_to_the_columns_in_table_order() -> None:
    statement = bind_sql("WITH q AS (SELECT s, a FROM u) INSERT INTO w (v, k) SELECT * FROM q")
    assert isinstance(statement, Insert)
    assert statement.query.names == ("k", "v")
    assert [c.type for c in statement.query.plan.schema] == [INTEGER, VARCHAR]


@pytest.mark.parametrize(
    "sql",
    [
        "INSERT INTO w VALUES (1)",
        "INSERT INTO w (v, k) SELECT s FROM t",
        "INSERT INTO w (zz) VALUES (1)",
        "INSERT INTO w (k, k) VALUES (1, 2)",
        "INSERT INTO w VALUES (DATE '2020-01-01', 'x')",
        "INSERT INTO zz VALUES (1)",
        "CREATE TABLE x",
        "CREATE TABLE x (a)",
        "CREATE TABLE x (a INT, A INT)",
        "CREATE TABLE x (a FOO)",
        "CREATE TABLE x (a INT DEFAULT zz)",
        "CREATE VIEW v (p, q) AS SELECT 1",
        "CREATE VIEW v AS SELECT zz",
    ],
)
def test_wrong_statements(sql: str) -> None:
    with pytest.raises(SqlError) as caught:
        bind_sql(sql)
    assert caught.value.span is not None


@pytest.mark.parametrize(
    ("sql", "what"),
    [
        ("CALL f(1)", "CALL"),
        ("ATTACH 'x'", "ATTACH"),
        ("DROP SCHEMA s", "DROP SCHEMA"),
        ("CREATE TABLE x (a INT REFERENCES t (a))", "FOREIGN KEY"),
        ("CREATE TABLE s.x (a INT)", 'Schema "s"'),
    ],
)
def test_refused_by_name(sql: str, what: str) -> None:
    with pytest.raises(UnsupportedError, match=what) as caught:
        bind_sql(sql)
    assert caught.value.span is not None


@pytest.mark.parametrize(
    ("sql", "statement"),
    [
        ("DROP TABLE t", Drop("table", "t")),
        ("DROP VIEW IF EXISTS main.v", Drop("view", "v", True)),
        ("SET threads = 4", SetVariable("threads", 4)),
        ("SET SESSION Threads TO 4", SetVariable("threads", 4)),
        ("SET memory_limit = '8GB'", SetVariable("memory_limit", "8GB")),
        ("SET x = on", SetVariable("x", "on")),
        ("SET x = true", SetVariable("x", True)),
        ("SET x = -1.5", SetVariable("x", -1.5)),
        ("SET x = DEFAULT", ResetVariable("x")),
        ("RESET x", ResetVariable("x")),
        ("SHOW TABLES", Show("tables")),
        ("SHOW ALL", Show("settings")),
        ("SHOW threads", Show("setting", "threads")),
    ],
)
def test_small_statements(sql: str, statement: Any) -> None:
    bound = bind_sql(sql)
    if isinstance(bound, SetVariable) and not isinstance(bound.value, (bool, str, int)):
        assert float(bound.value) == statement.value
    else:
        assert bound == statement


@pytest.mark.parametrize("sql", ["DESCRIBE t", "SHOW t", "DESCRIBE SELECT * FROM t", "DESC TABLE t"])
def test_describe(sql: str) -> None:
    statement = bind_sql(sql)
    assert isinstance(statement, Describe)
    assert statement.query.names == ("a", "b", "s", "d", "p", "x")


@pytest.mark.parametrize(
    ("sql", "analyze", "form"),
    [
        ("EXPLAIN SELECT 1", False, "text"),
        ("EXPLAIN ANALYZE SELECT 1", True, "text"),
        ("EXPLAIN (FORMAT json) SELECT 1", False, "json"),
        ("EXPLAIN (ANALYZE, FORMAT JSON) SELECT 1", True, "json"),
        ("EXPLAIN ANALYZE (FORMAT json) SELECT 1", True, "json"),
        ("EXPLAIN (SELECT 1)", False, "text"),
    ],
)
def test_explain(sql: str, analyze: bool, form: str) -> None:
    statement = bind_sql(sql)
    assert isinstance(statement, Explain)
    assert isinstance(statement.statement, Query)
    assert (statement.analyze, statement.format) == (analyze, form)
