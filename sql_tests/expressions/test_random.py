"""Random expressions over random columns, against DuckDB."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest
from expressions.harness import ERROR, Table, bind_expression, evaluate, expect, make_table, same, storages
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tandemdb.physical.batch import Batch
from tandemdb.planner.errors import SqlError, UnsupportedError
from tandemdb.planner.expr import Expr

COLUMNS = {
    "i": "INTEGER",
    "l": "BIGINT",
    "t": "TINYINT",
    "h": "HUGEINT",
    "p": "DECIMAL(15,2)",
    "q": "DECIMAL(9,4)",
    "w": "DECIMAL(25,3)",
    "x": "DOUBLE",
    "s": "VARCHAR",
    "u": "VARCHAR",
    "b": "BOOLEAN",
    "d": "DATE",
    "m": "TIMESTAMP",
}
# One list a column.
VALUES = [
    ["1", "NULL", "-3", "2147483647", "0", "-2147483647", "10"],
    ["100", "-7", "NULL", "9223372036854775807", "0", "-9223372036854775807", "3037000500"],
    ["5", "-127", "NULL", "127", "0", "1", "-1"],
    ["7", "NULL", "123456789012345678", "-1", "0", "5", "-99"],
    ["12.34", "-0.05", "NULL", "9999999999999.99", "0", "-9999999999999.99", "100.00"],
    ["0.5", "NULL", "-1.5", "99999.9999", "0", "2.5", "0.0001"],
    ["1.125", "'99999999999999999999.999'", "NULL", "-1.5", "0", "2.5", "1000"],
    ["1.5", "'nan'", "NULL", "-0.0", "0", "1e300", "-2.5"],
    ["'abc'", "''", "NULL", "'héllo'", "'a%c'", "'ABC'", "'  pad '"],
    ["'12'", "'x'", "NULL", "'-3'", "'1.5'", "''", "'2020-02-03'"],
    ["true", "false", "NULL", "true", "false", "true", "NULL"],
    ["'2020-01-31'", "NULL", "'1999-12-31'", "'1970-01-01'", "'2024-02-29'", "'1900-03-01'", "'2020-12-31'"],
    [
        "'2020-01-31 10:20:30'",
        "NULL",
        "'1969-12-31 23:59:59.5'",
        "'2000-02-29 00:00:00'",
        "'1970-01-01 00:00:00'",
        "'2038-01-19 03:14:07.123456'",
        "'2021-06-15 12:00:00'",
    ],
]


@cache
def table() -> Table:
    return make_table(COLUMNS, list(zip(*VALUES, strict=True)))


@st.composite
def number(draw: st.DrawFn, depth: int) -> str:
    """An expression of a numeric type."""
    if depth == 0:
        return draw(
            st.sampled_from(["i", "l", "t", "h", "p", "q", "w", "x", "2", "0", "-1", "0.5", "100.25", "1e3"])
        )
    left, right = draw(number(depth - 1)), draw(number(depth - 1))
    form = draw(
        st.sampled_from(
            [
                *[
                    "({0} + {1})",
                    "({0} - {1})",
                    "({0} * {1})",
                    "({0} / {1})",
                    "({0} % {1})",
                    "(-{0})",
                    "abs({0})",
                ],
                *["round({0})", "round({0}, 1)", "floor({0})", "coalesce({0}, {1})", "nullif({0}, {1})"],
                *[
                    "greatest({0}, {1})",
                    "least({0}, {1})",
                    "sign({0})",
                    "CAST({0} AS DOUBLE)",
                    "CAST({0} AS BIGINT)",
                ],
                *[
                    "TRY_CAST({0} AS SMALLINT)",
                    "CAST({0} AS DECIMAL(20,3))",
                    "CASE WHEN {2} THEN {0} ELSE {1} END",
                ],
                *[
                    "length({3})",
                    "year({4})",
                    "date_diff('month', {4}, d)",
                    "TRY_CAST({3} AS INTEGER)",
                    "strpos({3}, 'b')",
                ],
                *[
                    "ceil({0})",
                    "CAST({2} AS INTEGER)",
                    "TRY_CAST({0} AS DECIMAL(10,2))",
                    "date_diff('day', {4}, d)",
                ],
            ]
        )
    )
    return form.format(left, right, draw(condition(depth - 1)), draw(text(depth - 1)), draw(day(depth - 1)))


@st.composite
def condition(draw: st.DrawFn, depth: int) -> str:
    """A BOOLEAN expression."""
    if depth == 0:
        return draw(
            st.sampled_from(
                ["b", "true", "i > 0", "s LIKE 'a%'", "d < m", "x IS NULL", "s = u", "p BETWEEN 0 AND 50"]
            )
        )
    form = draw(
        st.sampled_from(
            [
                *[
                    "({0} < {1})",
                    "({0} = {1})",
                    "({0} >= {1})",
                    "({0} IS DISTINCT FROM {1})",
                    "({2} AND {3})",
                ],
                *[
                    "({2} OR {3})",
                    "(NOT {2})",
                    "({2} IS NULL)",
                    "({4} LIKE '%b%')",
                    "({4} < {5})",
                    "({4} = {5})",
                ],
                *["({0} IN (1, 2, {1}))", "({4} IN ('abc', '12', NULL))", "({6} < {7})", "({6} = {7})"],
                *[
                    "CASE WHEN {2} THEN {3} END",
                    "coalesce({2}, {3})",
                    "starts_with({4}, {5})",
                    "({0} NOT IN (0, NULL))",
                ],
            ]
        )
    )
    parts = (number, number, condition, condition, text, text, day, day)
    return form.format(*(draw(part(depth - 1)) for part in parts))


@st.composite
def text(draw: st.DrawFn, depth: int) -> str:
    """A VARCHAR expression."""
    if depth == 0:
        return draw(st.sampled_from(["s", "u", "'abc'", "''", "NULL::VARCHAR"]))
    form = draw(
        st.sampled_from(
            [
                *[
                    "({0} || {1})",
                    "upper({0})",
                    "substring({0}, 2, 2)",
                    "concat({0}, {1})",
                    "replace({0}, 'b', {1})",
                ],
                *[
                    "CASE WHEN {2} THEN {0} ELSE {1} END",
                    "coalesce({0}, {1})",
                    "nullif({0}, {1})",
                    "trim({0})",
                ],
                *[
                    "CAST(TRY_CAST({3} AS DECIMAL(30,4)) AS VARCHAR)",
                    "CAST({4} AS VARCHAR)",
                    "left({0}, 1)",
                    "greatest({0}, {1})",
                ],
                *["CASE WHEN {2} THEN 'x' WHEN {2} IS NULL THEN 'y' ELSE 'z' END", "dayname({4})"],
            ]
        )
    )
    parts = (text, text, condition, number, day)
    return form.format(*(draw(part(depth - 1)) for part in parts))


@st.composite
def day(draw: st.DrawFn, depth: int) -> str:
    """A DATE or TIMESTAMP expression."""
    if depth == 0:
        return draw(st.sampled_from(["d", "m", "DATE '2020-02-29'", "TIMESTAMP '1999-12-31 23:59:59'"]))
    form = draw(
        st.sampled_from(
            [
                *[
                    "({0} + INTERVAL '1 month')",
                    "({0} - INTERVAL '3 days 5 hours')",
                    "date_trunc('quarter', {0})",
                ],
                *[
                    "CASE WHEN {2} THEN {0} ELSE {1} END",
                    "coalesce({0}, {1})",
                    "least({0}, {1})",
                    "last_day({0})",
                ],
                *["CAST({0} AS DATE)", "CAST({0} AS TIMESTAMP)", "date_trunc('week', {0})"],
            ]
        )
    )
    parts = (day, day, condition)
    return form.format(*(draw(part(depth - 1)) for part in parts))


EXAMPLES = settings(
    max_examples=120,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
)


def agree(expression: str) -> None:
    """Both give the same value in every row in which DuckDB gives one.

    Where DuckDB raises we may give a value (AND and OR decide earlier). Where it gives NULL we may raise: its
    optimizer leaves parts out whose value a NULL makes needless.
    """
    expected, _ = expect(table(), expression)
    try:
        expr = bind_expression(table(), expression)
    except SqlError:
        assert all(value is ERROR or value is None for value in expected), f"{expression} is refused"
        return
    for storage, batch in storages(table()).items():
        for row, value in enumerate(expected):
            if value is ERROR:
                continue
            found = attempt(expr, batch.slice(row, 1))
            if found is ERROR:
                assert value is None, f"{expression} [{storage}] row {row}: {value!r}, an error given"
                continue
            assert alike(value, found[0]), (
                f"{expression} [{storage}] row {row}: {value!r}, {found[0]!r} given"
            )
        whole = attempt(expr, batch)
        if ERROR not in expected and whole is not ERROR:
            assert all(alike(e, a) for e, a in zip(expected, whole, strict=True)), (
                f"{expression}: {whole} given"
            )


def attempt(expr: Expr, batch: Batch) -> Any:
    """The values, or ERROR."""
    try:
        return evaluate(expr, batch)
    except UnsupportedError:
        raise
    except SqlError:
        return ERROR


def alike(expected: Any, given_value: Any) -> bool:
    """Equal but for the last digits of floats."""
    return same(expected, given_value, 1e-12)


@EXAMPLES
@given(st.integers(1, 3).flatmap(number))
def test_numbers(expression: str) -> None:
    agree(expression)


@EXAMPLES
@given(st.integers(1, 3).flatmap(condition))
def test_conditions(expression: str) -> None:
    agree(expression)


@EXAMPLES
@given(st.integers(1, 2).flatmap(text))
def test_texts(expression: str) -> None:
    agree(expression)


@EXAMPLES
@given(st.integers(1, 2).flatmap(day))
def test_days(expression: str) -> None:
    agree(expression)


@pytest.mark.slow
@settings(EXAMPLES, max_examples=3000)
@given(st.integers(1, 4).flatmap(condition))
def test_many(expression: str) -> None:
    agree(expression)
