"""The resource that memory comes from where a call names none."""

from __future__ import annotations

from ....device import device
from .adaptors import DEFAULT_RESOURCE
from .resources import DeviceMemoryResource, _OfDevice

_current: dict[int, DeviceMemoryResource] = {}


def get_per_device_resource(device: int) -> DeviceMemoryResource:
    return _current.get(device, DEFAULT_RESOURCE)


def set_per_device_resource(device: int, mr: DeviceMemoryResource) -> None:
    if not isinstance(mr, DeviceMemoryResource):
        raise TypeError(
            "Argument 'mr' has incorrect type (expected "
            "rmm.pylibrmm.memory_resource._memory_resource.DeviceMemoryResource, "
            f"got {type(mr).__name__})"
        )
    _current[device] = mr


def get_current_device_resource() -> DeviceMemoryResource:
    return get_per_device_resource(0)


def set_current_device_resource(mr: DeviceMemoryResource) -> None:
    set_per_device_resource(0, mr)


def is_initialized() -> bool:
    return True


def available_device_memory() -> tuple[int, int]:
    """Free and all bytes of the device."""
    return device.capacity - _OfDevice.taken, device.capacity


def forget() -> None:
    """Back to the default resource."""
    _current.clear()
