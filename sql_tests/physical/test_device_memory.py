"""Placement knows the GPU's memory: what has to leave it costs, is told, and may send a plan to the CPU."""

from __future__ import annotations

import itertools
import json
from dataclasses import replace
from typing import Any

import pytest
import tandemdb
from planner_catalog import MemoryTable
from tandemdb.physical import nodes
from tandemdb.physical.batch import Device
from tandemdb.physical.cost import CostModel, node_bytes
from tandemdb.physical.device_memory import DeviceMemoryModel
from tandemdb.physical.nodes import Node
from tandemdb.physical.profiles import PROFILES
from tandemdb.planner import expr as e
from tandemdb.planner.catalog import TableColumn
from tandemdb.planner.logical import JoinKind
from tandemdb.planner.types import BIGINT, BOOLEAN

GB = 1e9
_ids = itertools.count(1)


def scan(size: float) -> Node:
    """Rows of one column, of `size` bytes."""
    column = e.Column(next(_ids), "a", BIGINT)
    rows = size / 8
    table = MemoryTable("t", (TableColumn("a", BIGINT),), int(rows))
    return nodes.TableScan(table=table, columns=(column,), names=("a",), rows=rows)


def join(left: Node, right: Node) -> nodes.HashJoin:
    keys = (nodes.JoinKey(e.ref(left.schema[0]), e.ref(right.schema[0])),)
    columns = left.schema[:1]
    return nodes.HashJoin(
        kind=JoinKind.INNER, left=left, right=right, keys=keys, columns=columns, rows=left.rows
    )


def sort(below: Node) -> nodes.Sort:
    return nodes.Sort(input=below, keys=(e.SortKey(e.ref(below.schema[0])),), rows=below.rows)


def grouped(below: Node, rows: float, *, distinct: bool = False) -> nodes.HashAggregate:
    key = e.ref(below.schema[0])
    column, count = (e.Column(next(_ids), name, BIGINT) for name in ("g", "n"))
    call = e.AggregateCall(BIGINT, "count", (key,), distinct=distinct)
    return nodes.HashAggregate(
        input=below, group_columns=(column,), groups=(key,), call_columns=(count,), calls=(call,), rows=rows
    )


def ranked(below: Node) -> nodes.Window:
    """All columns of `below` with a rank."""
    rank = e.Column(next(_ids), "rank", BIGINT)
    order = (e.SortKey(e.ref(below.schema[0])),)
    return nodes.Window(
        input=below, kept=below.schema, partition=(), order=order, call_columns=(rank,),
        calls=(e.WindowCall(BIGINT, "rank", ()),), rows=below.rows,
    )  # fmt: skip


def model(limit: float) -> DeviceMemoryModel:
    return DeviceMemoryModel(replace(PROFILES["h200"], gpu_limit=limit), node_bytes)


def test_each_node_answers_for_its_own_state() -> None:
    """Of three joins in a row the first fits, the second does in part, the third does not at all."""
    first = join(scan(50 * GB), scan(1 * GB))
    second = join(first, scan(2 * GB))
    third = join(second, scan(3 * GB))
    memory = model(2 * GB)
    assert [memory.state(n) for n in (first, second, third)] == [1 * GB, 2 * GB, 3 * GB]
    assert [memory.beyond(n) for n in (first, second, third)] == [0.0, 1 * GB, 3 * GB]
    assert memory.at_once(third) == 6 * GB


def test_a_transfer_is_no_state() -> None:
    """A node's cost is the same in the plan and in the placed plan."""
    below = join(scan(9 * GB), scan(3 * GB))
    moved = nodes.Transfer(input=below, device=Device.GPU, rows=below.rows)
    memory = model(2 * GB)
    assert memory.at_once(sort(moved)) == memory.at_once(sort(below)) == 12 * GB


@pytest.mark.parametrize(
    ("node", "state", "after"),
    [
        (lambda: sort(scan(3 * GB)), 3 * GB, 3 * GB),
        (lambda: ranked(scan(3 * GB)), 3 * GB, 6 * GB),
        (lambda: grouped(scan(3 * GB), 1e6), 16e6, 16e6),
        (lambda: grouped(scan(3 * GB), 1e6, distinct=True), 3 * GB, 16e6),
        (lambda: nodes.TopN(input=scan(3 * GB), keys=(), limit=10, rows=10.0), 80.0, 80.0),
        (lambda: nodes.Filter(input=scan(3 * GB), predicate=e.Literal(BOOLEAN, True), rows=1e6), 0.0, 0.0),
        (lambda: nodes.Limit(input=sort(scan(3 * GB)), limit=5, offset=0, rows=5.0), 0.0, 3 * GB),
        (lambda: join(sort(scan(2 * GB)), grouped(scan(9 * GB), 1e6)), 16e6, 2 * GB + 16e6),
    ],
)
def test_what_a_node_keeps(node: Any, state: float, after: float) -> None:
    made = node()
    assert model(GB).state(made) == state
    assert model(GB).held(made) == after


