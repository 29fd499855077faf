"""POSITIONAL and ASOF joins, made of windows, a union and a join on the numbers of rows."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ..errors import Span
from ..expr import (
    Case,
    Coalesce,
    Column,
    Comparison,
    Expr,
    Frame,
    FrameBound,
    IsNull,
    Literal,
    Not,
    SortKey,
    WindowCall,
    conjunction,
    conjuncts,
    ref,
    references,
    substitute,
)
from ..logical import ColumnIds, Cte, CteRef, Filter, Join, JoinKind, Plan, Project, Sort, UnionAll, Window
from ..messages_from import asof_inequality
from ..types import BIGINT, BOOLEAN, SQLType
from .plans import keep
from .scope import Merged
from .source import Source

_MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
_SO_FAR = Frame("rows", FrameBound("unbounded preceding"), FrameBound("current row"))
_CHOSEN_LAST = (JoinKind.RIGHT, JoinKind.FULL)


def positional_join(left: Source, right: Source, ids: ColumnIds) -> Source:
    """The first rows of both sides side by side, then the second ones; NULLs where one side has no more."""
    one, two = (_numbered(side.plan, ids) for side in (left, right))
    numbers = ref(one.schema[-1]), ref(two.schema[-1])
    joined = Join(JoinKind.FULL, one, two, Comparison(BOOLEAN, "=", *numbers))
    place = SortKey(Coalesce(BIGINT, numbers))
    shown = {*left.plan.ids, *right.plan.ids}
    plan = keep(Sort(joined, (place,)), [c for c in joined.schema if c.id in shown])
    return Source(plan, (*left.relations, *right.relations), left.merged_with(right))


def _numbered(plan: Plan, ids: ColumnIds) -> Window:
    number = ids.column("row_number", BIGINT, nullable=False)
    return Window(plan, (), (), (number,), (WindowCall(BIGINT, "row_number", ()),))


@dataclass
class _Terms:
    """An ASOF condition: the inequality (seen from the left side), pairs of equal keys with whether NULLs are
    equal, conditions on one side, and others."""

    op: str
    left_at: Expr
    right_at: Expr
    keys: list[tuple[Expr, Expr, bool]]
    on_left: list[Expr]
    on_right: list[Expr]
    others: list[Expr]


def _split(condition: Expr, left: Plan, right: Plan, span: Span | None) -> _Terms:
    inequalities: list[tuple[str, Expr, Expr]] = []
    keys: list[tuple[Expr, Expr, bool]] = []
    sides: tuple[list[Expr], list[Expr], list[Expr]] = ([], [], [])
    for term in conjuncts(condition):
        read = references(term)
        if isinstance(term, Comparison) and (pair := _across(term, left, right)) is not None:
            op, mine, theirs = pair
            if op in _MIRRORED:
                inequalities.append(pair)
                continue
            if op in ("=", "is not distinct from"):
                keys.append((mine, theirs, op != "="))
                continue
        place = 0 if read.isdisjoint(right.ids) else 1 if read.isdisjoint(left.ids) else 2
        sides[place].append(term)
    if len(inequalities) != 1:
        raise asof_inequality(len(inequalities), span)
    return _Terms(*inequalities[0], keys, *sides)


def _across(term: Comparison, left: Plan, right: Plan) -> tuple[str, Expr, Expr] | None:
    """The operator, the left side's expression and the right side's, if the term compares the two sides."""
    a, b = references(term.left), references(term.right)
    if not a or not b:
        return None
    if a.isdisjoint(right.ids) and b.isdisjoint(left.ids):
        return term.op, term.left, term.right
    if a.isdisjoint(left.ids) and b.isdisjoint(right.ids):
        return _MIRRORED.get(term.op, term.op), term.right, term.left
    return None


def asof_join(
    kind: JoinKind, left: Source, right: Source, condition: Expr, ids: ColumnIds, span: Span | None
) -> Source:
    """Each left row with the nearest right row: of those that satisfy the condition the one whose value in
    the inequality is closest. Right rows are numbered and found by a window over the rows of both sides, in
    the order of the inequality within equal keys."""
    terms = _split(condition, left.plan, right.plan, span)
    if kind in (JoinKind.SEMI, JoinKind.ANTI):
        return Source(Join(kind, left.plan, right.plan, condition), left.relations, left.merged)
    numbered = _numbered(right.plan, ids)
    rows = _Shared(numbered, ids)
    if terms.others:
        found, number, moved = _by_pairs(left.plan, rows, condition, terms, kind, ids)
    else:
        found, number, moved = _by_window(left.plan, rows, terms, kind, ids)
    read, read_columns = rows.use()
    joined = Join(kind, found, read, Comparison(BOOLEAN, "=", ref(number), ref(read.columns[-1])))
    moved = {**moved, **read_columns}
    shown = [moved[c.id] for c in (*left.plan.schema, *right.plan.schema)]
    columns = {c.id: c for c in joined.schema}
    plan = rows.over(keep(joined, [columns[c.id] for c in shown]))
    both = Source(plan, (*left.relations, *right.relations), left.merged_with(right))
    return renamed(both, moved)


def renamed(source: Source, moved: dict[int, Column]) -> Source:
    """The names over other columns."""
    mapping: dict[int, Expr] = {old: ref(new) for old, new in moved.items()}
    merged = {
        key: Merged(
            m.name,
            substitute(m.expr, mapping),
            frozenset(moved[i].id if i in moved else i for i in m.members),
        )
        for key, m in source.merged.items()
    }
    relations = tuple(
        replace(r, columns=tuple(replace(moved.get(c.id, c), name=c.name) for c in r.columns))
        for r in source.relations
    )
    return Source(source.plan, relations, merged)


class _Shared:
    """A plan that is read several times."""

    def __init__(self, plan: Plan, ids: ColumnIds) -> None:
        self.plan, self.ids, self.number = plan, ids, ids.fresh()

    def use(self) -> tuple[CteRef, dict[int, Column]]:
        """One more use, and its columns by those of the plan."""
        schema = self.plan.schema
        columns = tuple(replace(c, id=self.ids.fresh()) for c in schema)
        used = CteRef(self.number, "asof", columns, tuple(range(len(columns))))
        return used, {old.id: new for old, new in zip(schema, columns, strict=True)}

    def over(self, body: Plan) -> Plan:
        """A plan below which it is read."""
        return Cte(self.number, "asof", self.plan, body, materialized=True)


def _mapped(expr: Expr, columns: dict[int, Column]) -> Expr:
    return substitute(expr, {old: ref(new) for old, new in columns.items()})


def _by_window(
    left: Plan, rows: _Shared, terms: _Terms, kind: JoinKind, ids: ColumnIds
) -> tuple[Plan, Column, dict[int, Column]]:
    """The left rows with the number of their right row; that column, and the others by those of `left`."""
    right, columns = rows.use()
    keys = [_mapped(theirs, columns) for _, theirs, _ in terms.keys]
    at = _mapped(terms.right_at, columns)
    wanted = [
        *(_known(e) for e, (_, _, nulls) in zip(keys, terms.keys, strict=True) if not nulls),
        _known(at),
        *(_mapped(e, columns) for e in terms.on_right),
    ]
    predicate = conjunction(wanted)
    assert predicate is not None
    types = [e.type for e in keys]
    number, zero, one = ref(right.columns[-1]), Literal(BIGINT, 0), Literal(BIGINT, 1)
    usable = conjunction(
        [*(_known(mine) for mine, _, nulls in terms.keys if not nulls), _known(terms.left_at), *terms.on_left]
    )
    assert usable is not None
    ours = [*map(ref, left.schema), *(mine for mine, _, _ in terms.keys), terms.left_at]
    theirs: list[Expr] = [*(Literal(c.type, None) for c in left.schema), *keys, at]
    branches = (
        _projected(Filter(right, predicate), [*theirs, zero, number, Literal(BOOLEAN, False)], ids),
        _projected(left, [*ours, one, Literal(BIGINT, None), usable], ids),
    )
    kinds: list[SQLType] = [*(c.type for c in left.schema), *types, at.type, BIGINT, BIGINT, BOOLEAN]
    names = [c.name for c in left.schema] + ["asof"] * (len(kinds) - len(left.schema))
    united = tuple(ids.column(n, t) for n, t in zip(names, kinds, strict=True))
    union = UnionAll(branches, united)
    moved = dict(zip((c.id for c in left.schema), united, strict=False))
    *key_columns, when, side, row, usable_column = united[len(left.schema) :]
    backwards = terms.op in ("<", "<=")
    order = (
        SortKey(ref(when), descending=backwards),
        SortKey(ref(side), descending=terms.op in ("<", ">")),
        SortKey(ref(row), descending=kind not in _CHOSEN_LAST),
    )
    nearest = ids.column("nearest", BIGINT)
    call = WindowCall(BIGINT, "last_value", (ref(row),), _SO_FAR, ignore_nulls=True)
    window = Window(union, tuple(map(ref, key_columns)), order, (nearest,), (call,))
    own = Filter(window, Comparison(BOOLEAN, "=", ref(side), one))
    found = ids.column("nearest", BIGINT)
    value = Case(BIGINT, ((ref(usable_column), ref(nearest)),), Literal(BIGINT, None))
    shown = [moved[c.id] for c in left.schema]
    return Project(own, (*shown, found), (*map(ref, shown), value)), found, moved


def _by_pairs(
    left: Plan, rows: _Shared, condition: Expr, terms: _Terms, kind: JoinKind, ids: ColumnIds
) -> tuple[Plan, Column, dict[int, Column]]:
    """The same where a condition reads both sides: of all pairs the nearest for each left row."""
    mine = _Shared(_numbered(left, ids), ids)
    right, columns = rows.use()
    other, other_columns = mine.use()
    pairs = Join(JoinKind.INNER, other, right, _mapped(condition, {**columns, **other_columns}))
    rank = ids.column("rank", BIGINT, nullable=False)
    here, there = other.columns[-1], right.columns[-1]
    order = (
        SortKey(_mapped(terms.right_at, columns), descending=terms.op in (">", ">=")),
        SortKey(ref(there), descending=kind in _CHOSEN_LAST),
    )
    call = WindowCall(BIGINT, "row_number", ())
    ranked = Window(pairs, (ref(here),), order, (rank,), (call,))
    first = keep(Filter(ranked, Comparison(BOOLEAN, "=", ref(rank), Literal(BIGINT, 1))), (here, there))
    used, used_columns = mine.use()
    found = Join(JoinKind.LEFT, used, first, Comparison(BOOLEAN, "=", ref(used.columns[-1]), ref(here)))
    return mine.over(found), there, used_columns


def _known(expr: Expr) -> Expr:
    return Not(BOOLEAN, IsNull(BOOLEAN, expr))


def _projected(plan: Plan, exprs: list[Expr], ids: ColumnIds) -> Project:
    return Project(plan, tuple(ids.column("asof", e.type) for e in exprs), tuple(exprs))
