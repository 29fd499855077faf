"""A second form for nodes that the GPU cannot run for some of their expressions: those are evaluated on the
CPU by a Bridge below, and everything else stays where its rows are.

    SELECT sum(a + b) FROM t GROUP BY upper(s)           -- upper: CPU only

    Aggregate by upper(s)          ->        Aggregate by u
    └─Scan t                                 └─Bridge: u = upper(s) on the CPU
                                               └─Scan t

Of an expression the smallest parts go that let the GPU do the rest. A part may only go where that changes no
error: below the node it is evaluated for every row, so what can fail must not stand where AND, OR, CASE,
COALESCE or FILTER skip rows, nor overtake another term of a filter. Then the part around it goes instead,
or nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace

from ..planner.expr import (
    AggregateCall,
    And,
    Call,
    Case,
    Coalesce,
    Column,
    Expr,
    Or,
    SortKey,
    children,
    conjunction,
    conjuncts,
    ref,
    references,
    substitute,
    walk,
    with_children,
)
from ..planner.functions import SCALARS
from ..planner.logical import JoinKind
from ..planner.optimizer.properties import is_volatile, may_fail
from . import nodes
from .backend import Capability
from .create import exactly
from .nodes import Bridge, Node

NewId = Callable[[], int]


def bridged(node: Node, gpu: Capability, new_id: NewId) -> Node | None:
    """The node in a form that the GPU can run, over the same inputs and with the same columns: one or more
    nodes, among them a Bridge. None when there is none. `new_id` gives ids for new columns.
    """
    make = _FORMS.get(type(node))
    if make is None:
        return None
    form = make(node, _Splitter(gpu, new_id))
    if form is None or not _runs(form, node, gpu):
        return None
    return form


def _runs(form: Node, node: Node, gpu: Capability) -> bool:
    stack, found = [form], False
    stops = {id(child) for child in node.inputs}
    while stack:
        part = stack.pop()
        found = found or isinstance(part, Bridge)
        if not gpu.supports(part):
            return False
        stack.extend(child for child in part.inputs if id(child) not in stops)
    return found


@dataclass
class _Parts:
    """Parts of expressions that the CPU evaluates over one input, and why; equal parts are evaluated once."""

    columns: dict[Expr, Column] = field(default_factory=dict)
    why: list[tuple[str, ...]] = field(default_factory=list)

    def add(self, part: Expr, column: Column, why: tuple[str, ...]) -> Column:
        """The column that holds a part, `column` if it is new."""
        known = self.columns.get(part)
        if known is None:
            known = self.columns[part] = column
            self.why.append(why)
        return known

    def over(self, input: Node) -> Node:
        """The input with the parts' values added."""
        if not self.columns:
            return input
        return Bridge(
            input=input,
            columns=tuple(self.columns.values()),
            exprs=tuple(self.columns),
            why=tuple(self.why),
            rows=input.rows,
        )


