"""Physical plan to pipelines: cuts the tree where rows must be complete before anything above can run."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from ..planner.logical import JoinKind
from . import nodes
from .batch import Device
from .nodes import Node
from .pipeline import (
    AggregateSink,
    Arm,
    ArtifactSource,
    BuildSink,
    CollectSink,
    DiscardSink,
    LeftoverSource,
    LimitSink,
    LoopTransform,
    Pipeline,
    ProbeTransform,
    RecursionSource,
    ResultSink,
    ScanSource,
    SortSink,
    TopNSink,
    UnionSource,
    ValuesSource,
    WindowSink,
)
from .repeatable import is_repeatable


@dataclass
class Stream:
    """Rows on their way: a source, the transforms so far, and the pipelines that must have ended before it
    runs.
    """

    source: Any
    transforms: list[Any]
    needs: set[int]
    estimate: float
    device: Device

    def then(self, transform: Any) -> Stream:
        """This stream with one more transform at its end."""
        self.transforms.append(transform)
        return self


@dataclass
class _Builder:
    pipelines: list[Pipeline] = field(default_factory=list)
    builds: dict[int, int] = field(default_factory=dict)  # join_id -> pipeline of its build side
    ctes: dict[int, int] = field(default_factory=dict)  # cte_id -> pipeline of its definition
    # cte_id of a recursion -> the numbers of the rows of its last round, and of all its rows
    recursions: dict[int, tuple[int, int]] = field(default_factory=dict)
    devices: list[Device] = field(default_factory=list)  # where the artifact of each number lies

    def number(self, device: Device) -> int:
        """A number for an artifact that will lie on a device."""
        self.devices.append(device)
        return len(self.devices) - 1

    def end(self, stream: Stream, sink: Any) -> int:
        """Closes a stream with a sink; returns the new pipeline's id."""
        number = self.number(stream.device)
        self.pipelines.append(
            Pipeline(
                id=number,
                device=stream.device,
                source=stream.source,
                transforms=tuple(stream.transforms),
                sink=sink,
                needs=frozenset(stream.needs),
                estimate=stream.estimate,
            )
        )
        return number

    def from_artifact(self, number: int, node: Node, positions: tuple[int, ...] | None = None) -> Stream:
        """A stream over the rows another pipeline leaves, under `node`'s schema."""
        columns = node.schema
        places = tuple(range(len(columns))) if positions is None else positions
        device = self.devices[number]
        stream = Stream(ArtifactSource(number, columns, places, device), [], {number}, node.rows, device)
        if device is not node.device:
            # A CTE's rows lie where its definition ran.
            stream.then(nodes.Transfer(input=node, device=node.device)).device = node.device
        return stream

    def stream(self, node: Node) -> Stream:
        return _STREAMS[type(node)](self, node)


_STREAMS: dict[type[Node], Callable[[_Builder, Any], Stream]] = {}


def streams(*kinds: type[Node]) -> Callable[[Any], Any]:
    """Registers how node types become streams."""

    def register(function: Any) -> Any:
        for kind in kinds:
            _STREAMS[kind] = function
        return function

    return register


def build_pipelines(root: Node) -> tuple[Pipeline, ...]:
    """The pipelines of a placed plan in an order in which each comes after all it needs; the last one
    delivers the result.
    """
    builder = _Builder()
    builder.end(builder.stream(root), ResultSink(root.schema))
    return tuple(builder.pipelines)


@streams(nodes.TableScan)
def _scan(b: _Builder, node: nodes.TableScan) -> Stream:
    filters = tuple(b.builds[f.join_id] for f in node.runtime_filters)
    return Stream(ScanSource(node, filters), [], set(filters), node.table.stats().rows, node.device)


@streams(nodes.Values)
def _values(b: _Builder, node: nodes.Values) -> Stream:
    return Stream(ValuesSource(node), [], set(), len(node.literals), node.device)


@streams(nodes.Filter, nodes.Project, nodes.Repeat, nodes.Unnest, nodes.Bridge)
def _plain(b: _Builder, node: nodes.Unary) -> Stream:
    return b.stream(node.input).then(node)


@streams(nodes.Transfer)
def _transfer(b: _Builder, node: nodes.Transfer) -> Stream:
    stream = b.stream(node.input).then(node)
    stream.device = node.device
    return stream


@streams(nodes.HashJoin)
def _hash_join(b: _Builder, node: nodes.HashJoin) -> Stream:
    build = b.end(b.stream(node.right), BuildSink(node))
    b.builds[node.join_id] = build
    return _probe(b, node, build, ProbeTransform(node, build))


@streams(nodes.NestedLoopJoin)
def _loop_join(b: _Builder, node: nodes.NestedLoopJoin) -> Stream:
    build = b.end(b.stream(node.right), BuildSink(node))
    return _probe(b, node, build, LoopTransform(node, build))


