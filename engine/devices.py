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
from ..physical.memory import machine_memory
from ..physical.nodes import Bridge, CteScan, Node, Transfer, walk_nodes
from ..physical.placement import PlacementContext
from ..physical.profiles import PROFILES, HardwareProfile
from ..planner import messages_settings as messages
from ..planner.errors import GpuWarning
from .explain.describe_node import title
from .profile_files import LOCAL, find_profile, measured_here
from .settings import usable_cores

# In plans; the whole reason comes with a query that was asked onto the GPU.
NO_GPU = "there is no GPU"
# What the GPU of this process is taken for until it has been measured.
_ASSUMED_GPU = PROFILES["l4"]
# Nodes that only say where rows are.
_NO_OPERATORS = (CteScan, Transfer)


@functools.cache
def why_no_gpu() -> str | None:
    """Why this process cannot use a GPU, in words; None when it can. Looked at once."""
    return library.why_absent()


def device_notice(settings: Mapping[str, Any]) -> GpuWarning | None:
    """What to tell whoever has just chosen the device: SET device = 'gpu' needs a GPU.

    Without one it is a warning, or with on_fallback = 'error' a SettingsError: a script for a machine with a
    GPU also runs without one, unless fallbacks are fatal.
    """
    if settings["device"] != "gpu" or (why := why_no_gpu()) is None:
        return None
    if settings["on_fallback"] == "error":
        raise messages.no_gpu(why)
    return messages.runs_on_cpu(why)


def backends() -> Mapping[Device, Backend]:
    """The backends that can run pipelines in this process."""
    found: dict[Device, Backend] = {Device.CPU: CpuBackend()}
    if why_no_gpu() is None:
        found[Device.GPU] = GpuBackend()
    return found


def placement_context(
    settings: Mapping[str, Any], *, explaining: bool, hinted: bool = False
) -> PlacementContext:
    """What to place a query by. `explaining`: plan for the machine that `gpu_profile` names; else for this
    process. `hinted`: a hint in the query set the device. SettingsError when a stored profile that is needed
    cannot be read.
    """
    name = settings["gpu_profile"]
    mode = settings["device"]
    if explaining and name != "none":
        profile = _limited(find_profile(name), settings)
        table = {Device.CPU: CpuBackend(), Device.GPU: GpuSupport()}
        return PlacementContext(mode, profile, table, f"profile {profile.name} has no GPU", hinted)
    # Without a GPU there is nothing to weigh, so that a damaged profile spoils no query.
    if mode != "cpu" and why_no_gpu() is None:
        return PlacementContext(mode, _limited(this_machine(), settings), backends(), hinted=hinted)
    measured = measured_here() if explaining else None
    here = measured or HardwareProfile(LOCAL, usable_cores())
    table = {Device.CPU: CpuBackend()}
    return PlacementContext("auto" if mode == "gpu" else mode, here, table, NO_GPU, hinted)


def _limited(profile: HardwareProfile, settings: Mapping[str, Any]) -> HardwareProfile:
    """The machine as queries may use it."""
    limit = settings["gpu_memory_limit"]
    return profile if limit is None else replace(profile, gpu_limit=float(limit))


def this_machine() -> HardwareProfile:
    """What this machine, which has a GPU, is taken for: as measured, else as assumed."""
    measured = measured_here()
    if measured is not None and measured.has_gpu:
        return measured
    return replace(_ASSUMED_GPU, name=LOCAL, cores=usable_cores(), host_memory=float(machine_memory()))


def asked_elsewhere(root: Node, settings: Mapping[str, Any]) -> Iterator[Fallback]:
    """What was asked onto the GPU (device = 'gpu') and is placed on the CPU: operators, and expressions that
    are bridged over it.
    """
    if settings["device"] != "gpu":
        return
    for node in walk_nodes(root):
        if isinstance(node, Bridge) or (node.device is Device.CPU and not isinstance(node, _NO_OPERATORS)):
            yield Fallback(node.op_id, title(node), why_no_gpu() or node.reason)
