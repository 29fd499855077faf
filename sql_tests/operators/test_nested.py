"""LIST and STRUCT as keys."""

from __future__ import annotations

import itertools
import random
from typing import Any

import pytest
from operators.harness import Runner, comparable, new_column, relation, rows_of
from tandemdb.cpu_fallback.operators.nested import encode
from tandemdb.physical import nodes, pipeline
from tandemdb.planner.expr import AggregateCall, SortKey
from tandemdb.planner.types import BIGINT, DOUBLE, INTEGER, INTERVAL, VARCHAR, list_of, struct_of

NAN = float("nan")
# Values in ascending order; NULL comes last inside a value.
ORDERED: dict[str, tuple[Any, list[Any]]] = {
    "lists": (list_of(INTEGER), [(), (-(2**31),), (0,), (0, 1), (0, None), (1,), (None,), (None, None)]),
    "texts": (
        list_of(VARCHAR),
        [(), ("",), ("", ""), ("\0",), ("a",), ("a", "b"), ("a\0",), ("ab",), ("ä",)],
    ),
    "doubles": (
        list_of(DOUBLE),
        [(float("-inf"),), (-1.5,), (0.0,), (2.0,), (float("inf"),), (NAN,), (None,)],
    ),
    "structs": (
        struct_of(("a", INTEGER), ("b", VARCHAR)),
        [(1, ""), (1, "x"), (1, None), (2, "a"), (None, "a")],
    ),
    "deep": (
        list_of(struct_of(("a", list_of(INTEGER)))),
        [(), (((),),), (((1,),),), (((1,),), ((),)), ((None,),)],
    ),
    "intervals": (
        list_of(INTERVAL),
        [((0, -1, 0),), ((0, 0, 7),), ((0, 29, 0),), ((1, 0, 0),), ((0, 31, 0),)],
    ),
}


@pytest.mark.parametrize("name", ORDERED)
def test_bytes_are_ordered_as_values(name: str) -> None:
    kind, values = ORDERED[name]
    for (i, x), (j, y) in itertools.product(enumerate(values), repeat=2):
        assert (encode(kind, x) < encode(kind, y)) == (i < j), (x, y)


@pytest.mark.parametrize("name", ORDERED)
def test_sort_and_groups(runner: Runner, name: str) -> None:
    kind, values = ORDERED[name]
    rng = random.Random(name)
    picked = [rng.choice([None, *range(len(values))]) for _ in range(40)]
    data = relation([(None if i is None else values[i], i) for i in picked], v=kind, i=INTEGER)
    sort = nodes.Sort(input=data.node(), keys=(SortKey(data["v"], nulls_first=True),))
    found = rows_of(runner.run(0, runner.relation(data), [], pipeline.SortSink(sort)).batches())
    assert [i for _, i in found] == sorted(picked, key=lambda i: -1 if i is None else i)

    node = nodes.HashAggregate(
        input=data.node(),
        group_columns=(new_column("v", kind),),
        groups=(data["v"],),
        call_columns=(new_column("n", BIGINT), new_column("i", INTEGER)),
        calls=(AggregateCall(BIGINT, "count_star", ()), AggregateCall(INTEGER, "min", (data["i"],))),
    )
    found = rows_of(runner.run(0, runner.relation(data), [], pipeline.AggregateSink(node)).batches())
    assert {i: n for _, n, i in found} == {i: picked.count(i) for i in picked}
    assert all(repr(v) == repr(comparable(None if i is None else values[i])) for v, _, i in found)

    calls = tuple(AggregateCall(kind, function, (data["v"],)) for function in ("min", "max"))
    node = nodes.HashAggregate(
        input=data.node(),
        group_columns=(),
        groups=(),
        call_columns=(new_column("a", kind), new_column("b", kind)),
        calls=calls,
    )
    ((low, high),) = rows_of(runner.run(0, runner.relation(data), [], pipeline.AggregateSink(node)).batches())
    there = [i for i in picked if i is not None]
    assert (repr(low), repr(high)) == (repr(values[min(there)]), repr(values[max(there)]))
