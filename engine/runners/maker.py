"""Makes a query's operators, each by the backend of the device it was placed on.

A backend may refuse an operator after all. It is then made by the CPU's backend, and rows are moved there and
back; that is counted and named, or fatal (see `QueryContext.fall_back`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ...physical.backend import Backend, Refusal
from ...physical.batch import Batch, Device
from ...physical.context import Fallback, QueryContext, Task
from ...physical.nodes import Node, Transfer
from ...physical.pipeline import (
    ArtifactSource,
    BuildSink,
    Flow,
    LeftoverSource,
    LoopTransform,
    Morsel,
    Pipeline,
    ProbeTransform,
    Sink,
    Source,
    Transform,
    UnionSource,
    device_of,
    node_of,
    run_task,
    specs_of,
)
from ..explain.describe_node import title

_TOO_SMALL = "the GPU has too little memory for it, or its rows are too many for a column"


class OperatorMaker:
    """See `physical.backend.Maker`. One a query: both parts of a refused join run on the CPU. `device` is
    where all operators are made, None for where each was placed.
    """

    device: Device | None = None

    def __init__(self, backends: Mapping[Device, Backend], query: QueryContext) -> None:
        self._backends = backends
        self._query = query
        self._refused: set[int] = set()

    def without_device(self, pipeline: Pipeline) -> OperatorMaker:
        """What makes a pipeline on the CPU for which its device is too small; counted, or fatal."""
        found = {}
        for spec in specs_of(pipeline):
            node = node_of(spec)
            if node is None or device_of(spec) is Device.CPU or isinstance(node, Transfer):
                continue
            # The other part of a join, in an earlier pipeline, or the GPU's refusal, has been told already.
            if node.op_id not in self._refused:
                found[node.op_id] = Fallback(node.op_id, title(node), _TOO_SMALL)
        self._refused |= found.keys()
        self._query.fall_back(found.values())
        return CpuMaker(self._backends, self._query)

    def source(self, spec: Any) -> Source:
        """The source of a spec."""
        made = self._placed("source", spec)
        if made is not None:
            return made
        inner = self._backends[Device.CPU].source(spec, self)
        if isinstance(spec, UnionSource):
            return inner  # its arms are on the GPU by themselves
        return _Moved(inner, Device.CPU, self._transfer(Device.GPU))

    def transform(self, spec: Any) -> Transform:
        """The transform of a spec."""
        made = self._placed("transform", spec)
        if made is not None:
            return made
        inner = self._backends[Device.CPU].transform(spec, self)
        return _Bridged(self._transfer(Device.CPU), inner, self._transfer(Device.GPU))

    def sink(self, spec: Any, **options: Any) -> Sink:
        """The sink of a spec; its artifact may lie on the CPU then, which readers on the GPU see."""
        made = self._placed("sink", spec, **options)
        if made is not None:
            return made
        return _Downloaded(self._backends[Device.CPU].sink(spec, self, **options), self._transfer(Device.CPU))

    def _placed(self, what: str, spec: Any, **options: Any) -> Any:
        """The operator where it was placed; None if that device refuses."""
        device = device_of(spec)
        node = node_of(spec)
        if node is not None and device is not Device.CPU and node.op_id in self._refused:
            return None
        try:
            made = getattr(self._backends[device], what)(spec, self, **options)
            # Where its rows and times are booked: a transfer where it leads to.
            made.device = spec.device if isinstance(spec, Transfer) else device
            return made
        except Refusal as refusal:
            if node is None:
                found = Fallback(-1, type(spec).__name__, str(refusal))
            else:
                self._refused.add(node.op_id)
                found = Fallback(node.op_id, title(node), str(refusal))
            self._query.fall_back([found])
            return None

    def _transfer(self, to: Device) -> Transform:
        return self._backends[Device.GPU].transform(Transfer(input=Node(), device=to), self)


class CpuMaker(OperatorMaker):
    """Makes all operators on the CPU, wherever they were placed; what earlier pipelines left on the GPU is
    moved.
    """

    device = Device.CPU

    def source(self, spec: Any) -> Source:
        """The source of a spec."""
        moved = isinstance(spec, (ArtifactSource, LeftoverSource))
        if moved and self._on_gpu(spec.pipeline if isinstance(spec, ArtifactSource) else spec.build):
            inner = self._backends[Device.GPU].source(spec, self)
            return _Moved(inner, Device.GPU, self._transfer(Device.CPU))
        return self._made("source", spec)

    def transform(self, spec: Any) -> Transform:
        """The transform of a spec; rows that should be transferred are there."""
        if isinstance(spec, Transfer):
            return _Same(spec)
        if isinstance(spec, (ProbeTransform, LoopTransform)) and self._on_gpu(spec.build):
            self._query.artifacts[spec.build] = self._built(spec)
        return self._made("transform", spec)

    def sink(self, spec: Any, **options: Any) -> Sink:
        """The sink of a spec."""
        return self._made("sink", spec, **options)

    def _made(self, what: str, spec: Any, **options: Any) -> Any:
        return getattr(self._backends[Device.CPU], what)(spec, self, **options)

    def _on_gpu(self, pipeline: int) -> bool:
        return getattr(self._query.artifacts[pipeline], "device", Device.CPU) is Device.GPU

    def _built(self, spec: ProbeTransform | LoopTransform) -> Any:
        """The right side of a join as the CPU builds it, from its rows on the GPU."""
        columns = spec.node.right.schema
        rows = ArtifactSource(spec.build, columns, tuple(range(len(columns))), Device.GPU)
        source, sink = self.source(rows), self.sink(BuildSink(spec.node))
        task = Task(self._query)
        try:
            return sink.finish([run_task(source, (), sink, source.morsels(self._query), task)], task)
        finally:
            task.end()


class _Moved:
    """A source whose rows are wanted on the other device."""

    def __init__(self, inner: Source, device: Device, transfer: Transform) -> None:
        self.schema = inner.schema
        self.op_id = getattr(inner, "op_id", -1)
        self.device = device  # where it reads
        self._inner, self._transfer = inner, transfer

    def morsels(self, q: QueryContext) -> Iterator[Morsel]:
        """The source's."""
        return self._inner.morsels(q)

    def read(self, morsel: Morsel, task: Task) -> Iterator[Batch]:
        """Its rows, moved."""
        return self._transfer(self._inner.read(morsel, task), task)


