"""Discard: drops all rows; the pipeline ran for its marks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...physical.batch import Batch
from ...physical.context import Task
from ...physical.pipeline import DiscardSink, Flow, Rows
from .base import SinkBase
from .registry import implements


@implements(DiscardSink)
class Discard(SinkBase):
    """Leaves no rows."""

    def __init__(self, spec: DiscardSink, backend: Any) -> None:
        self.spec = spec

    def start(self, task: Task) -> None:
        """Nothing is kept."""

    def add(self, local: None, batch: Batch, seq: int) -> Flow:
        """Drops the batch."""
        return Flow.MORE

    def finish(self, parts: Sequence[None], task: Task) -> Rows:
        """No rows."""
        return Rows(())
