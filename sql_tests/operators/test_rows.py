"""Sources, simple transforms and sinks that only pass rows on."""

from __future__ import annotations

import threading
from typing import Any

import pytest
from operators.harness import Relation, Runner, comparable, new_column, relation, rows_of
from tandemdb.physical import nodes, pipeline
from tandemdb.physical.context import Task
from tandemdb.planner.errors import InvalidInputError
from tandemdb.planner.expr import Call, Cast, Comparison, Literal
from tandemdb.planner.types import (
    BIGINT,
    BLOB,
    BOOLEAN,
    DATE,
    DOUBLE,
    HUGEINT,
    INTEGER,
    INTERVAL,
    TIME,
    TIMESTAMP,
    UBIGINT,
    VARCHAR,
    decimal,
    list_of,
    struct_of,
)

LITERALS: list[tuple[Any, list[Any]]] = [
    (INTEGER, [1, None, -(2**31)]),
    (UBIGINT, [0, None, 2**64 - 1]),
    (HUGEINT, [10**38 - 1, None, -(10**38) + 1]),
    (HUGEINT, [1, None, 2]),
    (decimal(18, 3), [10**18 - 1, None, -5]),
    (decimal(38, 2), [-(10**38) + 1, 7, None]),
    (DOUBLE, [1.5, None, float("nan")]),
    (VARCHAR, ["", None, "ä"]),
    (BLOB, [b"\0\xff", None, b""]),
    (BOOLEAN, [True, None, False]),
    (DATE, [0, None, -1]),
    (TIME, [0, None, 86_399_999_999]),
    (TIMESTAMP, [0, None, -1]),
    (INTERVAL, [(1, 2, 3), None, (0, -1, 5)]),
    (list_of(INTEGER), [(1, None), None, ()]),
    (struct_of(("a", INTEGER), ("b", VARCHAR)), [(1, "x"), None, (None, None)]),
]


