"""AND, OR, NOT, CASE and COALESCE: three values, and rows that must not be evaluated."""

from __future__ import annotations

import pytest
from expressions.harness import (
    ERROR,
    Table,
    bind_expression,
    check_all,
    evaluate,
    expect,
    make_table,
    oracle,
    pairs,
    single,
    storages,
)
from expressions.values import BOOLEAN
from tandemdb.cpu_fallback.expressions import compile_many, compile_predicate, evaluate_constant
from tandemdb.planner.errors import ConversionError, InvalidInputError, OutOfRangeError, SqlError
from tandemdb.planner.expr import And, Call, Case, Comparison, Expr, Literal, Or
from tandemdb.planner.types import BIGINT, INTEGER
from tandemdb.planner.types import BOOLEAN as BOOL

CONNECTIVES = [
    *[
        "a AND b",
        "a OR b",
        "NOT a",
        "a = b",
        "a < b",
        "a IS DISTINCT FROM b",
        "a AND b AND true",
        "a OR b OR NULL",
    ],
    *[
        "a AND NULL",
        "NULL OR b",
        "a IS TRUE",
        "a IS NOT FALSE",
        "a IS NULL",
        "a IS NOT NULL",
        "a IN (b, true)",
    ],
    *["CASE WHEN a THEN 1 WHEN b THEN 2 END", "coalesce(a, b)", "greatest(a, b)", "a IN (true, NULL)"],
    *["NOT (a AND b) OR (a AND NOT b)", "a AND (b OR a) AND NOT b", "(a OR b) AND (a OR NOT b) AND NULL"],
    *[
        "CASE WHEN a AND b THEN 'both' WHEN a OR b THEN 'one' ELSE 'none' END",
        "nullif(a, b)",
        "a <> b OR a IS NULL",
    ],
]


def test_three_values() -> None:
    check_all(pairs("BOOLEAN", "BOOLEAN", BOOLEAN, BOOLEAN), CONNECTIVES)


@pytest.mark.parametrize("text", CONNECTIVES[:20])
def test_a_predicate_keeps_the_rows_that_are_true(text: str) -> None:
    table = pairs("BOOLEAN", "BOOLEAN", BOOLEAN, BOOLEAN)
    expr = bind_expression(table, text)
    if expr.type != BOOL:
        return
    values = evaluate(expr, table.batch)
    for batch in storages(table).values():
        kept = compile_predicate(expr)(batch)
        assert kept.rows.tolist() == [row for row, value in enumerate(values) if value is True]
        assert kept.count == len(kept.rows)
        assert kept.filter(batch).num_rows == kept.count


LAZY_CONNECTIVES = [
    "a <> 0 AND 10 // a > 1",
    "a = 0 OR 10 // a > 1",
    "s NOT LIKE '%x' AND CAST(s AS INTEGER) > 1",
    "s LIKE '%x' OR CAST(s AS INTEGER) > 1",
    "(a <> 0 AND 10 // a > 1) OR (a = 0 AND b IS NULL)",
    "NOT (a = 0 OR 10 // a > 1)",
    "a <> 0 AND b <> 0 AND 10 // a > 10 // b AND 20 // a + 20 // b > 3",
]
LAZY_VALUES = [
    "CASE WHEN a <> 0 THEN 10 // a ELSE -1 END",
    "CASE WHEN a = 0 THEN NULL WHEN 10 // a > 3 THEN 'large' ELSE 'small' END",
    "CASE WHEN s LIKE '%x' THEN 0 ELSE CAST(s AS INTEGER) END",
    "CASE a WHEN 0 THEN 0 ELSE 10 % a END",
    "coalesce(nullif(a, 0), 7)",
    "coalesce(b, 100 // nullif(a, 0), CAST(s AS INTEGER))",
    "CASE WHEN a <> 0 AND 10 // a > 1 THEN a + CASE WHEN b <> 0 THEN 10 // b ELSE 0 END ELSE b END",
    "CASE WHEN a > 1000000 THEN 0 ELSE a * 2000 END",
    "CASE WHEN b IS NULL THEN 'none' WHEN b > 0 THEN concat('+', b) ELSE CAST(b AS VARCHAR) END",
]


