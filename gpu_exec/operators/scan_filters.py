"""Runtime filters at a scan: what finished join builds say about which rows can match."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ...physical.context import QueryContext
from ...physical.key_range import KeyRange
from ...physical.nodes import RuntimeFilter
from ...physical.parquet_meta import RowGroupStats
from ...planner.expr import Comparison, Expr, Literal, ref
from ...planner.types import BOOLEAN


class ScanFilters:
    """The runtime filters of one scan. Falsy when there are none.

    `pipelines[i]` is the build pipeline of filters[i]; where that build ran makes no difference. Only the
    range of a key is used: testing rows one by one costs what the join's own probe does.
    """

    def __init__(self, filters: Sequence[RuntimeFilter], pipelines: Sequence[int]) -> None:
        self.filters = tuple(zip(filters, pipelines, strict=True))
        self.column_ids = tuple(dict.fromkeys(f.column.id for f in filters))

    def __bool__(self) -> bool:
        return bool(self.filters)

    def may_match(self, q: QueryContext, column_id: int, stats: RowGroupStats) -> bool:
        """Whether rows with these statistics of a column may hold a match."""
        for target, pipeline in self.filters:
            found = _range(q.artifacts, target, pipeline) if target.column.id == column_id else None
            if found is not None and not found.overlaps(stats.low, stats.high):
                return False
        return True

    def terms(
        self, artifacts: Mapping[int, Any], bounds: Mapping[int, tuple[int, int]] | None = None
    ) -> list[Expr]:
        """What rows have to satisfy to match, as comparisons with constants, which never fail. Those that
        hold for all values within the `bounds` of columns are left out.
        """
        found: list[Expr] = []
        for target, pipeline in self.filters:
            range_ = _range(artifacts, target, pipeline)
            if range_ is None:
                continue
            if range_.empty:
                return [Literal(BOOLEAN, False)]
            column = ref(target.column)
            low, high = (bounds or {}).get(column.id, (None, None))
            if range_.low is not None and (low is None or low < range_.low):
                found.append(Comparison(BOOLEAN, ">=", column, Literal(column.type, range_.low)))
            if range_.high is not None and (high is None or high > range_.high):
                found.append(Comparison(BOOLEAN, "<=", column, Literal(column.type, range_.high)))
        return found


def _range(artifacts: Mapping[int, Any], target: RuntimeFilter, pipeline: int) -> KeyRange | None:
    return artifacts[pipeline].runtime_filter(target.key)
