"""What a device backend offers, and the types of its capability table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

from .batch import Device
from .nodes import Node
from .pipeline import Sink, Source, Transform


@dataclass(frozen=True, slots=True)
class Support:
    """Whether a device can run something; when not, why not, in words (all reasons found, in plan order)."""

    reasons: tuple[str, ...] = ()

    @property
    def ok(self) -> bool:
        return not self.reasons

    def __bool__(self) -> bool:
        return self.ok


YES = Support()


class Capability(Protocol):
    """The planning side of a backend: pure data, importable with no device library installed."""

    device: Device

    def supports(self, node: Node) -> Support: ...


class Backend(Capability, Protocol):
    """The running side: turns pipeline specs into operators."""

    def source(self, spec: Any) -> Source: ...
    def transform(self, spec: Any) -> Transform: ...
    def sink(self, spec: Any) -> Sink: ...
