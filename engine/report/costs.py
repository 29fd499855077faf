"""What operators and plans are estimated to cost on the report's machine: placement's own numbers."""

from __future__ import annotations

from ...physical import nodes
from ...physical.batch import Device
from ...physical.cost import CostModel, node_bytes, scan_bytes
from ...physical.nodes import Node
from ...physical.profiles import HardwareProfile


class Costs:
    """Costs of the nodes of one plan on a machine."""

    def __init__(self, profile: HardwareProfile) -> None:
        self._model = CostModel(profile)

    def seconds(self, node: Node, device: Device) -> float:
        """Seconds of a node itself on a device, its inputs' rows being there. A bridge on the CPU is what it
        evaluates, on the GPU it is also what it moves.
        """
        return self._model.seconds(node, device)

    def plan(self, root: Node) -> float:
        """Seconds of a placed plan: its nodes where they are, and its transfers."""
        return sum(self.seconds(node, node.device) for node in nodes.walk_nodes(root))

    def read(self, node: Node) -> float:
        """Bytes a node works on: its inputs' rows, or what a scan reads."""
        if isinstance(node, nodes.TableScan):
            return scan_bytes(node)
        return sum(map(node_bytes, node.inputs)) or node_bytes(node)
