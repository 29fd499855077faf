"""Expressions that one kernel computes: the values, NULLs, types and bounds of operation by operation."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pyarrow as pa
import pytest
import tandemdb
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tandemdb.engine.settings import SettingValues
from tandemdb.gpu_exec import fused
from tandemdb.gpu_exec.expressions import evaluate
from tandemdb.gpu_exec.operators.base import device_batch, ops_of
from tandemdb.gpu_exec.ops import Ops
from tandemdb.gpu_exec.storage import arrow_scalar, arrow_type
from tandemdb.gpu_exec.values import Evaluation, Value
from tandemdb.physical.batch import Batch, Device
from tandemdb.physical.context import QueryContext, Task
from tandemdb.physical.memory import MemoryBroker
from tandemdb.planner.expr import (
    And,
    Call,
    Cast,
    Column,
    ColumnRef,
    Comparison,
    Expr,
    IsNull,
    Literal,
    Not,
    Or,
)
from tandemdb.planner.types import (
    BIGINT,
    BOOLEAN,
    DATE,
    DOUBLE,
    FLOAT,
    HUGEINT,
    INTEGER,
    SMALLINT,
    TIMESTAMP,
    UBIGINT,
    UINTEGER,
    UTINYINT,
    VARCHAR,
    SQLType,
    TypeId,
    decimal,
)

NAN, INF = float("nan"), float("inf")
PRICE, AMOUNT = decimal(15, 2), decimal(18, 4)
# Values of a column of each type; its bounds are told where they are integers that the test keeps small.
VALUES: dict[SQLType, list[Any]] = {
    BOOLEAN: [True, False, None],
    SMALLINT: [-(2**15), 2**15 - 1, 0, 1, None],
    INTEGER: [-(2**31), 2**31 - 1, 0, 1, -7, None],
    BIGINT: [-(2**63), 2**63 - 1, 0, 1, -7, None],
    HUGEINT: [-(2**63), 2**63 - 1, 0, 5, None],
    UTINYINT: [0, 255, 7, None],
    UINTEGER: [0, 2**32 - 1, 7, None],
    UBIGINT: [0, 2**64 - 1, 7, None],
    FLOAT: [0.0, -0.0, NAN, INF, -INF, 1.5, None],
    DOUBLE: [0.0, -0.0, NAN, INF, -INF, 1.5, 5e-324, None],
    PRICE: [0, 1, -1, 10**15 - 1, -(10**15) + 1, 250, None],
    DATE: [0, -1, 18_000, 2**31 - 1, -(2**31), None],
    TIMESTAMP: [0, -1, 10**15, 2**63 - 1, None],
    VARCHAR: ["", "a", "b", None],
}
SMALL = [-3, -2, -1, 0, 1, 2, 3, None]
# (column, whether its values and bounds are small).
COLUMNS = [(Column(i, str(t), t), False) for i, t in enumerate(VALUES)]
EXACT = [INTEGER, BIGINT, HUGEINT, PRICE]
COLUMNS += [(Column(len(COLUMNS) + i, f"small {t}", t), True) for i, t in enumerate(EXACT)]
COLUMNS += [(Column(len(COLUMNS) + i, f"other {t}", t), False) for i, t in enumerate((FLOAT, DOUBLE, DOUBLE))]
OPERATORS = ("=", "<>", "<", "<=", ">", ">=", "is distinct from", "is not distinct from")


def leaf(type_: SQLType, *, small: bool = False) -> st.SearchStrategy[Expr]:
    """A column, or a constant, of a type."""
    columns = [ColumnRef(c.type, c.id, c.name) for c, fits in COLUMNS if c.type == type_ and fits is small]
    constants = [Literal(type_, v) for v in (SMALL if small else VALUES[type_]) if v is not None]
    return st.one_of(st.sampled_from(columns), st.sampled_from(columns), st.sampled_from(constants))


def arithmetic(type_: SQLType, operands: st.SearchStrategy[Expr]) -> st.SearchStrategy[Expr]:
    """Sums, differences and products; some may fail."""
    symbols = st.sampled_from("+-*" if type_.is_integer else "+-")
    made = st.builds(lambda s, a, b: Call(type_, s, (a, b)), symbols, operands, operands)
    return made.filter(lambda call: not all(isinstance(arg, Literal) for arg in call.args))


def number(type_: SQLType) -> st.SearchStrategy[Expr]:
    leaves = st.one_of(leaf(type_, small=True), leaf(type_))
    found = st.recursive(leaves, lambda inner: arithmetic(type_, inner), max_leaves=4)
    if type_ is PRICE:
        products = st.builds(lambda a, b: Call(AMOUNT, "*", (a, b)), found, leaf(PRICE, small=True))
        wider = st.builds(lambda a: Cast(AMOUNT, a), found)
        return st.one_of(found, *(both.filter(lambda e: not _constant(e)) for both in (products, wider)))
    return found


def _constant(expr: Expr) -> bool:
    args = expr.args if isinstance(expr, Call) else (expr.arg,) if isinstance(expr, Cast) else ()
    return all(isinstance(arg, Literal) for arg in args)


def comparison() -> st.SearchStrategy[Expr]:
    def of(type_: SQLType) -> st.SearchStrategy[Expr]:
        sides = number(type_) if type_ in EXACT else leaf(type_)
        pairs = st.tuples(sides, sides).filter(lambda pair: pair[0].type == pair[1].type)
        return st.builds(lambda op, pair: Comparison(BOOLEAN, op, *pair), st.sampled_from(OPERATORS), pairs)

    return st.sampled_from([*VALUES, FLOAT, DOUBLE, DOUBLE]).flatmap(of)


def booleans() -> st.SearchStrategy[Expr]:
    first = st.one_of(
        comparison(),
        comparison(),
        leaf(BOOLEAN),
        st.sampled_from(list(VALUES)).flatmap(leaf).map(lambda e: IsNull(BOOLEAN, e)),
    )

    def more(inner: st.SearchStrategy[Expr]) -> st.SearchStrategy[Expr]:
        terms = st.lists(inner, min_size=2, max_size=4).map(tuple)
        return st.one_of(
            st.builds(lambda args: And(BOOLEAN, args), terms),
            st.builds(lambda args: Or(BOOLEAN, args), terms),
            st.builds(lambda arg: Not(BOOLEAN, arg), inner),
            st.builds(lambda arg: IsNull(BOOLEAN, arg), inner),
        )

    return st.recursive(first, more, max_leaves=8)


@pytest.fixture
def ops(double: Any) -> Iterator[Ops]:
    del double
    task = Task(QueryContext(SettingValues().frozen(), MemoryBroker(None)), Device.GPU)
    yield ops_of(task)
    task.end()


def stored(type_: SQLType, values: list[Any], ops: Ops) -> Any:
    kind = arrow_type(type_)
    if type_.is_temporal:
        return ops.upload(pa.array(values, pa.int32() if type_ is DATE else pa.int64()).view(kind))
    return ops.upload(pa.array([arrow_scalar(type_, value).as_py() for value in values], kind))


def batch_of(rows: list[tuple[int, ...]], ops: Ops) -> Batch:
    """Each row says which of a column's values it has."""
    columns, bounds = [], {}
    for place, (column, small) in enumerate(COLUMNS):
        values = SMALL if small else VALUES[column.type]
        columns.append(stored(column.type, [values[row[place] % len(values)] for row in rows], ops))
        if small:
            bounds[column.id] = (-3, 3)
        elif column.type is HUGEINT:
            bounds[column.id] = (-(2**63), 2**63 - 1)
    return device_batch([column for column, _ in COLUMNS], columns, len(rows), bounds)


