"""The double of rmm: memory resources with limits, streams, buffers."""

from __future__ import annotations

from . import mr, pylibrmm, statistics
from .pylibrmm.device_buffer import DeviceBuffer

__version__ = "26.10.00"

__all__ = ["DeviceBuffer", "mr", "pylibrmm", "statistics"]