_Taken = tuple[Column, Expr, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class _Split:
    """An expression over the columns of the parts taken out of it, by their ids."""

    rest: Expr
    taken: dict[int, _Taken]


class _Splitter:
    def __init__(self, gpu: Capability, new_id: NewId) -> None:
        self._gpu = gpu
        self._new_id = new_id
        # By identity: a part that stands in several places is split once.
        self._known: dict[tuple[int, bool], tuple[Expr, _Split | None]] = {}

    def reasons(self, expr: Expr) -> tuple[str, ...]:
        """Why the GPU cannot evaluate an expression; none when it can."""
        one_row = nodes.Values(columns=(), literals=((),))
        column = Column(-1, "value", expr.type)
        return self._gpu.supports(nodes.Project(input=one_row, columns=(column,), exprs=(expr,))).reasons

    def split(self, expr: Expr, parts: _Parts, *, guarded: bool = False) -> Expr | None:
        """The expression over its parts' columns, the parts being added to `parts`. None, and nothing added,
        when that cannot be. `guarded`: the expression is not evaluated for every row.
        """
        found = self._split(expr, guarded)
        if found is None:
            return None
        mapping = {column.id: parts.add(part, column, why) for column, part, why in found.taken.values()}
        return _renamed(found.rest, mapping)

    def _split(self, expr: Expr, guarded: bool) -> _Split | None:
        key = id(expr), guarded
        if key not in self._known:
            self._known[key] = expr, self._splitting(expr, guarded)
        return self._known[key][1]

    def _splitting(self, expr: Expr, guarded: bool) -> _Split | None:
        reasons = self.reasons(expr)
        if not reasons:
            return _Split(expr, {})
        new: list[Expr] = []
        taken: dict[int, _Taken] = {}
        for place, child in enumerate(children(expr)):
            found = self._split(child, guarded or _guards(expr, place))
            if found is None:
                return self._whole(expr, guarded, reasons)
            new.append(found.rest)
            taken |= found.taken
        if taken:
            rest = with_children(expr, tuple(new))
            if not self.reasons(rest):
                return _Split(rest, taken)
        return self._whole(expr, guarded, reasons)

    def _whole(self, expr: Expr, guarded: bool, reasons: tuple[str, ...]) -> _Split | None:
        if isinstance(expr, AggregateCall) or is_volatile(expr) or (guarded and can_raise(expr)):
            return None
        column = Column(self._new_id(), _name(expr), expr.type)
        if self.reasons(ref(column)):
            return None
        return _Split(ref(column), {column.id: (column, expr, reasons)})

    def all(self, exprs: Iterable[Expr], parts: _Parts, *, guarded: bool = False) -> list[Expr] | None:
        """Several expressions split; None when one cannot be."""
        result = []
        for expr in exprs:
            new = self.split(expr, parts, guarded=guarded)
            if new is None:
                return None
            result.append(new)
        return result


def _renamed(expr: Expr, mapping: dict[int, Column]) -> Expr:
    return substitute(expr, {old: ref(column) for old, column in mapping.items() if old != column.id})


def _name(expr: Expr) -> str:
    return expr.function if isinstance(expr, Call) else type(expr).__name__.lower()


def _guards(expr: Expr, place: int) -> bool:
    """Whether the child at a place of `children` is evaluated for some rows only."""
    if isinstance(expr, AggregateCall):
        return expr.filter is not None
    return place > 0 and isinstance(expr, (And, Or, Case, Coalesce))


def can_raise(expr: Expr) -> bool:
    """Whether some values make the evaluation an error, overflow included."""
    if may_fail(expr):
        return True
    return any(isinstance(part, Call) and SCALARS[part.function].can_fail for part in walk(expr))


# The forms, by node
def _project(node: nodes.Project, s: _Splitter) -> Node | None:
    parts = _Parts()
    exprs = s.all(node.exprs, parts)
    return None if exprs is None else replace(node, input=parts.over(node.input), exprs=tuple(exprs))


def _aggregate(node: nodes.HashAggregate, s: _Splitter) -> Node | None:
    parts = _Parts()
    groups, calls = s.all(node.groups, parts), s.all(node.calls, parts)
    if groups is None or calls is None:
        return None
    kept = tuple(c for c in calls if isinstance(c, AggregateCall))
    assert len(kept) == len(calls), "aggregates are not taken whole"
    return replace(node, input=parts.over(node.input), groups=tuple(groups), calls=kept)


def _ordered(node: nodes.Sort | nodes.TopN, s: _Splitter) -> Node | None:
    parts = _Parts()
    exprs = s.all((key.expr for key in node.keys), parts)
    if exprs is None:
        return None
    keys = tuple(_key(key, expr) for key, expr in zip(node.keys, exprs, strict=True))
    return exactly(replace(node, input=parts.over(node.input), keys=keys), node.schema)


def _key(key: SortKey, expr: Expr) -> SortKey:
    return replace(key, expr=expr)


def _filter(node: nodes.Filter, s: _Splitter) -> Node | None:
    chain = _filtered(node.input, conjuncts(node.predicate), node.rows, s)
    return None if chain is None else exactly(chain, node.schema)


def _scan(node: nodes.TableScan, s: _Splitter) -> Node | None:
    if node.predicate is None:
        return None
    rows = node.table.stats().rows
    bare = replace(
        node,
        predicate=None,
        columns=(*node.columns, *node.hidden),
        names=(*node.names, *node.hidden_names),
        hidden=(),
        hidden_names=(),
        rows=rows,
    )
    chain = _filtered(bare, conjuncts(node.predicate), node.rows, s)
    return None if chain is None else exactly(chain, node.schema)


def _filtered(start: Node, terms: Sequence[Expr], rows: float, s: _Splitter) -> Node | None:
    """The rows of `start` that satisfy all terms, about `rows` of them: filters with bridges between them.

    As within one predicate, terms that can fail come after the others, and then in their order.
    """
    terms = sorted(terms, key=lambda term: 2 if can_raise(term) else bool(s.reasons(term)))
    share = (rows / start.rows) ** (1 / len(terms)) if start.rows else 1.0
    node, pending, parts = start, list[Expr](), _Parts()
    for term in terms:
        if not s.reasons(term):
            pending.append(term)
            continue
        # The terms before this one hold first: what it computes may fail for the rows that they exclude.
        if pending and (can_raise(term) or not parts.columns):
            node = _applied(parts.over(node), pending, share)
            pending, parts = [], _Parts()
        new = s.split(term, parts)
        if new is None:
            return None
        pending.append(new)
    return _applied(parts.over(node), pending, share)


def _applied(node: Node, terms: list[Expr], share: float) -> Node:
    predicate = conjunction(terms)
    assert predicate is not None
    left = node.rows * share ** len(terms)
    if isinstance(node, nodes.TableScan) and node.predicate is None:
        return replace(node, predicate=predicate, rows=left)
    return nodes.Filter(input=node, predicate=predicate, rows=left)


def _hash_join(node: nodes.HashJoin, s: _Splitter) -> Node | None:
    left, right = _Parts(), _Parts()
    keys = [_join_key(key, s, left, right) for key in node.keys]
    mark_keys = [_join_key(key, s, left, right) for key in node.mark_keys]
    known = [key for key in (*keys, *mark_keys) if key is not None]
    if len(known) < len(keys) + len(mark_keys):
        return None
    above: list[Expr] = []
    rest: list[Expr] = []
    for term in conjuncts(node.residual):
        # After a term that is left for later, one that can fail must wait as well.
        new = None if above and can_raise(term) else _of_sides(term, node, s, left, right)
        if new is not None:
            rest.append(new)
        elif node.kind is JoinKind.INNER:
            above.append(term)
        else:
            return None
    mark_rest = [_of_sides(term, node, s, left, right) for term in node.mark_rest]
    if None in mark_rest:
        return None
    join = replace(
        node,
        left=left.over(node.left),
        right=right.over(node.right),
        keys=tuple(known[: len(keys)]),
        mark_keys=tuple(known[len(keys) :]),
        residual=conjunction(rest),
        mark_rest=tuple(term for term in mark_rest if term is not None),
    )
    if not above:
        return join
    # Terms over both sides of an inner join hold after it as well as in it.
    read = frozenset[int]().union(*map(references, above))
    wide = [c for c in (*node.left.schema, *node.right.schema) if c.id in read]
    columns = (*node.columns, *(c for c in wide if c not in node.columns))
    chain = _filtered(replace(join, columns=columns), above, node.rows, s)
    return None if chain is None else exactly(chain, node.schema)


def _join_key(key: nodes.JoinKey, s: _Splitter, left: _Parts, right: _Parts) -> nodes.JoinKey | None:
    a, b = s.split(key.left, left), s.split(key.right, right)
    return None if a is None or b is None else replace(key, left=a, right=b)


def _loop_join(node: nodes.NestedLoopJoin, s: _Splitter) -> Node | None:
    left, right = _Parts(), _Parts()
    terms = [_of_sides(t, node, s, left, right) for t in conjuncts(node.condition)]
    marks = [_of_sides(t, node, s, left, right) for t in node.mark_terms]
    if None in terms or None in marks:
        return None
    return replace(
        node,
        left=left.over(node.left),
        right=right.over(node.right),
        condition=conjunction(t for t in terms if t is not None),
        mark_terms=tuple(t for t in marks if t is not None),
    )


def _of_sides(term: Expr, node: nodes.Join, s: _Splitter, left: _Parts, right: _Parts) -> Expr | None:
    """A term over pairs, whose parts each read one side only; they are evaluated for rows without a pair
    too.
    """
    both = _Parts()
    new = s.split(term, both, guarded=True)
    if new is None:
        return None
    ids = {c.id for c in node.left.schema}, {c.id for c in node.right.schema}
    for part in both.columns:
        if not any(references(part) <= side for side in ids):
            return None
    mapping: dict[int, Column] = {}
    for (part, column), why in zip(both.columns.items(), both.why, strict=True):
        side = left if references(part) <= ids[0] else right
        mapping[column.id] = side.add(part, column, why)
    return _renamed(new, mapping)


_FORMS: dict[type[Node], Callable[..., Node | None]] = {
    nodes.Project: _project,
    nodes.Filter: _filter,
    nodes.TableScan: _scan,
    nodes.HashAggregate: _aggregate,
    nodes.Sort: _ordered,
    nodes.TopN: _ordered,
    nodes.HashJoin: _hash_join,
    nodes.NestedLoopJoin: _loop_join,
}
