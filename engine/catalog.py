"""The names a connection knows: immutable snapshots of in-memory tables and views, over a lake folder.

A statement pins one snapshot; DDL and INSERT put a new snapshot in its place.
"""

from __future__ import annotations

import itertools
import threading
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ..physical.batch import Batch
from ..physical.tables import MemoryTable
from ..planner import messages_catalog as messages
from ..planner import messages_changes, messages_constraints
from ..planner.catalog import Catalog, Key, Macro, Table, View
from .compaction import packed
from .keys import Keys
from .sources import system_tables
from .sources.frames import Names, frame_table
from .sources.lake import Lake
from .sources.paths import open_path
from .sources.table_functions import TABLE_FUNCTIONS
from .table_changes import Change

_SCHEMAS = ("main", "temp")
_DATABASES = ("memory", "temp")
_uids = itertools.count(1)
# No two versions of tables have the same number.
_versions = itertools.count(1)


def new_uid() -> int:
    """A number that no other in-memory table of this process has."""
    return next(_uids)


@dataclass(frozen=True)
class Snapshot(Catalog):
    """One state of a catalog."""

    tables: Mapping[str, MemoryTable] = field(default_factory=dict)  # by lower-case name
    views: Mapping[str, View] = field(default_factory=dict)
    # By lower-case name: the index's own name and its table's uid.
    indexes: Mapping[str, tuple[str, int]] = field(default_factory=dict)
    macros: Mapping[str, Macro] = field(default_factory=dict)  # by lower-case name
    lake: Lake | None = None
    # What Python programs lend: objects given to register(), and the variables of whoever executes.
    registered: Mapping[str, MemoryTable] = field(default_factory=dict)
    callers: Names | None = None
    _borrowed: dict[str, MemoryTable] = field(default_factory=dict, compare=False, repr=False)

    def lookup(self, parts: Sequence[str]) -> Table | View | None:
        name = self.local_name(parts)
        if name is None:
            return self._system_table(parts)
        key = name.lower()
        found = self.registered.get(key) or self.tables.get(key) or self.views.get(key)
        if found is None and self.lake is not None:
            found = self.lake.table(name)
        return found or self._system_table(parts) or (self._borrow(name) if len(parts) == 1 else None)

    def with_callers(self, callers: Names | None) -> Snapshot:
        """The same for a statement that may name the variables of its caller."""
        return self if callers is None else replace(self, callers=callers, _borrowed={})

    def lending(self, table: MemoryTable) -> Snapshot:
        """The same for a statement that may name one more table."""
        return replace(self, registered={**self.registered, table.name.lower(): table})

    @property
    def borrowed(self) -> Mapping[str, MemoryTable]:
        """What `callers` has given so far, by its names."""
        return self._borrowed

    def _borrow(self, name: str) -> MemoryTable | None:
        """The table that a variable of the caller is; the same one all through a statement."""
        if name not in self._borrowed and self.callers is not None:
            value = self.callers.find(name)
            if value is not None:
                is_made = isinstance(value, MemoryTable)  # when the relation at work was
                self._borrowed[name] = value if is_made else frame_table(name, value, new_uid())
        return self._borrowed.get(name)

    def _system_table(self, parts: Sequence[str]) -> Table | None:
        found = system_tables.find_table(parts)
        return None if found is None else found.table(parts[-1].lower(), self, new_uid())

    def views_read(self, sql: str) -> int:
        """How many views a statement may read, those that they read in turn included: at least as many as it
        does read, as any text that spells a view's name counts.
        """
        left = {key.casefold(): view for key, view in self.views.items()}
        texts, found = [sql], 0
        while texts and left:
            text = texts.pop().casefold().replace('""', '"')
            for key in [key for key in left if key in text]:
                texts.append(left.pop(key).sql)
                found += 1
        return found

    @staticmethod
    def local_name(parts: Sequence[str]) -> str | None:
        """The table's own name when the schema and database parts are ours, else None."""
        *outer, name = parts
        if len(outer) == 1 and outer[0].lower() in (*_SCHEMAS, *_DATABASES):
            return name
        if len(outer) == 2 and outer[0].lower() in _DATABASES and outer[1].lower() in _SCHEMAS:
            return name
        return None if outer else name

    def names(self) -> Iterable[str]:
        own = [t.name for t in self.tables.values()] + [v.name for v in self.views.values()]
        own += [
            t.name for key, t in self.registered.items() if key not in self.tables and key not in self.views
        ]
        known = {name.lower() for name in own}
        lake = [] if self.lake is None else [n for n in self.lake.names() if n.lower() not in known]
        return sorted(own + lake)

    def table_function(self, name: str, args: Sequence[Any], named: Mapping[str, Any]) -> Table | None:
        if name == "pragma_table_info":
            return system_tables.table_info(self, args, new_uid())
        if (system := system_tables.FUNCTIONS.get(name)) is not None and not args and not named:
            return system.table(name, self, new_uid())
        maker = TABLE_FUNCTIONS.get(name.lower())
        return None if maker is None else maker(args, named)

    def table_functions(self) -> Iterable[str]:
        return sorted({*TABLE_FUNCTIONS, *system_tables.FUNCTIONS, "pragma_table_info"})

    def open_path(self, path: str) -> Table | None:
        return open_path(path)


