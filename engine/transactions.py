"""Transactions: a connection's own state of the catalog, which COMMIT puts in place of the shared one.

A transaction sees the snapshot of its beginning and its own changes. Two that change the same table, view or
index cannot both commit, unless they only add rows to a table.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..physical.batch import Batch
from ..physical.tables import MemoryTable
from ..planner import messages_changes as messages
from ..planner.errors import ConstraintError
from .catalog import MemoryCatalog
from .table_changes import Change

_PARTS = ("tables", "views", "indexes", "macros")


class Transaction(MemoryCatalog):
    """The catalog of a session between BEGIN and COMMIT or ROLLBACK."""

    def __init__(self, shared: MemoryCatalog, read_only: bool) -> None:
        # The key sets are shared: they know by a table's version whether they are up to date.
        self._shared = shared
        self._lock = shared._lock
        self._keys = shared._keys
        self._base = self.snapshot = shared.snapshot
        self._read_only = read_only
        # By a table's uid the rows that were added; None once the table was changed otherwise.
        self._added: dict[int, list[tuple[Sequence[Batch], Sequence[object]]] | None] = {}
        self.aborted = False

    def append(self, table: MemoryTable, batches: Sequence[Batch], memory: Sequence[object]) -> MemoryTable:
        new = super().append(table, batches, memory)
        added = self._added.setdefault(table.uid, [])
        if added is not None:
            added.append((batches, memory))
        return new

    def change(self, table: MemoryTable, change: Change, what: str) -> None:
        place = table.name.lower()
        if self._shared.snapshot.tables.get(place) is not self._base.tables.get(place):
            raise messages.conflict_on(what)
        super().change(table, change, what)
        self._added[table.uid] = None

    def alter(self, table: MemoryTable, new: MemoryTable) -> None:
        super().alter(table, new)
        self._added[table.uid] = None

    def _replace(self, **fields: Any) -> None:
        if self._read_only:
            raise messages.read_only_transaction()
        super()._replace(**fields)

    def commit(self) -> None:
        """Puts the changes in place, all or nothing. TransactionError where another commit stands against
        them.
        """
        if self.snapshot is self._base:
            return
        with self._lock:
            current = self._shared.snapshot
            if current is self._base:
                self._shared._replace(**{part: getattr(self.snapshot, part) for part in _PARTS})
                return
            states = (self._base, self.snapshot, current)
            merged = {part: self._merged(*(getattr(state, part) for state in states)) for part in _PARTS}
            self._shared._replace(**merged)

    def _merged(
        self, base: Mapping[str, Any], own: Mapping[str, Any], current: Mapping[str, Any]
    ) -> dict[str, Any]:
        merged = dict(current)
        for place in {**base, **own}:
            was, now, there = base.get(place), own.get(place), current.get(place)
            if now is was:
                continue
            if there is was:
                merged[place] = now
            else:
                merged[place] = self._added_to(place, was, now, there)
        return {place: entry for place, entry in merged.items() if entry is not None}

    def _added_to(self, place: str, was: Any, now: Any, there: Any) -> MemoryTable:
        """The table that is there with the rows that were added to a former version."""
        added = self._added.get(now.uid) if isinstance(now, MemoryTable) else None
        if (
            added is None
            or not isinstance(was, MemoryTable)
            or not isinstance(there, MemoryTable)
            or not was.uid == now.uid == there.uid
            or not was.constraints == now.constraints == there.constraints
        ):
            raise messages.commit_failed(messages.changed_elsewhere(place))
        for batches, memory in added:
            try:
                there = self._with_rows(there, batches, memory)
            except ConstraintError as error:
                raise messages.commit_failed(error.message) from error
        return there
