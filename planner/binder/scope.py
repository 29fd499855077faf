"""Names visible at a place of a query: tables and their columns, columns merged by USING, aliases of the
SELECT list, and the
scopes around it.

Names are compared without regard to case; results carry the stored spelling.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

from .. import messages, messages_query
from ..errors import Span
from ..expr import Call, Column, ColumnRef, Expr, ref
from ..frontend.keywords import quote_name
from ..types import struct_of
from .fields import field_at, fields_along

if TYPE_CHECKING:
    from .aggregates import AggregateCalls


@dataclass(frozen=True)
class Relation:
    """One table of a FROM clause under its alias. `names[i]` is the column `columns[i]`; `qualifiers` are
    catalog and schema names that
    may precede the alias; `synonym` is a second name of a single column (`FROM range(3) r` has r, also called
    range)."""

    alias: str
    names: tuple[str, ...]
    columns: tuple[Column, ...]
    qualifiers: tuple[str, ...] = ()
    synonym: str | None = None

    def __post_init__(self) -> None:
        # References carry the name under which the column is visible here.
        named = tuple(
            c if c.name == n else replace(c, name=n) for n, c in zip(self.names, self.columns, strict=True)
        )
        object.__setattr__(self, "columns", named)

    @cached_property
    def _index(self) -> dict[str, int]:
        index: dict[str, int] = {}
        for position, name in enumerate(self.names):
            index.setdefault(name.lower(), position)
        if self.synonym is not None:
            index.setdefault(self.synonym.lower(), 0)
        return index

    def find(self, name: str) -> Column | None:
        """The column called `name`."""
        position = self._index.get(name.lower())
        if position is None:
            return None
        column = self.columns[position]
        return (
            replace(column, name=self.synonym)
            if self.synonym and name.lower() != self.names[0].lower()
            else column
        )

    def is_called(self, parts: Sequence[str]) -> bool:
        """Whether [catalog.][schema.]alias names this relation."""
        if parts[-1].lower() != self.alias.lower():
            return False
        given = [p.lower() for p in parts[:-1]]
        return not given or given == [q.lower() for q in self.qualifiers][-len(given) :]


@dataclass(frozen=True)
class Merged:
    """A column that JOIN ... USING made of one column of either side. `members` are ids of the columns it
    stands for in `*`.
    """

    name: str
    expr: Expr
    members: frozenset[int]


@dataclass
class Scope:
    """Names of one query level. `outer` is the level around a subquery; `alias` finds a SELECT alias where
    the clause allows it;
    `alias_at` are places where an alias wins over a column.
    `calls` collects the aggregates of this level where its clause, `clause`, may hold some (also those that
    stand in subqueries but belong
    here); None where it may not."""

    relations: tuple[Relation, ...] = ()
    merged: dict[str, Merged] = field(default_factory=dict)
    outer: Scope | None = None
    alias: Callable[[str, Span | None], Expr | None] | None = None
    alias_at: frozenset[Span] = frozenset()
    calls: AggregateCalls | None = None
    clause: str = "FROM"

    # Resolution ---------------------------------------------------------------------------------------------
    def resolve(self, parts: tuple[str, ...], span: Span | None) -> Expr:
        """What a possibly qualified name refers to, here or in the scopes around. Raises BinderError with
        candidates if nothing.
        """
        scope: Scope | None = self
        while scope is not None:
            found = scope._find(parts, span)
            if found is not None:
                return found
            scope = scope.outer
        raise self._unknown(parts, span)

    def _find(self, parts: tuple[str, ...], span: Span | None) -> Expr | None:
        if len(parts) == 1:
            name = parts[0]
            found = None if span in self.alias_at else self.find_column(name, span)
            if found is None and self.alias is not None:
                found = self.alias(name, span)
            found = found or (self.find_column(name, span) if span in self.alias_at else None)
            return found or self._row(name, span)
        hits = [
            column
            for r in self.relations
            if r.is_called(parts[:-1]) and (column := r.find(parts[-1])) is not None
        ]
        if len(hits) > 1:
            raise messages_query.duplicate_alias(parts[-2], span)
        if hits:
            return ref(hits[0], span)
        field = self._field(parts, span)
        if field is not None:
            return field
        if any(r.is_called(parts[:-1]) for r in self.relations):
            raise self._unknown_in_table(parts, span)
        return None

    def _field(self, parts: tuple[str, ...], span: Span | None) -> Expr | None:
        """The field of a struct: `table.column.field...`, or `column.field...`."""
        for count in range(len(parts) - 2, 0, -1):
            for relation in self.relations:
                if relation.is_called(parts[:count]):
                    column = relation.find(parts[count])
                    if column is not None and column.type.is_nested:
                        return fields_along(ref(column, span), parts[count + 1 :], span)
        if any(r.is_called(parts[:1]) for r in self.relations):
            return None
        base = self.find_column(parts[0], span)
        if base is None and self.alias is not None:
            base = self.alias(parts[0], span)
        if base is None or not base.type.is_nested:
            return None
        return fields_along(base, parts[1:], span)

    def _fields_of(self, parts: tuple[str, ...], span: Span | None) -> list[tuple[str, Expr]]:
        """Names and values of the fields of a struct column, as `column.*` has them; none for other names."""
        base = self.find_column(parts[0], span) if len(parts) == 1 else self._find(parts, span)
        if base is None or not base.type.is_struct:
            return []
        return [(name, field_at(base, place, span)) for place, (name, _) in enumerate(base.type.fields)]

    def find_column(self, name: str, span: Span | None) -> Expr | None:
        """The column an unqualified name means at this level only; None if there is none. Raises BinderError
        if there are several.
        """
        merged = self.merged.get(name.lower())
        hits: list[tuple[Relation, Column]] = []
        for relation in self.relations:
            column = relation.find(name)
            if column is not None and not (merged is not None and column.id in merged.members):
                hits.append((relation, column))
        if merged is not None:
            return _at(merged.expr, span)
        if len(hits) > 1:
            raise messages.ambiguous_column(name, [f"{r.alias}.{c.name}" for r, c in hits], span)
        return ref(hits[0][1], span) if hits else None

    def at_place(self, place: int, span: Span | None) -> Expr:
        """The column of `*` at a place, counted from 1. Raises BinderError where there is none."""
        found = [expr for _, expr in self.star()]
        if not 1 <= place <= len(found):
            raise messages_query.no_such_place(place, len(found), span)
        return _at(found[place - 1], span)

    @cached_property
    def column_ids(self) -> frozenset[int]:
        """Ids of the columns of this level."""
        return frozenset(c.id for r in self.relations for c in r.columns)

    # Stars --------------------------------------------------------------------------------------------------
    def star(self, table: Sequence[str] = (), span: Span | None = None) -> Iterator[tuple[str, Expr]]:
        """(name, expression) of every column of `*`, or of `table.*`, in order."""
        if table:
            found = [r for r in self.relations if r.is_called(table)]
            if not found and self.outer is not None:
                yield from self.outer.star(table, span)
                return
            if not found and (fields := self._fields_of(tuple(table), span)):
                yield from fields
                return
            if not found:
                raise messages_query.unknown_alias(".".join(table), self.aliases(), span)
            if len(found) > 1:
                raise messages_query.duplicate_alias(table[-1], span)
            for name, column in zip(found[0].names, found[0].columns, strict=True):
                yield name, ref(column, span)
            return
        seen: set[str] = set()
        for relation in self.relations:
            key = ".".join((*relation.qualifiers, relation.alias)).lower()
            if key in seen and relation.alias:
                raise messages_query.duplicate_alias(relation.alias, span)
            seen.add(key)
        emitted: set[str] = set()
        for relation in self.relations:
            for name, column in zip(relation.names, relation.columns, strict=True):
                merged = self.merged.get(name.lower())
                if merged is None or column.id not in merged.members:
                    yield name, ref(column, span)
                elif name.lower() not in emitted:
                    emitted.add(name.lower())
                    yield name, _at(merged.expr, span)

    def full_name(self, expr: Expr, name: str) -> str:
        """The name of a column of this level with all that may precede it."""
        for relation in self.relations:
            if isinstance(expr, ColumnRef) and any(c.id == expr.id for c in relation.columns):
                parts = (*relation.qualifiers, *((relation.alias,) if relation.alias else ()), name)
                return ".".join(map(quote_name, parts))
        return quote_name(name)

    def _row(self, table: str, span: Span | None) -> Expr | None:
        """A table of this level as a value: the struct of its columns."""
        found = [r for r in self.relations if r.alias and r.alias.lower() == table.lower()]
        if not found:
            return None
        if len(found) > 1:
            raise messages_query.duplicate_alias(table, span)
        names = unique_names(found[0].names)
        kind = struct_of(*((n, c.type) for n, c in zip(names, found[0].columns, strict=True)))
        return Call(kind, "struct_pack", tuple(ref(c, span) for c in found[0].columns), span=span)

    # Candidates ---------------------------------------------------------------------------------------------
    def aliases(self) -> list[str]:
        """Aliases of the tables here and around."""
        own = [r.alias for r in self.relations if r.alias]
        return own if self.outer is None else own + self.outer.aliases()

    def column_names(self) -> list[str]:
        """Names of all columns here and around."""
        own = [name for r in self.relations for name in r.names]
        return own if self.outer is None else own + self.outer.column_names()

    def _levels(self) -> Iterator[Scope]:
        scope: Scope | None = self
        while scope is not None:
            yield scope
            scope = scope.outer

    def _unknown(self, parts: tuple[str, ...], span: Span | None) -> Exception:
        name = ".".join(parts)
        if len(parts) > 1:
            return messages_query.unknown_alias(".".join(parts[:-1]), self.aliases(), span)
        tables = [r for scope in self._levels() for r in scope.relations]
        if not tables:
            return messages_query.column_without_from(name, span)
        return messages.unknown_column(name, self.column_names(), span)

    def _unknown_in_table(self, parts: tuple[str, ...], span: Span | None) -> Exception:
        names = [n for r in self.relations if r.is_called(parts[:-1]) for n in r.names]
        return messages_query.unknown_column_of(".".join(parts[:-1]), parts[-1], names, span)


def _at(expr: Expr, span: Span | None) -> Expr:
    """A reference placed at `span`, so that errors point to the use."""
    return ColumnRef(expr.type, expr.id, expr.name, span=span) if isinstance(expr, ColumnRef) else expr


def unique_names(names: Iterable[str]) -> tuple[str, ...]:
    """Names of a derived table's columns: repeated ones get _1, _2, ... as in DuckDB.

    >>> unique_names(["a", "b", "A"])
    ('a', 'b', 'A_1')
    """
    seen: set[str] = set()
    result = []
    for name in names:
        candidate, suffix = name, 0
        while candidate.lower() in seen:
            suffix += 1
            candidate = f"{name}_{suffix}"
        seen.add(candidate.lower())
        result.append(candidate)
    return tuple(result)
