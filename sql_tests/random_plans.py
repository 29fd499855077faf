"""Random physical plans with CTEs, random capabilities and machines, and the cheapest of all placements."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random

import numpy as np
from planner_catalog import MemoryTable
from tandemdb.cpu_fallback.backend import CpuBackend
from tandemdb.gpu_exec.support import node_expressions
from tandemdb.physical import nodes
from tandemdb.physical.backend import YES, Support
from tandemdb.physical.batch import Device
from tandemdb.physical.bridging import bridged
from tandemdb.physical.cost import CostModel
from tandemdb.physical.create import number
from tandemdb.physical.nodes import Node
from tandemdb.physical.placement import PlacementContext
from tandemdb.physical.profiles import KINDS, HardwareProfile, Rate
from tandemdb.planner import expr as e
from tandemdb.planner.catalog import TableColumn
from tandemdb.planner.logical import JoinKind
from tandemdb.planner.types import BIGINT, BOOLEAN, VARCHAR


@dataclass
class FakeGpu:
    """A GPU that cannot run nodes of some numbers, nor hold some columns, nor evaluate the function upper."""

    refused: frozenset[int] = frozenset()
    stuck: frozenset[int] = frozenset()
    device: Device = Device.GPU

    def supports(self, node: Node) -> Support:
        if isinstance(node, nodes.Transfer):
            stuck = any(column.id in self.stuck for column in node.schema)
            return Support(("a column",)) if stuck else YES
        if node.op_id in self.refused:
            return Support(("refused",))
        parts = (part for expr in node_expressions(node) for part in e.walk(expr))
        if any(isinstance(part, e.Call) and part.function == "upper" for part in parts):
            return Support(("upper",))
        return YES


@dataclass
class Builder:
    """Makes plans of at most `size` nodes."""

    random: Random
    size: int
    _ids: Iterator[int] = field(default_factory=lambda: itertools.count(1))
    _ctes: Iterator[int] = field(default_factory=itertools.count)

    def plan(self, size: int, ctes: tuple[nodes.Cte, ...] = ()) -> Node:
        """A plan of exactly `size` nodes, which may read the CTEs."""
        if size == 1:
            return self._leaf(ctes)
        kinds = ["unary"] if size < 3 else ["unary", "join", "union", "cte", "cte"]
        kind = self.random.choice(kinds)
        if kind == "unary":
            return self._unary(self.plan(size - 1, ctes))
        first = self.random.randint(1, size - 2)
        left = self.plan(first, ctes)
        if kind == "cte":
            made = nodes.Cte(cte_id=next(self._ctes), name="c", definition=left, body=left)
            body = self.plan(size - 1 - first, (*ctes, made))
            return nodes.Cte(cte_id=made.cte_id, name="c", definition=left, body=body, rows=body.rows)
        right = self.plan(size - 1 - first, ctes)
        rows = self._rows()
        if kind == "union":
            return nodes.UnionAll(branches=(left, right), columns=left.schema, rows=rows)
        keys = (nodes.JoinKey(e.ref(left.schema[0]), e.ref(right.schema[0])),)
        columns = (*left.schema, *right.schema)[: self.random.randint(2, 4)]
        kind_ = self.random.choice([JoinKind.INNER, JoinKind.LEFT])
        return nodes.HashJoin(kind=kind_, left=left, right=right, keys=keys, columns=columns, rows=rows)

    def _rows(self) -> float:
        return float(int(10 ** self.random.uniform(0, 8)))

    def _columns(self) -> tuple[e.Column, ...]:
        return tuple(
            e.Column(next(self._ids), f"c{place}", BIGINT if place == 0 else VARCHAR) for place in range(2)
        )

    def _leaf(self, ctes: tuple[nodes.Cte, ...]) -> Node:
        columns = self._columns()
        if ctes and self.random.random() < 0.7:
            cte = self.random.choice(ctes)
            schema = cte.definition.schema
            places = tuple(range(min(2, len(schema))))
            read = tuple(e.Column(next(self._ids), "r", schema[place].type) for place in places)
            rows = cte.definition.rows
            return nodes.CteScan(cte_id=cte.cte_id, name="c", columns=read, positions=places, rows=rows)
        rows = int(self._rows())
        table = MemoryTable("t", tuple(TableColumn(c.name, c.type) for c in columns), rows)
        return nodes.TableScan(table=table, columns=columns, names=("c0", "c1"), rows=float(rows))

    def _unary(self, below: Node) -> Node:
        key = e.ref(below.schema[0])
        texts = [e.ref(c) for c in below.schema if c.type == VARCHAR]
        share = below.rows * self.random.random()
        sort_key = (e.SortKey(key),)
        match self.random.randrange(5):
            case 0:
                value: e.Expr = e.Comparison(BOOLEAN, "=", key, key)
                if texts and self.random.random() < 0.5:
                    shouted = e.Call(VARCHAR, "upper", (texts[0],))
                    value = e.And(BOOLEAN, (value, e.Comparison(BOOLEAN, "=", shouted, texts[0])))
                return nodes.Filter(input=below, predicate=value, rows=share)
            case 1:
                computed = e.Call(BIGINT, "+", (key, key)) if key.type == BIGINT else key
                column = e.Column(next(self._ids), "p", key.type)
                rest = below.schema[1:]
                exprs = (computed, *(e.ref(c) for c in rest))
                return nodes.Project(input=below, columns=(column, *rest), exprs=exprs, rows=below.rows)
            case 2:
                column = e.Column(next(self._ids), "g", key.type)
                return nodes.HashAggregate(
                    input=below, group_columns=(column,), groups=(key,), call_columns=(), calls=(), rows=share
                )
            case 3:
                return nodes.Sort(input=below, keys=sort_key, rows=below.rows)
            case _:
                return nodes.TopN(input=below, keys=sort_key, limit=10, rows=min(10.0, below.rows))


def random_plan(random: Random, size: int) -> Node:
    """A plan of `size` nodes with estimates and numbers."""
    return number(Builder(random, size).plan(size))


def random_context(random: Random, root: Node) -> PlacementContext:
    """A machine on which it is not clear where a plan is cheaper."""

    def rates(spread: float) -> dict[str, Rate]:
        return {k: Rate(10 ** random.uniform(-1, spread), 10 ** random.uniform(-2, 0)) for k in KINDS}

    profile = HardwareProfile(
        "random",
        random.randint(1, 16),
        "a GPU",
        10 ** random.uniform(3, 10),
        10 ** random.uniform(8, 11),
        rates(2),
        rates(1),
        cpu_batch=10 ** random.uniform(-6, -3),
        gpu_batch=10 ** random.uniform(-6, -2),
        latency=10 ** random.uniform(-6, -2),
        host_memory=10 ** random.uniform(3, 10),
    )
    refused = frozenset(node.op_id for node in nodes.walk_nodes(root) if random.random() < 0.15)
    columns = {column.id for node in nodes.walk_nodes(root) for column in node.schema}
    gpu = FakeGpu(refused, frozenset(c for c in sorted(columns) if random.random() < 0.05))
    return PlacementContext("auto", profile, {Device.CPU: CpuBackend(), Device.GPU: gpu})


def forms(root: Node, gpu: FakeGpu) -> Iterator[Node]:
    """The plan with every choice of nodes in their bridged form."""
    fresh = itertools.count(10_000)
    chosen = [n for n in nodes.walk_nodes(root) if bridged(n, gpu, lambda: next(fresh)) is not None]
    for count in range(len(chosen) + 1):
        for some in itertools.combinations([n.op_id for n in chosen], count):

            def visit(node: Node, some: tuple[int, ...] = some) -> Node:
                if node.op_id not in some:
                    return node
                form = bridged(node, gpu, lambda: next(fresh))
                assert form is not None
                return form

            yield nodes.transform_nodes(root, visit)


def cheapest(root: Node, context: PlacementContext) -> float:
    """The cost of the cheapest placement, by trying every device for every node and every CTE."""
    gpu = context.capabilities[Device.GPU]
    assert isinstance(gpu, FakeGpu)
    return min(_cheapest_devices(form, context) for form in forms(root, gpu))


def _cheapest_devices(root: Node, context: PlacementContext) -> float:
    model = CostModel(context.profile)
    gpu = context.capabilities[Device.GPU]
    costs: list[tuple[float, float]] = []  # of each variable on the CPU and on the GPU
    edges: list[tuple[int, int, Node]] = []  # rows of a node go from one variable's device to another's

    def variable(on_cpu: float, on_gpu: float) -> int:
        costs.append((on_cpu, on_gpu))
        return len(costs) - 1

    def visit(node: Node, kept: dict[int, int]) -> int:
        """The variable that says where a node's rows are."""
        if isinstance(node, nodes.CteScan):
            place = kept[node.cte_id]
            on_cpu, on_gpu = costs[place]
            costs[place] = on_cpu, on_gpu + model.seconds(node, Device.GPU)
            return place
        if isinstance(node, nodes.Cte):
            place = variable(0.0, 0.0)
            edges.append((visit(node.definition, kept), place, node.definition))
            return visit(node.body, {**kept, node.cte_id: place})
        on_cpu = math.inf if isinstance(node, nodes.Bridge) else model.seconds(node, Device.CPU)
        own = variable(on_cpu, model.seconds(node, Device.GPU) if gpu.supports(node) else math.inf)
        edges.extend((visit(child, kept), own, child) for child in node.inputs)
        return own

    root_place = visit(root, {})
    edges.append((root_place, variable(0.0, math.inf), root))
    # One number an assignment: bit i says where variable i is.
    numbers = np.arange(2 ** len(costs))
    places = [(numbers >> place) & 1 for place in range(len(costs))]
    total = np.zeros(len(numbers))
    for place, pair in enumerate(costs):
        total += np.array(pair)[places[place]]
    for source, target, node in edges:
        movable = bool(gpu.supports(nodes.Transfer(input=node, device=Device.GPU)))
        up = model.moving(node, Device.CPU) if movable else math.inf
        moving = np.array([[0.0, up], [model.moving(node, Device.GPU), 0.0]])
        total += moving[places[source], places[target]]
    return float(total.min())