def outcome(value: Value, run: Evaluation) -> Any:
    """All that is known of a value."""
    ops = run.ops
    failing = [
        (f.rows.to_arrow().to_pylist(), f.raised().message) for f in value.failures if ops.any_true(f.rows)
    ]
    column = run.column(value)
    kind = column.type().id().name, column.type().scale()
    values = column.to_arrow().to_pylist()
    if value.failures:
        # At rows that fail a column holds anything.
        bad = [
            any(rows) for rows in zip(*(f.rows.to_arrow().to_pylist() for f in value.failures), strict=True)
        ]
        values = [None if skip else v for v, skip in zip(values, bad, strict=True)]
    return value.type, kind, repr(values), value.bounds, failing


EXPRESSIONS = st.one_of(booleans(), booleans(), st.sampled_from(EXACT).flatmap(number))


@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    exprs=st.lists(
        st.one_of(booleans(), booleans(), st.sampled_from(EXACT).flatmap(number)), min_size=1, max_size=2
    ),
    rows=st.lists(st.tuples(*[st.integers(0, 7)] * len(COLUMNS)), min_size=1, max_size=6),
)
def test_one_kernel_gives_what_many_give(ops: Ops, exprs: list[Expr], rows: Any) -> None:
    batch = batch_of(rows, ops)
    run = Evaluation(ops, len(rows))
    found = [outcome(value, run) for value in evaluate(exprs, batch, ops, telling=True)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fused, "parts_of", lambda *_: {})
        expected = [outcome(value, run) for value in evaluate(exprs, batch, ops, telling=True)]
    assert found == expected


@pytest.mark.parametrize("type_", VALUES, ids=str)
def test_all_pairs_of_values(ops: Ops, type_: SQLType) -> None:
    """Compared with each other, and with each constant on either side."""
    pairs = [(x, y) for x in VALUES[type_] for y in VALUES[type_]]
    a, b = (ColumnRef(type_, number, "c") for number in (0, 1))
    columns = [stored(type_, list(side), ops) for side in zip(*pairs, strict=True)]
    bounds = {number: (-(2**63), 2**63 - 1) for number in (0, 1) if type_ is HUGEINT}
    schema = [Column(number, "c", type_) for number in (0, 1)]
    batch = device_batch(schema, columns, len(pairs), bounds)
    constants = [Literal(type_, value) for value in VALUES[type_]]
    sides = [(a, b), *((a, c) for c in constants), *((c, a) for c in constants)]
    # NOT of it makes two operations.
    exprs = [Not(BOOLEAN, Comparison(BOOLEAN, op, *two)) for two in sides for op in OPERATORS]
    run = Evaluation(ops, len(pairs))
    found = [outcome(value, run) for value in evaluate(exprs, batch, ops, telling=True)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fused, "parts_of", lambda *_: {})
        assert [outcome(value, run) for value in evaluate(exprs, batch, ops, telling=True)] == found


