"""Every operator over no rows and over rows of NULLs, in every type and storage."""

from __future__ import annotations

from typing import Any

import pytest
from operators.harness import STORAGES, Relation, Runner, new_column, relation, rows_of
from tandemdb.physical import nodes, pipeline
from tandemdb.planner.expr import AggregateCall, IsNull, Literal, SortKey
from tandemdb.planner.logical import JoinKind
from tandemdb.planner.types import (
    BIGINT,
    BOOLEAN,
    DATE,
    DOUBLE,
    FLOAT,
    HUGEINT,
    INTEGER,
    TIMESTAMP,
    UBIGINT,
    VARCHAR,
    decimal,
)

TYPES = {
    "i": INTEGER,
    "l": BIGINT,
    "u": UBIGINT,
    "h": HUGEINT,
    "d": decimal(9, 2),
    "w": decimal(30, 2),
    "f": DOUBLE,
    "r": FLOAT,
    "t": VARCHAR,
    "b": BOOLEAN,
    "y": DATE,
    "z": TIMESTAMP,
}
ROWS = {"none": 0, "nulls": 5}


def table(rows: int) -> Relation:
    return relation([(None,) * len(TYPES)] * rows, **TYPES)


def collected(runner: Runner, data: Relation, number: int, transforms: list[Any], columns: Any) -> list[Any]:
    source, sink = runner.relation(data, runner.storage(number)), pipeline.CollectSink(tuple(columns))
    return rows_of(runner.run(0, source, transforms, sink).batches(), runner.batch_size)


@pytest.mark.parametrize("rows", ROWS)
def test_transforms(runner: Runner, rows: str) -> None:
    data = table(ROWS[rows])
    for number, column in enumerate(data.columns):
        null = nodes.Filter(input=data.node(), predicate=IsNull(BOOLEAN, data[column.name]))
        assert collected(runner, data, number, [null], data.columns) == data.rows
    columns = tuple(new_column(c.name, c.type) for c in data.columns)
    exprs = tuple(Literal(c.type, None) for c in columns)
    project = nodes.Project(input=data.node(), columns=columns, exprs=exprs)
    repeat = nodes.Repeat(input=data.node(), count=data.column("l"))
    for number in range(len(STORAGES)):
        assert collected(runner, data, number, [], data.columns) == data.rows
        assert collected(runner, data, number, [project], columns) == data.rows
        assert collected(runner, data, number, [repeat], repeat.schema) == []


@pytest.mark.parametrize("rows", ROWS)
def test_orders(runner: Runner, rows: str) -> None:
    data = table(ROWS[rows])
    for number, column in enumerate(data.columns):
        keys = (SortKey(data[column.name], bool(number % 2), bool(number % 3)),)
        for sink in (
            pipeline.SortSink(nodes.Sort(input=data.node(), keys=keys)),
            pipeline.TopNSink(nodes.TopN(input=data.node(), keys=keys, limit=100)),
            pipeline.LimitSink(nodes.Limit(input=data.node(), limit=100)),
        ):
            found = runner.run(0, runner.relation(data, runner.storage(number)), [], sink)
            assert rows_of(found.batches(), runner.batch_size) == data.rows


@pytest.mark.parametrize("rows", ROWS)
def test_groups(runner: Runner, rows: str) -> None:
    data = table(ROWS[rows])
    count = AggregateCall(BIGINT, "count_star", ())
    for number, groups in enumerate([[name] for name in TYPES] + [list(TYPES)]):
        node = nodes.HashAggregate(
            input=data.node(),
            group_columns=tuple(new_column(name, data[name].type) for name in groups),
            groups=tuple(data[name] for name in groups),
            call_columns=(new_column("n", BIGINT),),
            calls=(count,),
        )
        source = runner.relation(data, runner.storage(number))
        found = runner.run(0, source, [], pipeline.AggregateSink(node))
        assert rows_of(found.batches()) == [(*[None] * len(groups), ROWS[rows])] * bool(ROWS[rows])


@pytest.mark.parametrize("rows", ROWS)
@pytest.mark.parametrize("null_equal", [True, False])
def test_join_of_nulls(runner: Runner, rows: str, null_equal: bool) -> None:
    left, right = table(ROWS[rows]), table(3)
    for number, name in enumerate(TYPES):
        node = nodes.HashJoin(
            kind=JoinKind.SEMI,
            left=left.node(),
            right=right.node(),
            keys=(nodes.JoinKey(left[name], right[name], null_equal),),
            columns=left.columns,
        )
        runner.run(0, runner.relation(right, runner.storage(number)), [], pipeline.BuildSink(node))
        source = runner.relation(left, runner.storage(number + 1))
        sink = pipeline.CollectSink(left.columns)
        found = rows_of(runner.run(1, source, [pipeline.ProbeTransform(node, 0)], sink).batches())
        assert found == (left.rows if null_equal else [])
