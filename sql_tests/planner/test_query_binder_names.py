"""Columns without an alias are called as DuckDB calls them; the expressions are in expression_names.txt."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pytest
from sqlglot import exp
from tandemdb.planner.binder.names import expression_name
from tandemdb.planner.frontend import parse_script

EXPRESSIONS = Path(__file__).with_name("expression_names.txt").read_text().splitlines()


@pytest.fixture(scope="module")
def oracle() -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect()
    connection.execute(
        'CREATE TABLE t (a INT, b INT, s VARCHAR, d DATE, p DECIMAL(10,2), x DOUBLE, "A B" INT, '
        '"select" INT, '
        'select_ INT, "Ab" INT, "order" INT, "date" INT, year INT, "range" INT, x1 INT, "1x" INT, _x INT, '
        '"key" INT)'
    )
    connection.execute("CREATE TABLE u (a INT, c INT); CREATE TABLE w (a INT, z INT)")
    return connection


def our_name(text: str) -> str:
    (parsed,) = parse_script(f"SELECT {text} FROM t")
    assert isinstance(parsed.ast, exp.Select)
    return expression_name(parsed.ast.expressions[0])


def test_names_are_duckdbs(oracle: duckdb.DuckDBPyConnection) -> None:
    wrong = []
    for text in EXPRESSIONS:
        (wanted, *_), *_ = oracle.execute(f"DESCRIBE SELECT {text} FROM t").fetchall()
        if our_name(text) != wanted:
            wrong.append((text, wanted, our_name(text)))
    assert not wrong
    assert len(EXPRESSIONS) > 350


def test_names_are_sql_again() -> None:
    for text in EXPRESSIONS:
        if "select" in text.lower() or "values" in text.lower():
            continue  # subqueries gain parentheses each time
        name = our_name(text)
        assert our_name(name) == name, text
