"""Discard: drops all rows."""

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
    """Drops all rows: the pipeline runs for what its transforms mark."""

    def __init__(self, spec: DiscardSink, backend: Any) -> None:
        pass

    def start(self, task: Task) -> None:
        """No state."""

    def add(self, local: None, batch: Batch, seq: int) -> Flow:
        """Drops the batch."""
        return Flow.MORE

    def finish(self, parts: Sequence[None], task: Task) -> Rows:
        """No rows."""
        return Rows(())