def filtered(rows: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    return [tuple(comparable(v) for v in row) for row in rows]


def collect(runner: Runner, source: Any, transforms: list[Any], columns: Any) -> list[tuple[Any, ...]]:
    found = runner.run(9, source, transforms, pipeline.CollectSink(tuple(columns)))
    return rows_of(found.batches(), runner.batch_size)


def test_values(runner: Runner) -> None:
    chosen = [
        (new_column(f"c{i}", kind), values)
        for i, (kind, values) in enumerate(LITERALS)
        if runner.supports(nodes.Values(columns=(new_column("c", kind),), literals=()))
    ]
    assert len(chosen) >= 10
    columns = tuple(column for column, _ in chosen)
    rows = [tuple(values[i] for _, values in chosen) for i in range(3)] * 2
    literals = tuple(tuple(Literal(c.type, v) for c, v in zip(columns, row, strict=True)) for row in rows)
    source = runner.maker.source(pipeline.ValuesSource(nodes.Values(columns=columns, literals=literals)))
    assert collect(runner, source, [], columns) == filtered(rows)


def test_values_of_expressions(runner: Runner) -> None:
    column = new_column("a", BIGINT)
    one = Literal(BIGINT, 1)
    literals = ((one,), (Call(BIGINT, "+", (one, one)),), (Literal(BIGINT, None),))
    source = runner.maker.source(pipeline.ValuesSource(nodes.Values(columns=(column,), literals=literals)))
    assert collect(runner, source, [], (column,)) == [(1,), (2,), (None,)]


def test_one_row_of_no_columns(runner: Runner) -> None:
    source = runner.maker.source(pipeline.ValuesSource(nodes.Values(columns=(), literals=((),))))
    assert collect(runner, source, [], ()) == [()]
    data = nodes.Values(columns=(), literals=((),))
    count = new_column("n", INTEGER)
    project = nodes.Project(input=data, columns=(count,), exprs=(Literal(INTEGER, 7),))
    assert collect(runner, source, [project], (count,)) == [(7,)]


def test_errors_of_values_come_out(runner: Runner) -> None:
    column = new_column("a", INTEGER)
    bad = Call(INTEGER, "//", (Literal(INTEGER, 1), Literal(INTEGER, 0)))
    source = runner.maker.source(pipeline.ValuesSource(nodes.Values(columns=(column,), literals=((bad,),))))
    with pytest.raises(InvalidInputError, match="Division by zero"):
        collect(runner, source, [], (column,))


def numbers(count: int) -> Relation:
    rows = [(i if i % 5 else None, f"s{i % 3}", i * 100) for i in range(count)]
    return relation(rows, a=BIGINT, t=VARCHAR, d=decimal(25, 2))


def test_filter(runner: Runner) -> None:
    data = numbers(30)
    for number, (limit, kept) in enumerate([(7, 6), (-1, 0), (100, 24)]):
        node = nodes.Filter(
            input=data.node(), predicate=Comparison(BOOLEAN, "<=", data["a"], Literal(BIGINT, limit))
        )
        source = runner.relation(data, runner.storage(number))
        found = collect(runner, source, [node], data.columns)
        assert found == [r for r in data.rows if r[0] is not None and r[0] <= limit]
        assert len(found) == kept


def test_project(runner: Runner) -> None:
    data = numbers(10)
    total, text, same = new_column("x", BIGINT), new_column("y", VARCHAR), data.column("d")
    node = nodes.Project(
        input=data.node(),
        columns=(total, text, same),
        exprs=(Call(BIGINT, "+", (data["a"], Literal(BIGINT, 1))), Literal(VARCHAR, "c"), data["d"]),
    )
    for storage in ("plain", "wide"):
        found = collect(runner, runner.relation(data, storage), [node], (total, text, same))
        assert found == [(None if a is None else a + 1, "c", d) for a, _, d in data.rows]


def test_repeat(runner: Runner) -> None:
    data = relation([("a", 2), ("b", 0), ("c", None), ("d", -1), ("e", 5), ("f", 1)], t=VARCHAR, n=BIGINT)
    node = nodes.Repeat(input=data.node(), count=data.column("n"))
    found = collect(runner, runner.relation(data, runner.storage(0)), [node], node.schema)
    assert [t for (t,) in found] == list("aaeeeeef")


def test_artifact_source_renames_and_repacks(runner: Runner) -> None:
    data = numbers(25)
    for number, storage in enumerate(("plain", "dictionary", "wide", "sliced")):
        runner.run(0, runner.relation(data, storage), [], pipeline.CollectSink(data.columns))
        runner.batch_size = runner.context.settings["batch_size"] = 4  # type: ignore[index]
        columns = (new_column("y", decimal(25, 2)), new_column("x", VARCHAR))
        source = runner.maker.source(pipeline.ArtifactSource(0, columns, (2, 1)))
        assert collect(runner, source, [], columns) == [(d, t) for _, t, d in data.rows], number


def test_union(runner: Runner) -> None:
    first, second = numbers(7), numbers(11)
    for number, data in enumerate((first, second)):
        runner.run(
            number, runner.relation(data, runner.storage(number)), [], pipeline.CollectSink(data.columns)
        )
    columns = (new_column("u", BIGINT), new_column("v", VARCHAR))
    arms = []
    for number, data in enumerate((first, second)):
        source = pipeline.ArtifactSource(number, data.columns, (0, 1, 2))
        node = nodes.Filter(
            input=data.node(), predicate=Comparison(BOOLEAN, ">", data["a"], Literal(BIGINT, 2))
        )
        chosen = nodes.Project(
            input=node, columns=(data.column("a"), data.column("t")), exprs=(data["a"], data["t"])
        )
        arms.append(pipeline.Arm(source, (node, chosen)))
    values = nodes.Values(columns=columns, literals=((Literal(BIGINT, 1), Literal(VARCHAR, "z")),))
    arms.append(pipeline.Arm(pipeline.ValuesSource(values), ()))
    inner = pipeline.UnionSource(tuple(arms[:2]), (new_column("m", BIGINT), new_column("n", VARCHAR)))
    source = runner.maker.source(pipeline.UnionSource((pipeline.Arm(inner, ()), arms[2]), columns))
    expected = [(a, t) for data in (first, second) for a, t, _ in data.rows if a is not None and a > 2]
    assert collect(runner, source, [], columns) == [*expected, (1, "z")]
    assert [m.seq for m in source.morsels(runner.context)] == list(
        range(len(list(source.morsels(runner.context))))
    )


@pytest.mark.parametrize(
    ("limit", "offset"), [(0, 0), (1, 0), (10, 3), (None, 7), (5, 98), (1000, 0), (3, 1000), (None, 0)]
)
def test_limit(runner: Runner, limit: int | None, offset: int) -> None:
    data = numbers(100)
    node = nodes.Limit(op_id=2, input=data.node(), limit=limit, offset=offset)
    found = runner.run(0, runner.relation(data), [], pipeline.LimitSink(node))
    end = None if limit is None else offset + limit
    assert rows_of(found.batches(), runner.batch_size) == data.rows[offset:end]


def test_limit_stops_early(backend: Any) -> None:
    data = numbers(100)
    for tasks in (1, 2):
        runner = Runner(backend, tasks, 3)
        source = runner.relation(data)
        read: list[int] = []
        plain = source.read

        def counted(morsel: pipeline.Morsel, task: Task, plain: Any = plain, read: list = read) -> Any:
            read.append(morsel.seq)
            yield from plain(morsel, task)

        source.read = counted  # type: ignore[method-assign]
        node = nodes.Limit(input=data.node(), limit=5)
        found = runner.run(0, source, [], pipeline.LimitSink(node))
        assert rows_of(found.batches()) == data.rows[:5]
        assert max(read) <= 4


def test_limit_waits_for_earlier_morsels(backend: Any) -> None:
    """A later morsel has enough rows of its own, but those of an earlier, slower one come first."""
    data = numbers(12)
    runner = Runner(backend, 2, 6)
    source = runner.relation(data)
    source.parts = [[b] for part in source.parts for b in part]
    second = threading.Event()
    plain = source.read

    def slow(morsel: pipeline.Morsel, task: Task) -> Any:
        if morsel.seq == 0:
            assert second.wait(10)
        try:
            yield from plain(morsel, task)
        finally:
            second.set()

    source.read = slow  # type: ignore[method-assign]
    node = nodes.Limit(input=data.node(), limit=4)
    found = runner.run(0, source, [], pipeline.LimitSink(node))
    assert rows_of(found.batches()) == data.rows[:4]


def test_discard(runner: Runner) -> None:
    data = numbers(10)
    assert runner.run(0, runner.relation(data), [], pipeline.DiscardSink()).batches() == []


def test_columns_of_two_storages_become_one(runner: Runner) -> None:
    """A column that is int64 in one batch and decimal128 in the next, put together and cast."""
    data = relation([(10**20,), (5,), (None,), (-(10**30),), (7,)], h=HUGEINT)
    runner.run(0, runner.relation(data, "wide"), [], pipeline.CollectSink(data.columns))
    runner.batch_size = runner.context.settings["batch_size"] = 1000  # type: ignore[index]
    column = new_column("x", DOUBLE)
    source = runner.maker.source(pipeline.ArtifactSource(0, data.columns, (0,)))
    node = nodes.Project(input=data.node(), columns=(column,), exprs=(Cast(DOUBLE, data["h"]),))
    assert collect(runner, source, [node], (column,)) == [(1e20,), (5.0,), (None,), (-1e30,), (7.0,)]
