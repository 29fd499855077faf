"""The operators of the GPU by the spec they run; a module registers its class with `@implements`."""

from __future__ import annotations

from ...physical import nodes, pipeline
from ...physical.operator_table import OperatorTable

MODULES: dict[type, str] = {
    pipeline.ScanSource: "scan",
    pipeline.ValuesSource: "values",
    pipeline.ArtifactSource: "artifact",
    pipeline.LeftoverSource: "leftover",
    pipeline.UnionSource: "union",
    nodes.Transfer: "transfer",
    nodes.Filter: "filter",
    nodes.Project: "project",
    nodes.Repeat: "repeat",
    nodes.Bridge: "bridge",
    pipeline.ProbeTransform: "hash_join",
    pipeline.LoopTransform: "nested_loop_join",
    pipeline.BuildSink: "build",
    pipeline.AggregateSink: "aggregate",
    pipeline.SortSink: "sort",
    pipeline.WindowSink: "window",
    pipeline.TopNSink: "top_n",
    pipeline.LimitSink: "limit",
    pipeline.CollectSink: "collect",
    pipeline.DiscardSink: "discard",
}

_TABLE = OperatorTable(__name__.rpartition(".")[0], MODULES)
implements, make = _TABLE.implements, _TABLE.make
