"""Functions that are written in terms of others, as DuckDB's macros are, or say something of the session."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from sqlglot import exp

from .. import messages
from ..errors import Span
from ..expr import Call, Expr, IsNull, Literal, Not
from ..frontend.spans import span_of, token_span
from ..types import BIGINT, BOOLEAN, DOUBLE, INTERVAL, NULL, TIME, TIMESTAMP, VARCHAR, SQLType
from .calls import call, constant_of, resolve_call
from .casting import cast_all, cast_to, condition
from .expr_conditional import if_else
from .expr_core import ExpressionBinder, binds

# The binder, the name as written, bound arguments, the span of the call and that of its name.
Macro = Callable[[ExpressionBinder, str, Sequence[Expr], "Span | None", "Span | None"], Expr]
# The release whose dialect this is.
_VERSION = "v2.0.1"
_USER = "duckdb"
_COUNTS = {0: "no arguments", 1: "one argument", 2: "two arguments", 3: "three arguments"}


def _counted(name: str, args: Sequence[Expr], at: Span | None, *counts: int) -> None:
    if len(args) not in counts:
        wanted = " or ".join(_COUNTS[count] for count in counts)
        raise messages.wrong_argument_count(name, wanted, len(args), at)


def _text(value: str) -> Macro:
    def bound(
        binder: ExpressionBinder, name: str, args: Sequence[Expr], span: Span | None, at: Span | None
    ) -> Expr:
        _counted(name, args, at, 0)
        return Literal(VARCHAR, value, span=span)

    return bound


def _operator(symbol: str) -> Macro:
    """add(a, b) and the like; of one argument it is a sign."""

    def bound(
        binder: ExpressionBinder, name: str, args: Sequence[Expr], span: Span | None, at: Span | None
    ) -> Expr:
        if len(args) == 1 and symbol in "+-":
            negated = call("neg", args, span, name)
            return args[0] if symbol == "+" and negated.type == args[0].type else negated
        return call(symbol, args, span, name)

    return bound


def _negated(function: str) -> Macro:
    def bound(
        binder: ExpressionBinder, name: str, args: Sequence[Expr], span: Span | None, at: Span | None
    ) -> Expr:
        return Not(BOOLEAN, call(function, args, span, name), span=span)

    return bound


def _pg_typeof(
    binder: ExpressionBinder, name: str, args: Sequence[Expr], span: Span | None, at: Span | None
) -> Expr:
    _counted(name, args, at, 1)
    return constant_of(Literal(VARCHAR, str(args[0].type).lower(), span=span), args[0])


def _days_in_month(
    binder: ExpressionBinder, name: str, args: Sequence[Expr], span: Span | None, at: Span | None
) -> Expr:
    _counted(name, args, at, 1)
    return call("day", (call("last_day", args, span, name),), span, name)


def _ago(
    binder: ExpressionBinder, name: str, args: Sequence[Expr], span: Span | None, at: Span | None
) -> Expr:
    _counted(name, args, at, 1)
    return call("-", (call("now", (), span), cast_to(args[0], INTERVAL)), span, name)


def _local(*targets: SQLType) -> Macro:
    """The statement's time without its zone."""

    def bound(
        binder: ExpressionBinder, name: str, args: Sequence[Expr], span: Span | None, at: Span | None
    ) -> Expr:
        _counted(name, args, at, 0)
        value = call("now", (), span)
        for target in targets:
            value = cast_to(value, target)
        return value

    return bound


def _zone_part(
    binder: ExpressionBinder, name: str, args: Sequence[Expr], span: Span | None, at: Span | None
) -> Expr:
    """How far the session's time zone, which is UTC, is from UTC; timezone also has two arguments."""
    if name == "timezone" and len(args) == 2:
        return call("timezone", args, span, name)
    _counted(name, args, at, 1)
    (arg,) = args
    if not arg.type.is_temporal and arg.type not in (INTERVAL, NULL):
        raise messages.no_matching_function(name, [arg.type], [f"{name}(TIMESTAMP WITH TIME ZONE)"], span)
    nothing = Literal(BIGINT, None, span=span)
    if arg.type == NULL:
        return nothing
    return if_else(IsNull(BOOLEAN, arg, span=span), nothing, Literal(BIGINT, 0, span=span), span)


def _error(
    binder: ExpressionBinder, name: str, args: Sequence[Expr], span: Span | None, at: Span | None
) -> Expr:
    """It has no value, so that it goes with every type."""
    from ..functions import SCALARS

    bound = resolve_call(name, SCALARS["error"].overloads, args, span)
    if isinstance(args[0], Literal) and args[0].value is None:
        return Literal(NULL, None, span=span)
    return Call(NULL, "error", cast_all(args, bound.args), span=span)


def _assert_true(
    binder: ExpressionBinder, name: str, args: Sequence[Expr], span: Span | None, at: Span | None
) -> Expr:
    _counted(name, args, at, 1, 2)
    plain = Literal(VARCHAR, "Assertion failed", span=span)
    text: Expr = plain
    if len(args) == 2:
        from .expr_conditional import coalesce

        stated = call("||", (Literal(VARCHAR, "Assertion: ", span=span), args[1]), span, name)
        text = coalesce((cast_to(stated, VARCHAR), plain), span)
    failed = _error(binder, "error", (text,), span, at)
    return if_else(condition(args[0], "assert_true"), Literal(NULL, None, span=span), failed, span)


