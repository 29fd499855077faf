"""Placement: a device for every node, with the reason, and a Transfer wherever rows change sides.

Dynamic programming over the plan: for each node and each device the cheapest cost of the subtree with that
node's output on that device, where a child on the other device adds a transfer. So a query never crosses the
link for one small operator. The definition of a CTE is a cut point: it gets its own cheapest device, and its
readers pay a transfer if they are on the other one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from ..planner.estimation import type_width
from . import nodes
from .backend import YES, Capability, Support
from .batch import Device
from .nodes import Node
from .profiles import HardwareProfile

_KINDS: dict[type[Node], str] = {
    nodes.TableScan: "scan",
    nodes.Filter: "filter",
    nodes.Project: "project",
    nodes.HashJoin: "join",
    nodes.NestedLoopJoin: "join",
    nodes.HashAggregate: "aggregate",
    nodes.Sort: "sort",
    nodes.TopN: "sort",
}


@dataclass(frozen=True)
class PlacementContext:
    """What placement decides by: the `device` setting (auto, cpu, gpu), the machine's profile, and what each
    device's backend can run (the CPU's runs every node). `absent` says in words why the GPU cannot be used at
    all, when it cannot.
    """

    mode: str
    profile: HardwareProfile
    capabilities: Mapping[Device, Capability]
    absent: str = "this machine has no GPU"


@dataclass
class _Option:
    seconds: float
    children: tuple[Device, ...]


@dataclass
class _State:
    context: PlacementContext
    support: dict[tuple[int, Device], Support] = field(default_factory=dict)
    options: dict[int, Mapping[Device, _Option]] = field(default_factory=dict)
    ctes: dict[int, Device] = field(default_factory=dict)


def place(root: Node, context: PlacementContext) -> Node:
    """The plan with `device` and `reason` set on every node and Transfers inserted; its output is on the
    CPU.
    """
    if context.mode == "cpu":
        return _all_cpu(root, "SET device = 'cpu'")
    if Device.GPU not in context.capabilities or not context.profile.has_gpu:
        return _all_cpu(root, context.absent)
    state = _State(context)
    options = _options(root, state)
    best = _cheapest(options, root, state, Device.CPU)
    placed = _assign(root, best, state)
    return placed if best is Device.CPU else _transfer(placed, Device.CPU)


def _all_cpu(root: Node, reason: str) -> Node:
    return nodes.transform_nodes(root, lambda n: replace(n, device=Device.CPU, reason=reason))


def _transfer(node: Node, to: Device) -> Node:
    what = "rows are needed on the " + to.value
    return nodes.Transfer(input=node, device=to, reason=what, rows=node.rows, bytes=node.bytes)


def _options(node: Node, state: _State) -> Mapping[Device, _Option]:
    if isinstance(node, nodes.Cte):
        definition = _options(node.definition, state)
        if state.context.mode == "gpu" and Device.GPU in definition:
            state.ctes[node.cte_id] = Device.GPU
        else:
            state.ctes[node.cte_id] = min(definition, key=lambda d: definition[d].seconds)
        body = _options(node.body, state)
        found = {
            device: _Option(option.seconds, (state.ctes[node.cte_id], device))
            for device, option in body.items()
        }
        state.options[id(node)] = found
        return found
    below = [_options(child, state) for child in node.inputs]
    found = {}
    for device, capability in state.context.capabilities.items():
        # Reading a CTE's rows is no operator: wherever they lie, they can be read or moved.
        support = YES if isinstance(node, nodes.CteScan) else capability.supports(node)
        state.support[id(node), device] = support
        if not support:
            continue
        chosen = tuple(
            _cheapest(options, child, state, device)
            for options, child in zip(below, node.inputs, strict=True)
        )
        seconds = _node_seconds(node, device, state) + sum(
            options[d].seconds + _moving(child, d, device, state)
            for options, d, child in zip(below, chosen, node.inputs, strict=True)
        )
        found[device] = _Option(seconds, chosen)
    assert found, "the CPU runs every node"
    state.options[id(node)] = found
    return found


def _cheapest(options: Mapping[Device, _Option], node: Node, state: _State, target: Device) -> Device:
    """The device for `node` when its rows are wanted on `target`. With SET device = 'gpu' the GPU whenever it
    can.
    """
    if state.context.mode == "gpu" and Device.GPU in options:
        return Device.GPU
    return min(options, key=lambda d: options[d].seconds + _moving(node, d, target, state))


def _moving(node: Node, source: Device, target: Device, state: _State) -> float:
    return 0.0 if source is target else state.context.profile.transfer_seconds(node.bytes)


def _node_seconds(node: Node, device: Device, state: _State) -> float:
    profile = state.context.profile
    if isinstance(node, nodes.CteScan):
        return _moving(node, state.ctes.get(node.cte_id, Device.CPU), device, state)
    size = input_bytes(node)
    kind = _KINDS.get(type(node), "other")
    if device is Device.CPU:
        return profile.cpu_seconds(kind, size)
    # A scan on the GPU reads what storage holds over the link.
    over_link = profile.transfer_seconds(size) if isinstance(node, nodes.TableScan) else 0.0
    return profile.gpu_seconds(kind, size) + over_link


def input_bytes(node: Node) -> float:
    """Estimated bytes an operator works on: its inputs', for a scan what it reads."""
    if isinstance(node, nodes.TableScan):
        read = sum(type_width(c.type) for c in (*node.columns, *node.hidden))
        return node.table.stats().rows * read
    return sum(child.bytes for child in node.inputs) or node.bytes


def _assign(node: Node, device: Device, state: _State) -> Node:
    option = state.options[id(node)][device]
    children = []
    for child, own in zip(node.inputs, option.children, strict=True):
        placed = _assign(child, own, state)
        cut = isinstance(node, nodes.Cte) and child is node.definition
        children.append(placed if own is device or cut else _transfer(placed, device))
    new = nodes.with_inputs(node, tuple(children))
    return replace(new, device=device, reason=_reason(node, device, state))


def _reason(node: Node, device: Device, state: _State) -> str:
    other = Device.CPU if device is Device.GPU else Device.GPU
    elsewhere = state.support.get((id(node), other), YES)
    if not elsewhere:
        return "; ".join(elsewhere.reasons)
    if state.context.mode == "gpu":
        return "SET device = 'gpu'" if device is Device.GPU else "its input is there"
    options = state.options[id(node)]
    if other not in options:
        return "the only device that can"
    mine, theirs = options[device].seconds, options[other].seconds
    if device is Device.CPU and mine >= theirs:
        return "moving its rows would cost more than it saves"
    return f"estimated {seconds(mine)} against {seconds(theirs)} on the {other.value}"


def seconds(value: float) -> str:
    """A duration for people.

    >>> seconds(0.0123)
    '12 ms'
    """
    if value >= 1:
        return f"{value:.1f} s"
    return f"{value * 1e3:.0f} ms" if value >= 1e-3 else f"{value * 1e6:.0f} us"
