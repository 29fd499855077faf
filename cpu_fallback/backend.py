"""The CPU backend: turns the specs of a pipeline into operators that run."""

from __future__ import annotations

from typing import Any

from ..physical.backend import YES, Maker, Support
from ..physical.batch import Device
from ..physical.nodes import Node
from ..physical.pipeline import ScanSource, Sink, Source, Transform
from .operators import registry


class CpuBackend:
    """Makes operators; an operator's module, and its kernels, are imported when the first one is made."""

    device = Device.CPU

    def supports(self, node: Node) -> Support:
        """The CPU runs every node."""
        return YES

    def source(self, spec: Any, maker: Maker) -> Source:
        """What reads the rows of a source spec."""
        if isinstance(spec, ScanSource):
            from .operators.scan import make_scan

            return make_scan(spec)
        return registry.make(spec, maker)

    def transform(self, spec: Any, maker: Maker) -> Transform:
        """The generator over batches that a transform spec stands for."""
        return registry.make(spec, maker)

    def sink(self, spec: Any, maker: Maker, **options: Any) -> Sink:
        """Where rows end; a ResultSink takes `queue`, the OrderedQueue of its consumer."""
        return registry.make(spec, maker, **options)
