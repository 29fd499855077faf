"""Where rows come from, and nodes over one input."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from ..catalog import Table
from ..expr import AggregateCall, Column, Expr, Literal, SortKey, WindowCall, references
from .base import Plan, Unary


@dataclass(frozen=True, eq=False)
class Scan(Plan):
    """Rows of a stored table. `columns[i]` is the table's column called `names[i]`. `predicate` is a
    conjunction every returned row satisfies.
    """

    table: Table
    columns: tuple[Column, ...]
    names: tuple[str, ...]
    alias: str = ""
    predicate: Expr | None = None

    @property
    def schema(self) -> tuple[Column, ...]:
        return self.columns

    @property
    def expressions(self) -> tuple[Expr, ...]:
        return () if self.predicate is None else (self.predicate,)

    @cached_property
    def outer_references(self) -> frozenset[int]:
        return frozenset() if self.predicate is None else references(self.predicate) - self.ids


@dataclass(frozen=True, eq=False)
class Values(Plan):
    """Literal rows; each row has one expression a column. One row of no columns is `SELECT` without FROM; no
    rows is an empty result.
    """

    columns: tuple[Column, ...]
    rows: tuple[tuple[Expr, ...], ...]

    @property
    def schema(self) -> tuple[Column, ...]:
        return self.columns

    @cached_property
    def expressions(self) -> tuple[Expr, ...]:  # type: ignore[override]
        """The cells that are no literals: a pass over a hundred thousand constants would find nothing."""
        return tuple([e for row in self.rows for e in row if not isinstance(e, Literal)])


@dataclass(frozen=True, eq=False)
class Filter(Unary):
    """Rows of `input` for which `predicate` is true."""

    predicate: Expr

    @property
    def expressions(self) -> tuple[Expr, ...]:
        return (self.predicate,)


@dataclass(frozen=True, eq=False)
class Project(Unary):
    """Computes `exprs[i]` as output column `columns[i]`. A plain reference keeps its id: columns[i].id ==
    exprs[i].id.
    """

    columns: tuple[Column, ...]
    exprs: tuple[Expr, ...]

    @property
    def schema(self) -> tuple[Column, ...]:
        return self.columns

    @property
    def expressions(self) -> tuple[Expr, ...]:
        return self.exprs


@dataclass(frozen=True, eq=False)
class Aggregate(Unary):
    """Groups by `groups` and computes `calls`; no groups means exactly one output row. Output: group columns,
    then aggregate columns. NULLs group together, -0.0 with 0.0, NaN with NaN."""

    group_columns: tuple[Column, ...]
    groups: tuple[Expr, ...]
    call_columns: tuple[Column, ...]
    calls: tuple[AggregateCall, ...]

    @cached_property
    def schema(self) -> tuple[Column, ...]:  # type: ignore[override]
        return (*self.group_columns, *self.call_columns)

    @property
    def expressions(self) -> tuple[Expr, ...]:
        return (*self.groups, *self.calls)


@dataclass(frozen=True, eq=False)
class Window(Unary):
    """Adds `call_columns[i]`, the value of `calls[i]` in the row's place among the rows that are equal in
    `partition`, in the order of `order`. Rows come out in the order in which they came in.
    """

    partition: tuple[Expr, ...]
    order: tuple[SortKey, ...]
    call_columns: tuple[Column, ...]
    calls: tuple[WindowCall, ...]

    @cached_property
    def schema(self) -> tuple[Column, ...]:  # type: ignore[override]
        return (*self.input.schema, *self.call_columns)

    @property
    def expressions(self) -> tuple[Expr, ...]:
        return (*self.partition, *(k.expr for k in self.order), *self.calls)


@dataclass(frozen=True, eq=False)
class Unnest(Unary):
    """Each row as many times as its longest list among `lists` has elements, with the elements as `columns`:
    NULL where a list is shorter. Rows of no elements are left out, or with `keep` stay once. `ordinality`
    counts the rows that come of one, from 1.
    """

    lists: tuple[Expr, ...]
    columns: tuple[Column, ...]
    ordinality: Column | None = None
    keep: bool = False

    @property
    def made(self) -> tuple[Column, ...]:
        """The columns that are not those of the input."""
        return self.columns if self.ordinality is None else (*self.columns, self.ordinality)

    @cached_property
    def schema(self) -> tuple[Column, ...]:  # type: ignore[override]
        return (*self.input.schema, *self.made)

    @property
    def expressions(self) -> tuple[Expr, ...]:
        return self.lists


@dataclass(frozen=True, eq=False)
class Distinct(Unary):
    """One of each group of equal rows (the first). With `on`, rows are equal when those expressions are, and
    the first by `order` is kept.
    """

    on: tuple[Expr, ...] = ()
    order: tuple[SortKey, ...] = ()

    @property
    def expressions(self) -> tuple[Expr, ...]:
        return (*self.on, *(k.expr for k in self.order))


@dataclass(frozen=True, eq=False)
class Sort(Unary):
    """Stable sort by `keys`."""

    keys: tuple[SortKey, ...]

    @property
    def expressions(self) -> tuple[Expr, ...]:
        return tuple(k.expr for k in self.keys)


@dataclass(frozen=True, eq=False)
class Limit(Unary):
    """Rows offset .. offset+limit in order; `limit` None means all. With `keys` this is top-N: the rows in
    the order of `keys`. A scalar subquery in LIMIT/OFFSET stands as an Expr of no outer references until it
    is folded or run first.
    """

    limit: int | Expr | None
    offset: int | Expr = 0
    keys: tuple[SortKey, ...] = ()

    @property
    def expressions(self) -> tuple[Expr, ...]:
        dynamic = tuple(e for e in (self.limit, self.offset) if isinstance(e, Expr))
        return (*(k.expr for k in self.keys), *dynamic)
