"""Hardware profiles as JSON: an object with `version` and the fields of HardwareProfile, rates as
{kind: {"row_ns": x, "byte_ns": y}}.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from .profiles import KINDS, HardwareProfile, Rate

VERSION = 1
_TEXTS = ("name", "gpu_name", "origin")
_NUMBERS = ("gpu_memory", "link_bandwidth", "cpu_batch", "gpu_batch", "latency")
# Those that older files do not have.
_NEWER = ("host_memory", "disk_bandwidth")


def profile_to_json(profile: HardwareProfile) -> dict[str, Any]:
    """The profile as an object for json.dump."""
    plain = {name: getattr(profile, name) for name in (*_TEXTS, "cores", *_NUMBERS, *_NEWER)}
    rates = {device: _rates_to_json(getattr(profile, device)) for device in ("cpu", "gpu")}
    return {"version": VERSION, **plain, **rates}


def profile_from_json(data: Any) -> HardwareProfile:
    """The profile of such an object. ValueError says in words what is wrong with it.

    >>> profile_from_json({"version": 1})
    Traceback (most recent call last):
    ValueError: "name" is missing
    """
    if not isinstance(data, dict):
        raise ValueError("it is no JSON object")
    if data.get("version") != VERSION:
        raise ValueError(f'"version" is not {VERSION}')
    values: dict[str, Any] = {}
    for name in _TEXTS:
        values[name] = _member(data, name)
        if not isinstance(values[name], str):
            raise ValueError(f'"{name}" is no text')
    for name in (*_NUMBERS, *(name for name in _NEWER if name in data)):
        values[name] = _number(_member(data, name), name)
    cores = _member(data, "cores")
    if isinstance(cores, bool) or not isinstance(cores, int) or cores < 1:
        raise ValueError('"cores" is no whole number above 0')
    cpu, gpu = (_rates(_member(data, device), device) for device in ("cpu", "gpu"))
    if not cpu:
        raise ValueError('"cpu" has no rates')
    if values["gpu_memory"] and not (gpu and values["link_bandwidth"]):
        raise ValueError('a GPU needs rates in "gpu" and a "link_bandwidth" above 0')
    if values.get("disk_bandwidth") == 0:
        raise ValueError('"disk_bandwidth" is no number above 0')
    return HardwareProfile(**values, cores=cores, cpu=cpu, gpu=gpu)


def _rates_to_json(rates: Mapping[str, Rate]) -> dict[str, Any]:
    return {kind: {"row_ns": rate.row_ns, "byte_ns": rate.byte_ns} for kind, rate in rates.items()}


def _member(data: Mapping[str, Any], name: str) -> Any:
    if name not in data:
        raise ValueError(f'"{name}" is missing')
    return data[name]


def _number(value: Any, name: str) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value < math.inf:
        raise ValueError(f'"{name}" is no number of at least 0')
    return float(value)


def _rates(data: Any, device: str) -> dict[str, Rate]:
    """Rates of every kind, or none at all."""
    if not isinstance(data, dict):
        raise ValueError(f'"{device}" is no JSON object')
    if not data:
        return {}
    rates = {}
    for kind in KINDS:
        rate = _member(data, kind)
        if not isinstance(rate, dict):
            raise ValueError(f'"{kind}" is no JSON object')
        numbers = (_number(_member(rate, part), f"{kind}.{part}") for part in ("row_ns", "byte_ns"))
        rates[kind] = Rate(*numbers)
    return rates
