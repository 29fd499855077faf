"""The table from a spec's type to the class that runs it on the CPU.

An operator's module registers its classes with `@implements`; `modules` says which module to import for a
spec, so that a query loads only what it runs (kernels, and with them numba, come with the operators that need
them).
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any, TypeVar

from ...physical import nodes, pipeline

Operator = TypeVar("Operator", bound=type)

# Spec type -> module of this package.
MODULES: dict[type, str] = {
    pipeline.ValuesSource: "values",
    pipeline.ArtifactSource: "artifact",
    pipeline.LeftoverSource: "leftover",
    pipeline.UnionSource: "union",
    nodes.Filter: "filter",
    nodes.Project: "project",
    nodes.Repeat: "repeat",
    pipeline.ProbeTransform: "hash_join",
    pipeline.LoopTransform: "nested_loop_join",
    pipeline.BuildSink: "build",
    pipeline.AggregateSink: "aggregate",
    pipeline.SortSink: "sort",
    pipeline.TopNSink: "top_n",
    pipeline.LimitSink: "limit",
    pipeline.CollectSink: "collect",
    pipeline.DiscardSink: "discard",
    pipeline.ResultSink: "result",
}

_FACTORIES: dict[type, Callable[..., Any]] = {}


def implements(spec: type) -> Callable[[Operator], Operator]:
    """Registers a class as what runs specs of a type: it is called as `cls(spec, backend, **options)`."""

    def register(operator: Operator) -> Operator:
        assert spec not in _FACTORIES, spec
        _FACTORIES[spec] = operator
        return operator

    return register


def make(spec: Any, backend: Any, **options: Any) -> Any:
    """The operator that runs `spec`."""
    kind = type(spec)
    if kind not in _FACTORIES:
        importlib.import_module(f".{MODULES[kind]}", __package__)
    return _FACTORIES[kind](spec, backend, **options)
