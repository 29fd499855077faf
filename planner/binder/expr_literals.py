"""Literals, columns, parameters and casts."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Any

from sqlglot import exp

from .. import messages
from ..coercion import IntegerLiteral, can_cast
from ..errors import Span
from ..expr import Cast, Expr, Literal
from ..frontend.parse import is_unicode
from ..frontend.spans import span_of, token_span
from ..literals import cast_value, numeric_literal
from ..temporal import US_SECOND, days_from_civil
from ..types import (
    BLOB,
    BOOLEAN,
    DATE,
    DOUBLE,
    INTERVAL,
    NULL,
    TIME,
    TIMESTAMP,
    TIMESTAMPTZ,
    VARCHAR,
    SQLType,
    TypeId,
    decimal,
)
from .expr_core import ExpressionBinder, binds
from .guard import reject_unknown_args
from .parameters import parameter_values
from .types import bind_type


@binds(exp.Literal)
def _literal(binder: ExpressionBinder, node: exp.Expr) -> Expr:
    return literal(node)


def literal(node: exp.Expr) -> Literal:
    """A string or number of the text; it needs no scope."""
    if len(node.args) != 2:
        reject_unknown_args(node, "this", "is_string")
    span = token_span(node)
    text = str(node.this)
    if node.args.get("is_string"):
        return Literal(VARCHAR, text, span=span)
    # The tokenizer completes .5, which is a DECIMAL(1,1), to 0.5, which is a DECIMAL(2,1).
    if text.startswith("0.") and span is not None and span.end - span.start == len(text) - 1:
        text = text[1:]
    kind, value = numeric_literal(text)
    return Literal(kind, value, span=span)


@binds(exp.ByteString, exp.RawString)
def _string(binder: ExpressionBinder, node: exp.Expr) -> Expr:
    reject_unknown_args(node, "this")
    return Literal(VARCHAR, str(node.this), span=span_of(node))


@binds(exp.Null)
def _null(binder: ExpressionBinder, node: exp.Expr) -> Expr:
    reject_unknown_args(node)
    return Literal(NULL, None, span=span_of(node))


@binds(exp.Boolean)
def _boolean(binder: ExpressionBinder, node: exp.Expr) -> Expr:
    reject_unknown_args(node, "this")
    return Literal(BOOLEAN, bool(node.this), span=span_of(node))


@binds(exp.Column)
def _column(binder: ExpressionBinder, node: exp.Expr) -> Expr:
    reject_unknown_args(node, "this", "table", "db", "catalog")
    span = span_of(node)
    parts = tuple(node.args[key] for key in ("catalog", "db", "table", "this") if node.args.get(key))
    if isinstance(parts[-1], exp.Star):
        raise messages.star_not_allowed(binder.clause, span)
    return binder.scope.resolve(tuple(p.name for p in parts), span)


@binds(exp.Identifier)
def _identifier(binder: ExpressionBinder, node: exp.Expr) -> Expr:
    return binder.scope.resolve((node.name,), span_of(node))


@binds(exp.Star)
def _star(binder: ExpressionBinder, node: exp.Expr) -> Expr:
    raise messages.star_not_allowed(binder.clause, token_span(node))


@binds(exp.Paren)
def _paren(binder: ExpressionBinder, node: exp.Expr) -> Expr:
    reject_unknown_args(node, "this")
    while isinstance(node, exp.Paren):
        node = node.this
    return binder.bind(node)


# Parameters -------------------------------------------------------------------------------------------------
@binds(exp.Placeholder)
def _parameter(binder: ExpressionBinder, node: exp.Expr) -> Expr:
    reject_unknown_args(node, "this")
    span = span_of(node)
    name = str(node.this) if node.this else ""
    key = name or _position(binder, node)
    given = parameter_values(binder.context.parameters)
    if key.lower() not in given:
        raise messages.missing_parameter(f"${key}", span)
    return _python_literal(given[key.lower()], f"${key}", span)


def _position(binder: ExpressionBinder, node: exp.Expr) -> str:
    """The number of an unnumbered `?`: its place among the statement's placeholders in reading order."""
    root = node.root()
    numbers = root.meta.get("placeholders")
    if numbers is None:
        starts = sorted(p.meta.get("start", 0) for p in root.find_all(exp.Placeholder) if not p.this)
        numbers = root.meta["placeholders"] = {start: str(number) for number, start in enumerate(starts, 1)}
    return numbers[node.meta.get("start", 0)]


