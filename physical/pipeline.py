"""Pipelines: the unit of work between two points where rows must be complete.

A `Pipeline` is pure data: the specs below name physical nodes. A backend turns each spec into a `Source`,
`Transform` or `Sink`, and `run_task` drives them: a vectorised Volcano loop over morsels, the same for
threads, streams and workers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Protocol

from ..planner.expr import Column
from . import nodes
from .batch import Batch, Device
from .context import QueryContext, Task


# The specs of a pipeline, by place: sources.
# ----------------------------------------------------------------------------------------------------
@dataclass(frozen=True, eq=False)
class ScanSource:
    """Morsels of a stored table. `filters[i]` is the pipeline whose artifact serves
    node.runtime_filters[i].
    """

    node: nodes.TableScan
    filters: tuple[int, ...] = ()


@dataclass(frozen=True, eq=False)
class ValuesSource:
    """Literal rows."""

    node: nodes.Values


@dataclass(frozen=True, eq=False)
class ArtifactSource:
    """Rows of another pipeline's artifact: output column i is its column positions[i]. `device`: where they
    lie.
    """

    pipeline: int
    columns: tuple[Column, ...]
    positions: tuple[int, ...]
    device: Device = Device.CPU


@dataclass(frozen=True, eq=False)
class LeftoverSource:
    """What a hash or nested-loop join owes after all probing: the build rows that matched (RIGHT_SEMI) or did
    not (RIGHT, FULL, RIGHT_ANTI); for RIGHT and FULL the left columns are NULL. `build` is the build
    pipeline, whose artifact holds the match marks."""

    node: nodes.HashJoin | nodes.NestedLoopJoin
    build: int


@dataclass(frozen=True, eq=False)
class Arm:
    """One branch of a union: a source with its own transforms, renamed to the union's columns by position."""

    source: Any
    transforms: tuple[Any, ...]


@dataclass(frozen=True, eq=False)
class UnionSource:
    """The rows of each arm in turn."""

    arms: tuple[Arm, ...]
    columns: tuple[Column, ...]
    device: Device = Device.CPU


@dataclass(frozen=True, eq=False)
class RecursionSource:
    """The rows of pipeline `anchor`, then those that `rounds` leave, run again and again until there are
    none: `last` of them has a round's rows. `working` and `whole` are the numbers under which pipelines of a
    round find the rows of the round before, and all so far.
    """

    node: nodes.Recursion
    anchor: int
    working: int
    whole: int
    rounds: tuple[Pipeline, ...]
    last: int


# Transforms; Filter, Project, Repeat and Unnest nodes stand for themselves
# ---------------------------------
@dataclass(frozen=True, eq=False)
class ProbeTransform:
    """Probes the hash table built by pipeline `build`."""

    node: nodes.HashJoin
    build: int


@dataclass(frozen=True, eq=False)
class LoopTransform:
    """Joins with the rows collected by pipeline `build`, without keys."""

    node: nodes.NestedLoopJoin
    build: int


# The specs of a pipeline, by place: sinks.
# ------------------------------------------------------------------------------------------------------
@dataclass(frozen=True, eq=False)
class BuildSink:
    """Collects the right side of a join: a hash table (HashJoin) or its rows (NestedLoopJoin)."""

    node: nodes.HashJoin | nodes.NestedLoopJoin


@dataclass(frozen=True, eq=False)
class AggregateSink:
    """Groups and aggregates."""

    node: nodes.HashAggregate


@dataclass(frozen=True, eq=False)
class SortSink:
    """Sorts all rows."""

    node: nodes.Sort


@dataclass(frozen=True, eq=False)
class WindowSink:
    """Window functions over all rows, which come out in the order in which they came in."""

    node: nodes.Window


@dataclass(frozen=True, eq=False)
class TopNSink:
    """Keeps the first rows in an order."""

    node: nodes.TopN


@dataclass(frozen=True, eq=False)
class LimitSink:
    """Keeps the first rows in input order; wants no more when it has them."""

    node: nodes.Limit


@dataclass(frozen=True, eq=False)
class CollectSink:
    """Keeps all rows in order (CTEs, outer joins' matched rows)."""

    columns: tuple[Column, ...]
    device: Device = Device.CPU


@dataclass(frozen=True, eq=False)
class DiscardSink:
    """Drops all rows: the pipeline ran for its marks (RIGHT_SEMI, RIGHT_ANTI)."""

    device: Device = Device.CPU


@dataclass(frozen=True, eq=False)
class ResultSink:
    """Hands rows to the cursor, in order, through a bounded queue."""

    columns: tuple[Column, ...]


