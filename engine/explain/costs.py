"""What EXPLAIN (COST) shows: the estimated cost of every node on each device, and of the whole plan as it was
placed, forced to the CPU and forced to the GPU.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from ...physical.batch import Device
from ...physical.cost import CostModel, plan_seconds
from ...physical.nodes import Bridge, Node, Transfer, walk_nodes
from ...physical.placement import PlacementContext, place, seconds

# A node's seconds by device; without those of a device that cannot run it.
NodeCost = Mapping[Device, float]


@dataclass(frozen=True)
class PlanCosts:
    """Estimated seconds: `chosen` of the plan as placed, `cpu` of the same plan on the CPU, `gpu` of
    everything that the GPU can run on it (None without a GPU, `no_gpu` says why), and of each node by
    `op_id`.
    """

    profile: str
    origin: str
    chosen: float
    cpu: float
    gpu: float | None
    no_gpu: str
    nodes: Mapping[int, NodeCost]


def plan_costs(placed: Node, unplaced: Node, context: PlacementContext) -> PlanCosts:
    """The costs of a plan that `place` made of `unplaced`."""
    profile = context.profile
    forced = {
        mode: plan_seconds(place(unplaced, replace(context, mode=mode)), profile) for mode in ("cpu", "gpu")
    }
    model = CostModel(profile)
    return PlanCosts(
        profile.name,
        profile.origin,
        plan_seconds(placed, profile),
        forced["cpu"],
        forced["gpu"] if context.has_gpu else None,
        "" if context.has_gpu else context.absent,
        {node.op_id: _node_cost(node, model, context) for node in walk_nodes(placed)},
    )


def _node_cost(node: Node, model: CostModel, context: PlacementContext) -> NodeCost:
    if isinstance(node, (Bridge, Transfer)):
        return {node.device: model.seconds(node, node.device)}
    devices = [d for d, c in context.capabilities.items() if c.supports(node)]
    if not context.has_gpu:
        devices = [Device.CPU]
    return {device: model.seconds(node, device) for device in devices}


def node_cost_text(cost: NodeCost) -> str:
    """A node's costs in a line.

    >>> node_cost_text({Device.CPU: 0.25, Device.GPU: 0.002})
    'cost: 250 ms on the CPU, 2.0 ms on the GPU'
    """
    return "cost: " + ", ".join(f"{seconds(value)} on the {device.value}" for device, value in cost.items())


def summary_text(costs: PlanCosts) -> str:
    """The whole plan's costs in a line."""
    gpu = costs.no_gpu if costs.gpu is None else f"on the GPU wherever it can {seconds(costs.gpu)}"
    return (
        f"cost on {costs.profile} ({costs.origin}): as placed {seconds(costs.chosen)}; "
        f"on the CPU {seconds(costs.cpu)}; {gpu}"
    )


def summary_json(costs: PlanCosts) -> dict[str, Any]:
    """The whole plan's costs as an object."""
    return {
        "profile": costs.profile,
        "origin": costs.origin,
        "seconds": costs.chosen,
        "cpu_seconds": costs.cpu,
        "gpu_seconds": costs.gpu,
        **({"no_gpu": costs.no_gpu} if costs.gpu is None else {}),
    }


def node_cost_json(cost: NodeCost) -> dict[str, float | None]:
    """A node's costs as an object; null for a device that cannot run it."""
    return {f"{device.value.lower()}_seconds": cost.get(device) for device in Device}
