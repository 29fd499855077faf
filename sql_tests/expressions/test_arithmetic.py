"""+ - * / // % and comparisons of numbers, over every pair of special values of a type."""

from __future__ import annotations

import pytest
from expressions.harness import check_all, make_table, pairs, single
from expressions.values import BY_TYPE, DECIMALS, INTEGERS

NUMBERS = [*INTEGERS, *DECIMALS, "FLOAT", "DOUBLE"]
ARITHMETIC = ["a + b", "a - b", "a * b", "a // b", "a % b", "a / b", "-a"]
COMPARISONS = [
    "a = b",
    "a <> b",
    "a < b",
    "a <= b",
    "a > b",
    "a >= b",
    "a IS DISTINCT FROM b",
    "a IS NOT DISTINCT FROM b",
    "a IN (b, 1)",
    "a IN (0, 1, 2)",
    "a NOT IN (0, NULL, 1)",
    "a IN (0, 1, 2, 3, 4, 5, 7)",
    "a BETWEEN b AND 10",
    "a < 1",
    "1 <= a",
]


@pytest.mark.parametrize("kind", NUMBERS)
def test_arithmetic(kind: str) -> None:
    check_all(pairs(kind, kind, BY_TYPE[kind], BY_TYPE[kind]), ARITHMETIC)


@pytest.mark.parametrize("kind", NUMBERS)
def test_comparisons(kind: str) -> None:
    check_all(pairs(kind, kind, BY_TYPE[kind], BY_TYPE[kind]), COMPARISONS, constants=6)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("DECIMAL(4,1)", "DECIMAL(15,2)"),
        ("DECIMAL(15,2)", "DECIMAL(18,3)"),
        ("DECIMAL(18,3)", "DECIMAL(30,10)"),
        ("DECIMAL(38,2)", "DECIMAL(30,10)"),
        ("INTEGER", "DECIMAL(15,2)"),
        ("BIGINT", "HUGEINT"),
        ("TINYINT", "UBIGINT"),
        ("UINTEGER", "INTEGER"),
        ("FLOAT", "DOUBLE"),
        ("DECIMAL(38,2)", "DOUBLE"),
    ],
)
def test_mixed_types(left: str, right: str) -> None:
    texts = ["a + b", "a - b", "b - a", "a * b", "a / b", "a = b", "a < b", "a >= b", "coalesce(a, b)"]
    check_all(pairs(left, right, BY_TYPE[left], BY_TYPE[right]), texts, constants=6)


def test_tpch_prices() -> None:
    rows = [
        ("90100.50", "0.05", "0.07"),
        ("104949.50", "0.10", "0.00"),
        ("0.01", "1.00", "0.08"),
        ("NULL", "0.01", "0.01"),
        ("-5.00", "NULL", "0.02"),
        ("9999999.99", "0.00", "0.99"),
    ]
    table = make_table({"price": "DECIMAL(15,2)", "discount": "DECIMAL(15,2)", "tax": "DECIMAL(15,2)"}, rows)
    check_all(
        table,
        [
            "price * (1 - discount)",
            "price * (1 - discount) * (1 + tax)",
            "price * discount",
            "0.2 * price",
            "price / 7.0",
            "100.00 * price",
            "price * 1.5 - discount * 3",
        ],
    )


def test_decimals_that_leave_64_bits() -> None:
    values = ["NULL", "999999999999999.99", "-999999999999999.99", "12345678.90", "1.00"]
    table = pairs("DECIMAL(17,2)", "DECIMAL(19,2)", values, values)
    check_all(table, ["a * b", "a + b", "a * b * b", "(a + b) * 1000", "b * b - b", "-(a * b)", "a * a"])


def test_integers_near_the_limit_of_64_bits() -> None:
    values = ["NULL", "3037000499", "3037000500", "-3037000500", "4294967296", "2147483648", "-2147483648"]
    table = pairs("BIGINT", "BIGINT", values, values)
    check_all(table, ["a * b", "a * a", "a * b + a", "a * a * b", "a * 4611686018427387904"])


def test_unary_plus_and_negation_of_literals() -> None:
    table = single("INTEGER", ["NULL", "5"])
    check_all(table, ["+a", "-(-a)", "- 5", "a - -3", "a * -1"])
