"""The cost model: the work of every node in rows and bytes of each kind, and its seconds on a machine.

Work is what an operator must look at: bytes are those of the estimated rows. On the CPU it is spread over the
cores, as far as there are rows for more than one. Every batch costs something however few rows it has: the
number of batches is that of the source whose rows flow through the node.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ..planner.estimation import type_width
from ..planner.expr import Column, Expr, Literal, children, conjuncts, walk
from . import nodes
from .batch import Device
from .device_memory import DeviceMemoryModel
from .nodes import Node
from .profiles import HardwareProfile
from .tables import MemoryTable, RangeTable

# Rows of a batch, as the settings `batch_size` and `gpu_batch_size` have them by default; and the rows that
# are worth a second core.
BATCH_ROWS = {Device.CPU: 122_880, Device.GPU: 1 << 23}
ROWS_A_CORE = 50_000


class Work(NamedTuple):
    """Rows and bytes of one kind of work (`profiles.KINDS`)."""

    kind: str
    rows: float
    bytes: float


def width(columns: Iterable[Column]) -> float:
    """Estimated bytes of a row of these columns."""
    return sum(type_width(c.type) for c in columns)


def work_of(node: Node) -> tuple[Work, ...]:
    """What a node does to its estimated rows. Nothing for nodes that only say where rows are."""
    return _WORK.get(type(node), _copied)(node)


def node_bytes(node: Node) -> float:
    """Estimated bytes of a node's rows."""
    return node.rows * width(node.schema)


def bridge_bytes(node: nodes.Bridge) -> tuple[float, float]:
    """Estimated bytes that a bridge moves to the host and back."""
    return node.rows * width(node.needed), node.rows * width(node.columns)


def expression_work(exprs: Iterable[Expr], rows: float) -> Work:
    """Evaluating expressions over rows: each function reads its arguments and writes its result."""
    count, size = 0, 0.0
    for expr in exprs:
        for part in walk(expr):
            below = children(part)
            if below:
                count += 1
                arguments = (b for b in below if not isinstance(b, Literal))
                size += type_width(part.type) + sum(type_width(a.type) for a in arguments)
    return Work("expression", rows * count, rows * size)


def scan_bytes(node: nodes.TableScan) -> float:
    """Estimated bytes a scan reads."""
    return node.table.stats().rows * width((*node.columns, *node.hidden))


def over_link(node: Node) -> float:
    """Estimated bytes that a scan on the GPU fetches from the host: nothing where rows are made up."""
    if not isinstance(node, nodes.TableScan) or isinstance(node.table, RangeTable):
        return 0.0
    return scan_bytes(node)


def _scan(node: nodes.TableScan) -> tuple[Work, ...]:
    rows = node.table.stats().rows
    # Rows in memory are taken as they are.
    read = () if isinstance(node.table, MemoryTable) else (Work("scan", rows, scan_bytes(node)),)
    return (*read, *_filtering(node.predicate, rows, rows * width(node.columns)))


def _filtering(predicate: Expr | None, rows: float, size: float) -> tuple[Work, ...]:
    if predicate is None:
        return ()
    return Work("filter", rows, size), expression_work((predicate,), rows)


def _filter(node: nodes.Filter) -> tuple[Work, ...]:
    return _filtering(node.predicate, node.input.rows, node_bytes(node.input))


def _project(node: nodes.Project) -> tuple[Work, ...]:
    return (expression_work(node.exprs, node.rows),)


def _join_output(node: nodes.Join) -> Work:
    return Work("other", node.rows, node_bytes(node))


def _hash_join(node: nodes.HashJoin) -> tuple[Work, ...]:
    keys = (*node.keys, *node.mark_keys)
    rest = (*conjuncts(node.residual), *node.mark_rest)
    return (
        Work("build", node.right.rows, node_bytes(node.right)),
        Work("probe", node.left.rows, node_bytes(node.left)),
        expression_work((k.left for k in keys), node.left.rows),
        expression_work((k.right for k in keys), node.right.rows),
        expression_work(rest, max(node.rows, node.left.rows)),
        _join_output(node),
    )


def _loop_join(node: nodes.NestedLoopJoin) -> tuple[Work, ...]:
    pairs = node.left.rows * node.right.rows
    terms = (*conjuncts(node.condition), *node.mark_terms)
    return Work("pairs", pairs, 0.0), expression_work(terms, pairs), _join_output(node)


def _aggregate(node: nodes.HashAggregate) -> tuple[Work, ...]:
    rows = node.input.rows
    # Without groups a call is a function of its column; with groups every row must find its own first.
    computed = expression_work((*node.groups, *node.calls), rows)
    found = (Work("aggregate", rows, node_bytes(node.input)),) if node.groups else ()
    return (*found, computed, _output(node))


def _output(node: Node) -> Work:
    return Work("other", node.rows, node_bytes(node))


def _sort(node: nodes.Sort | nodes.TopN) -> tuple[Work, ...]:
    rows = node.input.rows
    kept = rows if isinstance(node, nodes.Sort) else min(rows, node.limit + node.offset)
    steps = rows * math.log2(max(2.0, kept))
    return Work("sort", steps, node_bytes(node.input)), expression_work((k.expr for k in node.keys), rows)


def _window(node: nodes.Window) -> tuple[Work, ...]:
    """One sort by partition and order, then every call looks at every row."""
    rows = node.input.rows
    sorting = rows * math.log2(max(2.0, rows)) if node.partition or node.order else 0.0
    computed = expression_work(node.calls, rows)
    return Work("sort", sorting, node_bytes(node.input)), computed, _output(node)