def _current_setting(
    binder: ExpressionBinder, name: str, args: Sequence[Expr], span: Span | None, at: Span | None
) -> Expr:
    _counted(name, args, at, 1)
    (arg,) = args
    if not isinstance(arg, Literal) or not isinstance(arg.value, str):
        raise messages.constant_argument(name, "the name of the setting", span)
    value = _setting(binder.context.settings, arg.value, arg.span or span)
    if isinstance(value, bool):
        return Literal(BOOLEAN, value, span=span)
    if isinstance(value, int):
        return Literal(BIGINT, value, span=span)
    if isinstance(value, float):
        return Literal(DOUBLE, value, span=span)
    return Literal(VARCHAR, None if value is None else str(value), span=span)


def _getvariable(
    binder: ExpressionBinder, name: str, args: Sequence[Expr], span: Span | None, at: Span | None
) -> Expr:
    """What SET VARIABLE gave the name, NULL for names that have no value."""
    _counted(name, args, at, 1)
    (arg,) = args
    if not isinstance(arg, Literal) or not isinstance(arg.value, str):
        raise messages.constant_argument(name, "the name of the variable", span)
    found = binder.context.variables.get(arg.value.lower())
    return Literal(NULL, None, span=span) if found is None else replace(found, span=span)


def _setting(settings: Any, name: str, span: Span | None) -> Any:
    wanted = name.strip().lower()
    for known in settings:
        if known.lower() == wanted:
            return settings[known]
    from ..messages_settings import unknown_setting

    error = unknown_setting(name, list(settings))
    error.span = span
    raise error


MACROS: dict[str, Macro] = {
    "add": _operator("+"),
    "subtract": _operator("-"),
    "multiply": _operator("*"),
    "not_like_escape": _negated("like_escape"),
    "not_ilike_escape": _negated("ilike_escape"),
    "pg_typeof": _pg_typeof,
    "days_in_month": _days_in_month,
    "ago": _ago,
    "error": _error,
    "assert_true": _assert_true,
    "current_setting": _current_setting,
    "getvariable": _getvariable,
    "version": _text(_VERSION),
    **dict.fromkeys(("timezone", "timezone_hour", "timezone_minute"), _zone_part),
    **dict.fromkeys(("localtimestamp", "current_localtimestamp"), _local(TIMESTAMP)),
    **dict.fromkeys(("localtime", "current_localtime"), _local(TIMESTAMP, TIME)),
    "current_catalog": _text("memory"),
    **dict.fromkeys(("current_user", "session_user", "user", "current_role"), _text(_USER)),
}


# Macros with aggregates: they are bound as what they stand for --------------------------------------------
def _named(name: str, *args: exp.Expr) -> exp.Expr:
    return exp.Anonymous(this=name, expressions=list(args))


def _geometric_mean(x: exp.Expr) -> exp.Expr:
    return _named("exp", _named("avg", _named("ln", x)))


def _weighted_average(value: exp.Expr, weight: exp.Expr) -> exp.Expr:
    total = _named(
        "sum", exp.Mul(this=exp.Paren(this=value.copy()), expression=exp.Paren(this=weight.copy()))
    )
    present = exp.Not(this=exp.Is(this=exp.Paren(this=value.copy()), expression=exp.Null()))
    counted = exp.Case(ifs=[exp.If(this=present, true=weight.copy())], default=exp.Literal.number(0))
    return exp.Div(this=total, expression=_named("sum", counted))


_AGGREGATE_MACROS: dict[str, tuple[int, Callable[..., exp.Expr]]] = {
    "geomean": (1, _geometric_mean),
    "geometric_mean": (1, _geometric_mean),
    "wavg": (2, _weighted_average),
    "weighted_avg": (2, _weighted_average),
}
MACRO_NAMES = (*MACROS, *_AGGREGATE_MACROS)


def expanded(node: exp.Expr) -> exp.Expr | None:
    """What a call of a macro with aggregates stands for; None for other calls."""
    name = str(node.this).lower()
    found = _AGGREGATE_MACROS.get(name)
    if found is None:
        return None
    count, expand = found
    if len(node.expressions) != count:
        raise messages.wrong_argument_count(name, _COUNTS[count], len(node.expressions), token_span(node))
    return expand(*node.expressions)


# With syntax of its own -----------------------------------------------------------------------------------
@binds(exp.CurrentUser, exp.CurrentRole, exp.SessionUser)
def _current_user(binder: ExpressionBinder, node: exp.Expr) -> Expr:
    return Literal(VARCHAR, _USER, span=span_of(node))


@binds(exp.Localtime)
def _localtime(binder: ExpressionBinder, node: exp.Expr) -> Expr:
    return MACROS["localtime"](binder, "localtime", (), span_of(node), None)


@binds(exp.Localtimestamp)
def _localtimestamp(binder: ExpressionBinder, node: exp.Expr) -> Expr:
    return MACROS["localtimestamp"](binder, "localtimestamp", (), span_of(node), None)


@binds(exp.AtTimeZone)
def _at_time_zone(binder: ExpressionBinder, node: exp.Expr) -> Expr:
    """`moment AT TIME ZONE zone` is timezone(zone, moment)."""
    args = binder.bind_all((node.args["zone"], node.this))
    return call("timezone", args, span_of(node))