def lazy_table() -> Table:
    """Rows for which some part of each expression above raises."""
    rows = [
        *[
            ("0", "1", "'12'"),
            ("1", "NULL", "'0x'"),
            ("-3", "0", "'7'"),
            ("NULL", "2", "NULL"),
            ("5", "-5", "'1x'"),
        ],
        *[("0", "NULL", "'3'"), ("2000000000", "4", "'x'"), ("7", "10", "'-2'"), ("0", "0", "'9'")],
    ]
    return make_table({"a": "INTEGER", "b": "INTEGER", "s": "VARCHAR"}, rows)


@pytest.mark.parametrize("text", LAZY_VALUES)
def test_rows_without_need_raise_nothing(text: str) -> None:
    check_all(lazy_table(), [text])


@pytest.mark.parametrize("text", LAZY_CONNECTIVES)
def test_rows_that_are_decided_raise_nothing(text: str) -> None:
    """DuckDB evaluates all terms where AND and OR stand in a SELECT list; in WHERE it does not either."""
    table = lazy_table()
    expr = bind_expression(table, text)
    values = evaluate(expr, table.batch)
    for row, (expected, given) in enumerate(zip(expect(table, text)[0], values, strict=True)):
        assert expected is ERROR or expected == given, row
    kept = compile_predicate(expr)(table.batch).rows.tolist()
    assert kept == [row for row, value in enumerate(values) if value]
    found = oracle(table, "row", f"WHERE {text}")
    assert found is None or found[0] == kept


def test_rows_that_are_evaluated_raise() -> None:
    table = pairs("INTEGER", "VARCHAR", ["0", "1"], ["'1'", "'x'"])
    for text, error in (
        ("a = 1 AND 10 // (a - 1) > 1", InvalidInputError),
        ("a = 1 OR 10 // a > 1", InvalidInputError),
        ("CASE WHEN a = 1 THEN CAST(b AS INTEGER) ELSE 0 END", ConversionError),
        ("coalesce(nullif(a, 1), 2147483647 + a)", OutOfRangeError),
    ):
        with pytest.raises(error) as caught:
            evaluate(bind_expression(table, text), table.batch)
        assert caught.value.span is not None


def test_the_place_of_an_error_is_the_failing_part() -> None:
    table = single("INTEGER", ["0"])
    text = "a + 1 + (7 // a)"
    with pytest.raises(InvalidInputError) as caught:
        evaluate(bind_expression(table, text), table.batch)
    span = caught.value.span
    assert span is not None
    sql = f"SELECT {text} FROM {table.name}"
    assert sql[span.start : span.end].strip("()") == "7 // a"


@pytest.mark.parametrize("node", [And, Or])
def test_ten_thousand_terms(node: type[And] | type[Or]) -> None:
    table = single("BIGINT", [str(value) for value in range(0, 20_000, 997)])
    column = bind_expression(table, "a")
    op = "<>" if node is And else "="
    terms: list[Expr] = [Comparison(BOOL, op, column, Literal(BIGINT, value)) for value in range(10_000)]
    values = evaluate(node(BOOL, tuple(terms)), table.batch)
    assert values == [(row * 997 >= 10_000) == (node is And) for row in range(len(values))]


def test_ten_thousand_terms_that_can_raise() -> None:
    table = single("BIGINT", ["1", "2", "NULL"])
    column = bind_expression(table, "a")
    term = Comparison(BOOL, ">", Call(BIGINT, "//", (Literal(BIGINT, 10), column)), Literal(BIGINT, 0))
    assert evaluate(And(BOOL, (term,) * 10_000), table.batch) == [True, True, None]


def test_a_deep_expression() -> None:
    table = single("BIGINT", ["1", "NULL"])
    expr = column = bind_expression(table, "a")
    for _ in range(5000):
        expr = Call(BIGINT, "+", (expr, column))
    assert evaluate(expr, table.batch) == [5001, None]


