"""Sort and top-N against Python's stable sort."""

from __future__ import annotations

import functools
import random
from typing import Any

import pytest
from operators.harness import Relation, Runner, comparable, relation, rows_of
from tandemdb.physical import nodes, pipeline
from tandemdb.planner.expr import Call, SortKey
from tandemdb.planner.types import BIGINT, BOOLEAN, DATE, DOUBLE, HUGEINT, INTEGER, UBIGINT, VARCHAR, decimal

NAN = float("nan")
LONG = "the same forty bytes before the end come "
VALUES: dict[str, tuple[Any, list[Any]]] = {
    "i": (INTEGER, [None, 0, 5, -5, 2**31 - 1, -(2**31)]),
    "l": (BIGINT, [None, 0, 2**63 - 1, -(2**63)]),
    "u": (UBIGINT, [None, 0, 1, 2**63, 2**64 - 1]),
    "h": (HUGEINT, [None, 0, -1, 2**63, -(2**70), 10**38 - 1]),
    "d": (decimal(30, 4), [None, 0, -10_000, 10**25, -(10**25)]),
    "f": (DOUBLE, [None, 0.0, -0.0, NAN, 1e300, float("inf"), float("-inf"), -2.5]),
    "t": (VARCHAR, [None, "", "a", "A", "ab", "a\0", "ä", "z" * 40, LONG + "a", LONG + "b", LONG + "aa"]),
    "b": (BOOLEAN, [None, True, False]),
    "y": (DATE, [None, 0, -719_162, 10_000]),
}
ORDERS = [(d, n) for d in (False, True) for n in (False, True)]


def rank(value: Any) -> Any:
    """What Python compares in place of a value: NaN above all numbers, strings by bytes."""
    if isinstance(value, float):
        return (value != value, 0.0 if value != value else value + 0.0)
    return value.encode() if isinstance(value, str) else value


def expected(data: Relation, keys: list[tuple[str, bool, bool]]) -> list[tuple[Any, ...]]:
    """The rows in order; `keys` are (column, descending, nulls first)."""
    places = [next(i for i, c in enumerate(data.columns) if c.name == name) for name, _, _ in keys]

    def compare(a: tuple[Any, ...], b: tuple[Any, ...]) -> int:
        for place, (_, descending, nulls_first) in zip(places, keys, strict=True):
            x, y = a[place], b[place]
            if (x is None) != (y is None):
                return -1 if (x is None) == nulls_first else 1
            if x is None or rank(x) == rank(y):
                continue
            return -1 if (rank(x) < rank(y)) != descending else 1
        return 0

    rows = sorted(data.rows, key=functools.cmp_to_key(compare))
    return [tuple(comparable(v) for v in row) for row in rows]


def table(seed: int, name: str, rows: int = 45) -> Relation:
    rng = random.Random(seed)
    kind, values = VALUES[name]
    data = [(rng.choice(values), rng.choice([None, 1, 2]), i) for i in range(rows)]
    return relation(data, **{name: kind}, k=INTEGER, row=INTEGER)


def sort_keys(data: Relation, keys: list[tuple[str, bool, bool]]) -> tuple[SortKey, ...]:
    return tuple(SortKey(data[name], descending, nulls) for name, descending, nulls in keys)


@pytest.mark.parametrize("name", VALUES)
def test_sort(runner: Runner, name: str) -> None:
    for seed, (descending, nulls_first) in enumerate(ORDERS):
        data = table(seed, name, runner.rows(45))
        for keys in ([(name, descending, nulls_first)], [("k", True, True), (name, descending, nulls_first)]):
            node = nodes.Sort(op_id=3, input=data.node(), keys=sort_keys(data, keys))
            source = runner.relation(data, runner.storage(seed))
            found = runner.run(0, source, [], pipeline.SortSink(node))
            assert rows_of(found.batches(), runner.batch_size) == expected(data, keys), keys
            assert [c.name for b in found.batches() for c in b.schema][:3] == [name, "k", "row"]


@pytest.mark.parametrize("name", VALUES)
@pytest.mark.parametrize(("limit", "offset"), [(0, 0), (7, 2), (100, 0), (5, 43), (5, 100)])
def test_top_n(runner: Runner, name: str, limit: int, offset: int) -> None:
    for seed, (descending, nulls_first) in enumerate(ORDERS):
        data = table(seed, name)
        for keys in (
            [(name, descending, nulls_first)],
            [("k", False, False), (name, descending, nulls_first)],
        ):
            node = nodes.TopN(
                op_id=3, input=data.node(), keys=sort_keys(data, keys), limit=limit, offset=offset
            )
            source = runner.relation(data, runner.storage(seed))
            found = runner.run(0, source, [], pipeline.TopNSink(node))
            ours = rows_of(found.batches(), runner.batch_size)
            assert ours == expected(data, keys)[offset : offset + limit], keys


@pytest.mark.parametrize("name", VALUES)
def test_top_n_prunes_by_what_it_has_seen(backend: Any, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from tandemdb.cpu_fallback.operators import top_n

    monkeypatch.setattr(top_n, "_SLACK", 5)
    for tasks in (1, 2):
        for seed, (descending, nulls_first) in enumerate(ORDERS):
            runner = Runner(backend, tasks, 3)
            data = table(seed, name, 90)
            keys = [(name, descending, nulls_first), ("k", False, True)]
            node = nodes.TopN(input=data.node(), keys=sort_keys(data, keys), limit=4, offset=1)
            for storage in ("plain", "dictionary", "wide"):
                found = runner.run(0, runner.relation(data, storage), [], pipeline.TopNSink(node))
                assert rows_of(found.batches(), 3) == expected(data, keys)[1:5]


def test_keys_may_be_expressions(runner: Runner) -> None:
    data = relation([(i, (i * 7) % 10) for i in range(20)], a=BIGINT, b=BIGINT)
    key = SortKey(Call(BIGINT, "-", (data["b"], data["a"])))
    node = nodes.Sort(input=data.node(), keys=(key,))
    found = runner.run(0, runner.relation(data), [], pipeline.SortSink(node))
    assert rows_of(found.batches(), runner.batch_size) == sorted(data.rows, key=lambda r: r[1] - r[0])


def test_no_rows(runner: Runner) -> None:
    data = relation([], a=BIGINT)
    for sink in (
        pipeline.SortSink(nodes.Sort(input=data.node(), keys=(SortKey(data["a"]),))),
        pipeline.TopNSink(nodes.TopN(input=data.node(), keys=(SortKey(data["a"]),), limit=3)),
    ):
        found = runner.run(0, runner.relation(data), [], sink)
        assert rows_of(found.batches()) == []