class MemoryCatalog:
    """The mutable holder of the current snapshot, shared by the connections' sessions. Thread-safe: `change`
    is atomic.
    """

    def __init__(self, lake: Lake | None = None) -> None:
        self.snapshot = Snapshot(lake=lake)
        self._lock = threading.Lock()
        self._keys = Keys()

    def put_table(self, table: MemoryTable) -> None:
        """Adds or replaces a table."""
        with self._lock:
            self._replace(tables={**self.snapshot.tables, table.name.lower(): table})

    def put_view(self, view: View) -> None:
        """Adds or replaces a view."""
        with self._lock:
            self._replace(views={**self.snapshot.views, view.name.lower(): view})

    def put_macro(self, macro: Macro) -> None:
        """Adds or replaces a macro."""
        with self._lock:
            self._replace(macros={**self.snapshot.macros, macro.name.lower(): macro})

    def remove_macro(self, name: str) -> None:
        """Removes a macro that is there."""
        with self._lock:
            self._replace(macros={k: v for k, v in self.snapshot.macros.items() if k != name.lower()})

    def remove(self, name: str) -> None:
        """Removes a table or view that is there."""
        key = name.lower()
        with self._lock:
            self._replace(
                tables={k: v for k, v in self.snapshot.tables.items() if k != key},
                views={k: v for k, v in self.snapshot.views.items() if k != key},
            )

    def register(self, table: MemoryTable) -> None:
        """Lends a table under its name, in place of another one lent so."""
        with self._lock:
            self.snapshot = self.snapshot.lending(table)

    def unregister(self, name: str) -> None:
        """Takes back what `register` lent; nothing where that is none."""
        key = name.lower()
        with self._lock:
            self._replace(registered={k: v for k, v in self.snapshot.registered.items() if k != key})

    def append(self, table: MemoryTable, batches: Sequence[Batch], memory: Sequence[object]) -> MemoryTable:
        """The next version of a table, with more rows whose bytes `memory` holds, in place of the current.
        CatalogError when that is another table by now, ConstraintError where a key is taken.
        """
        with self._lock:
            new = self._with_rows(self._current(table), batches, memory)
            self._replace(tables={**self.snapshot.tables, table.name.lower(): new})
            return new

    def _with_rows(
        self, current: MemoryTable, batches: Sequence[Batch], memory: Sequence[object]
    ) -> MemoryTable:
        self._keys.check_added(current, batches)
        stored, held = packed(current, batches, memory)
        new = replace(current, version=next(_versions), batches=stored, memory=held, _cache={})
        self._keys.moved(current, new, batches)
        return new

    def split_by_keys(
        self, table: MemoryTable, keys: Sequence[Key], batches: Sequence[Batch]
    ) -> tuple[list[Batch], list[Batch]]:
        """New rows whose keys are free, and those that have a taken one: see Keys.split."""
        with self._lock:
            return self._keys.split(table, keys, batches)

    def change(self, table: MemoryTable, change: Change, what: str) -> None:
        """The next version of a table, with the rows of `change`. TransactionError when the table has another
        version by now, ConstraintError where a new row's key is taken.
        """
        with self._lock:
            current = self._current(table)
            if current.version != table.version:
                raise messages_changes.conflict_on(what)
            batches, memory = change.batches, change.memory
            new = replace(current, version=next(_versions), batches=batches, memory=memory, _cache={})
            self._keys.check_changed(current, new, change.new_rows, change.old_rows, change.written)
            self._keys.moved(current, new, change.new_rows, change.old_rows)
            self._replace(tables={**self.snapshot.tables, table.name.lower(): new})

    def alter(self, table: MemoryTable, new: MemoryTable) -> None:
        """The next version of a table, with other columns, constraints, rows or another name.
        TransactionError when it has another version by now, ConstraintError where rows break a new key.
        """
        with self._lock:
            current = self._current(table)
            if current.version != table.version:
                raise messages_changes.conflict_on("alter")
            for key in new.constraints.keys:
                if key not in current.constraints.keys and self._keys.has_repeated(new, key):
                    raise messages_constraints.duplicates_in_data()
            tables = {k: v for k, v in self.snapshot.tables.items() if k != table.name.lower()}
            tables[new.name.lower()] = replace(new, version=next(_versions))
            self._replace(tables=tables)

    def _current(self, table: MemoryTable) -> MemoryTable:
        current = self.snapshot.tables.get(table.name.lower())
        if current is None or current.uid != table.uid:
            raise messages.table_gone(table.name)
        return current

    def add_index(self, name: str, table: MemoryTable, key: Key | None) -> None:
        """Adds an index over a table; one with a `key` is unique. ConstraintError where rows break it."""
        with self._lock:
            current = self._current(table)
            indexes = {**self.snapshot.indexes, name.lower(): (name, current.uid)}
            if key is not None:
                keys = (*current.constraints.keys, key)
                current = replace(
                    current, constraints=replace(current.constraints, keys=keys), version=next(_versions)
                )
                if self._keys.has_repeated(current, key):
                    raise messages_constraints.duplicates_in_data()
            self._replace(indexes=indexes, tables={**self.snapshot.tables, table.name.lower(): current})

    def remove_index(self, name: str) -> None:
        """Removes an index that is there."""
        with self._lock:
            _, uid = self.snapshot.indexes[name.lower()]
            tables = {
                k: _without_index(t, name) if t.uid == uid else t for k, t in self.snapshot.tables.items()
            }
            indexes = {k: v for k, v in self.snapshot.indexes.items() if k != name.lower()}
            self._replace(indexes=indexes, tables=tables)

    def _replace(self, **fields: Any) -> None:
        new = replace(self.snapshot, **fields)
        uids = {table.uid for table in new.tables.values()}
        if any(uid not in uids for _, uid in new.indexes.values()):
            new = replace(new, indexes={k: v for k, v in new.indexes.items() if v[1] in uids})
        self._keys.keep_only(uids)
        self.snapshot = new


def _without_index(table: MemoryTable, name: str) -> MemoryTable:
    left = tuple(k for k in table.constraints.keys if k.index is None or k.index.lower() != name.lower())
    return replace(table, constraints=replace(table.constraints, keys=left), version=next(_versions))
