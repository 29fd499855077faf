"""Calls of registered functions on bound arguments."""

from __future__ import annotations

from collections.abc import Sequence

from .. import messages
from ..coercion import arg_type
from ..errors import Span, SqlError
from ..expr import (
    SUBQUERIES,
    AggregateCall,
    Call,
    Case,
    Cast,
    ColumnRef,
    Expr,
    IsNull,
    Literal,
    UserCall,
    walk,
)
from ..folding import NotConstant, constant_value
from ..functions import SCALARS, AggregateFunction, Nulls, Overload, ScalarFunction, UserFunction, resolve
from ..functions.signature import BoundTypes
from ..types import BOOLEAN, NULL
from .casting import cast_all, refuse_nested
from .expr_core import joined_span


def resolve_call(
    shown: str, overloads: Sequence[Overload], args: Sequence[Expr], span: Span | None
) -> BoundTypes:
    """Types of the call; `shown` is the name in errors. Raises BinderError where no overload fits."""
    try:
        return resolve(shown, overloads, [arg_type(a) for a in args], lambda index: _value(args[index]), span)
    except SqlError as error:
        if error.span is None:
            error.span = span
        raise


def _value(expr: Expr) -> object:
    try:
        return constant_value(expr)
    except NotConstant:
        return None


# Functions of any type that are not built for nested ones.
_FLAT_ONLY = frozenset({"hash"})


def call(name: str, args: Sequence[Expr], span: Span | None = None, shown: str | None = None) -> Expr:
    """The call of the scalar function with this canonical name: overload chosen, casts inserted. A NULL
    literal as argument of a function that passes NULLs on makes it a NULL literal, unless another argument
    says something of the query: that a column is read, that there are aggregates. Raises BinderError where no
    overload fits.
    """
    function = SCALARS[name]
    shown = shown or name
    span = span or joined_span(*args)
    bound = resolve_call(shown, function.overloads, args, span)
    if name in _FLAT_ONLY:
        for kind in bound.args:
            refuse_nested(f'Calls of "{shown}"', kind, span)
    if bound.result == NULL:
        return Literal(NULL, None, span=span)
    if function.nulls is Nulls.PROPAGATE and _is_null_for_all(args):
        return Literal(bound.result, None, span=span)
    return Call(bound.result, name, with_constants(function, shown, cast_all(args, bound.args)), span=span)


def user_call(function: UserFunction, args: Sequence[Expr], span: Span | None) -> Expr:
    """The call of a user's function, with casts inserted of its arguments and, where it is compiled, of its
    value. Raises BinderError where its signature does not fit."""
    bound = resolve_call(function.name, (function.overload,), args, span)
    for kind in bound.args:
        refuse_nested(f'Calls of "{function.name}"', kind, span)
    if function.is_strict and _is_null_for_all(args):
        return Literal(bound.result, None, span=span)
    called = UserCall(function.computed, function, cast_all(args, bound.args), span=span)
    return called if function.computed == bound.result else Cast(bound.result, called, span=span)


def _is_null_for_all(args: Sequence[Expr]) -> bool:
    """Whether an argument is the literal NULL, and none of them says something of the query."""
    null = any(isinstance(arg, Literal) and arg.value is None for arg in args)
    return null and not any(map(_reads, args))


def constant_of(value: Literal, arg: Expr) -> Expr:
    """A constant that follows from the type of `arg` alone. Where `arg` reads columns or has aggregates it
    stays, in a CASE that does not care: it says something of the query.
    """
    if not _reads(arg):
        return value
    return Case(value.type, ((IsNull(BOOLEAN, arg, span=arg.span), value),), value, span=value.span)


def _reads(expr: Expr) -> bool:
    return any(isinstance(part, (ColumnRef, AggregateCall, *SUBQUERIES)) for part in walk(expr))


def with_constants(
    function: ScalarFunction | AggregateFunction, shown: str, args: Sequence[Expr]
) -> tuple[Expr, ...]:
    """The arguments, those that must be constants as literals. Raises BinderError where one is no
    constant."""
    result = list(args)
    for position in function.constants:
        if position >= len(args):
            continue
        arg = args[position]
        try:
            value = constant_value(arg)
        except NotConstant:
            raise messages.constant_argument(shown, f"argument {position + 1}", arg.span) from None
        result[position] = Literal(arg.type, value, span=arg.span)
    return tuple(result)
