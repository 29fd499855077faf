"""The capability table asked case by case: every signature of every function, every cast, every kind of join.

What depends on the types of arguments is code in the table; here each such case is made and looked at, so
that the page about it cannot say anything else than the table. Values of constants, such as patterns and
formats, may add reasons of their own: EXPLAIN tells them.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ..physical import nodes
from ..physical.nodes import JoinKey, Node
from ..planner import expr as e
from ..planner.coercion import can_cast
from ..planner.errors import Error
from ..planner.functions import (
    AGGREGATES,
    OVER_NAMES,
    SCALARS,
    WINDOWS,
    AggregateFunction,
    BoundTypes,
    Overload,
    ScalarFunction,
    WindowFunction,
)
from ..planner.functions.signature import Pattern
from ..planner.logical import JoinKind
from ..planner.types import (
    BIGINT,
    BOOLEAN,
    DATE,
    DOUBLE,
    TIMESTAMP,
    VARCHAR,
    SQLType,
    TypeId,
    decimal,
    list_of,
    map_of,
    struct_of,
)
from . import support

# What stands for ANY and for DECIMAL in signatures: narrow and wide decimals are stored in different ways.
DECIMALS = (decimal(18, 2), decimal(38, 2))
_ANY = (BOOLEAN, BIGINT, DOUBLE, *DECIMALS, VARCHAR, DATE, TIMESTAMP)
# What some functions want lists of.
_MEMBERS = (list_of(BIGINT), struct_of(("k", VARCHAR), ("v", BIGINT)))
_NESTED = frozenset({"T[]", "MAP(K, V)", "STRUCT"})
# Constants tried for an argument that must be one: as a text a part of a date, an escape character, options
# of a regular expression, and for all else any text; as a number 1.
_CONSTANTS: dict[TypeId, tuple[Any, ...]] = {
    TypeId.VARCHAR: ("day", "x", "i"),
    TypeId.BOOLEAN: (True,),
    TypeId.INTERVAL: ((0, 1, 0),),
}
_NUMBERS = (1,)


@dataclass(frozen=True)
class Answer:
    """What the table says of one case: every reason, none when the GPU runs it. `constants`: places, from 0,
    of the arguments that must be constants for that.
    """

    types: tuple[SQLType, ...]
    reasons: tuple[str, ...]
    constants: tuple[int, ...] = ()


def scalar_answers(function: ScalarFunction) -> list[Answer]:
    """An answer for every signature of a scalar function."""
    return [_scalar_answer(function, bound) for bound in _signatures(function.overloads)]


def aggregate_answers(function: AggregateFunction, **extra: Any) -> list[Answer]:
    """An answer for every signature of an aggregate; `extra` are further fields, as `distinct`."""
    found = []
    for bound in _signatures(function.overloads):
        args = [
            _literal(kind, 0)
            if place in function.constants or (place > 0 and kind.is_string)
            else _column(kind, place)
            for place, kind in enumerate(bound.args)
        ]
        call = e.AggregateCall(bound.result, function.name, tuple(args), **extra)
        found.append(Answer(bound.args, _reasons(call)))
    return found


def window_answers(function: WindowFunction | AggregateFunction, **extra: Any) -> list[Answer]:
    """An answer for every signature of a function over windows; `extra` are further fields, as `frame`."""
    found = []
    for bound in _signatures(function.overloads):
        args = tuple(_column(kind, place) for place, kind in enumerate(bound.args))
        found.append(Answer(bound.args, _reasons(e.WindowCall(bound.result, function.name, args, **extra))))
    return found


def cast_answers() -> dict[SQLType, list[Answer]]:
    """By source type an answer for every type that it can be cast to; `types` is the target alone."""
    kinds = [k for k in storable() if k.id is not TypeId.NULL]
    return {
        source: [
            Answer((target,), _reasons(e.Cast(target, _column(source, 0))))
            for target in kinds
            if target != source and can_cast(source, target)
        ]
        for source in kinds
    }


def storable() -> list[SQLType]:
    """The types that the GPU has columns for; of DECIMAL a narrow and a wide one."""
    found: list[SQLType] = []
    for kind, reason in support.TYPES.items():
        if reason is None:
            found += DECIMALS if kind is TypeId.DECIMAL else [SQLType(kind)]
    return found


def join_answers() -> Iterator[tuple[str, tuple[str, ...]]]:
    """A description of every kind of join, and the reasons against it."""
    gpu = support.GpuSupport()
    for kind in JoinKind:
        for what, node in _joins(kind):
            yield f"{kind.value}, {what}", gpu.supports(node).reasons


def _joins(kind: JoinKind) -> Iterator[tuple[str, Node]]:
    left, right = (nodes.Values(columns=(e.Column(i, "c", BIGINT),), literals=()) for i in (1, 2))
    a, b = e.ref(left.columns[0]), e.ref(right.columns[0])
    less = e.Comparison(BOOLEAN, "<", a, b)
    mark = e.Column(3, "mark", BOOLEAN) if kind is JoinKind.MARK else None
    hashed = nodes.HashJoin(kind=kind, left=left, right=right, mark=mark, keys=(JoinKey(a, b),))
    loop = nodes.NestedLoopJoin(kind=kind, left=left, right=right, mark=mark)
    if kind is JoinKind.MARK:
        one = replace(hashed, keys=(), mark_keys=(JoinKey(a, b),))
        yield "hash join (x IN (SELECT ...))", one
        yield "hash join with further conditions", replace(one, mark_rest=(less,))
        yield "nested-loop join", replace(loop, mark_terms=(less,))
        return
    yield "hash join", hashed
    yield "hash join with further conditions", replace(hashed, residual=less)
    yield "nested-loop join", replace(loop, condition=less)


def _signatures(overloads: Sequence[Overload]) -> Iterator[BoundTypes]:
    """Argument and result types of each overload; those that a function refuses when it is bound are left
    out, and so are those that come out the same.
    """
    seen = set()
    for overload in overloads:
        params = [
            overload.parameter(i) for i in range(len(overload.params) + (overload.variadic is not None))
        ]
        open_ = [p for p in params if not isinstance(p, SQLType)]
        nested = any(p.value in _NESTED for p in open_)
        kinds_tried = (*_ANY, *_MEMBERS) if nested else _ANY
        for kind in kinds_tried if open_ else (BIGINT,):
            kinds = tuple(p if isinstance(p, SQLType) else _standing_for(p, kind) for p in params)
            if any(p.value == "DECIMAL" for p in open_) and not kind.is_decimal:
                continue
            try:
                bound = overload.bound(kinds, lambda _: None)
            except Error:
                continue  # refused for these types, or without the value of a constant
            if (bound.args, bound.result) not in seen:
                seen.add((bound.args, bound.result))
                yield bound


def _standing_for(pattern: Pattern, kind: SQLType) -> SQLType:
    if pattern is Pattern.LIST:
        return list_of(kind)
    if pattern is Pattern.MAP:
        return map_of(kind, kind)
    return struct_of(("a", kind)) if pattern is Pattern.STRUCT else kind


def _scalar_answer(function: ScalarFunction, bound: BoundTypes) -> Answer:
    count = len(bound.args)
    columns = _call_reasons(function.name, bound, frozenset(function.constants))
    if not columns or not count:
        return Answer(bound.args, columns)
    # The fewest arguments that must be constants for the GPU to run it.
    least = columns
    for size in range(1, count):
        for places in itertools.combinations(range(count), size):
            reasons = _call_reasons(function.name, bound, frozenset((*places, *function.constants)))
            if not reasons:
                return Answer(bound.args, (), places)
            least = min(least, reasons, key=len)
    return Answer(bound.args, least)


def _call_reasons(name: str, bound: BoundTypes, constants: frozenset[int]) -> tuple[str, ...]:
    """The reasons against a call with constants at these places, with the values that suit it best."""
    choices = [
        [_literal(kind, i) for i in range(_choices(kind))] if place in constants else [_column(kind, place)]
        for place, kind in enumerate(bound.args)
    ]
    found = (_reasons(e.Call(bound.result, name, tuple(args))) for args in itertools.product(*choices))
    return min(found, key=len)


def _choices(kind: SQLType) -> int:
    return len(_CONSTANTS.get(kind.id, _NUMBERS))


def _literal(kind: SQLType, index: int) -> e.Literal:
    return e.Literal(kind, _CONSTANTS.get(kind.id, _NUMBERS)[index])


def _column(kind: SQLType, place: int) -> e.ColumnRef:
    return e.ColumnRef(kind, place, f"c{place}")


def _reasons(expression: e.Expr) -> tuple[str, ...]:
    return tuple(dict.fromkeys(support.expression_reasons(expression)))


def scalars() -> list[ScalarFunction]:
    """All scalar functions by name."""
    return [SCALARS[name] for name in sorted(SCALARS)]


def aggregates() -> list[AggregateFunction]:
    """All aggregates by name."""
    return [AGGREGATES[name] for name in sorted(AGGREGATES)]


def window_functions() -> list[WindowFunction | AggregateFunction]:
    """All functions over windows by name."""
    own = [function for name, function in AGGREGATES.items() if name not in OVER_NAMES]
    return sorted((*WINDOWS.values(), *own), key=lambda function: function.name)
