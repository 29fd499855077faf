"""The GPU backend: what it can run, and the operators themselves."""

from __future__ import annotations

from typing import Any

from ..physical.backend import Maker
from ..physical.batch import Device
from ..physical.pipeline import Sink, Source, Transform
from .operators import registry
from .support import GpuSupport


class GpuBackend(GpuSupport):
    """Makes operators; a module is imported when the first of its operators is made."""

    device = Device.GPU

    def source(self, spec: Any, maker: Maker) -> Source:
        """What reads the rows of a source spec."""
        return registry.make(spec, maker)

    def transform(self, spec: Any, maker: Maker) -> Transform:
        """The generator over batches that a transform spec stands for."""
        return registry.make(spec, maker)

    def sink(self, spec: Any, maker: Maker, **options: Any) -> Sink:
        """Where rows end."""
        return registry.make(spec, maker, **options)
