"""Aggregation against DuckDB: every function over every type it takes, groups of every key type."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from operators.harness import DEFAULT_BATCH, Relation, Runner, multiset, new_column, relation, rows_of
from operators.oracle_duckdb import answers, load
from tandemdb.physical import nodes, pipeline
from tandemdb.physical.batch import Device
from tandemdb.planner.errors import OutOfRangeError
from tandemdb.planner.expr import AggregateCall, Call, Cast, Comparison, Expr, Literal, SortKey
from tandemdb.planner.functions import AGGREGATES, resolve
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
    VARCHAR,
    SQLType,
    decimal,
)

NAN = float("nan")
VALUES: dict[str, tuple[SQLType, list[Any]]] = {
    "i": (INTEGER, [None, 0, 1, 1, -7, 2**31 - 1, -(2**31)]),
    "s": (SMALLINT, [None, 3, -3]),
    "l": (BIGINT, [None, 0, 5, 5, 2**63 - 1, -(2**63)]),
    "u": (UBIGINT, [None, 0, 5, 2**64 - 1, 2**63]),
    "h": (HUGEINT, [None, 0, 5, 2**63, -(10**35)]),
    "d": (decimal(15, 2), [None, 0, 100, -250, 10**15 - 1]),
    "w": (decimal(38, 3), [None, 0, 1500, 10**25, -(10**35)]),
    "f": (DOUBLE, [None, 0.0, 0.1, 1.75, -2.25, 1e17]),
    "n": (DOUBLE, [None, 0.0, NAN, float("inf"), -1.0]),
    "r": (FLOAT, [None, 0.5, -1.25]),
    "t": (VARCHAR, [None, "", "a", "b", "ab", "much longer than eight bytes", "ä€"]),
    "b": (BOOLEAN, [None, True, False]),
    "y": (DATE, [None, 0, -1, 20000]),
    "z": (TIMESTAMP, [None, 0, -1, 1_600_000_000_000_001]),
}


@dataclass
class Asked:
    """A call with its SQL."""

    call: AggregateCall
    sql: str


def ask(
    data: Relation,
    function: str,
    *names: str,
    distinct: bool = False,
    where: str | None = None,
    order: tuple[tuple[str, bool, bool], ...] = (),
    constant: Literal | None = None,
) -> Asked:
    """`function(names)` bound, and as text. `order` has (column, descending, nulls first)."""
    args: list[Expr] = [data[name] for name in names]
    args += [] if constant is None else [constant]
    kinds, values = [a.type for a in args], [a.value if isinstance(a, Literal) else None for a in args]
    bound = resolve(function, AGGREGATES[function].overloads, kinds, values.__getitem__, None)
    args = [a if a.type == t else Cast(t, a) for a, t in zip(args, bound.args, strict=True)]
    condition = None if where is None else Comparison(BOOLEAN, ">", data[where], Literal(data[where].type, 0))
    keys = tuple(SortKey(data[name], desc, nulls) for name, desc, nulls in order)
    call = AggregateCall(bound.result, function, tuple(args), distinct, condition, keys)
    shown = list(names)
    if constant is not None:
        shown.append(f"'{constant.value}'" if constant.type == VARCHAR else str(constant.value))
    ordered = ", ".join(
        f"{n} {'DESC' if desc else 'ASC'} NULLS {'FIRST' if nulls else 'LAST'}" for n, desc, nulls in order
    )
    if not ordered and AGGREGATES[function].order_sensitive and not distinct:
        ordered = "row"
    if not ordered and function in ("arg_min", "arg_max"):
        ordered = "row"
    inside = (
        ("DISTINCT " if distinct else "") + ", ".join(shown) + (f" ORDER BY {ordered}" if ordered else "")
    )
    text = "count(*)" if function == "count_star" else f"{function}({inside})"
    if function == "last" and ordered == "row":
        text = f"first({shown[0]} ORDER BY row DESC)"
    elif function == "last":
        text = f"first({shown[0]} ORDER BY " + ", ".join(
            f"{n} {'ASC' if desc else 'DESC'} NULLS {'LAST' if nulls else 'FIRST'}" for n, desc, nulls in
            order
        ) + ", row)"  # fmt: skip
    elif order and not distinct:
        text = text[:-1] + ", row)"
    return Asked(call, text + ("" if where is None else f" FILTER (WHERE {where} > 0)"))


def table(seed: int, rows: int, names: str) -> Relation:
    """Random rows; `k` and `j` are integers to group by."""
    rng = random.Random(seed)
    types = {name: VALUES[name][0] for name in names}
    data = [
        (rng.randrange(4), rng.choice([None, 0, 1, 2]), *(rng.choice(VALUES[name][1]) for name in names))
        for _ in range(rows)
    ]
    return relation(data, k=INTEGER, j=INTEGER, **types)


def check(
    runner: Runner, duck: Any, data: Relation, groups: list[str], asked: list[Asked], storage: str = "plain"
) -> None:
    """Our rows and DuckDB's are the same multiset, of the calls that the device can make."""
    asked = [a for a in asked if callable_on(runner, data, a.call)]
    assert asked or groups
    group_columns = tuple(new_column(name, data[name].type) for name in groups)
    call_columns = tuple(new_column(f"c{i}", a.call.type) for i, a in enumerate(asked))
    node = nodes.HashAggregate(
        op_id=1,
        input=data.node(),
        group_columns=group_columns,
        groups=tuple(data[name] for name in groups),
        call_columns=call_columns,
        calls=tuple(a.call for a in asked),
    )
    runner.context.metrics.clear()
    found = runner.run(0, runner.relation(data, storage), [], pipeline.AggregateSink(node))
    ours = rows_of(found.batches(), runner.batch_size)
    assert runner.context.metrics[1].rows == len(ours)
    chosen = ", ".join([*groups, *(a.sql for a in asked)])
    sql = f"SELECT {chosen} FROM t" + (f" GROUP BY {', '.join(groups)}" if groups else "")
    theirs = answers(duck, sql, [c.type for c in (*group_columns, *call_columns)])
    assert multiset(ours) == multiset(theirs), sql