@dataclass(frozen=True, eq=False)
class Pipeline:
    """`device` is whose backend runs it, `needs` are pipelines that must have ended, `estimate` is the
    estimated number of source rows (few rows run on one task).
    """

    id: int
    device: Device
    source: Any
    transforms: tuple[Any, ...]
    sink: Any
    needs: frozenset[int]
    estimate: float = 0.0


def node_of(spec: Any) -> nodes.Node | None:
    """The plan node that a spec is, or is a part of; None for specs of no node."""
    return spec if isinstance(spec, nodes.Node) else getattr(spec, "node", None)


def device_of(spec: Any) -> Device:
    """Where a spec's operator runs. Both directions of a transfer are the GPU's work."""
    if isinstance(spec, nodes.Transfer):
        return Device.GPU
    if isinstance(spec, ResultSink):
        return Device.CPU
    node = node_of(spec)
    return spec.device if node is None else node.device


def specs_of(pipeline: Pipeline) -> Iterator[Any]:
    """All specs of a pipeline, those of a union's arms among them."""
    pending = [pipeline.source, *pipeline.transforms, pipeline.sink]
    while pending:
        spec = pending.pop()
        yield spec
        if isinstance(spec, UnionSource):
            for arm in spec.arms:
                pending += [arm.source, *arm.transforms]


# Run-time protocols
# ------------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Morsel:
    """A piece of a source's rows; `seq` fixes the order of rows between morsels, `payload` is data the source
    understands.
    """

    seq: int
    payload: Any


class Flow(Enum):
    """A sink's answer to a batch: go on, or no more rows are needed."""

    MORE = 0
    DONE = 1


class Source(Protocol):
    """Where rows come from."""

    schema: tuple[Column, ...]

    def morsels(self, q: QueryContext) -> Iterator[Morsel]:
        """Asked once all `needs` have ended, so runtime filters can prune; called under a lock, must be
        cheap.
        """
        ...

    def read(self, morsel: Morsel, task: Task) -> Iterator[Batch]:
        """The rows of one morsel, in order."""
        ...


class Transform(Protocol):
    """A Volcano operator as a generator over one device's batches."""

    def __call__(self, rows: Iterator[Batch], task: Task) -> Iterator[Batch]: ...


class Sink(Protocol):
    """Where rows end. `local` is one task's state; nothing is shared until `finish`, except where a sink says
    so.

    `end_morsel` tells that all batches of a morsel have been added: ordered sinks may emit then. Batches of a
    morsel arrive in order; a task may take morsels out of order with respect to other tasks; order is (seq,
    arrival).
    """

    def start(self, task: Task) -> Any:
        """A task's empty state."""
        ...

    def add(self, local: Any, batch: Batch, seq: int) -> Flow:
        """Takes a batch of morsel `seq` into the state."""
        ...

    def end_morsel(self, local: Any, seq: int) -> Flow:
        """Told when the last batch of morsel `seq` has been added."""
        ...

    def seal(self, local: Any) -> Any:
        """The task's result: no rows come after it."""
        ...

    def finish(self, parts: Sequence[Any], task: Task) -> Artifact:
        """The artifact of all tasks' results."""
        ...


class Artifact(Protocol):
    """What a finished pipeline leaves for others. Those that hold rows give them as batches."""

    def batches(self) -> Sequence[Batch]:
        """The rows, in order."""
        ...

    @property
    def nbytes(self) -> int:
        """Bytes it holds."""
        ...


@dataclass
class Rows:
    """The plain artifact: batches in order, all with `columns` as schema."""

    columns: tuple[Column, ...]
    parts: list[Batch] = field(default_factory=list)

    def batches(self) -> Sequence[Batch]:
        return self.parts

    @property
    def nbytes(self) -> int:
        return sum(b.nbytes for b in self.parts)


def run_task(
    source: Source, transforms: Sequence[Transform], sink: Sink, morsels: Iterable[Morsel], task: Task
) -> Any:
    """Drives morsels from the source through the transforms into the sink; returns the sealed partial.

    The iterator of morsels is shared by the tasks of a pipeline. Cancellation is checked between batches.
    """
    local = sink.start(task)
    for morsel in morsels:
        task.check()
        rows: Iterator[Batch] = task.metered(source, source.read(morsel, task))
        for transform in transforms:
            rows = task.metered(transform, transform(rows, task))
        flow = Flow.MORE
        for batch in rows:
            task.check()
            if batch.num_rows and (flow := task.timed(sink, sink.add, local, batch, morsel.seq)) is Flow.DONE:
                break
            del batch  # the next is made without this one in memory
        if sink.end_morsel(local, morsel.seq) is Flow.DONE or flow is Flow.DONE:
            break
    return task.timed(sink, sink.seal, local)