def _probe(b: _Builder, node: nodes.HashJoin | nodes.NestedLoopJoin, build: int, transform: Any) -> Stream:
    left = b.stream(node.left).then(transform)
    left.needs.add(build)
    match node.kind:
        case JoinKind.RIGHT_SEMI | JoinKind.RIGHT_ANTI:
            marked = b.end(left, DiscardSink(node.device))
            return Stream(LeftoverSource(node, build), [], {build, marked}, node.rows, node.device)
        case JoinKind.RIGHT | JoinKind.FULL:
            matched = b.end(left, CollectSink(node.schema, node.device))
            arms = (
                Arm(ArtifactSource(matched, node.schema, tuple(range(len(node.schema))), node.device), ()),
                Arm(LeftoverSource(node, build), ()),
            )
            both = UnionSource(arms, node.schema, node.device)
            return Stream(both, [], {build, matched}, node.rows, node.device)
        case _:
            return left


@streams(nodes.HashAggregate)
def _aggregate(b: _Builder, node: nodes.HashAggregate) -> Stream:
    return b.from_artifact(b.end(b.stream(node.input), AggregateSink(node)), node)


@streams(nodes.Sort)
def _sort(b: _Builder, node: nodes.Sort) -> Stream:
    return b.from_artifact(b.end(b.stream(node.input), SortSink(node)), node)


@streams(nodes.Window)
def _window(b: _Builder, node: nodes.Window) -> Stream:
    return b.from_artifact(b.end(b.stream(node.input), WindowSink(node)), node)


@streams(nodes.TopN)
def _top_n(b: _Builder, node: nodes.TopN) -> Stream:
    return b.from_artifact(b.end(b.stream(node.input), TopNSink(node)), node)


@streams(nodes.Limit)
def _limit(b: _Builder, node: nodes.Limit) -> Stream:
    return b.from_artifact(b.end(b.stream(node.input), LimitSink(node)), node)


@streams(nodes.UnionAll)
def _union(b: _Builder, node: nodes.UnionAll) -> Stream:
    arms = []
    needs: set[int] = set()
    for branch in node.branches:
        stream = b.stream(branch)
        needs |= stream.needs
        arms.append(Arm(stream.source, tuple(stream.transforms)))
    return Stream(UnionSource(tuple(arms), node.columns, node.device), [], needs, node.rows, node.device)


@streams(nodes.Cte)
def _cte(b: _Builder, node: nodes.Cte) -> Stream:
    definition = b.stream(node.definition)
    b.ctes[node.cte_id] = b.end(definition, CollectSink(node.definition.schema, definition.device))
    return b.stream(node.body)


@streams(nodes.CteScan)
def _cte_scan(b: _Builder, node: nodes.CteScan) -> Stream:
    return b.from_artifact(b.ctes[node.cte_id], node, node.positions)


@streams(nodes.Recursion)
def _recursion(b: _Builder, node: nodes.Recursion) -> Stream:
    anchor = b.end(b.stream(node.anchor), CollectSink(node.anchor.schema))
    working, whole = b.number(Device.CPU), b.number(Device.CPU)
    b.recursions[node.cte_id] = working, whole
    before = len(b.pipelines)
    last = b.end(b.stream(node.step), CollectSink(node.step.schema))
    made = b.pipelines[before:]
    del b.pipelines[before:]
    # What does not depend on the round runs once, before the first.
    changing = {working, whole}
    rounds = []
    for pipeline in made:
        if pipeline.id == last or not changing.isdisjoint(pipeline.needs) or _runs_each_time(pipeline):
            changing.add(pipeline.id)
            rounds.append(pipeline)
        else:
            b.pipelines.append(pipeline)
    needs = {anchor}.union(*(p.needs for p in rounds)) - changing
    source = RecursionSource(node, anchor, working, whole, tuple(rounds), last)
    return Stream(source, [], needs, node.rows, node.device)


def _runs_each_time(pipeline: Pipeline) -> bool:
    """Whether a pipeline's artifact is used up, as the marks of matched rows are, or differs from run to
    run."""
    kept = (JoinKind.RIGHT, JoinKind.FULL, JoinKind.RIGHT_SEMI, JoinKind.RIGHT_ANTI)
    marked = isinstance(pipeline.sink, BuildSink) and pipeline.sink.node.kind in kept
    return marked or not is_repeatable(pipeline)


@streams(nodes.WorkingScan)
def _working_scan(b: _Builder, node: nodes.WorkingScan) -> Stream:
    return b.from_artifact(b.recursions[node.cte_id][node.whole], node, node.positions)


def consumers(pipelines: tuple[Pipeline, ...]) -> dict[int, int]:
    """How many pipelines need each pipeline's artifact; it can be dropped when all of them have ended."""
    counts = {p.id: 0 for p in pipelines}
    for pipeline in pipelines:
        for needed in pipeline.needs:
            counts[needed] += 1
    return counts
