"""What a plan's nodes are estimated to keep in the GPU's memory, and how much of it has to leave.

A node's *state* is what it keeps until it ends: the right side of a join, groups, sorted rows, the rows of a
CTE. It lies beside the state of nodes below it that is still needed: the right sides of the joins that feed
the same pipeline, and the rows that a finished node gives out. All of that is taken to be on the GPU, so that
it is a property of the node and not of where other nodes are placed. A node answers for what goes beyond the
budget by its own state only, so the sum over the nodes is what leaves in all.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from . import nodes
from .memory import human_bytes
from .nodes import Node
from .profiles import HardwareProfile

# A batch is meant to be this part of the budget (see gpu_exec.memory): so often a join's right side that is
# away is brought back.
BATCHES_IN_BUDGET = 16
# What is less than this part of the budget is not worth a word.
_MENTIONED = 0.01


@dataclass
class DeviceMemoryModel:
    """The memory of a machine's GPU. Nodes are remembered by identity; `size` gives a node's bytes."""

    profile: HardwareProfile
    size: Callable[[Node], float]
    _held: dict[int, tuple[Node, float]] = field(default_factory=dict)

    def state(self, node: Node) -> float:
        """Bytes that the node keeps until it ends."""
        match node:
            case nodes.Join():
                return self.size(node.right)
            case nodes.HashAggregate() if any(call.distinct or call.order_by for call in node.calls):
                return max(self.size(node), self.size(node.input))
            case nodes.HashAggregate() | nodes.TopN() | nodes.CteScan():
                return self.size(node)
            case nodes.Sort() | nodes.Window():
                return self.size(node.input)
        return 0.0

    def at_once(self, node: Node) -> float:
        """Bytes in the GPU's memory while the node works: its state, and that of others beside it."""
        match node:
            case nodes.CteScan():
                return self.state(node)
            case nodes.Join():
                # While it is filled, and while rows are looked up in it.
                return self.state(node) + max(self.held(node.left), self.held(node.right))
        return self.state(node) + sum(map(self.held, node.inputs))

    def beyond(self, node: Node) -> float:
        """Bytes that have to leave for the node's state."""
        state = self.state(node)
        return min(state, max(0.0, self.at_once(node) - self.profile.gpu_budget)) if state else 0.0

    def seconds(self, node: Node, batches: float) -> float:
        """Seconds for what has to leave and come back; a join's right side for each of so many batches."""
        leaves = self.beyond(node)
        if not leaves:
            return 0.0
        returns = 1.0
        if isinstance(node, nodes.Join):
            smaller = self.size(node.left) * BATCHES_IN_BUDGET / self.profile.gpu_budget
            returns = max(1.0, batches, smaller)
        profile = self.profile
        on_disk = min(leaves, max(0.0, self.at_once(node) - profile.gpu_budget - profile.host_memory))
        return (1.0 + returns) * (leaves / profile.link_bandwidth + on_disk / profile.disk_bandwidth)

    def told(self, node: Node, *, there: bool) -> str | None:
        """In words what leaves the GPU's memory for the node; None when that is next to nothing. `there`: it
        is placed there.
        """
        if self.beyond(node) <= _MENTIONED * self.profile.gpu_budget:
            return None
        at_once, budget = human_bytes(self.at_once(node)), human_bytes(self.profile.gpu_budget)
        leave = "leave" if there else "would leave"
        return f"{_what(node)} {leave} the GPU's memory: {at_once} of {budget}"

    def held(self, node: Node) -> float:
        """Bytes that stay in the GPU's memory while the node's rows are given out."""
        found = self._held.get(id(node))
        if found is None:
            found = self._held[id(node)] = node, self._holding(node)
        return found[1]

    def _holding(self, node: Node) -> float:
        match node:
            case nodes.Join():
                return self.state(node) + self.held(node.left)
            case nodes.HashAggregate() | nodes.Window():
                return self.size(node)
            case nodes.Sort() | nodes.TopN() | nodes.CteScan():
                return self.state(node)
            case nodes.Cte():
                return self.held(node.body)
        return sum(map(self.held, node.inputs))


def _what(node: Any) -> str:
    match node:
        case nodes.Join():
            return "rows of its right side"
        case nodes.HashAggregate():
            return "groups"
    return "rows"
