"""Function calls: ordinary ones by name, those that are bound to other nodes, and those with syntax of their
own."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sqlglot import exp

from .. import messages
from ..errors import Span
from ..expr import Expr, Literal
from ..folding import NotConstant, constant_value
from ..frontend.spans import span_of, token_span
from ..functions import (
    CALENDAR_PARTS,
    DATE_PARTS,
    REFUSED,
    find_aggregate,
    find_scalar,
    find_window,
    function_names,
)
from ..messages_from import columns_not_here
from ..messages_windows import needs_over
from ..types import VARCHAR, TypeId
from .calls import call, constant_of, user_call
from .casting import condition, unify
from .expr_aggregates import bind_grouping
from .expr_conditional import coalesce, if_else, null_if
from .expr_core import ExpressionBinder, binds
from .expr_macros import MACRO_NAMES, MACROS, expanded
from .expr_nested import WITH_SYNTAX
from .fields import fields_along
from .guard import reject_unknown_args
from .nested_calls import NESTED
from .quantile_lists import bind_aggregates


@binds(exp.Anonymous)
def _call(binder: ExpressionBinder, node: exp.Expr) -> Expr:
    reject_unknown_args(node, "this", "expressions")
    name = node.name.lower()
    own = binder.context.functions.get(name)
    if own is not None:
        return user_call(own, _arguments(binder, name, node), span_of(node))
    if name in ("grouping", "grouping_id"):
        return bind_grouping(binder, node)
    if name in WITH_SYNTAX:
        return WITH_SYNTAX[name](binder, node)
    special, macro = _SPECIAL.get(name) or NESTED.get(name), MACROS.get(name)
    scalar = find_scalar(name)
    if special is None and macro is None and scalar is None:
        written = expanded(node)
        if written is not None:
            return binder.bind(written)
        aggregate = find_aggregate(name)
        if aggregate is not None:
            return bind_aggregates(binder, aggregate, node, None)
        if find_window(name) is not None:
            raise needs_over(name, token_span(node))
        if name == "columns":
            raise columns_not_here(span_of(node))
        if name in REFUSED:
            raise messages.unsupported_function(name, token_span(node), REFUSED[name])
        candidates = function_names((*MACRO_NAMES, *(f.name for f in binder.context.functions.values())))
        raise messages.unknown_function(name, candidates, token_span(node))
    args = _arguments(binder, name, node)
    span = span_of(node)
    if special is not None:
        return special(name, args, span, token_span(node))
    if macro is not None:
        return macro(binder, name, args, span, token_span(node))
    assert scalar is not None
    if scalar.name in _PARTED:
        return _parted(scalar.name, name, args, span)
    if scalar.name == "log" and len(args) == 1:
        return call("log10", args, span, name)
    return call(scalar.name, args, span, name)


def _arguments(binder: ExpressionBinder, name: str, node: exp.Expr) -> tuple[Expr, ...]:
    """Bound arguments of a scalar function. Raises SqlError for DISTINCT, ORDER BY, lambdas and named
    arguments."""
    for arg in node.expressions:
        if isinstance(arg, exp.Distinct):
            raise messages.not_an_aggregate(name, "DISTINCT", token_span(node))
        if isinstance(arg, exp.Order):
            raise messages.not_an_aggregate(name, "ORDER BY", token_span(node))
        if isinstance(arg, exp.PropertyEQ | exp.Kwarg):
            raise messages.unsupported("Named arguments are", span_of(arg) or token_span(node))
    return binder.bind_all(node.expressions)


# Calls bound to other nodes ---------------------------------------------------------------------------------
def _counted(
    name: str, args: Sequence[Expr], span: Span | None, low: int, high: int | None, wanted: str
) -> None:
    if len(args) < low or (high is not None and len(args) > high):
        raise messages.wrong_argument_count(name, wanted, len(args), span)


def _coalesce(name: str, args: Sequence[Expr], span: Span | None, at: Span | None) -> Expr:
    _counted(name, args, at, 1, None, "one argument or more")
    return coalesce(args, span)


def _ifnull(name: str, args: Sequence[Expr], span: Span | None, at: Span | None) -> Expr:
    _counted(name, args, at, 2, 2, "two arguments")
    return coalesce(args, span)


def _nullif(name: str, args: Sequence[Expr], span: Span | None, at: Span | None) -> Expr:
    _counted(name, args, at, 2, 2, "two arguments")
    return null_if(args[0], args[1], span)


def _if(name: str, args: Sequence[Expr], span: Span | None, at: Span | None) -> Expr:
    _counted(name, args, at, 3, 3, "three arguments")
    return if_else(condition(args[0], "IF"), args[1], args[2], span)


def _typeof(name: str, args: Sequence[Expr], span: Span | None, at: Span | None) -> Expr:
    _counted(name, args, at, 1, 1, "one argument")
    return constant_of(Literal(VARCHAR, str(args[0].type), span=span), args[0])


def _extreme(name: str, args: Sequence[Expr], span: Span | None, at: Span | None) -> Expr:
    _counted(name, args, at, 1, None, "one argument or more")
    return call(name, unify(args, name.upper()), span, name)


def _strftime(name: str, args: Sequence[Expr], span: Span | None, at: Span | None) -> Expr:
    """The format may also come first."""
    if len(args) == 2 and args[1].type.is_temporal:
        args = (args[1], args[0])
    return call(name, args, span, name)


def _date_add(name: str, args: Sequence[Expr], span: Span | None, at: Span | None) -> Expr:
    _counted(name, args, at, 2, 2, "two arguments")
    return call("+", args, span, name)


def _fdiv(name: str, args: Sequence[Expr], span: Span | None, at: Span | None) -> Expr:
    _counted(name, args, at, 2, 2, "two arguments")
    return call("floor", (call("/", args, span, name),), span, name)


def _constant(value: str) -> Callable[[str, Sequence[Expr], Span | None, Span | None], Expr]:
    def bound(name: str, args: Sequence[Expr], span: Span | None, at: Span | None) -> Expr:
        _counted(name, args, at, 0, 0, "no arguments")
        return Literal(VARCHAR, value, span=span)

    return bound


_SPECIAL: dict[str, Callable[[str, Sequence[Expr], Span | None, Span | None], Expr]] = {
    "coalesce": _coalesce,
    "ifnull": _ifnull,
    "nullif": _nullif,
    "if": _if,
    "typeof": _typeof,
    "greatest": _extreme,
    "least": _extreme,
    "strftime": _strftime,
    "date_add": _date_add,
    "fdiv": _fdiv,
    "current_schema": _constant("main"),
    "current_database": _constant("memory"),
}

# Functions whose first argument names a part of a date.
_PARTED = frozenset({"date_part", "date_trunc", "date_diff", "date_sub"})


def _constant_text(arg: Expr) -> str | None:
    try:
        value = constant_value(arg)
    except NotConstant:
        return None
    return value if isinstance(value, str) else None


def _parted(canonical: str, shown: str, args: Sequence[Expr], span: Span | None) -> Expr:
    text = _constant_text(args[0]) if args else None
    if text is None:
        return call(canonical, args, span, shown)
    part = DATE_PARTS.get(text.strip().lower())
    if part is None:
        raise messages.unknown_date_part(text, args[0].span or span)
    if canonical == "date_part":
        if part in CALENDAR_PARTS and len(args) == 2 and args[1].type.id is TypeId.INTERVAL:
            raise messages.bad_argument(shown, f"an interval has no {part}", span)
        return call(part, args[1:], span, part)
    return call(canonical, (Literal(VARCHAR, part, span=args[0].span), *args[1:]), span, shown)


# Calls with syntax of their own -----------------------------------------------------------------------------
@binds(exp.Extract)
def _extract(binder: ExpressionBinder, node: exp.Expr) -> Expr:
    reject_unknown_args(node, "this", "expression")
    reject_unknown_args(node.this, "this", "is_string")
    span = span_of(node)
    part = Literal(VARCHAR, node.this.name.lower(), span=span_of(node.this) or span)
    return _parted("date_part", "extract", (part, binder.bind(node.args["expression"])), span)


@binds(exp.StrPosition)
def _position(binder: ExpressionBinder, node: exp.Expr) -> Expr:
    reject_unknown_args(node, "this", "substr")
    args = (binder.bind(node.this), binder.bind(node.args["substr"]))
    return call("strpos", args, span_of(node), "position")


_TRIMS = {"": "trim", "BOTH": "trim", "LEADING": "ltrim", "TRAILING": "rtrim"}


@binds(exp.Trim)
def _trim(binder: ExpressionBinder, node: exp.Expr) -> Expr:
    reject_unknown_args(node, "this", "expression", "position")
    args = [binder.bind(node.this)]
    if node.args.get("expression"):
        args.append(binder.bind(node.args["expression"]))
    return call(_TRIMS[str(node.args.get("position") or "").upper()], args, span_of(node), "trim")


@binds(exp.CurrentDate)
def _current_date(binder: ExpressionBinder, node: exp.Expr) -> Expr:
    reject_unknown_args(node)
    return call("current_date", (), span_of(node))


@binds(exp.CurrentTimestamp)
def _current_timestamp(binder: ExpressionBinder, node: exp.Expr) -> Expr:
    reject_unknown_args(node)
    return call("now", (), span_of(node), "current_timestamp")


@binds(exp.Dot)
def _qualified_call(binder: ExpressionBinder, node: exp.Expr) -> Expr:
    """`schema.f(x)`, and `x.f(y)` as f(x, y)."""
    reject_unknown_args(node, "this", "expression")
    target = node.args["expression"]
    if isinstance(target, exp.Identifier):
        return fields_along(binder.bind(node.this), (target.name,), span_of(node))
    if not isinstance(target, exp.Anonymous):
        raise messages.unsupported("This after a point is", span_of(node))
    schema = isinstance(node.this, exp.Identifier) and node.this.name.lower() in (
        "main",
        "pg_catalog",
        "system",
    )
    if schema:
        return binder.bind(target)
    chained = target.copy()
    chained.set("expressions", [node.this.copy(), *chained.expressions])
    return binder.bind(chained)
