"""Which devices this process has, and what placement plans for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..cpu_fallback.backend import CpuBackend
from ..gpu_exec.support import GpuSupport
from ..physical.backend import Backend
from ..physical.batch import Device
from ..physical.nodes import Node, walk_nodes
from ..physical.placement import PlacementContext
from ..physical.profiles import PROFILES, HardwareProfile
from .explain.describe_node import title
from .settings import usable_cores

NO_GPU_OPERATORS = "no GPU operator is built yet"


def backends() -> Mapping[Device, Backend]:
    """The backends that can run pipelines in this process."""
    return {Device.CPU: CpuBackend()}


def placement_context(settings: Mapping[str, Any], *, explaining: bool) -> PlacementContext:
    """What to place a query by. `explaining`: plan for the machine that `gpu_profile` names; else for this
    process, which runs everything on the CPU."""
    name = settings["gpu_profile"]
    mode = settings["device"]
    if explaining and name != "none":
        profile = PROFILES[name]
        table = {Device.CPU: CpuBackend(), Device.GPU: GpuSupport()}
        return PlacementContext(mode, profile, table, f"profile {name} has no GPU")
    here = HardwareProfile("local", usable_cores())
    return PlacementContext("auto" if mode == "gpu" else mode, here, backends(), NO_GPU_OPERATORS)


def asked_elsewhere(root: Node, settings: Mapping[str, Any]) -> list[tuple[int, str]]:
    """The operators (op_id, name) that were asked onto the GPU (SET device = 'gpu') and are placed on the
    CPU.
    """
    if settings["device"] != "gpu":
        return []
    return [(n.op_id, title(n)) for n in walk_nodes(root) if n.device is Device.CPU]
