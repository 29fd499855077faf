"""What a device backend offers: what it can run, for placement, and the operators themselves, for runners."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

from .batch import Device
from .nodes import Node
from .pipeline import Sink, Source, Transform


class Why(str):
    """A reason in words. `topic` is the same without what differs from query to query (names of columns,
    sizes of types): reports count by it.

    >>> Why("column c of a table: too wide", "a column: too wide").topic
    'a column: too wide'
    """

    topic: str

    def __new__(cls, text: str, topic: str) -> Why:
        new = super().__new__(cls, text)
        new.topic = topic
        return new


def topic(reason: str) -> str:
    """What a reason is counted as: itself, where it has no topic of its own."""
    return reason.topic if isinstance(reason, Why) else reason


@dataclass(frozen=True, slots=True)
class Support:
    """Whether a device can run something; when not, why not, in words (all reasons found, in plan order)."""

    reasons: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return not self.reasons


YES = Support()


class Capability(Protocol):
    """The planning side of a backend: pure data, importable with no device library installed."""

    device: Device

    def supports(self, node: Node) -> Support:
        """Whether the device can run a node, with every reason why not."""
        ...


class Refusal(Exception):
    """A backend cannot make an operator that was placed on it; the text is the reason. A runner then takes
    the CPU's operator, moves rows there and back, and counts that, see `QueryContext.fall_back`.
    """


class DeviceMemoryShort(Exception):
    """A device's memory is too small for a step of an operator, whatever else leaves it. A runner then runs
    the pipeline by fewer tasks, at last on the CPU, and counts that.
    """


class ColumnFull(DeviceMemoryShort):
    """A column would have more rows or text than a device's can: that other rows leave it does not help."""


class Maker(Protocol):
    """Makes the operators of specs, each by the backend of its device."""

    def source(self, spec: Any) -> Source:
        """What reads the rows of a source spec."""
        ...

    def transform(self, spec: Any) -> Transform:
        """The generator over batches that a transform spec stands for."""
        ...

    def sink(self, spec: Any, **options: Any) -> Sink:
        """Where rows end; `options` are what the spec, being data, cannot hold (a result's queue)."""
        ...


class Backend(Capability, Protocol):
    """The running side: turns pipeline specs into operators; for the parts of a spec that are specs
    themselves it asks `maker`. Each raises Refusal where it cannot after all.
    """

    def source(self, spec: Any, maker: Maker) -> Source:
        """What reads the rows of a source spec."""
        ...

    def transform(self, spec: Any, maker: Maker) -> Transform:
        """The generator over batches that a transform spec stands for."""
        ...

    def sink(self, spec: Any, maker: Maker, **options: Any) -> Sink:
        """Where rows end."""
        ...
