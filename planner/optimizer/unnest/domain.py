"""The domain of a dependent join: the distinct values of the outer columns that its right side reads.

Following Neumann and Kemper, "Unnesting Arbitrary Queries" (BTW 2015), and Neumann, "Improving Unnesting of
Complex Queries" (BTW 2025): a dependent join is evaluated once a distinct domain value instead of once an
outer row, and the domain itself is replaced by columns of the right side wherever an equality says that they
are the same.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from ...expr import Column, ColumnRef, Comparison, Expr, ref, references, substitute
from ...logical import ColumnIds, Cte, CteRef, Distinct, Plan, Project
from ...types import BOOLEAN, SQLType, TypeId
from ..rename import freshen

# Equality of these does not mean the same value (-0.0 = 0.0, '1 month' = '30 days'): no stand-in for each
# other.
_LOOSE = frozenset({TypeId.FLOAT, TypeId.DOUBLE, TypeId.INTERVAL, TypeId.LIST, TypeId.STRUCT, TypeId.MAP})


@dataclass(frozen=True, slots=True)
class StandIn:
    """A column of the right side that holds the value of an outer column in every row. With `strict`, rows
    where it is NULL are to be ignored (they come from `=`), else NULL stands for an outer NULL."""

    column: ColumnRef
    strict: bool


def is_exact(kind: SQLType) -> bool:
    """Whether equal values of a type are interchangeable."""
    return kind.id not in _LOOSE


class Domain:
    """Outer columns (or expressions over them) of one dependent join, and the plan that lists their distinct
    values.

    `left` is the outer plan. It is computed once: as soon as the domain is asked for, it becomes a CTE that
    both the join and the domain read.
    """

    def __init__(self, left: Plan, outer: Iterable[int], ids: ColumnIds) -> None:
        self.left = left
        self.ids = ids
        columns = {c.id: c for c in left.schema}
        # What a domain column means in terms of the outer plan.
        self.entries: dict[int, Expr] = {i: ref(columns[i]) for i in sorted(outer)}
        self.shared: Cte | None = None

    def computed(self, expr: Expr) -> int:
        """The domain column that stands for an expression over outer columns."""
        for column, known in self.entries.items():
            if known == expr:
                return column
        column = self.ids.fresh()
        self.entries[column] = expr
        return column

    def plan(self, wanted: Iterable[int]) -> tuple[Plan, dict[int, StandIn]]:
        """Distinct values of some domain columns, under fresh ids."""
        if self.shared is None:
            self._share()
        assert self.shared is not None
        use, mapping = self._use()
        columns: list[Column] = []
        exprs: list[Expr] = []
        found: dict[int, StandIn] = {}
        for column in sorted(wanted):
            value = substitute(self.entries[column], mapping)
            name = value.name if isinstance(value, ColumnRef) else "key"
            if isinstance(value, ColumnRef):
                target = next(c for c in use.columns if c.id == value.id)
            else:
                target = self.ids.column(name, value.type)
            if all(c.id != target.id for c in columns):
                columns.append(target)
                exprs.append(value)
            found[column] = StandIn(ref(target), strict=False)
        return Distinct(Project(use, tuple(columns), tuple(exprs))), found

    def _share(self) -> None:
        """Turns the outer plan into the definition of a CTE."""
        definition, _ = freshen(self.left, self.ids)
        schema = self.left.schema
        unique = {c.id: position for position, c in reversed(list(enumerate(schema)))}
        kept = tuple(sorted(unique.values()))
        cte_id = self.ids.fresh()
        columns = tuple(schema[p] for p in kept)
        self.left = CteRef(cte_id, "outer", columns, kept)
        self.shared = Cte(cte_id, "outer", definition, self.left)

    def _use(self) -> tuple[CteRef, dict[int, Expr]]:
        assert isinstance(self.left, CteRef)
        columns = tuple(replace(c, id=self.ids.fresh()) for c in self.left.columns)
        use = CteRef(self.left.cte_id, self.left.name, columns, self.left.positions)
        mapping: dict[int, Expr] = {
            old.id: ref(new) for old, new in zip(self.left.columns, columns, strict=True)
        }
        return use, mapping

    def wrapped(self, plan: Plan) -> Plan:
        """`plan` below the definition of the shared outer plan, if there is one."""
        return plan if self.shared is None else replace(self.shared, body=plan)

    def conditions(self, stand_ins: dict[int, StandIn]) -> list[Expr]:
        """That outer row and right row agree on the domain columns."""
        return [same(self.entries[column], stand_in) for column, stand_in in sorted(stand_ins.items())]


def same(value: Expr, stand_in: StandIn) -> Expr:
    """The comparison of an outer value with its stand-in."""
    op = "=" if stand_in.strict else "is not distinct from"
    return Comparison(BOOLEAN, op, value, stand_in.column)


def reads_only(expr: Expr, ids: frozenset[int]) -> bool:
    """Whether an expression reads columns, and only these."""
    found = references(expr)
    return bool(found) and found <= ids
