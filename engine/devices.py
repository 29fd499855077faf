"""Which devices this process has, and what placement plans for."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from ..cpu_fallback.backend import CpuBackend
from ..gpu_exec import library
from ..gpu_exec.backend import GpuBackend
from ..gpu_exec.support import GpuSupport
from ..physical.backend import Backend
from ..physical.batch import Device
from ..physical.context import Fallback
from ..physical.nodes import Node, Transfer, walk_nodes
from ..physical.placement import PlacementContext
from ..physical.profiles import PROFILES, HardwareProfile
from .explain.describe_node import title
from .settings import usable_cores

# In plans; the whole reason comes with a query that was asked onto the GPU.
NO_GPU = "there is no GPU"
# What the GPU of this process is taken for until it has been measured.
_ASSUMED_GPU = PROFILES["l4"]


@functools.cache
def why_no_gpu() -> str | None:
    """Why this process cannot use a GPU, in words; None when it can. Looked at once."""
    return library.why_absent()


def backends() -> Mapping[Device, Backend]:
    """The backends that can run pipelines in this process."""
    found: dict[Device, Backend] = {Device.CPU: CpuBackend()}
    if why_no_gpu() is None:
        found[Device.GPU] = GpuBackend()
    return found


def placement_context(settings: Mapping[str, Any], *, explaining: bool) -> PlacementContext:
    """What to place a query by. `explaining`: plan for the machine that `gpu_profile` names; else for this
    process.
    """
    name = settings["gpu_profile"]
    mode = settings["device"]
    if explaining and name != "none":
        profile = PROFILES[name]
        table = {Device.CPU: CpuBackend(), Device.GPU: GpuSupport()}
        return PlacementContext(mode, profile, table, f"profile {name} has no GPU")
    if mode != "cpu" and why_no_gpu() is None:
        here = replace(_ASSUMED_GPU, name="local", cores=usable_cores())
        return PlacementContext(mode, here, backends())
    here = HardwareProfile("local", usable_cores())
    return PlacementContext("auto" if mode == "gpu" else mode, here, {Device.CPU: CpuBackend()}, NO_GPU)


def asked_elsewhere(root: Node, settings: Mapping[str, Any]) -> Iterator[Fallback]:
    """The operators that were asked onto the GPU (SET device = 'gpu') and are placed on the CPU."""
    if settings["device"] == "gpu":
        for node in walk_nodes(root):
            if node.device is Device.CPU and not isinstance(node, Transfer):
                yield Fallback(node.op_id, title(node), why_no_gpu() or node.reason)
