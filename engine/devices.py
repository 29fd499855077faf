"""Which devices this process has, and what placement plans for."""

from __future__ import annotations

from ..gpu_exec.support import GpuSupport
from ..physical.batch import Device
from ..physical.nodes import Node, walk_nodes
from ..physical.placement import PlacementContext
from ..physical.profiles import PROFILES, HardwareProfile
from ..planner.messages_settings import fallback_refused
from .explain.describe_node import title
from .settings import SettingValues, usable_cores

NO_GPU_OPERATORS = "no GPU operator is built yet"


def placement_context(settings: SettingValues, *, explaining: bool) -> PlacementContext:
    """What to place a query by. `explaining`: plan for the machine that `gpu_profile` names; else for this
    process, which runs everything on the CPU."""
    name = settings["gpu_profile"]
    mode = settings["device"]
    if explaining and name != "none":
        profile = PROFILES[name]
        return PlacementContext(mode, profile, GpuSupport(), f"profile {name} has no GPU")
    here = HardwareProfile("local", usable_cores())
    return PlacementContext("auto" if mode == "gpu" else mode, here, None, NO_GPU_OPERATORS)


def fallbacks(root: Node, settings: SettingValues) -> list[str]:
    """The operators that were asked onto the GPU (SET device = 'gpu') and will run on the CPU, with the
    reason.

    With SET on_fallback = 'error' there must be none: NotSupportedError names the first.
    """
    if settings["device"] != "gpu":
        return []
    found = [f"{title(n)}: {NO_GPU_OPERATORS}" for n in walk_nodes(root) if n.device is Device.CPU]
    if found and settings["on_fallback"] == "error":
        raise fallback_refused(found[0], len(found))
    return found
