"""The GPU backend: what it can run, and the operators themselves."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..physical import nodes, pipeline
from ..physical.backend import Maker, Refusal
from ..physical.batch import Device
from ..physical.pipeline import Sink, Source, Transform
from ..planner import expr as e
from .functions import registry as functions
from .operators import registry
from .support import GpuSupport, node_expressions

# A join has parts in several pipelines: without one of them, none is made here.
_PARTS: dict[type[nodes.Node], tuple[type, ...]] = {
    nodes.HashJoin: (pipeline.BuildSink, pipeline.ProbeTransform, pipeline.LeftoverSource),
    nodes.NestedLoopJoin: (pipeline.BuildSink, pipeline.LoopTransform, pipeline.LeftoverSource),
}


class GpuBackend(GpuSupport):
    """Makes operators; a module is imported when the first of its operators is made. Raises Refusal for what
    the capability table promises and is not there.
    """

    device = Device.GPU

    def source(self, spec: Any, maker: Maker) -> Source:
        """What reads the rows of a source spec."""
        return _made(spec, maker)

    def transform(self, spec: Any, maker: Maker) -> Transform:
        """The generator over batches that a transform spec stands for."""
        return _made(spec, maker)

    def sink(self, spec: Any, maker: Maker, **options: Any) -> Sink:
        """Where rows end."""
        return _made(spec, maker, **options)


def _made(spec: Any, maker: Maker, **options: Any) -> Any:
    if missing := tuple(dict.fromkeys(_missing(spec))):
        raise Refusal("; ".join(missing))
    return registry.make(spec, maker, **options)


def _missing(spec: Any) -> Iterator[str]:
    """What the operator of a spec needs and there is not."""
    node = pipeline.node_of(spec)
    parts = () if node is None else _PARTS.get(type(node), ())
    for kind in (type(spec), *parts):
        if kind not in registry.MODULES:
            yield f"{kind.__name__} has no GPU operator"
    for expression in () if node is None else node_expressions(node):
        for part in e.walk(expression):
            if isinstance(part, e.Call) and not functions.is_built(part.function):
                yield f"the function {part.function} is not built for the GPU"
            elif isinstance(part, e.AggregateCall) and not _is_planned(part.function):
                yield f"the aggregate {part.function} is not built for the GPU"
            elif isinstance(part, e.WindowCall) and not _is_window(part.function):
                yield f"{part.function} over a window is not built for the GPU"


def _is_planned(aggregate: str) -> bool:
    from .operators.aggregate_plan import PLANS

    return aggregate in PLANS


def _is_window(function: str) -> bool:
    from .operators.window_plan import WINDOWS

    return function in WINDOWS
