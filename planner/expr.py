"""Bound expressions: typed, immutable trees over column ids.

A column is named by an integer id that is unique in a statement, so a plan node's output can be moved through
the plan without renumbering. A reference whose id is not produced below it is a correlated (outer) reference.

NULL logic: comparisons and connectives are three-valued. AND and OR are n-ary so that a chain of 10,000 terms
is one node. `children`/`with_children` are the only way passes walk trees.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any

from .errors import Span
from .types import BOOLEAN, SQLType

if TYPE_CHECKING:
    from .functions.user import UserFunction
    from .logical import Plan


@dataclass(frozen=True, slots=True)
class Column:
    """An output column of a plan node. `id` is its identity; `name` is for people."""

    id: int
    name: str
    type: SQLType
    nullable: bool = field(default=True, compare=False)


@dataclass(frozen=True)
class Expr:
    """Base of all expressions. `type` is the SQL type of the value; `span` the place in the SQL text."""

    type: SQLType
    span: Span | None = field(default=None, compare=False, repr=False, kw_only=True)

    def __hash__(self) -> int:  # overridden per class by `_cached_hash`
        raise AssertionError


@dataclass(frozen=True)
class ColumnRef(Expr):
    """Value of column `id`."""

    id: int
    name: str = field(compare=False)


@dataclass(frozen=True)
class Literal(Expr):
    """A constant. `value` has the form that types.TYPES names: None is NULL, DECIMAL is the scaled int, DATE
    is days, TIMESTAMP is microseconds, INTERVAL is (months, days, microseconds), the rest are plain Python
    values."""

    value: Any


@dataclass(frozen=True)
class Call(Expr):
    """A scalar function or operator by its registry name, e.g. '+', 'substring', 'year'; argument types are
    exactly those of the chosen overload (the binder has inserted the casts)."""

    function: str
    args: tuple[Expr, ...]


@dataclass(frozen=True)
class LambdaCall(Call):
    """A call of a function with a lambda, e.g. list_transform. `args` are the `own` arguments of the call and
    after them what `body` reads of the rows around it. In `body` the columns -1, -2, ... are the lambda's
    parameters, of these types, and after them those other values: it refers to nothing else, so that passes
    over the tree need not know it."""

    params: tuple[SQLType, ...] = ()
    own: int = 1
    body: Expr | None = None


@dataclass(frozen=True)
class UserCall(Expr):
    """A call of a function that the connection's user made of a Python function; argument types are exactly
    those of its signature (the binder has inserted the casts)."""

    function: UserFunction
    args: tuple[Expr, ...]


@dataclass(frozen=True)
class Cast(Expr):
    """CAST of `arg` to `type`; with `safe` (TRY_CAST) a failing value becomes NULL."""

    arg: Expr
    safe: bool = False


@dataclass(frozen=True)
class Comparison(Expr):
    """`left op right`, both of the same type. `op` is one of = <> < <= > >= and the NULL-safe 'is distinct
    from', 'is not distinct from'.
    """

    op: str
    left: Expr
    right: Expr


@dataclass(frozen=True)
class And(Expr):
    """Three-valued conjunction of two or more terms. Errors in a later term must not surface in rows an
    earlier one excludes.
    """

    args: tuple[Expr, ...]


@dataclass(frozen=True)
class Or(Expr):
    """Three-valued disjunction of two or more terms."""

    args: tuple[Expr, ...]


@dataclass(frozen=True)
class Not(Expr):
    """Three-valued negation."""

    arg: Expr


@dataclass(frozen=True)
class IsNull(Expr):
    """True where `arg` is NULL (IS NOT NULL is Not(IsNull))."""

    arg: Expr


@dataclass(frozen=True)
class InList(Expr):
    """`arg IN (items)`, all of one type; NULL items make a miss NULL. NOT IN is Not(InList)."""

    arg: Expr
    items: tuple[Expr, ...]


@dataclass(frozen=True)
class Case(Expr):
    """Searched CASE: the value of the first branch whose condition is true, else `default`. Branch values are
    evaluated only for the rows that choose them. Simple CASE and NULLIF, IF are bound to this."""

    branches: tuple[tuple[Expr, Expr], ...]
    default: Expr


@dataclass(frozen=True)
class Coalesce(Expr):
    """First argument that is not NULL; later ones are evaluated only for rows that need them."""

    args: tuple[Expr, ...]


@dataclass(frozen=True)
class SortKey:
    """One ORDER BY key."""

    expr: Expr
    descending: bool = False
    nulls_first: bool = False


@dataclass(frozen=True)
class AggregateCall(Expr):
    """An aggregate by its registry name. Stands only in Aggregate nodes. `filter` is FILTER (WHERE ...),
    `order_by` for order-sensitive ones. count(*) is 'count_star' without arguments.
    """

    function: str
    args: tuple[Expr, ...]
    distinct: bool = False
    filter: Expr | None = None
    order_by: tuple[SortKey, ...] = ()


@dataclass(frozen=True)
class FrameBound:
    """One end of a window's frame. `kind` is 'unbounded preceding', 'preceding', 'current row', 'following'
    or 'unbounded following'. `offset` belongs to 'preceding' and 'following': with ROWS and GROUPS the number
    of rows or groups (BIGINT), with RANGE the value of the ORDER BY key at which the frame ends, that is the
    key of the row less or plus the distance, in the key's type."""

    kind: str
    offset: Expr | None = None


