"""A query placed for the report's machine: its operators, their costs, and why they are where they are."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from ...physical import nodes
from ...physical.backend import Capability, Support, topic
from ...physical.batch import Device
from ...physical.nodes import Node
from ...physical.placement import PlacementContext, place
from ..explain.describe_node import details, title
from ..explain.text import link_bytes
from ..planning import Planned
from .costs import Costs
from .model import Cause, Kind, Operator, QueryPlan

_CHEAPER = "the GPU could run it; the CPU is estimated to be as fast, counting the rows that would move"


# Nodes that only say where rows are.
_PLACES = (nodes.Transfer, nodes.CteScan)


@dataclass(frozen=True)
class Without:
    """A device that does not mind reasons of one topic: what if they were gone?"""

    inner: Capability
    topic: str

    @property
    def device(self) -> Device:
        """The inner one's."""
        return self.inner.device

    def supports(self, node: Node) -> Support:
        return Support(tuple(r for r in self.inner.supports(node).reasons if topic(r) != self.topic))


def query_plan(planned: Planned, context: PlacementContext) -> QueryPlan:
    """What the report says of a query that was planned with this context."""
    costs, gpu = Costs(context.profile), context.capabilities[Device.GPU]
    operators = tuple(_operators(planned.root, context, costs))
    seconds = costs.plan(planned.root)
    alone = place(planned.created, replace(context, mode="cpu"))
    topics = dict.fromkeys(c.topic for o in operators for c in o.causes if c.kind is Kind.UNSUPPORTED)
    saved = {}
    for gone in topics:
        other = {**context.capabilities, Device.GPU: Without(gpu, gone)}
        changed = place(planned.created, replace(context, capabilities=other))
        saved[gone] = max(0.0, seconds - costs.plan(changed))
    up, down = link_bytes(planned.root)
    return QueryPlan(planned.root, operators, seconds, costs.plan(alone), up, down, saved)


def _operators(root: Node, context: PlacementContext, costs: Costs) -> Iterator[Operator]:
    gpu = context.capabilities[Device.GPU]
    order = [(node, depth) for node, depth in _preorder(root)]
    numbers = {id(node): number for number, (node, _) in enumerate(order, 1)}
    for node, depth in order:
        support = gpu.supports(node)
        on_gpu = costs.seconds(node, Device.GPU) if support else None
        yield Operator(
            number=numbers[id(node)],
            depth=depth,
            inputs=tuple(numbers[id(child)] for child in node.inputs),
            title=title(node),
            details=tuple(details(node)),
            device=_device(node).value,
            reason=node.reason,
            causes=tuple(_causes(node, support, context)),
            rows=node.rows,
            bytes=node.bytes,
            input_bytes=costs.read(node),
            cpu_seconds=costs.seconds(node, Device.CPU),
            gpu_seconds=on_gpu,
            moves=isinstance(node, _PLACES),
        )


def _device(node: Node) -> Device:
    """Where a node's own work is done: a bridge's on the CPU, though its rows stay on the GPU."""
    return Device.CPU if isinstance(node, nodes.Bridge) else node.device


def _preorder(root: Node) -> Iterator[tuple[Node, int]]:
    stack = [(root, 0)]
    while stack:
        node, depth = stack.pop()
        yield node, depth
        stack.extend((child, depth + 1) for child in reversed(node.inputs))


def _causes(node: Node, support: Support, context: PlacementContext) -> Iterator[Cause]:
    if isinstance(node, nodes.Bridge):
        for reason in dict.fromkeys(r for reasons in node.why for r in reasons):
            yield Cause(Kind.UNSUPPORTED, str(reason), topic(reason))
        return
    if node.device is not Device.CPU or isinstance(node, _PLACES):
        return
    if context.mode == "cpu":
        yield Cause(Kind.ASKED, node.reason, node.reason)
    elif not support:
        for reason in support.reasons:
            yield Cause(Kind.UNSUPPORTED, str(reason), topic(reason))
    else:
        yield Cause(Kind.COST, node.reason, _CHEAPER)
