"""Union: the rows of each arm in turn."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...physical.batch import Batch
from ...physical.context import QueryContext, Task
from ...physical.pipeline import Morsel, UnionSource
from .concat import renamed
from .registry import implements


@implements(UnionSource)
class Union:
    """The rows of each arm in turn: its morsels run through its transforms."""

    op_id = -1

    def __init__(self, spec: UnionSource, backend: Any) -> None:
        self.schema = spec.columns
        self.positions = range(len(spec.columns))
        self.arms = [
            (backend.source(arm.source), [backend.transform(transform) for transform in arm.transforms])
            for arm in spec.arms
        ]

    def morsels(self, q: QueryContext) -> Iterator[Morsel]:
        """The payload is the arm's number and its source's morsel."""
        seq = 0
        for number, (source, _) in enumerate(self.arms):
            for morsel in source.morsels(q):
                yield Morsel(seq, (number, morsel))
                seq += 1

    def read(self, morsel: Morsel, task: Task) -> Iterator[Batch]:
        """The arm's rows under the names of the union."""
        number, inner = morsel.payload
        source, transforms = self.arms[number]
        rows: Iterator[Batch] = task.metered(source, source.read(inner, task))
        for transform in transforms:
            rows = task.metered(transform, transform(rows, task))
        for batch in rows:
            yield renamed(batch, self.schema, self.positions)