A = "a INTEGER, b BIGINT, d DOUBLE, p DECIMAL(7,2), q DECIMAL(3,2), day DATE, s VARCHAR, f BOOLEAN, g BOOLEAN"


@pytest.fixture
def con(double: Any) -> Iterator[tandemdb.Connection]:
    del double
    with tandemdb.connect(config={"threads": 1}) as connection:
        connection.execute(f"CREATE TABLE t ({A})")
        connection.execute(
            """INSERT INTO t VALUES (1, 2, 0.5, 1.50, 0.10, '2020-01-01', 'x', true, NULL),
            (2, NULL, 'nan', NULL, 0.25, '2021-01-01', 'y', false, true),
            (NULL, -5, NULL, -3.25, NULL, NULL, NULL, NULL, NULL),
            (7, 0, -0.0, 99.99, 1.00, '1999-12-31', '', true, true)"""
        )
        yield connection


@pytest.mark.parametrize(
    ("expression", "kernels"),
    [
        ("a > 1 AND b < 3", 1),
        ("a BETWEEN 1 AND 2 AND day >= DATE '2020-01-01' AND p < 24 AND q BETWEEN 0.05 AND 0.30", 1),
        ("NOT (a > 1 OR b IS NULL)", 1),
        ("d > 0.25 AND d <= 3 OR a = 3", 1),
        ("a IS DISTINCT FROM 2", 1),
        ("d < 1", 1),
        ("p * (1 - q)", 1),
        ("p * (1 - q) * (1 + q)", 1),
        ("p * p * p", 0),
        ("f AND g AND a > 1", 1),
        ("s LIKE 'x%' AND a > 0 AND b > 0", 1),
        ("(a > 0 AND b > 0) OR s = 'y'", 1),
        ("a IN (1, 7) AND a > b::INTEGER", 0),
        ("10 // a > 1 AND b > 0 AND p > 0", 1),
        ("f AND g", 0),
        ("a > 1", 0),
        ("a IS NULL", 0),
        ("d + 1 > 2", 0),
        ("s > 'a' AND s < 'z'", 0),
    ],
)
def test_which_expressions_are_one_kernel(con: Any, double: Any, expression: str, kernels: int) -> None:
    sql = f"SELECT {expression} FROM t"
    con.execute("SET device = 'cpu'")
    expected = con.execute(sql).fetchall()
    con.execute("SET on_fallback = 'error'; SET device = 'gpu'")
    before = double.calls["transform.compute_column"]
    assert repr(con.execute(sql).fetchall()) == repr(expected)
    assert double.calls["transform.compute_column"] - before == kernels


def test_a_filter_is_one_kernel_and_a_mask(con: Any, double: Any) -> None:
    con.execute("SET on_fallback = 'error'; SET device = 'gpu'; SET disabled_rules = 'all'")
    before = dict(double.calls)
    assert con.execute("SELECT a FROM t WHERE a > 0 AND b >= 0 AND day < DATE '2020-06-01'").fetchall() == [
        (1,),
        (7,),
    ]
    made = {name: count - before.get(name, 0) for name, count in double.calls.items()}
    assert made["transform.compute_column"] == 1
    assert not made.get("binaryop.binary_operation")


def test_many_terms_are_some_kernels(con: Any, double: Any) -> None:
    """As many as fit in one are joined."""
    terms = [f"(a <> {i} AND b <> {i})" for i in range(100, 150)]
    for word in ("AND", "OR"):
        con.execute("SET device = 'gpu'; SET disabled_rules = 'all'")
        before = double.calls["transform.compute_column"]
        found = con.execute(f"SELECT a FROM t WHERE {f' {word} '.join(terms)}").fetchall()
        assert found == [(1,), (7,)] if word == "AND" else [(1,), (2,), (None,), (7,)]
        assert 3 <= double.calls["transform.compute_column"] - before <= 6


def test_no_rows_are_not_given_to_a_kernel(ops: Ops) -> None:
    batch = batch_of([], ops)
    a, b = (ColumnRef(c.type, c.id, c.name) for c, small in COLUMNS if small and c.type in (INTEGER, BIGINT))
    terms = tuple(Comparison(BOOLEAN, ">", ref, Literal(ref.type, 1)) for ref in (a, b))
    (value,) = evaluate([And(BOOLEAN, terms)], batch, ops)
    assert value.column.size() == 0
    assert value.column.type().id().name == TypeId.BOOLEAN.name.replace("BOOLEAN", "BOOL8")