def callable_on(runner: Runner, data: Relation, call: AggregateCall) -> bool:
    """Whether placement puts an aggregation of this call on the runner's device."""
    columns = (new_column("c", call.type),)
    node = nodes.HashAggregate(
        input=data.node(), group_columns=(), groups=(), call_columns=columns, calls=(call,)
    )
    return runner.supports(node)


@pytest.fixture(scope="session")
def duck() -> Iterator[Any]:
    import duckdb

    connection = duckdb.connect()
    yield connection
    connection.close()


def calls_of(data: Relation, name: str, distinct: bool = False) -> list[Asked]:
    """Every function that takes the column."""
    kind = data[name].type
    result = [ask(data, "count_star"), ask(data, "count", name, distinct=distinct)]
    names = ["min", "max"]
    if not distinct:
        names += ["first", "last", "any_value", "mode"]
    if kind.is_numeric:
        names += ["sum", "avg"]
        if kind.is_float:
            names += ["stddev_samp", "var_pop", "product"] if name != "f" else ["var_samp"]
        elif kind.is_integer:
            names += ["bit_and", "bit_or", "bit_xor"]
        names += ["median"]
    if kind == BOOLEAN:
        names += ["bool_and", "bool_or", "count_if"]
    if kind.is_temporal:
        names += ["median"]
    result += [ask(data, function, name, distinct=distinct) for function in names]
    fraction = Literal(DOUBLE, 0.3)
    result.append(ask(data, "quantile_disc", name, constant=fraction, distinct=distinct))
    if kind.is_numeric or kind.is_temporal:
        result.append(ask(data, "quantile_cont", name, constant=fraction, distinct=distinct))
    if kind == VARCHAR and not distinct:
        result += [
            ask(data, "string_agg", name),
            ask(data, "string_agg", name, constant=Literal(VARCHAR, "; ")),
        ]
    return result


# DuckDB computes between values of these in doubles; we are exact (integers beyond 2**53, wide decimals).
_BETWEEN = ("median", "quantile_cont")
INEXACT = {"l": _BETWEEN, "d": _BETWEEN, "u": _BETWEEN, "w": (*_BETWEEN, "avg"), "h": (*_BETWEEN, "avg")}


@pytest.mark.parametrize("name", VALUES)
@pytest.mark.parametrize("grouped", [False, True], ids=["whole", "grouped"])
def test_functions(runner: Runner, duck: Any, name: str, grouped: bool) -> None:
    seed = list(VALUES).index(name)
    data = table(seed, runner.rows(25 if runner.batch_size == 1 else 60), name)
    load(duck, "t", data)
    for distinct in (False, True):
        asked = [a for a in calls_of(data, name, distinct) if a.call.function not in INEXACT.get(name, ())]
        check(runner, duck, data, ["k"] if grouped else [], asked, runner.storage(seed + distinct))


@pytest.mark.parametrize("name", VALUES)
def test_empty_and_all_null(runner: Runner, duck: Any, name: str) -> None:
    kind = VALUES[name][0]
    for rows in ([], [(0, None, None)] * 5 + [(1, None, None)] * 2):
        data = relation(rows, k=INTEGER, j=INTEGER, **{name: kind})
        load(duck, "t", data)
        asked = [*calls_of(data, name), *calls_of(data, name, distinct=True)]
        check(runner, duck, data, [], asked)
        check(runner, duck, data, ["k"], asked)


@pytest.mark.parametrize("name", VALUES)
def test_group_keys(runner: Runner, duck: Any, name: str) -> None:
    seed = list(VALUES).index(name)
    data = table(seed, runner.rows(25 if runner.batch_size == 1 else 60), name)
    load(duck, "t", data)
    counted = [ask(data, "count_star"), ask(data, "sum", "k")]
    shapes: list[tuple[list[str], list[Asked]]] = [
        ([name], counted),
        (["j", name, "k"], counted),
        ([name, "j"], []),
    ]
    for number, (groups, asked) in enumerate(shapes):
        check(runner, duck, data, groups, asked, runner.storage(seed + number))


