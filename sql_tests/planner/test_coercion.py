"""Implicit casts and common types against DuckDB's matrix of every pair of types."""

from __future__ import annotations

import duckdb
import pytest
from oracle.bound_types import COLUMNS, duckdb_type, type_named
from tandemdb.planner.coercion import (
    STRING_LITERAL,
    ArgType,
    IntegerLiteral,
    can_cast,
    common_type,
    comparison_type,
    implicit_cost,
    set_operation_type,
    settled,
)
from tandemdb.planner.types import BIGINT, DATE, DOUBLE, HUGEINT, INTEGER, NULL, TINYINT, VARCHAR, decimal

# What stands in a query for every kind of argument.
ARGUMENTS: dict[str, ArgType] = {
    **{name: type_named(kind) for name, kind in COLUMNS.items()},
    "NULL": NULL,
    "'x'": STRING_LITERAL,
    "1": IntegerLiteral(1),
    "300": IntegerLiteral(300),
    "3000000000": IntegerLiteral(3_000_000_000),
    "-1": IntegerLiteral(-1),
    "1.5": decimal(2, 1),
    "1e0": DOUBLE,
}


@pytest.mark.parametrize("left", ARGUMENTS)
def test_common_type_is_that_of_coalesce(left: str) -> None:
    for right, kind in ARGUMENTS.items():
        ours = common_type((ARGUMENTS[left], kind))
        assert str(ours or "error") == duckdb_type(f"coalesce({left}, {right})"), (left, right)


@pytest.mark.parametrize("left", ARGUMENTS)
def test_order_comparisons_exist_where_duckdb_has_them(left: str) -> None:
    for right, kind in ARGUMENTS.items():
        ours = comparison_type("<", ARGUMENTS[left], kind)
        assert ("error" if ours is None else "BOOLEAN") == duckdb_type(f"{left} < {right}"), (left, right)


@pytest.mark.parametrize("left", COLUMNS)
def test_set_operation_types(left: str, oracle: duckdb.DuckDBPyConnection) -> None:
    for right, kind in COLUMNS.items():
        query = f"DESCRIBE SELECT {left} x FROM t UNION ALL SELECT {right} FROM t"
        row = oracle.execute(query).fetchone()
        assert row is not None
        ours = set_operation_type([type_named(COLUMNS[left]), type_named(kind)])
        assert str(ours) == row[1], right


@pytest.fixture(scope="module")
def oracle() -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect()
    connection.execute(f"CREATE TABLE t ({', '.join(f'{n} {t}' for n, t in COLUMNS.items())})")
    for name, kind in COLUMNS.items():
        connection.create_function(f"takes_{name}", lambda x: x, [kind], kind)  # type: ignore[list-item]
    return connection


@pytest.mark.parametrize("source", ARGUMENTS)
def test_implicit_casts_exist_where_duckdb_has_them(source: str, oracle: duckdb.DuckDBPyConnection) -> None:
    for target, kind in COLUMNS.items():
        try:
            oracle.execute(f"EXPLAIN SELECT takes_{target}({source}) FROM t")
            theirs = True
        except duckdb.BinderException:
            theirs = False
        assert (implicit_cost(ARGUMENTS[source], type_named(kind)) is not None) == theirs, (source, kind)


_SAMPLES = {
    "BOOLEAN": "true", "BLOB": "'a'::BLOB", "DATE": "DATE '2020-01-01'", "TIME": "TIME '01:00:00'",
    "INTERVAL": "INTERVAL 1 DAY", "VARCHAR": "'1'",
}  # fmt: skip


@pytest.mark.parametrize("source", sorted(set(COLUMNS.values())))
def test_explicit_casts_exist_where_duckdb_has_them(source: str) -> None:
    stamp = "TIMESTAMP '2020-01-01 00:00:00'" if source.startswith("TIMESTAMP") else "1"
    sample = _SAMPLES.get(source, stamp)
    for target in sorted(set(COLUMNS.values())):
        try:
            duckdb.execute(f"SELECT CAST({sample}::{source} AS {target})").fetchall()
            theirs = True
        except duckdb.ConversionException as error:
            theirs = "Unimplemented" not in str(error)
        assert can_cast(type_named(source), type_named(target)) == theirs, (source, target)


def test_literals_fold_from_left_to_right() -> None:
    """Two literals make a plain type, which is no longer as flexible."""
    one, two = IntegerLiteral(1), IntegerLiteral(2)
    assert common_type((TINYINT, one, two)) == TINYINT
    assert common_type((one, two, TINYINT)) == INTEGER
    assert common_type((STRING_LITERAL, DATE)) == DATE
    assert common_type((STRING_LITERAL, STRING_LITERAL, DATE)) is None


def test_equality_mixes_any_types_and_strings_become_the_other_type() -> None:
    assert comparison_type("=", VARCHAR, DATE) == DATE
    assert comparison_type("<", VARCHAR, DATE) is None
    assert comparison_type("<>", INTEGER, VARCHAR) == INTEGER


def test_decimals_are_compared_at_the_larger_scale() -> None:
    assert comparison_type("=", decimal(15, 2), decimal(4, 1)) == decimal(15, 2)
    assert comparison_type("<", decimal(38, 0), decimal(38, 10)) == decimal(38, 10)


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        (1, INTEGER),
        (-(2**31), BIGINT),
        (2**31 - 1, INTEGER),
        (2**31, BIGINT),
        (-(2**63), BIGINT),
        (2**63, HUGEINT),
    ],
)
def test_type_of_an_integer_literal(value: int, kind: object) -> None:
    assert settled(IntegerLiteral(value)) == kind