@dataclass(frozen=True)
class Frame:
    """The rows around each row that a window function sees. `unit` is 'rows', 'range' or 'groups'; `exclude`
    is 'no others', 'current row', 'group' or 'ties'."""

    unit: str
    start: FrameBound
    end: FrameBound
    exclude: str = "no others"

    @property
    def offsets(self) -> tuple[Expr, ...]:
        """The expressions in it."""
        return tuple(b.offset for b in (self.start, self.end) if b.offset is not None)


# What a frame is where none is written: all rows up to the last one that is equal in ORDER BY.
DEFAULT_FRAME = Frame("range", FrameBound("unbounded preceding"), FrameBound("current row"))


@dataclass(frozen=True)
class WindowCall(Expr):
    """A window function, or an aggregate over a window, by its registry name. Stands only in Window nodes,
    which say by what rows are partitioned and ordered, and in Over. `filter` is FILTER (WHERE ...), of
    aggregates only. `ignore_nulls`: rows where the first argument is NULL do not count.
    """

    function: str
    args: tuple[Expr, ...]
    frame: Frame = DEFAULT_FRAME
    filter: Expr | None = None
    distinct: bool = False
    ignore_nulls: bool = False


@dataclass(frozen=True)
class Over(Expr):
    """`call OVER (PARTITION BY partition ORDER BY order)`: made by the binder, which moves it into a Window
    node; no plan contains one."""

    call: WindowCall
    partition: tuple[Expr, ...]
    order: tuple[SortKey, ...]


@dataclass(frozen=True)
class Unnested(Expr):
    """An element of the list `arg`, in a row for each: made by the binder, which moves it into an Unnest
    node; no plan contains one."""

    arg: Expr


# Subqueries: made by the binder, removed by the optimizer's unnesting; no physical plan contains one. Their
# plans may refer to outer columns by id. NOT EXISTS / NOT IN are Not(...) around these.
@dataclass(frozen=True)
class ScalarSubquery(Expr):
    """The single value of a one-column plan: NULL if it has no row; more than one row is an error at run
    time.
    """

    plan: Plan


@dataclass(frozen=True)
class Exists(Expr):
    """True if the plan has a row; never NULL."""

    plan: Plan


@dataclass(frozen=True)
class Quantified(Expr):
    """`args op ANY (plan)`, three-valued; IN is op '='. `args` has one expression a plan column, already of
    the column's type (row values only with = and <>). ALL is bound as Not(Quantified(inverse op))."""

    op: str
    args: tuple[Expr, ...]
    plan: Plan


