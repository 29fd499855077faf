"""Groups: which group each row belongs to, and aggregations that give one value a group."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ..ops import Ops
from .join_keys import comparable, even
from .join_pairs import Pairs


@dataclass(frozen=True)
class Groups:
    """The groups of some rows in the order of their first rows: `keys` has one row a group, `numbers` (INT32)
    the group of every row.
    """

    ops: Ops
    keys: list[Any]
    count: int
    numbers: Any

    def aggregate(self, requests: Sequence[tuple[Any, Any]]) -> list[Any]:
        """For every (column, aggregation) one column with a row a group."""
        if not requests:
            return []
        plc, ops = self.ops.plc, self.ops
        grouping = plc.groupby.GroupBy(ops.table([self.numbers]), plc.types.NullPolicy.INCLUDE)
        wanted = [plc.groupby.GroupByRequest(column, [how]) for column, how in requests]
        found, tables = grouping.aggregate(wanted, stream=ops.stream)
        columns = [table.columns()[0] for table in tables]
        numbers = found.columns()[0]
        if numbers.size() == self.count:
            return ops.gathered(columns, ops.order([numbers], [False], [True]))
        # Groups without rows have no value.
        nothing = [plc.Column.all_null_like(column, self.count, stream=ops.stream) for column in columns]
        if not numbers.size():
            return nothing
        placed = plc.copying.scatter(ops.table(columns), numbers, ops.table(nothing), stream=ops.stream)
        return list(placed.columns())

    def of(self, rows: Any) -> Groups:
        """The same groups over some of the rows, by number."""
        (numbers,) = self.ops.gathered([self.numbers], rows)
        return Groups(self.ops, self.keys, self.count, numbers)

    def distinct(self, columns: Sequence[Any]) -> Any:
        """The numbers of the first rows of every different row of values within a group."""
        return first_rows([self.numbers, *(comparable(column, self.ops) for column in columns)], self.ops)


def group_rows(keys: Sequence[Any], rows: int, ops: Ops) -> Groups:
    """The groups of `rows` rows by their keys: NULL is a key, NaN and the zeros are one each. Without keys
    there is one group, whether or not it has rows.
    """
    if not keys:
        return Groups(ops, [], 1, ops.repeated(ops.int32(0), rows))
    compared = [comparable(key, ops) for key in keys]
    places = first_rows(compared, ops)
    different = ops.gathered(compared, places)
    equal = ops.plc.types.NullEquality.EQUAL
    found = Pairs(
        *ops.plc.join.inner_join(ops.table(compared), ops.table(different), equal, stream=ops.stream)
    )
    (numbers,) = ops.gathered([found.right], ops.order([found.left], [False], [True]))
    shown = ops.gathered([even(key, ops) for key in keys], places)
    return Groups(ops, shown, places.size(), numbers)


def first_rows(columns: Sequence[Any], ops: Ops) -> Any:
    """The numbers of the rows that are the first of their kind, ascending."""
    keep = ops.plc.stream_compaction.DuplicateKeepOption.KEEP_FIRST
    nulls, nans = ops.plc.types.NullEquality.EQUAL, ops.plc.types.NanEquality.ALL_EQUAL
    found = ops.plc.stream_compaction.distinct_indices(
        ops.table(columns), keep, nulls, nans, stream=ops.stream
    )
    (ascending,) = ops.gathered([found], ops.order([found], [False], [True]))
    return ascending
