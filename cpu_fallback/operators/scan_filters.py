"""Runtime filters at a scan: what finished join builds say about which rows can match."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ...physical.batch import Batch
from ...physical.context import QueryContext, Task
from ...physical.nodes import RuntimeFilter
from ...physical.parquet_meta import RowGroupStats
from ...physical.pipeline import Rows
from .runtime_filter import JoinFilter

# A filter that lets more than this share of the rows it has seen through is not worth its time.
_USELESS_SHARE = 0.75
_TRIAL_ROWS = 200_000


class ScanFilters:
    """The runtime filters of one scan. Falsy when there are none.

    `pipelines[i]` is the build pipeline of filters[i]. Every task learns together which filters pass too
    much; the counts are only a
    heuristic, so races between tasks do no harm.
    """

    def __init__(self, filters: Sequence[RuntimeFilter], pipelines: Sequence[int]) -> None:
        self.filters = tuple(zip(filters, pipelines, strict=True))
        self.column_ids = tuple(dict.fromkeys(f.column.id for f in filters))
        self._seen = [0] * len(self.filters)
        self._passed = [0] * len(self.filters)

    def __bool__(self) -> bool:
        return bool(self.filters)

    @staticmethod
    def _tester(artifact: Any, key: int) -> JoinFilter | None:
        assert not isinstance(artifact, Rows), "a join's build side leaves a hash table"
        found = artifact.runtime_filter(key)
        if found is None or isinstance(found, JoinFilter):
            return found
        return JoinFilter(found.low, found.high, empty=found.empty, members=None)  # of rows on the GPU

    def may_match(self, q: QueryContext, column_id: int, stats: RowGroupStats) -> bool:
        """Whether a row group with these statistics of a column may hold a match."""
        for target, pipeline in self.filters:
            if target.column.id != column_id:
                continue
            tester = self._tester(q.artifacts[pipeline], target.key)
            if tester is not None and not tester.overlaps(stats.low, stats.high):
                return False
        return True

    def apply(
        self, batch: Batch, mask: npt.NDArray[np.bool_] | None, task: Task
    ) -> npt.NDArray[np.bool_] | None:
        """The mask of wanted rows (None: all) with those removed that no build row can match."""
        for index, (target, pipeline) in enumerate(self.filters):
            if self._seen[index] > _TRIAL_ROWS and self._passed[index] > _USELESS_SHARE * self._seen[index]:
                continue
            tester = self._tester(task.artifacts[pipeline], target.key)
            if tester is None:
                continue
            found = tester.test(batch.column(target.column.id))
            if mask is None:
                self._seen[index] += batch.num_rows
                self._passed[index] += int(np.count_nonzero(found))
                mask = found
            else:
                self._seen[index] += int(np.count_nonzero(mask))
                both = mask & found
                self._passed[index] += int(np.count_nonzero(both))
                mask = both
        return mask
