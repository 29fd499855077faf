"""Types of bound expressions against DuckDB's: operators over pairs of types, a list of expressions."""

from __future__ import annotations

from pathlib import Path

import pytest
from oracle.bound_types import COLUMNS, duckdb_type, our_type

EXPRESSIONS = Path(__file__).with_name("expression_types.txt").read_text().splitlines()
OPERANDS = (*COLUMNS, "NULL", "'x'", "1", "300", "3000000000", "1.5", "1e0", "-1")
OPERATORS = ("+", "-", "*", "/", "//", "%", "**", "&")


@pytest.mark.parametrize("text", EXPRESSIONS)
def test_expressions_have_duckdbs_type(text: str) -> None:
    assert our_type(text) == duckdb_type(text)


@pytest.mark.parametrize("operator", OPERATORS)
@pytest.mark.parametrize("left", OPERANDS)
def test_operators_have_duckdbs_type(left: str, operator: str) -> None:
    for right in OPERANDS:
        text = f"{left} {operator} {right}"
        assert our_type(text) == duckdb_type(text), text


@pytest.mark.parametrize("template", ["{} || {}", "case when b then {} else {} end", "greatest({}, {})"])
def test_mixtures_have_duckdbs_type(template: str) -> None:
    for left in OPERANDS:
        for right in OPERANDS:
            text = template.format(left, right)
            assert our_type(text) == duckdb_type(text), text


@pytest.mark.parametrize(
    "text",
    [
        "case when b then 1 when b then 2 else i8 end",
        "case when b then i8 when b then 1 else 300 end",
        "case when b then 'a' when b then 'b' else dt end",
        "case when b then 'a' when b then dt else 'b' end",
        "coalesce(1, 2, i8)",
        "coalesce(i8, 1, 2)",
        "coalesce('a', 'b', dt)",
        "greatest('2020-01-01', dt, '2020-01-02')",
    ],
)
def test_mixtures_of_literals_have_duckdbs_type(text: str) -> None:
    assert our_type(text) == duckdb_type(text)
