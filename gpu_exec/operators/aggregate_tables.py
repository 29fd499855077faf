"""Tables of groups with partial results, or of kept rows: on the device, and held for later."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ..held import Held
from ..ops import Ops
from ..storage import is_wide
from .concat import together
from .grouping import Groups


@dataclass(frozen=True)
class Table:
    """Keys and, call by call, other columns (partial results or arguments) of groups or rows.

    `places` (INT64), where it is needed, numbers the rows so that groups come in the order of their first
    rows.
    """

    rows: int
    keys: list[Any]
    calls: list[list[Any]]
    places: Any = None

    def first_places(self, groups: Groups) -> Any:
        """The least place of each group of these rows."""
        if self.places is None:
            return None
        return groups.aggregate([(self.places, groups.ops.plc.aggregation.min())])[0]

    def columns(self) -> list[Any]:
        """All columns side by side."""
        return [
            *self.keys,
            *(column for some in self.calls for column in some),
            *([] if self.places is None else [self.places]),
        ]

    def with_columns(self, columns: Sequence[Any], rows: int) -> Table:
        """The same with other columns, as `columns` gives them."""
        keys, at = list(columns[: len(self.keys)]), len(self.keys)
        calls = []
        for some in self.calls:
            calls.append(list(columns[at : at + len(some)]))
            at += len(some)
        return Table(rows, keys, calls, None if self.places is None else columns[at])


@dataclass(frozen=True)
class _Shape:
    keys: int
    calls: tuple[int, ...]
    placed: bool

    def table(self, columns: Sequence[Any], rows: int) -> Table:
        empty = Table(0, [None] * self.keys, [[None] * n for n in self.calls], 0 if self.placed else None)
        return empty.with_columns(columns, rows)


class HeldTable(Held):
    """A table that is held. `wide_keys`: which keys are stored 128 bits wide."""

    def __init__(self, table: Table, ops: Ops) -> None:
        self.wide_keys = tuple(is_wide(key) for key in table.keys)
        self._shape = _Shape(
            len(table.keys), tuple(len(some) for some in table.calls), table.places is not None
        )
        super().__init__(table.columns(), table.rows, ops)

    def table(self, ops: Ops) -> Table:
        """The table on the device; part of a step, see `Held.columns`."""
        return self._shape.table(self.columns(ops), self.num_rows)


def stacked(tables: Sequence[Table], ops: Ops) -> Table:
    """The tables one below the other."""
    if len(tables) == 1:
        return tables[0]
    first = tables[0]
    keys = [together([table.keys[i] for table in tables], ops) for i in range(len(first.keys))]
    calls = []
    for i in range(len(first.calls)):
        parts = [table.calls[i] for table in tables]
        calls.append([together([part[j] for part in parts], ops) for j in range(len(parts[0]))])
    places = None if first.places is None else together([table.places for table in tables], ops)
    return Table(sum(table.rows for table in tables), keys, calls, places)
