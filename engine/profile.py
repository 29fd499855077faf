"""What a finished query tells about itself."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..physical.context import Fallback, OperatorMetrics
from ..physical.nodes import Node


@dataclass
class Profile:
    """Times in milliseconds; `operators` has each node's sums by `op_id`; `fallbacks` has every operator that
    did not run where it was placed or asked; `peak_bytes` is the most memory the query's operators had
    reserved at once; `spilled_bytes` left the GPU for want of its memory, `spilled_to_disk` of them to files;
    `unpinned_bytes` went to or from it slowly, through host memory that is not pinned.
    """

    planning: dict[str, float] = field(default_factory=dict)
    execution_ms: float = 0.0
    rows: int = 0
    operators: dict[int, OperatorMetrics] = field(default_factory=dict)
    fallbacks: list[Fallback] = field(default_factory=list)
    peak_bytes: int = 0
    spilled_bytes: int = 0
    spilled_to_disk: int = 0
    unpinned_bytes: int = 0
    root: Node | None = None
    threads: int = 1
