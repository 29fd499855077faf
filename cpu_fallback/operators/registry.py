"""The operators of the CPU by the spec they run.

An operator's module registers its class with `@implements`. It is imported when the first one is made: a
query loads only what it runs (kernels, and with them numba, come with the operators that need them).
"""

from __future__ import annotations

from ...physical import nodes, pipeline
from ...physical.operator_table import OperatorTable

# Spec type -> module of this package.
MODULES: dict[type, str] = {
    pipeline.ValuesSource: "values",
    pipeline.ArtifactSource: "artifact",
    pipeline.LeftoverSource: "leftover",
    pipeline.UnionSource: "union",
    pipeline.RecursionSource: "recursion",
    nodes.Filter: "filter",
    nodes.Project: "project",
    nodes.Repeat: "repeat",
    nodes.Unnest: "unnest",
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
    pipeline.ResultSink: "result",
}

_TABLE = OperatorTable(__name__.rpartition(".")[0], MODULES)
implements, make = _TABLE.implements, _TABLE.make