def test_filter_and_order(runner: Runner, duck: Any) -> None:
    data = table(3, runner.rows(30 if runner.batch_size == 1 else 80), "idtf")
    load(duck, "t", data)
    orders = ((("i", True, False),), (("i", False, True), ("t", True, True)), (("t", False, False),))
    asked = [
        ask(data, function, *names, where=where, order=order)
        for where in (None, "j")
        for order in orders
        for function, names in (("first", "t"), ("last", "d"), ("any_value", "f"), ("string_agg", "t"))
    ]
    for where in (None, "j", "i"):
        asked += [ask(data, f, "t", "i", where=where) for f in ("arg_min", "arg_max")]
        asked += [ask(data, f, "i", "t", where=where) for f in ("arg_min", "arg_max")]
        asked += [ask(data, f, "i", "f", where=where) for f in ("arg_min", "arg_max")]
        asked += [ask(data, f, where=where) for f in ("count_star",)]
        asked += [ask(data, f, "d", where=where, distinct=True) for f in ("count", "sum", "avg")]
        asked += [ask(data, f, "i", where=where) for f in ("count", "sum", "avg", "min", "median")]
    asked.append(ask(data, "string_agg", "t", distinct=True, order=(("t", True, False),)))
    check(runner, duck, data, [], asked)
    check(runner, duck, data, ["k"], asked)
    check(runner, duck, data, ["k", "j"], asked, "dictionary")


@pytest.mark.parametrize(("tasks", "size"), [(1, DEFAULT_BATCH), (2, 1024)])
def test_many_groups(backend: Any, tasks: int, size: int, duck: Any) -> None:
    runner = Runner(backend, tasks, size)
    rng = random.Random(1)
    rows = [
        (rng.randrange(6000) * 1_000_003, rng.randrange(3), f"name {rng.randrange(4000)}")
        for _ in range(20_000 if runner.device is Device.CPU else 3000)
    ]
    data = relation(rows, k=BIGINT, j=INTEGER, t=VARCHAR)
    import pyarrow as pa

    named = {c.name: [r[i] for r in rows] for i, c in enumerate(data.columns)}
    plain = pa.table({"row": range(len(rows)), **named})
    duck.register("plain", plain)
    duck.execute("CREATE OR REPLACE TABLE t AS SELECT row, k::BIGINT k, j::INTEGER j, t FROM plain")
    asked = [ask(data, "count_star"), ask(data, "sum", "j"), ask(data, "max", "t"), ask(data, "first", "t"),
             ask(data, "count", "t", distinct=True), ask(data, "arg_max", "t", "j")]  # fmt: skip
    for groups in (["k"], ["t"], ["t", "j"], ["k", "t"]):
        check(runner, duck, data, groups, asked)


def test_sums_beyond_38_digits_are_errors(runner: Runner) -> None:
    for kind in (HUGEINT, decimal(38, 0)):
        data = relation([(0, 10**38 - 1), (0, 1)], k=INTEGER, w=kind)
        node = nodes.HashAggregate(
            input=data.node(),
            group_columns=(),
            groups=(),
            call_columns=(new_column("s", kind),),
            calls=(ask(data, "sum", "w").call,),
        )
        with pytest.raises(OutOfRangeError, match="Overflow in SUM"):
            runner.run(0, runner.relation(data), [], pipeline.AggregateSink(node))


def test_groups_come_in_the_order_of_their_first_rows(backend: Any) -> None:
    runner = Runner(backend, 1, 3)
    data = relation([(v,) for v in (5, 3, None, 5, 1, 3, 9)], k=INTEGER)
    node = nodes.HashAggregate(
        input=data.node(),
        group_columns=(new_column("k", INTEGER),),
        groups=(data["k"],),
        call_columns=(),
        calls=(),
    )
    found = runner.run(0, runner.relation(data), [], pipeline.AggregateSink(node))
    assert rows_of(found.batches(), 3) == [(5,), (3,), (None,), (1,), (9,)]


def test_filter_keeps_arguments_from_being_evaluated(runner: Runner) -> None:
    data = relation([(8, 2), (9, 0), (None, 0), (7, 7)], a=INTEGER, b=INTEGER)
    quotient = Call(INTEGER, "//", (data["a"], data["b"]))
    used = Comparison(BOOLEAN, ">", data["b"], Literal(INTEGER, 0))
    first = AggregateCall(INTEGER, "first", (data["a"],), filter=used, order_by=(SortKey(quotient),))
    ordered = callable_on(runner, data, first)
    calls = (
        AggregateCall(HUGEINT, "sum", (Cast(BIGINT, quotient),), filter=used),
        AggregateCall(BIGINT, "count", (quotient,), distinct=True, filter=used),
        *([first] if ordered else []),
    )
    node = nodes.HashAggregate(
        input=data.node(),
        group_columns=(),
        groups=(),
        call_columns=tuple(new_column("c", c.type) for c in calls),
        calls=calls,
    )
    found = runner.run(0, runner.relation(data), [], pipeline.AggregateSink(node))
    assert rows_of(found.batches()) == [(5, 2, 7) if ordered else (5, 2)]
