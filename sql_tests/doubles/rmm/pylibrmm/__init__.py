"""The compiled part of rmm."""

from __future__ import annotations

from . import cuda_stream_pool, device_buffer, memory_resource, stream
from .cuda_stream_pool import CudaStreamPool
from .device_buffer import DeviceBuffer
from .stream import CudaStreamFlags

__all__ = [
    "CudaStreamFlags",
    "CudaStreamPool",
    "DeviceBuffer",
    "cuda_stream_pool",
    "device_buffer",
    "memory_resource",
    "stream",
]