@pytest.mark.parametrize("depth", [3, 200, 1000])
def test_shared_parts_cost_nothing_more(depth: int) -> None:
    """NULLIF in NULLIF: the binder uses the argument twice, so that the tree has 2 ** depth paths."""
    table = single("BIGINT", [str(value) for value in range(6)])
    expr = bind_expression(table, "a")
    for value in range(1, depth + 1):
        literal = Literal(BIGINT, value)
        expr = Case(BIGINT, ((Comparison(BOOL, "=", expr, literal), Literal(BIGINT, None)),), expr)
    assert evaluate(expr, table.batch) == [v if v == 0 or v > depth else None for v in range(6)]


def test_deep_branches() -> None:
    """Branches that can raise are programs in programs; they run without recursion."""
    table = single("BIGINT", ["0", "700", "1500"])
    column = expr = bind_expression(table, "a")
    for value in range(1000):
        quotient = Call(BIGINT, "//", (Literal(BIGINT, 1), Literal(BIGINT, 0)))
        branch = (Comparison(BOOL, "=", column, Literal(BIGINT, value + 10_000)), quotient)
        expr = Case(BIGINT, (branch,), Call(BIGINT, "+", (expr, Literal(BIGINT, 1))))
    assert evaluate(expr, table.batch) == [1000, 1700, 2500]


def test_parts_that_only_look_alike_stay_apart() -> None:
    """Each part numbers its slots anew: equal slot numbers in two parts are not the same value."""
    rows = [("0", "'a'"), ("1", "'b'"), ("2", "'b'"), ("NULL", "'a'")]
    table = make_table({"a": "BIGINT", "s": "VARCHAR"}, rows)
    check_all(
        table,
        [
            "s = 'a' AND a = 1",
            "(s = 'b' AND a = 1) OR (s = 'a' AND a = 0)",
            "CASE WHEN s = 'a' THEN a // 1 WHEN a // 1 = 1 THEN a // 2 ELSE a // 3 END",
            "coalesce(nullif(a, 1) // 1, nullif(a, 2) // 1)",
        ],
    )


def test_common_parts_are_computed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    from tandemdb.cpu_fallback.functions import arithmetic

    calls = []
    original = arithmetic.integer_operation

    def counted(*args: object) -> object:
        calls.append(args[0])
        return original(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(arithmetic, "integer_operation", counted)
    table = single("INTEGER", ["1", "2"])
    texts = ["(a + 1) * 2", "(a + 1) * 3", "CASE WHEN a > 1 THEN (a + 1) * 2 ELSE a + 1 END"]
    run = compile_many([bind_expression(table, text) for text in texts])
    results = [vector.to_array(2).to_pylist() for vector in run(table.batch)]
    assert results == [[4, 6], [6, 9], [2, 6]]
    assert sorted(calls) == ["*", "*", "+"]


def test_floats_that_are_equal_but_differ_stay_apart() -> None:
    table = single("INTEGER", ["1"])
    run = compile_many([bind_expression(table, text) for text in ("1 / '-0.0'::DOUBLE", "1 / '0.0'::DOUBLE")])
    assert [vector.to_array(1).to_pylist() for vector in run(table.batch)] == [
        [float("-inf")],
        [float("inf")],
    ]


def test_constants() -> None:
    one = Literal(INTEGER, 1)
    assert evaluate_constant(Call(INTEGER, "+", (one, one))) == 2
    assert evaluate_constant(Literal(INTEGER, None)) is None
    with pytest.raises(SqlError):
        evaluate_constant(Call(INTEGER, "//", (one, Literal(INTEGER, 0))))


def test_no_rows_raise_nothing() -> None:
    table = single("INTEGER", ["1"])
    assert evaluate(bind_expression(table, "1 // 0 + a"), table.batch.slice(0, 0)) == []
    assert compile_predicate(bind_expression(table, "1 // 0 = a"))(table.batch.slice(0, 0)).count == 0
