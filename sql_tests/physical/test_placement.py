"""Placement finds the cheapest of all plans; forced to the GPU it runs on it all that it can."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from random_plans import Builder, FakeGpu, cheapest, random_context, random_plan
from tandemdb.physical import nodes, placement
from tandemdb.physical.batch import Device
from tandemdb.physical.cost import plan_seconds
from tandemdb.physical.create import number
from tandemdb.physical.nodes import Bridge, Cte, CteScan, Node, Transfer, walk_nodes
from tandemdb.physical.placement import place
from tandemdb.planner import expr as e
from tandemdb.planner.types import BOOLEAN, VARCHAR

QUIET = settings(
    max_examples=150,
    phases=(Phase.generate,),
    database=None,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)


def check_cheapest(random: Random, size: int) -> None:
    root = random_plan(random, size)
    context = random_context(random, root)
    placed = place(root, context)
    check_devices(placed)
    best = cheapest(root, context)
    assert plan_seconds(placed, context.profile) == pytest.approx(best, rel=1e-9)
    for mode in ("cpu", "gpu"):
        forced = place(root, replace(context, mode=mode))
        assert plan_seconds(forced, context.profile) >= best * (1 - 1e-9)


def check_devices(root: Node) -> None:
    """Rows are on a node's device wherever it reads them, and the result is on the CPU."""
    assert root.device is Device.CPU
    kept = {node.cte_id: node.definition.device for node in walk_nodes(root) if isinstance(node, Cte)}
    for node in walk_nodes(root):
        if isinstance(node, Transfer):
            assert node.input.device is not node.device
        elif isinstance(node, Cte):
            assert node.body.device is node.device
        elif isinstance(node, CteScan):
            assert node.device is kept[node.cte_id]
        else:
            assert all(child.device is node.device for child in node.inputs)
    numbers = [node.op_id for node in walk_nodes(root)]
    assert numbers == list(range(len(numbers)))


@seed(3)
@QUIET
@given(st.randoms(use_true_random=True), st.integers(1, 9))
def test_no_placement_is_cheaper(random: Random, size: int) -> None:
    check_cheapest(random, size)


@pytest.mark.slow
@seed(3)
@settings(QUIET, max_examples=1500)
@given(st.randoms(use_true_random=True), st.integers(8, 12))
def test_no_placement_of_larger_plans_is_cheaper(random: Random, size: int) -> None:
    check_cheapest(random, size)


@seed(4)
@QUIET
@given(st.randoms(use_true_random=True), st.integers(1, 12))
def test_forced_to_the_gpu_all_that_it_can_run_is_there(random: Random, size: int) -> None:
    root = random_plan(random, size)
    context = replace(random_context(random, root), mode="gpu")
    gpu = context.capabilities[Device.GPU]
    placed = place(root, context)
    check_devices(placed)
    for node in walk_nodes(placed):
        if node.device is Device.CPU and not isinstance(node, (Transfer, CteScan, Cte)):
            plain = replace(node, op_id=0)
            assert node.reason == "refused" or not gpu.supports(plain) or "input" in node.reason


def test_readers_of_a_shared_result_decide_where_it_is_kept() -> None:
    """Two readers on the other device: the rows are moved once, before they are kept."""
    random = Random(0)
    for _ in range(400):
        root = random_plan(random, 9)
        context = random_context(random, root)
        placed = place(root, context)
        for node in walk_nodes(placed):
            if isinstance(node, Cte) and isinstance(node.definition, Transfer):
                readers = [n for n in walk_nodes(node.body) if isinstance(n, CteScan)]
                if sum(n.cte_id == node.cte_id for n in readers) > 1:
                    return
    pytest.fail("no definition was moved for its readers")


def test_bridges_are_among_the_random_plans() -> None:
    random = Random(0)
    for _ in range(500):
        root = random_plan(random, 6)
        placed = place(root, random_context(random, root))
        if any(isinstance(node, Bridge) for node in walk_nodes(placed)):
            return
    pytest.fail("no plan had a bridge")


@pytest.mark.parametrize("mode", ["auto", "gpu"])
def test_no_bridge_for_rows_that_the_gpu_cannot_hold(mode: str) -> None:
    random = Random(1)
    scan = Builder(random, 1).plan(1)
    shouted = e.Call(VARCHAR, "upper", (e.ref(scan.schema[1]),))
    predicate = e.Comparison(BOOLEAN, "=", shouted, e.ref(scan.schema[1]))
    root = number(nodes.Filter(input=scan, predicate=predicate, rows=scan.rows))
    context = random_context(random, root)
    gpu = FakeGpu(refused=frozenset({1}), stuck=frozenset({scan.schema[0].id}))
    context = replace(context, mode=mode, capabilities={**context.capabilities, Device.GPU: gpu})
    assert {node.device for node in walk_nodes(place(root, context))} == {Device.CPU}


@pytest.mark.parametrize("count", [3, placement.OPEN_CTES + 4])
@pytest.mark.parametrize("drawn", range(4))
def test_many_shared_results_are_never_dearer_than_on_one_device(count: int, drawn: int) -> None:
    """Beyond OPEN_CTES in use at once, further ones go where their definitions are cheapest."""
    random = Random(drawn)
    builder = Builder(random, 1)
    ctes = [
        nodes.Cte(cte_id=100 + i, name="c", definition=(d := builder.plan(3)), body=d) for i in range(count)
    ]
    reads = [
        nodes.CteScan(
            cte_id=c.cte_id, name="c", columns=c.definition.schema, positions=(0, 1), rows=c.definition.rows
        )
        for c in ctes
        for _ in range(2)
    ]
    body: Node = nodes.UnionAll(branches=tuple(reads), columns=reads[0].schema, rows=1000.0)
    for cte in reversed(ctes):
        body = replace(cte, body=body, rows=body.rows)
    root = number(body)
    context = random_context(random, root)
    placed = place(root, context)
    check_devices(placed)
    for mode in ("cpu", "gpu"):
        forced = plan_seconds(place(root, replace(context, mode=mode)), context.profile)
        assert plan_seconds(placed, context.profile) <= forced * (1 + 1e-9)
