"""Hardware profiles: what placement assumes of a machine. Pure data.

The work of operators is counted in rows and bytes of a few kinds (`KINDS`), see cost.py; a profile has a
rate for every kind on each device. Those named here are assumptions from data sheets (memory and link
bandwidths, times the traffic that such operators cause), not measurements: no profile with a GPU has been
tried on hardware. `tandemdb calibrate` measures a machine.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

GB = 1e9
# Share of the GPU's memory that queries may hold unless `gpu_memory_limit` says otherwise.
GPU_SHARE = 0.8

# What work is counted in, and what one row of it is.
KINDS: Mapping[str, str] = {
    "scan": "a row read from a table",
    "filter": "a row looked at by a filter",
    "expression": "a row for which one function or operator is evaluated",
    "build": "a row put into a join's table",
    "probe": "a row looked up in a join's table",
    "pairs": "a pair of rows compared by a nested-loop join",
    "aggregate": "a row added to its group",
    "sort": "a row times the binary logarithm of all rows",
    "other": "a row that is copied",
}


@dataclass(frozen=True, slots=True)
class Rate:
    """Nanoseconds for a row and for a byte of one kind of work."""

    row_ns: float
    byte_ns: float

    def seconds(self, rows: float, size: float) -> float:
        """Seconds for so many rows of together `size` bytes."""
        return (rows * self.row_ns + size * self.byte_ns) * 1e-9


# One CPU core.
CORE_RATES: Mapping[str, Rate] = {
    "scan": Rate(1.0, 1.5),
    "filter": Rate(1.0, 0.2),
    "expression": Rate(0.2, 0.15),
    "build": Rate(20.0, 0.6),
    "probe": Rate(12.0, 0.3),
    "pairs": Rate(0.5, 0.0),
    "aggregate": Rate(10.0, 0.4),
    "sort": Rate(6.0, 0.6),
    "other": Rate(0.5, 0.3),
}
# Bytes of device memory that a row and a byte of each kind read and write on a GPU.
_TRAFFIC: Mapping[str, tuple[float, float]] = {
    "scan": (0.0, 10.0),
    "filter": (4.0, 2.0),
    "expression": (1.0, 1.0),
    "build": (96.0, 4.0),
    "probe": (96.0, 4.0),
    "pairs": (1.0, 0.0),
    "aggregate": (96.0, 4.0),
    "sort": (8.0, 8.0),
    "other": (0.0, 2.0),
}


def bandwidth_rates(bandwidth: float) -> dict[str, Rate]:
    """Rates of a GPU whose memory gives `bandwidth` bytes a second."""
    scale = 1e9 / bandwidth
    return {kind: Rate(rows * scale, size * scale) for kind, (rows, size) in _TRAFFIC.items()}


@dataclass(frozen=True)
class HardwareProfile:
    """A machine. `cpu` has the rates of one core and `gpu` those of the device, by kind; `cpu_batch` and
    `gpu_batch` are seconds an operator costs for each batch, however few rows that has; `link_bandwidth` is
    bytes a second between host and device, `latency` seconds a transfer of a batch costs. A profile without
    a GPU has gpu_memory 0. `gpu_limit` is what queries may hold of that memory, if not the usual share. What
    leaves it goes to `host_memory`, and beyond that to a disk of `disk_bandwidth` bytes a second. `origin`
    says where the numbers are from.
    """

    name: str
    cores: int
    gpu_name: str = ""
    gpu_memory: float = 0.0
    link_bandwidth: float = 0.0
    cpu: Mapping[str, Rate] = field(default_factory=lambda: dict(CORE_RATES))
    gpu: Mapping[str, Rate] = field(default_factory=dict)
    cpu_batch: float = 40e-6
    gpu_batch: float = 100e-6
    latency: float = 30e-6
    host_memory: float = 64 * GB
    disk_bandwidth: float = 1 * GB
    gpu_limit: float | None = None
    origin: str = "assumed from data sheets"

    @property
    def has_gpu(self) -> bool:
        """Whether the machine has a GPU."""
        return self.gpu_memory > 0

    @property
    def gpu_budget(self) -> float:
        """Bytes of the GPU's memory that queries may hold."""
        if self.gpu_limit is None:
            return self.gpu_memory * GPU_SHARE
        return min(self.gpu_limit, self.gpu_memory)

    def transfer_seconds(self, size: float, batches: float) -> float:
        """Seconds to move `size` bytes in so many batches between host and device."""
        return batches * self.latency + size / self.link_bandwidth


def _gpu(
    name: str, cores: int, gpu_name: str, memory: float, bandwidth: float, link: float
) -> HardwareProfile:
    return HardwareProfile(name, cores, gpu_name, memory * GB, link * GB, gpu=bandwidth_rates(bandwidth * GB))


PROFILES: dict[str, HardwareProfile] = {
    p.name: p
    for p in (
        HardwareProfile("cpu-2", 2),
        _gpu("h200", 16, "NVIDIA H200", 141, 4800, 50),
        _gpu("h100", 16, "NVIDIA H100 SXM", 80, 3350, 50),
        _gpu("a100", 16, "NVIDIA A100 80GB", 80, 2039, 25),
        _gpu("l4", 8, "NVIDIA L4", 24, 300, 25),
    )
}
