"""Functions of numbers: rounding, elementary functions, bits, greatest and least."""

from __future__ import annotations

import pytest
from expressions.harness import bind_expression, check_all, evaluate, pairs, single
from expressions.values import BY_TYPE, DECIMALS, DOUBLE, FLOAT, INTEGERS
from tandemdb.planner.errors import OutOfRangeError

ELEMENTARY = [
    *[
        "sqrt",
        "cbrt",
        "exp",
        "ln",
        "log2",
        "log10",
        "log",
        "sin",
        "cos",
        "tan",
        "cot",
        "asin",
        "acos",
        "atan",
    ],
    *["sinh", "cosh", "tanh", "asinh", "acosh", "atanh", "degrees", "radians", "even", "gamma", "lgamma"],
]
ROUNDING = ["abs(a)", "sign(a)", "ceil(a)", "floor(a)", "round(a)", "trunc(a)", "-a"]
DOUBLES = [*DOUBLE, "0.5", "-0.5", "0.49999999999999994", "4.5", "-3", "100", "172", "1e300", "-0.3", "2"]


def digits(*counts: int) -> list[str]:
    """round and trunc to these numbers of digits."""
    return [f"{function}(a, {count})" for function in ("round", "trunc") for count in counts]


def test_elementary_functions() -> None:
    check_all(single("DOUBLE", DOUBLES), [f"{name}(a)" for name in ELEMENTARY], tolerance=1e-14)
    two = ["pow(a, b)", "atan2(a, b)", "fmod(a, b)", "log(a, b)", "a ** b"]
    check_all(pairs("DOUBLE", "DOUBLE", DOUBLE, DOUBLE), two, tolerance=1e-14, constants=6)
    check_all(single("INTEGER", ["1"]), ["pi()"])


@pytest.mark.parametrize(("kind", "tolerance"), [("FLOAT", 1e-6), ("DOUBLE", 1e-15)])
def test_rounding_of_floats(kind: str, tolerance: float) -> None:
    tests = ["isnan(a)", "isinf(a)", "isfinite(a)", "signbit(a)"]
    counts = digits(-400, -3, -1, 0, 1, 2, 5, 400)
    check_all(single(kind, BY_TYPE[kind]), [*tests, *ROUNDING, *counts], tolerance=tolerance)


def test_halves_that_doubles_miss() -> None:
    """1000.05 as a double lies below that, though ten times it is rounded to 10000.5."""
    values = [
        "1000.05",
        "-1000.05",
        "0.25",
        "0.35",
        "0.45",
        "2.345",
        "2.675",
        "1.005",
        "10.05",
        "100.05",
        "1000.15",
    ]
    more = ["5.015", "1.115", "4.35", "8.345", "0.3", "2.5", "1e-25", "123.456", "4503599627370496.5", "-0.5"]
    check_all(single("DOUBLE", ["NULL", *values, *more]), digits(1, 2, 3, 20))
    check_all(single("FLOAT", ["NULL", *values]), digits(1, 2, 3), tolerance=1e-6)


@pytest.mark.parametrize("kind", [*INTEGERS, *DECIMALS])
def test_rounding_of_exact_numbers(kind: str) -> None:
    check_all(single(kind, BY_TYPE[kind]), [*ROUNDING, *digits(-50, -20, -3, -1, 0, 1, 2, 5, 40)])


def test_the_number_of_digits_is_a_column() -> None:
    counts = ["NULL", "-2", "0", "1", "3"]
    check_all(
        pairs("INTEGER", "INTEGER", ["NULL", "15", "-155", "2000000000"], counts),
        ["round(a, b)", "trunc(a, b)"],
    )
    check_all(pairs("DOUBLE", "INTEGER", ["NULL", "15.25", "-155.5"], counts), ["round(a, b)", "trunc(a, b)"])


@pytest.mark.parametrize("kind", INTEGERS)
def test_bits(kind: str) -> None:
    texts = ["a & b", "a | b", "xor(a, b)", "~a", "a >> b", "greatest(a, b)", "least(a, b, 1)"]
    if kind != "HUGEINT":
        texts.append("a << b")
    if not kind.startswith("U"):
        texts.append("bit_count(a)")
    check_all(pairs(kind, kind, BY_TYPE[kind], BY_TYPE[kind]), texts)


@pytest.mark.parametrize("kind", ["TINYINT", "INTEGER", "BIGINT", "HUGEINT"])
def test_shifts(kind: str) -> None:
    values = [v for v in BY_TYPE[kind] if not (kind == "HUGEINT" and v == "9223372036854775807")]
    counts = ["NULL", "-1", "0", "1", "3", "7", "8", "31", "32", "63", "64", "127"]
    check_all(pairs(kind, kind, values, counts), ["a << b", "a >> b"])


@pytest.mark.parametrize("kind", ["INTEGER", "BIGINT", "HUGEINT"])
def test_divisors(kind: str) -> None:
    check_all(pairs(kind, kind, BY_TYPE[kind], BY_TYPE[kind]), ["gcd(a, b)", "lcm(a, b)"])


def test_factorial() -> None:
    check_all(single("INTEGER", ["NULL", "0", "1", "20", "33", "-1", "34"]), ["factorial(a)"])


def test_floats_compared() -> None:
    texts = ["greatest(a, b)", "least(a, b)", "greatest(a, b, NULL)", "coalesce(a, b, 0)", "nullif(a, b)"]
    case = "CASE WHEN a > b THEN a WHEN a = b THEN 0 ELSE b END"
    check_all(pairs("DOUBLE", "DOUBLE", DOUBLE, DOUBLE), [*texts, case])
    check_all(
        pairs("FLOAT", "FLOAT", FLOAT, FLOAT), ["a < b", "a = b", "a % b", "fmod(a, b)"], tolerance=1e-6
    )


def test_random_is_another_number_every_row() -> None:
    table = single("INTEGER", ["1", "2", "3"])
    values = evaluate(bind_expression(table, "random()"), table.batch)
    assert len(set(values)) == 3
    assert all(0 <= value < 1 for value in values)


def test_hugeint_has_38_digits() -> None:
    """Fewer than DuckDB's 128 bits; see docs/compatibility.md."""
    table = single("HUGEINT", ["99999999999999999999999999999999999999"])
    with pytest.raises(OutOfRangeError, match="Overflow in addition of INT128"):
        evaluate(bind_expression(table, "a + 1"), table.batch)