def _unnest(node: nodes.Unnest) -> tuple[Work, ...]:
    return expression_work(node.lists, node.input.rows), _output(node)


def _bridge(node: nodes.Bridge) -> tuple[Work, ...]:
    """The CPU's part."""
    return (expression_work(node.exprs, node.rows),)


def _copied(node: Node) -> tuple[Work, ...]:
    return (_output(node),)


def _nothing(node: Node) -> tuple[Work, ...]:
    return ()


_WORK: dict[type[Node], Callable[[Any], tuple[Work, ...]]] = {
    nodes.TableScan: _scan,
    nodes.Filter: _filter,
    nodes.Project: _project,
    nodes.HashJoin: _hash_join,
    nodes.NestedLoopJoin: _loop_join,
    nodes.HashAggregate: _aggregate,
    nodes.Sort: _sort,
    nodes.TopN: _sort,
    nodes.Window: _window,
    nodes.Unnest: _unnest,
    nodes.UnionAll: _nothing,
    nodes.Cte: _nothing,
    nodes.CteScan: _nothing,
    nodes.Recursion: _nothing,
    nodes.WorkingScan: _nothing,
    nodes.Bridge: _bridge,
    nodes.Transfer: _nothing,
}
# Nodes whose rows leave in batches of their own; those of all others flow on in the batches they came in.
_BREAKERS = (nodes.HashAggregate, nodes.Sort, nodes.Window, nodes.TopN, nodes.Limit)


@dataclass
class CostModel:
    """Seconds of nodes on a machine. Nodes are remembered by identity: one model a plan."""

    profile: HardwareProfile
    memory: DeviceMemoryModel = field(init=False)
    _flow: dict[int, tuple[Node, float]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.memory = DeviceMemoryModel(self.profile, node_bytes)

    def seconds(self, node: Node, device: Device) -> float:
        """Seconds of the node itself on a device, its inputs' rows being there. A transfer costs what moving
        its rows does, a bridge all that it does on both sides, and a node on the GPU also what has to leave
        its memory and come back.
        """
        if isinstance(node, nodes.Transfer):
            return self.moving(node.input, Device.CPU if node.device is Device.GPU else Device.GPU)
        if isinstance(node, nodes.Cte):
            return 0.0
        if isinstance(node, nodes.CteScan):
            return self.memory.seconds(node, 1.0) if device is Device.GPU else 0.0
        work = work_of(node)
        fetched = over_link(node) if device is Device.GPU else 0.0
        if not fetched and not any(w.rows or w.bytes for w in work):
            return 0.0
        profile = self.profile
        batches = sum(self.batches(child, device) for child in node.inputs) or self.batches(node, device)
        if device is Device.CPU:
            return self._on_cores(node, work, batches)
        if isinstance(node, nodes.Bridge):
            beside = self._on_cores(node, work, batches)
            return beside + sum(profile.transfer_seconds(size, batches) for size in bridge_bytes(node))
        own = sum(profile.gpu[w.kind].seconds(w.rows, w.bytes) for w in work)
        link = profile.transfer_seconds(fetched, batches) if fetched else 0.0
        leaving = self.memory.seconds(node, self.batches(node.inputs[0], device)) if node.inputs else 0.0
        return own + batches * profile.gpu_batch + link + leaving

    def _on_cores(self, node: Node, work: Iterable[Work], batches: float) -> float:
        profile = self.profile
        seconds = sum(profile.cpu[w.kind].seconds(w.rows, w.bytes) for w in work)
        rows = max(map(self.flow, node.inputs), default=self.flow(node))
        cores = min(profile.cores, 1.0 + rows / ROWS_A_CORE)
        return (seconds + batches * profile.cpu_batch) / cores

    def moving(self, node: Node, source: Device) -> float:
        """Seconds to move a node's rows from one device to the other."""
        return self.profile.transfer_seconds(node_bytes(node), self.batches(node, source))

    def batches(self, node: Node, device: Device) -> float:
        """Batches in which a node's rows leave it, at least one."""
        return max(1.0, math.ceil(self.flow(node) / BATCH_ROWS[device]))

    def flow(self, node: Node) -> float:
        """Rows of the source that flow out of a node in batches, few of which may be left."""
        found = self._flow.get(id(node))
        if found is None:
            found = self._flow[id(node)] = node, self._flowing(node)
        return found[1]

    def _flowing(self, node: Node) -> float:
        if isinstance(node, nodes.TableScan):
            return node.table.stats().rows
        if isinstance(node, nodes.UnionAll):
            return max(node.rows, sum(map(self.flow, node.branches)))
        # These pass on what comes, in the plan with transfers as in the one without.
        if isinstance(node, (nodes.Cte, nodes.Transfer)):
            return self.flow(node.inputs[-1])
        if isinstance(node, nodes.Join):
            return max(node.rows, self.flow(node.left))
        if isinstance(node, _BREAKERS) or not node.inputs:
            return node.rows
        return max(node.rows, self.flow(node.inputs[0]))


def plan_seconds(root: Node, profile: HardwareProfile) -> float:
    """The cost of a placed plan: its nodes where they are, and its transfers."""
    model = CostModel(profile)
    return sum(model.seconds(node, node.device) for node in nodes.walk_nodes(root))