def _python_literal(value: Any, name: str, span: Span | None) -> Expr:
    """A Python value as a literal. Strings and whole numbers stay as flexible as literals in the text."""
    kind, form = _python_form(value, name, span)
    return Literal(kind, form, span=span)


def _python_form(value: Any, name: str, span: Span | None) -> tuple[SQLType, Any]:
    match value:
        case None:
            return NULL, None
        case bool():
            return BOOLEAN, value
        case int():
            kind, number = numeric_literal(str(abs(value)))
            return (kind, number) if value >= 0 else _negated(kind, number)
        case float():
            return DOUBLE, value
        case str():
            if not is_unicode(value):
                raise messages.bad_text(f"Parameter {name}", span)
            return VARCHAR, value
        case bytes() | bytearray() | memoryview():
            return BLOB, bytes(value)
        case Decimal() if value.is_finite():
            sign, digits, exponent = value.as_tuple()
            assert isinstance(exponent, int)
            scale = max(0, -exponent)
            number = int("".join(map(str, digits))) * 10 ** max(0, exponent)
            width = max(len(str(number)), scale, 1)
            if width <= 38:
                return decimal(width, scale), -number if sign else number
        case datetime():
            zoned = value.tzinfo is not None
            offset = value.utcoffset() if zoned else None
            plain = value.replace(tzinfo=None) - (offset or timedelta())
            since = plain - datetime(1970, 1, 1)
            return (TIMESTAMPTZ if zoned else TIMESTAMP), since // timedelta(microseconds=1)
        case date():
            return DATE, days_from_civil(value.year, value.month, value.day)
        case time():
            seconds = (value.hour * 60 + value.minute) * 60 + value.second
            return TIME, seconds * US_SECOND + value.microsecond
        case timedelta():
            return INTERVAL, (
                0,
                value.days,
                (value - timedelta(days=value.days)) // timedelta(microseconds=1),
            )
    scalar = getattr(value, "item", None)  # of a NumPy scalar
    if callable(scalar) and getattr(value, "shape", None) == ():
        return _python_form(scalar(), name, span)
    raise messages.bad_parameter(name, type(value).__name__, span)


# Negation ---------------------------------------------------------------------------------------------------
def _negated(kind: SQLType, value: Any) -> tuple[SQLType, Any]:
    return (IntegerLiteral(-value).type if kind.is_integer else kind), -value


def negated_literal(expr: Expr) -> Expr | None:
    """The literal -x for a numeric literal x, which stays as flexible as x; None for other expressions."""
    if not isinstance(expr, Literal) or expr.value is None:
        return None
    if not (expr.type.is_integer or expr.type.is_decimal or expr.type.is_float):
        return None
    kind, value = _negated(expr.type, expr.value)
    span = None if expr.span is None else Span(max(0, expr.span.start - 1), expr.span.end)
    return Literal(kind, value, span=span)


# Casts ------------------------------------------------------------------------------------------------------
@binds(exp.Cast, exp.TryCast)
def _cast(binder: ExpressionBinder, node: exp.Expr) -> Expr:
    reject_unknown_args(node, "this", "to", "safe")
    arg = binder.bind(node.this)
    span = arg.span or span_of(node)
    target = bind_type(node.args["to"], span)
    if target.is_nested:
        raise messages.unsupported("Casts to lists and structs are", span)
    return explicit_cast(arg, target, span, safe=isinstance(node, exp.TryCast))


def explicit_cast(arg: Expr, target: SQLType, span: Span | None, *, safe: bool = False) -> Expr:
    """CAST or TRY_CAST. A literal of a date, time or interval is evaluated here; other casts of literals
    stay, because a literal would be more flexible than the cast. Raises BinderError where no such cast
    exists."""
    if not can_cast(arg.type, target):
        raise messages.bad_cast(arg.type, target, span)
    if isinstance(arg, Literal):
        if arg.value is None:
            return Literal(target, None, span=span)
        if target.is_temporal or target.id in (TypeId.INTERVAL, TypeId.BLOB):
            try:
                return Literal(target, cast_value(arg.value, arg.type, target), span=span)
            except ValueError:
                return Literal(target, None, span=span) if safe else Cast(target, arg, span=span)
    elif arg.type == target:
        return arg
    return Cast(target, arg, safe, span=span)