SUBQUERIES = (ScalarSubquery, Exists, Quantified)


# Walking
_NO_IDS: frozenset[int] = frozenset()


def children(expr: Expr) -> tuple[Expr, ...]:
    """Direct subexpressions in evaluation order (plans of subqueries are not entered)."""
    return _CHILDREN[type(expr)](expr)


def _of_aggregate(expr: AggregateCall) -> tuple[Expr, ...]:
    condition = () if expr.filter is None else (expr.filter,)
    return (*expr.args, *condition, *(k.expr for k in expr.order_by))


def _of_window(expr: WindowCall) -> tuple[Expr, ...]:
    condition = () if expr.filter is None else (expr.filter,)
    return (*expr.args, *condition, *expr.frame.offsets)


# By type, not by a chain of tests: passes ask this of every node, and most nodes are leaves.
_CHILDREN: dict[type[Expr], Callable[[Any], tuple[Expr, ...]]] = {
    **dict.fromkeys((ColumnRef, Literal, ScalarSubquery, Exists), lambda e: ()),
    **dict.fromkeys((Call, LambdaCall, UserCall, And, Or, Coalesce, Quantified), lambda e: e.args),
    **dict.fromkeys((Cast, Not, IsNull, Unnested), lambda e: (e.arg,)),
    Comparison: lambda e: (e.left, e.right),
    InList: lambda e: (e.arg, *e.items),
    Case: lambda e: (*(part for branch in e.branches for part in branch), e.default),
    AggregateCall: _of_aggregate,
    WindowCall: _of_window,
    Over: lambda e: (e.call, *e.partition, *(k.expr for k in e.order)),
}


def with_children(expr: Expr, new: tuple[Expr, ...]) -> Expr:
    """The same node over new subexpressions, in the order of `children`."""
    match expr:
        case Call() | UserCall() | And() | Or() | Coalesce() | Quantified():
            return replace(expr, args=new)
        case Comparison():
            return replace(expr, left=new[0], right=new[1])
        case Cast() | Not() | IsNull() | Unnested():
            return replace(expr, arg=new[0])
        case InList():
            return replace(expr, arg=new[0], items=new[1:])
        case Case():
            pairs = tuple((new[i], new[i + 1]) for i in range(0, len(new) - 1, 2))
            return replace(expr, branches=pairs, default=new[-1])
        case AggregateCall(args=args, filter=condition, order_by=keys):
            rest = new[len(args) :]
            if condition is not None:
                condition, rest = rest[0], rest[1:]
            keys = tuple(replace(k, expr=e) for k, e in zip(keys, rest, strict=True))
            return replace(expr, args=new[: len(args)], filter=condition, order_by=keys)
        case WindowCall():
            return _window_over(expr, iter(new))
        case Over(partition=partition, order=order):
            parts, last = new[1 : 1 + len(partition)], new[1 + len(partition) :]
            ordered = tuple(replace(k, expr=e) for k, e in zip(order, last, strict=True))
            return replace(expr, call=new[0], partition=parts, order=ordered)
        case _:
            assert not new
            return expr


def _window_over(call: WindowCall, new: Iterator[Expr]) -> WindowCall:
    def bound(old: FrameBound) -> FrameBound:
        return old if old.offset is None else replace(old, offset=next(new))

    args = tuple(next(new) for _ in call.args)
    condition = None if call.filter is None else next(new)
    frame = replace(call.frame, start=bound(call.frame.start), end=bound(call.frame.end))
    return replace(call, args=args, filter=condition, frame=frame)


def transform(expr: Expr, visit: Callable[[Expr], Expr]) -> Expr:
    """Rebuilds bottom-up: `visit` sees each node after its children; unchanged parts are returned as the same
    object. A part that stands in several places is visited once and stays shared.
    """
    done: dict[int, Expr] = {}

    def rebuilt(node: Expr) -> Expr:
        known = done.get(id(node))
        if known is not None:
            return known
        result = node
        old = children(node)
        if old:
            new = tuple([rebuilt(child) for child in old])
            if any(a is not b for a, b in zip(old, new, strict=True)):
                result = with_children(node, new)
        result = done[id(node)] = visit(result)
        return result

    return rebuilt(expr)


