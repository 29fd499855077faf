"""Hardware profiles: what placement assumes of a machine. Pure data.

Rates are bytes of operator input a second. They are assumptions from data sheets (memory and link bandwidths,
times a share that such operators are reported to reach), not measurements: no profile with a GPU has been
tried on hardware.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

GB = 1e9

# Share of the device's memory bandwidth that one pass of an operator reaches on the GPU; joins, sorts and
# grouping make several passes.
_GPU_SHARE: Mapping[str, float] = {
    "scan": 0.10,
    "filter": 0.50,
    "project": 0.50,
    "join": 0.08,
    "aggregate": 0.15,
    "sort": 0.06,
    "other": 0.40,
}
# Bytes a second of one CPU core, by kind of operator.
_CORE_RATE: Mapping[str, float] = {
    "scan": 0.6 * GB,
    "filter": 2.0 * GB,
    "project": 2.0 * GB,
    "join": 0.5 * GB,
    "aggregate": 0.8 * GB,
    "sort": 0.2 * GB,
    "other": 2.0 * GB,
}


@dataclass(frozen=True)
class HardwareProfile:
    """A machine. `gpu_bandwidth` and `link_bandwidth` are bytes a second, `gpu_memory` bytes, `launch`
    seconds a GPU operator costs however few rows it has, `latency` seconds a transfer costs. A profile
    without a GPU has gpu_memory 0."""

    name: str
    cores: int
    gpu: str = ""
    gpu_memory: float = 0.0
    gpu_bandwidth: float = 0.0
    link_bandwidth: float = 0.0
    launch: float = 100e-6
    latency: float = 30e-6

    @property
    def has_gpu(self) -> bool:
        """Whether the machine has a GPU."""
        return self.gpu_memory > 0

    def cpu_seconds(self, kind: str, size: float) -> float:
        """Seconds for `size` bytes of input on the CPU, all cores."""
        return size / (_CORE_RATE[kind] * self.cores)

    def gpu_seconds(self, kind: str, size: float) -> float:
        """Seconds for `size` bytes of input on the GPU."""
        return self.launch + size / (self.gpu_bandwidth * _GPU_SHARE[kind])

    def transfer_seconds(self, size: float) -> float:
        """Seconds to move `size` bytes between host and device."""
        return self.latency + size / self.link_bandwidth


PROFILES: dict[str, HardwareProfile] = {
    p.name: p
    for p in (
        HardwareProfile("cpu-2", 2),
        HardwareProfile("h200", 16, "NVIDIA H200", 141 * GB, 4800 * GB, 50 * GB),
        HardwareProfile("h100", 16, "NVIDIA H100 SXM", 80 * GB, 3350 * GB, 50 * GB),
        HardwareProfile("a100", 16, "NVIDIA A100 80GB", 80 * GB, 2039 * GB, 25 * GB),
        HardwareProfile("l4", 8, "NVIDIA L4", 24 * GB, 300 * GB, 25 * GB),
    )
}
