"""From a bound query to pipelines, with the time each step took."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ..physical.create import create
from ..physical.nodes import Node
from ..physical.pipeline import Pipeline
from ..physical.pipelines import build_pipelines
from ..physical.placement import PlacementContext, place
from ..planner.estimation import Estimator
from ..planner.logical import ColumnIds, Plan
from ..planner.optimizer import OptimizerContext, optimize
from .devices import placement_context


@dataclass
class Planned:
    """A query ready to run: its physical root, before it was placed and after, what it was placed by, its
    pipelines, and milliseconds by planning step.
    """

    logical: Plan
    created: Node
    placement: PlacementContext
    root: Node
    pipelines: tuple[Pipeline, ...]
    milliseconds: dict[str, float] = field(default_factory=dict)


def plan_query(
    plan: Plan,
    ids: ColumnIds,
    settings: Mapping[str, Any],
    *,
    placement: PlacementContext | None = None,
    runs: bool = True,
    check: Callable[[], None] = lambda: None,
) -> Planned:
    """Optimises, creates, places and cuts a bound plan into pipelines.

    `placement` (default: for this process) says what machine to plan for; a plan that never `runs` here has
    no pipelines. `settings` are those marked as planning ones. `check` raises when the query is cancelled.
    """
    times: dict[str, float] = {}
    clock = time.perf_counter()

    def step(name: str, result: Any) -> Any:
        nonlocal clock
        check()
        now = time.perf_counter()
        times[name] = (now - clock) * 1000
        clock = now
        return result

    disabled = frozenset(r.strip() for r in settings["disabled_rules"].split(",") if r.strip())
    logical = step(
        "optimize", optimize(plan, OptimizerContext(ids=ids, disabled_rules=disabled, check=check))
    )
    created = step("create", create(logical, ids, Estimator(), runtime_filters=settings["runtime_filters"]))
    where = placement or placement_context(settings, explaining=False)
    root = step("place", place(created, where))
    pipelines = step("pipelines", build_pipelines(root) if runs else ())
    return Planned(logical, created, where, root, pipelines, times)