def walk(expr: Expr) -> Iterator[Expr]:
    """Every node, parents first, without recursion. A part that stands in several places (NULLIF's first
    argument, an alias used twice) comes once: such parts nest, and their places can be exponentially many."""
    stack = [expr]
    seen: set[int] = set()
    while stack:
        node = stack.pop()
        if id(node) in seen:
            continue
        yield node
        parts = children(node)
        if parts:
            seen.add(id(node))
            stack.extend(reversed(parts))


def references(expr: Expr) -> frozenset[int]:
    """Ids of the columns an expression reads, those of subquery plans' outer references included. Cached on
    the node.
    """
    if isinstance(expr, Literal):
        return _NO_IDS
    cached = expr.__dict__.get("_refs")
    if cached is not None:
        return cached
    found: set[int] = set()
    if isinstance(expr, ColumnRef):
        found.add(expr.id)
    elif isinstance(expr, SUBQUERIES):
        found |= expr.plan.outer_references
    for child in children(expr):
        found |= references(child)
    result = frozenset(found)
    expr.__dict__["_refs"] = result
    return result


def has_subquery(expr: Expr) -> bool:
    """Whether a subquery stands anywhere in the expression."""
    return any(isinstance(node, SUBQUERIES) for node in walk(expr))


def substitute(expr: Expr, mapping: dict[int, Expr]) -> Expr:
    """Replaces references by column id; subquery plans are entered."""
    if not mapping or references(expr).isdisjoint(mapping):
        return expr

    def visit(node: Expr) -> Expr:
        if isinstance(node, ColumnRef):
            return mapping.get(node.id, node)
        if isinstance(node, SUBQUERIES) and not node.plan.outer_references.isdisjoint(mapping):
            from .logical import substitute_plan

            return replace(node, plan=substitute_plan(node.plan, mapping))
        return node

    return transform(expr, visit)


# Building
def ref(column: Column, span: Span | None = None) -> ColumnRef:
    """A reference to `column`."""
    return ColumnRef(column.type, column.id, column.name, span=span)


def conjuncts(expr: Expr | None) -> tuple[Expr, ...]:
    """The terms of a conjunction (none for None)."""
    if expr is None:
        return ()
    return expr.args if isinstance(expr, And) else (expr,)


def conjunction(terms: Iterable[Expr]) -> Expr | None:
    """AND of the terms, flattened; None when there is none."""
    flat = tuple(t for term in terms for t in conjuncts(term))
    if not flat:
        return None
    return flat[0] if len(flat) == 1 else And(BOOLEAN, flat)


def is_constant(expr: Expr, value: Any = ...) -> bool:
    """Whether `expr` is a literal (of this value, if one is given)."""
    return isinstance(expr, Literal) and (
        value is ... or (expr.value is value if value is None else expr.value == value)
    )


_COMPARED: dict[type, tuple[str, ...]] = {}


def _cached_hash(self: Any) -> int:
    cached = self.__dict__.get("_hash")
    if cached is None:
        kind = type(self)
        parts = tuple([getattr(self, name) for name in _COMPARED[kind]])
        cached = self.__dict__["_hash"] = hash((kind.__name__, parts))
    return cached


for _class in (
    ColumnRef,
    Literal,
    Call,
    LambdaCall,
    UserCall,
    Cast,
    Comparison,
    And,
    Or,
    Not,
    IsNull,
    InList,
    Case,
    Coalesce,
    AggregateCall,
    WindowCall,
    Over,
    Unnested,
    ScalarSubquery,
    Exists,
    Quantified,
):
    _class.__hash__ = _cached_hash  # type: ignore[method-assign]
    _COMPARED[_class] = tuple(f.name for f in fields(_class) if f.compare)
