"""Memory limits and cancellation in every operator that holds rows or works long."""

from __future__ import annotations

import threading
import time
from typing import Any

import pytest
from operators.harness import Relation, Runner, new_column, relation
from tandemdb.gpu_exec.operators import join_pairs
from tandemdb.physical import nodes, pipeline
from tandemdb.planner.errors import InterruptError, OutOfMemoryError, OutOfRangeError
from tandemdb.planner.expr import AggregateCall, Comparison, SortKey, WindowCall
from tandemdb.planner.logical import JoinKind
from tandemdb.planner.types import BIGINT, BOOLEAN, HUGEINT, VARCHAR


def numbers(count: int) -> Relation:
    return relation([(i, f"text {i}") for i in range(count)], a=BIGINT, t=VARCHAR)


def join(kind: JoinKind, left: Relation, right: Relation) -> nodes.HashJoin:
    columns = left.columns if kind is JoinKind.SEMI else (*left.columns, *right.columns)
    keys = (nodes.JoinKey(left["a"], right["a"]),)
    return nodes.HashJoin(kind=kind, left=left.node(), right=right.node(), keys=keys, columns=columns)


def aggregate(
    data: Relation, function: str, kind: Any, name: str, grouped: bool, distinct: bool = False
) -> Any:
    groups = (data["a"],) if grouped else ()
    return nodes.HashAggregate(
        input=data.node(),
        group_columns=(new_column("g", BIGINT),) if grouped else (),
        groups=groups,
        call_columns=(new_column("s", kind),),
        calls=(AggregateCall(kind, function, (data[name],), distinct),),
    )


def window(data: Relation) -> nodes.Window:
    """A running sum."""
    return nodes.Window(
        input=data.node(),
        kept=data.columns,
        partition=(data["t"],),
        order=(SortKey(data["a"]),),
        call_columns=(new_column("s", HUGEINT),),
        calls=(WindowCall(HUGEINT, "sum", (data["a"],)),),
    )


def sinks(data: Relation) -> dict[str, Any]:
    keys = (SortKey(data["a"], True),)
    return {
        "collect": pipeline.CollectSink(data.columns),
        "build": pipeline.BuildSink(join(JoinKind.INNER, numbers(0), data)),
        "sort": pipeline.SortSink(nodes.Sort(input=data.node(), keys=keys)),
        "top_n": pipeline.TopNSink(nodes.TopN(input=data.node(), keys=keys, limit=15_000)),
        "limit": pipeline.LimitSink(nodes.Limit(input=data.node(), limit=None)),
        "groups": pipeline.AggregateSink(aggregate(data, "sum", HUGEINT, "a", True)),
        "distinct": pipeline.AggregateSink(aggregate(data, "count", BIGINT, "t", False, True)),
        "string_agg": pipeline.AggregateSink(aggregate(data, "string_agg", VARCHAR, "t", False)),
        "window": pipeline.WindowSink(window(data)),
        "max": pipeline.AggregateSink(aggregate(data, "max", VARCHAR, "t", True)),
    }


@pytest.mark.parametrize("name", sinks(numbers(0)))
@pytest.mark.parametrize("tasks", [1, 2])
def test_memory_limit(backend: Any, name: str, tasks: int) -> None:
    data = numbers(20_000)
    runner = Runner(backend, tasks, 2048, memory_limit=200_000)
    with pytest.raises(OutOfMemoryError, match="are in use"):
        runner.run(0, runner.relation(data), [], sinks(data)[name])
    runner.context.close()
    assert runner.context.memory.used == 0

    roomy = Runner(backend, tasks, 2048, memory_limit=100_000_000)
    roomy.run(0, roomy.relation(data), [], sinks(data)[name])
    assert roomy.context.memory.peak > 0
    roomy.context.close()
    assert roomy.context.memory.used == 0


@pytest.mark.parametrize(
    "kind", [JoinKind.INNER, JoinKind.SEMI, JoinKind.MARK, JoinKind.LEFT, JoinKind.RIGHT_SEMI]
)
def test_a_cross_join_can_be_interrupted(
    backend: Any, kind: JoinKind, monkeypatch: pytest.MonkeyPatch
) -> None:
    """60,000 x 60,000 pairs take minutes; the check between blocks ends them at once."""
    # The double is slower than a GPU.
    monkeypatch.setattr(join_pairs, "BLOCK", 1 << 18)
    left, right = numbers(60_000), numbers(60_000)
    mark = new_column("m", BOOLEAN)
    condition = Comparison(BOOLEAN, "<", right["a"], left["a"])
    schemas = {
        JoinKind.SEMI: left.columns,
        JoinKind.MARK: (*left.columns, mark),
        JoinKind.RIGHT_SEMI: right.columns,
    }
    node = nodes.NestedLoopJoin(
        kind=kind,
        left=left.node(),
        right=right.node(),
        condition=None if kind is JoinKind.MARK else condition,
        mark_terms=(condition,) if kind is JoinKind.MARK else (),
        mark=mark if kind is JoinKind.MARK else None,
        columns=schemas.get(kind, (*left.columns, *right.columns)),
    )
    runner = Runner(backend, 2)
    runner.run(0, runner.relation(right), [], pipeline.BuildSink(node))
    runner.run(1, runner.relation(numbers(0)), [pipeline.LoopTransform(node, 0)], pipeline.DiscardSink())
    started: list[float] = []

    def interrupt() -> None:
        started.append(time.perf_counter())
        runner.context.cancel.set()

    threading.Timer(0.3, interrupt).start()
    with pytest.raises(InterruptError):
        runner.run(1, runner.relation(left), [pipeline.LoopTransform(node, 0)], pipeline.DiscardSink())
    assert time.perf_counter() - started[0] < 0.5


def test_more_rows_than_a_table_can_number(backend: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from tandemdb.cpu_fallback.kernels import join_table, radix_sort

    monkeypatch.setattr(join_table, "MAX_ROWS", 10)
    monkeypatch.setattr(radix_sort, "MAX_ROWS", 10)
    data = numbers(20)
    runner = Runner(backend, 1, 7)
    for name in ("build", "sort", "window"):
        with pytest.raises(OutOfRangeError, match="2\\^31 rows"):
            runner.run(0, runner.relation(data), [], sinks(data)[name])
