"""Merging tables of groups that together are more than fits on the device.

First tables are merged some at a time, for as long as that leaves fewer groups. What is still too much is
divided by the hash of the keys, and every part is merged by itself; its groups are then put back in the order
of their first rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Protocol

from ...physical.backend import DeviceMemoryShort
from ...physical.batch import Batch
from ...physical.context import Task
from ...planner.expr import Column
from ...planner.types import BIGINT
from ..held import HeldBatch
from ..ops import Ops
from .aggregate_tables import HeldTable, Table, stacked
from .base import consecutive, device_batch
from .hash_parts import HashParts, Opened, total_bytes
from .in_place import in_place

# Merging some tables at a time is given up when it leaves more than this share of their bytes.
_WORTHWHILE = 0.75
# Places of the rows of consecutive tables are this far apart: more rows than a table can have.
_TABLE_STRIDE = 1 << 32


class Merger(Protocol):
    """What is done with the rows of a group."""

    mergeable: bool
    schema: tuple[Column, ...]

    def combined(self, table: Table, ops: Ops) -> Table: ...

    def finished(self, table: Table, ops: Ops) -> Batch: ...


class GroupParts:
    """Merges the tables of one aggregation."""

    def __init__(self, merger: Merger, ops: Ops, task: Task) -> None:
        self.merger = merger
        self.ops = ops
        self.task = task
        self.place = Column(-1, "", BIGINT)

    def rows(self, tables: Sequence[HeldTable]) -> list[HeldBatch]:
        """The rows of all groups, in the order of their first rows."""
        if self.merger.mergeable:
            tables = self._fewer(tables)
        whole = self._at_once(tables)
        if whole is not None:
            return [whole]
        if not tables[0].wide_keys:
            raise DeviceMemoryShort  # one group, whose rows are needed together
        parts = HashParts(self._opened, self._part, self.ops, self.task)
        found = parts.results([self._placed(i, t) for i, t in enumerate(tables)])
        return in_place(found, self.place, self.merger.schema, lambda: parts.made, self.ops, self.task)

    def _run(self, step: Any) -> Any:
        return self.ops.memory.run(step, self.task.check)

    def _fewer(self, tables: Sequence[HeldTable]) -> Sequence[HeldTable]:
        """Consecutive tables merged, where they are too many to merge at once."""
        while len(tables) > 1 and total_bytes(tables) > self.ops.memory.work_bytes:
            runs = consecutive(tables, self.ops.memory.work_bytes, least=2)
            merged = [table for some in runs for table in self._merged(some)]
            before, tables = total_bytes(tables), merged
            if total_bytes(tables) > _WORTHWHILE * before:
                break
        return tables

    def _merged(self, tables: Sequence[HeldTable]) -> Sequence[HeldTable]:
        """The tables as one; as they are when that is too much for the device."""
        if len(tables) == 1:
            return tables
        try:
            return [self._run(lambda: HeldTable(self._combined(tables), self.ops))]
        except DeviceMemoryShort:
            return tables

    def _combined(self, tables: Sequence[HeldTable]) -> Table:
        """The groups of some tables together; rows that are numbered are brought in order first."""
        table = stacked([held.table(self.ops) for held in tables], self.ops)
        if table.places is not None:
            order = self.ops.order([table.places], [False], [True])
            table = table.with_columns(self.ops.gathered(table.columns(), order), table.rows)
        return self.merger.combined(table, self.ops)

    def _at_once(self, tables: Sequence[HeldTable]) -> HeldBatch | None:
        """The rows of all groups; None when that is too much for the device."""
        if len(tables) > 1 and tables[0].wide_keys and total_bytes(tables) > self.ops.memory.work_bytes:
            return None

        def step() -> HeldBatch:
            only = tables[0].table(self.ops)
            done = only if len(tables) == 1 and self.merger.mergeable else self._combined(tables)
            return HeldBatch(self.merger.finished(done, self.ops), self.ops)

        try:
            return self._run(step)
        except DeviceMemoryShort:
            return None

    # In parts ---------------------------------------------------------------------------------------------
    def _placed(self, number: int, held: HeldTable) -> HeldTable:
        """The table with its rows numbered, after those of all tables before it."""

        def step() -> HeldTable:
            ops, table = self.ops, held.table(self.ops)
            first = number * _TABLE_STRIDE
            return HeldTable(replace(table, places=ops.numbers(range(first, first + table.rows))), ops)

        return self._run(step)

    def _part(self, tables: Sequence[HeldTable]) -> HeldBatch:
        """The rows of the groups of some tables, with their places, ascending."""
        return HeldBatch(self._with_places(self._combined(tables)), self.ops)

    def _opened(self, held: HeldTable, start: int, stop: int) -> Opened[HeldTable]:
        ops, table = self.ops, held.table(self.ops)
        columns = ops.sliced(table.columns(), start, stop)

        def kept(found: list[Any], rows: int) -> HeldTable:
            return HeldTable(table.with_columns(found, rows), ops)

        return columns, columns[: len(table.keys)], kept

    def _with_places(self, table: Table) -> Batch:
        done = self.merger.finished(table, self.ops)
        return device_batch((self.place, *done.schema), [table.places, *done.columns], table.rows)