class _Same:
    """A transfer of rows that are there."""

    def __init__(self, spec: Transfer) -> None:
        self.op_id = spec.op_id

    def __call__(self, rows: Iterator[Batch], task: Task) -> Iterator[Batch]:
        """The rows."""
        return rows


class _Bridged:
    """A transform of the CPU between two of the GPU."""

    device = Device.CPU

    def __init__(self, down: Transform, inner: Transform, up: Transform) -> None:
        self.op_id = getattr(inner, "op_id", -1)
        self._down, self._inner, self._up = down, inner, up

    def __call__(self, rows: Iterator[Batch], task: Task) -> Iterator[Batch]:
        """There and back."""
        return self._up(self._inner(self._down(rows, task), task), task)


class _Downloaded:
    """A sink of the CPU for rows on the GPU."""

    device = Device.CPU

    def __init__(self, inner: Sink, down: Transform) -> None:
        self.op_id = getattr(inner, "op_id", -1)
        self._inner, self._down = inner, down

    def start(self, task: Task) -> Any:
        """The sink's state, and the task that moves rows."""
        return self._inner.start(task), task

    def add(self, local: Any, batch: Batch, seq: int) -> Flow:
        """Moves the batch."""
        state, task = local
        flow = Flow.MORE
        for moved in self._down(iter((batch,)), task):
            flow = self._inner.add(state, moved, seq)
            if flow is Flow.DONE:
                break
        return flow

    def end_morsel(self, local: Any, seq: int) -> Flow:
        """The sink's."""
        return self._inner.end_morsel(local[0], seq)

    def seal(self, local: Any) -> Any:
        """The sink's."""
        return self._inner.seal(local[0])

    def finish(self, parts: Sequence[Any], task: Task) -> Any:
        """The sink's artifact, on the CPU."""
        return self._inner.finish(parts, task)
