"""What a join's build side tells the scans of its probe side."""

from __future__ import annotations

import random
from typing import Any

import pytest
from operators.harness import STORAGES, Runner, relation
from tandemdb.physical import nodes, pipeline
from tandemdb.planner.logical import JoinKind
from tandemdb.planner.types import BIGINT, DATE, DOUBLE, HUGEINT, INTEGER, UBIGINT, VARCHAR, SQLType, decimal

KINDS: dict[str, tuple[SQLType, list[Any], list[Any]]] = {
    # Values of the build side, and more values to test.
    "dense": (INTEGER, list(range(100, 300, 2)), [99, 101, 300, -(2**31), 2**31 - 1]),
    "sparse": (BIGINT, [-(2**63), 0, 2**63 - 1, 12345], [1, -1, 2**62]),
    "far": (BIGINT, [i * 10**12 for i in range(50)], [1, 10**12 + 1, -5, 10**15]),
    "unsigned": (UBIGINT, [0, 2**63, 2**64 - 1], [1, 2**62]),
    "decimal": (decimal(12, 2), [100, 250, 300], [101, 99]),
    "wide": (decimal(38, 2), [100, 10**30, -(10**20)], [101, 10**29]),
    "hugeint": (HUGEINT, [5, 7, 2**100], [6, 2**99]),
    "date": (DATE, [0, 10, 20], [-1, 5, 21]),
    "double": (DOUBLE, [0.0, 1.5, float("nan")], [-0.0, 2.5]),
    "varchar": (VARCHAR, ["a", "", "ä"], ["b", "aa"]),
}


def built(backend: Any, kind: SQLType, values: list[Any], storage: str) -> Any:
    runner = Runner(backend, 2, 4)
    right = relation([(v, 1) for v in values], j=kind, b=INTEGER)
    left = relation([], k=kind)
    node = nodes.HashJoin(
        kind=JoinKind.SEMI,
        left=left.node(),
        right=right.node(),
        keys=(nodes.JoinKey(left["k"], right["j"]),),
        columns=left.columns,
    )
    return runner.run(0, runner.relation(right, storage), [], pipeline.BuildSink(node))


@pytest.mark.parametrize("name", KINDS)
@pytest.mark.parametrize("storage", STORAGES)
def test_every_value_of_the_build_side_passes(backend: Any, name: str, storage: str) -> None:
    kind, values, others = KINDS[name]
    rng = random.Random(name)
    mixed = [*values, None]
    rng.shuffle(mixed)
    tester = built(backend, kind, mixed, storage).runtime_filter(0)
    assert not tester.empty
    probe = relation([(v,) for v in (*values, *others, None)], k=kind)
    for other in STORAGES:
        for size in (3, 100):
            passed = []
            for batch in probe.batches(size, other):
                mask = tester.test(batch.columns[0])
                assert mask.dtype == bool
                passed += mask.tolist()
            assert all(passed[: len(values)]), other
            assert not passed[-1], "NULL matches nothing"
    if name == "dense":
        assert not any(passed[len(values) :])


def test_bounds(backend: Any) -> None:
    tester = built(backend, INTEGER, [5, 9, None, 7], "plain").runtime_filter(0)
    assert (tester.low, tester.high) == (5, 9)
    assert tester.overlaps(9, 20)
    assert tester.overlaps(None, 5)
    assert tester.overlaps(None, None)
    assert not tester.overlaps(10, 20)
    assert not tester.overlaps(0, 4)
    assert not tester.overlaps(10, None)


def test_a_build_side_without_values_lets_nothing_pass(backend: Any) -> None:
    for values in ([], [None, None]):
        for kind in (INTEGER, VARCHAR, HUGEINT):
            tester = built(backend, kind, values, "plain").runtime_filter(0)
            assert tester.empty
            assert not tester.overlaps(None, None)
            probe = relation([(None,), (1 if kind != VARCHAR else "a",)], k=kind)
            assert not tester.test(probe.batches(9)[0].columns[0]).any()
