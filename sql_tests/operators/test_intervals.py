"""INTERVAL as a key: values of equal length are equal however they are written."""

from __future__ import annotations

from typing import Any

from operators.harness import Runner, new_column, relation, rows_of
from tandemdb.physical import nodes, pipeline
from tandemdb.planner.expr import AggregateCall, SortKey
from tandemdb.planner.logical import JoinKind
from tandemdb.planner.types import BIGINT, INTEGER, INTERVAL

DAY = 86_400_000_000
MONTH, DAYS, HOURS = (1, 0, 0), (0, 30, 0), (0, 29, DAY)
LONG, LEAST = (2**31 - 1, 2**31 - 1, 0), (-(2**31), -(2**31), 0)
ROWS = [
    (MONTH, 1),
    (LONG, 2),
    (None, 3),
    (DAYS, 4),
    ((0, -1, 5), 5),
    (HOURS, 6),
    (LEAST, 7),
    (None, 8),
    (LONG, 9),
]


def test_sort(runner: Runner) -> None:
    data = relation(ROWS, v=INTERVAL, n=INTEGER)
    for descending, expected in ((False, [7, 5, 1, 4, 6, 2, 9, 3, 8]), (True, [2, 9, 1, 4, 6, 5, 7, 3, 8])):
        keys = (SortKey(data["v"], descending),)
        sort = pipeline.SortSink(nodes.Sort(input=data.node(), keys=keys))
        found = rows_of(runner.run(0, runner.relation(data, "sliced"), [], sort).batches())
        assert [n for _, n in found] == expected
        top = pipeline.TopNSink(nodes.TopN(input=data.node(), keys=keys, limit=4))
        found = rows_of(runner.run(0, runner.relation(data), [], top).batches())
        assert [n for _, n in found] == expected[:4]


def aggregated(
    runner: Runner, data: Any, groups: list[str], calls: list[AggregateCall]
) -> list[tuple[Any, ...]]:
    node = nodes.HashAggregate(
        input=data.node(),
        group_columns=tuple(new_column(g, data[g].type) for g in groups),
        groups=tuple(data[g] for g in groups),
        call_columns=tuple(new_column("c", c.type) for c in calls),
        calls=tuple(calls),
    )
    return rows_of(runner.run(0, runner.relation(data), [], pipeline.AggregateSink(node)).batches())


def test_groups(runner: Runner) -> None:
    data = relation(ROWS, v=INTERVAL, n=INTEGER)
    found = aggregated(runner, data, ["v"], [AggregateCall(BIGINT, "count_star", ())])
    assert sorted(n for _, n in found) == [1, 1, 2, 2, 3]
    by_count = {n: v for v, n in found}
    assert by_count[3] in (MONTH, DAYS, HOURS)
    if runner.tasks == 1:
        assert found == [(MONTH, 3), (LONG, 2), (None, 2), ((0, -1, 5), 1), (LEAST, 1)]


def test_functions(runner: Runner) -> None:
    data = relation([(MONTH,), ((0, 2, 0),), (None,), ((0, 10, 4),)], v=INTERVAL)
    names = ("min", "max", "avg", "median", "any_value")
    calls = [AggregateCall(INTERVAL, name, (data["v"],)) for name in names]
    calls.append(AggregateCall(BIGINT, "count", (data["v"],), distinct=True))
    found = aggregated(runner, data, [], calls)
    # 42 days and 4 us over 3: a third of a month is 10 days.
    assert found == [((0, 2, 0), MONTH, (0, 14, 1), (0, 10, 4), MONTH, 3)]
    two = relation([(MONTH,), ((2, 0, 0),)], v=INTERVAL)
    calls = [AggregateCall(INTERVAL, name, (two["v"],)) for name in ("median", "avg")]
    assert aggregated(runner, two, [], calls) == [((0, 45, 0), (1, 15, 0))]


def test_join(runner: Runner) -> None:
    left, right = relation(ROWS, v=INTERVAL, n=INTEGER), relation([(HOURS,), (None,), (LONG,)], w=INTERVAL)
    node = nodes.HashJoin(
        kind=JoinKind.SEMI,
        left=left.node(),
        right=right.node(),
        keys=(nodes.JoinKey(left["v"], right["w"]),),
        columns=left.columns,
    )
    runner.run(0, runner.relation(right), [], pipeline.BuildSink(node))
    source, probe = runner.relation(left), pipeline.ProbeTransform(node, 0)
    found = rows_of(runner.run(1, source, [probe], pipeline.CollectSink(left.columns)).batches())
    assert [n for _, n in found] == [1, 2, 4, 6, 9]