def test_what_leaves_costs_both_ways_and_the_disk() -> None:
    profile = replace(PROFILES["h200"], gpu_limit=1 * GB, link_bandwidth=10 * GB, disk_bandwidth=0.5 * GB)
    node = sort(scan(3 * GB))
    roomy = replace(profile, gpu_limit=4 * GB)
    costs = {
        name: CostModel(p).seconds(node, Device.GPU)
        for name, p in {
            "fits": roomy,
            "host": replace(profile, host_memory=9 * GB),
            "disk": replace(profile, host_memory=1 * GB),
        }.items()
    }
    assert costs["host"] - costs["fits"] == pytest.approx(2 * 2 / 10)
    assert costs["disk"] - costs["host"] == pytest.approx(2 * 1 / 0.5)
    assert CostModel(profile).seconds(node, Device.CPU) == CostModel(roomy).seconds(node, Device.CPU)


def test_a_right_side_comes_back_for_every_batch() -> None:
    profile = replace(PROFILES["h200"], gpu_limit=1 * GB, link_bandwidth=10 * GB)
    few, many = join(scan(8), scan(3 * GB)), join(scan(5 * GB), scan(3 * GB))
    memory = DeviceMemoryModel(profile, node_bytes)
    assert memory.seconds(few, 1.0) == pytest.approx((1 + 1) * 2 / 10)
    assert memory.seconds(many, 1.0) == pytest.approx((1 + 5 * 16) * 2 / 10)


def test_a_shared_result_is_kept_by_its_readers() -> None:
    definition = scan(3 * GB)
    column = e.Column(next(_ids), "r", BIGINT)
    reader = nodes.CteScan(cte_id=1, name="c", columns=(column,), positions=(0,), rows=definition.rows)
    made = nodes.Cte(cte_id=1, name="c", definition=definition, body=reader, rows=definition.rows)
    profile = replace(PROFILES["h200"], gpu_limit=1 * GB)
    memory = DeviceMemoryModel(profile, node_bytes)
    assert (memory.beyond(reader), memory.beyond(made), memory.held(made)) == (2 * GB, 0.0, 3 * GB)
    assert CostModel(profile).seconds(reader, Device.GPU) > 0
    assert CostModel(profile).seconds(reader, Device.CPU) == 0


JOINED = "SELECT count(*) FROM range(2000000000) a JOIN range(400000000) b ON a.range = b.range"


def explained(sql: str, limit: str) -> dict[str, dict[str, Any]]:
    """The nodes of a plan for a machine with a GPU, by operator."""
    found: dict[str, dict[str, Any]] = {}

    def visit(node: dict[str, Any]) -> None:
        found[node["operator"]] = node
        for child in node["inputs"]:
            visit(child)

    with tandemdb.connect() as con:
        con.execute(f"SET gpu_profile = 'h200'; SET gpu_memory_limit = '{limit}'")
        ((_, text),) = con.execute(f"EXPLAIN (FORMAT json) {sql}").fetchall()
    visit(json.loads(text)["plan"])
    return found


def test_a_plan_far_beyond_the_memory_goes_to_the_cpu_and_says_so() -> None:
    near = explained(JOINED, "none")["HashJoin INNER"]
    assert near["device"] == "GPU"
    assert "memory" not in near["reason"]
    far = explained(JOINED, "1GB")
    assert far["HashJoin INNER"]["device"] == "CPU"
    told = "less than on the GPU; rows of its right side would leave the GPU's memory: 3.0 GiB of 953.7 MiB"
    assert far["HashJoin INNER"]["reason"].endswith(told)
    assert not any("memory" in node["reason"] for name, node in far.items() if name != "HashJoin INNER")


def test_what_stays_on_the_gpu_says_that_rows_leave() -> None:
    node = explained("SELECT range FROM range(400000000) ORDER BY range DESC", "1GB")["Sort"]
    assert node["device"] == "GPU"
    assert node["reason"].endswith("; rows leave the GPU's memory: 3.0 GiB of 953.7 MiB")
