"""Literals, columns, parameters and casts."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from sqlglot import exp

from .. import messages
from ..coercion import can_cast, set_operation_type
from ..errors import Span
from ..expr import Call, Cast, Expr, Literal
from ..frontend.spans import span_of, token_span
from ..literals import cast_value, numeric_literal
from ..python_literals import NoLiteral, negated, python_literal
from ..types import BOOLEAN, NULL, VARCHAR, SQLType, TypeId, struct_of
from .casting import cast_to
from .expr_core import ExpressionBinder, binds
from .guard import reject_unknown_args
from .nested_calls import list_value
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


@binds(exp.PositionalColumn)
def _place(binder: ExpressionBinder, node: exp.Expr) -> Expr:
    """#1, the first column of FROM."""
    reject_unknown_args(node, "this")
    return binder.scope.at_place(int(node.this.this), span_of(node))


# Reserved words that are calls.
_WORDS = frozenset(
    {"user", "current_role", "current_catalog", "current_schema", "localtime", "localtimestamp"}
)


@binds(exp.Column)
def _column(binder: ExpressionBinder, node: exp.Expr) -> Expr:
    reject_unknown_args(node, "this", "table", "db", "catalog")
    span = span_of(node)
    parts = tuple(node.args[key] for key in ("catalog", "db", "table", "this") if node.args.get(key))
    if isinstance(parts[-1], exp.Star):
        raise messages.star_not_allowed(binder.clause, span)
    names = tuple(p.name for p in parts)
    parameter = binder.parameter(names, span)
    if parameter is not None:
        return parameter
    if len(parts) == 1 and names[0].lower() in _WORDS and not parts[0].args.get("quoted"):
        return binder.bind(exp.Anonymous(this=names[0], expressions=[]))
    return binder.scope.resolve(names, span)


@binds(exp.Identifier)
def _identifier(binder: ExpressionBinder, node: exp.Expr) -> Expr:
    return binder.parameter((node.name,), span_of(node)) or binder.scope.resolve((node.name,), span_of(node))


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
    """A Python value as a literal, a list or dict as one of literals. Strings and whole numbers stay as
    flexible as literals in the text.
    """
    if isinstance(value, Literal):
        return replace(value, span=span)  # EXECUTE has computed it
    if isinstance(value, list | tuple):
        items = [_python_literal(item, name, span) for item in value]
        kind = set_operation_type([item.type for item in items])
        return list_value([cast_to(item, kind) for item in items], span)
    if isinstance(value, dict) and value and all(isinstance(key, str) for key in value):
        parts = [_python_literal(item, name, span) for item in value.values()]
        kind = struct_of(*((key, part.type) for key, part in zip(value, parts, strict=True)))
        return Call(kind, "struct_pack", tuple(parts), span=span)
    try:
        kind, form = python_literal(value)
    except UnicodeError:
        raise messages.bad_text(f"Parameter {name}", span) from None
    except (NoLiteral, OverflowError):
        raise messages.bad_parameter(name, type(value).__name__, span) from None
    return Literal(kind, form, span=span)


# Negation ---------------------------------------------------------------------------------------------------
def negated_literal(expr: Expr) -> Expr | None:
    """The literal -x for a numeric literal x, which stays as flexible as x; None for other expressions."""
    if not isinstance(expr, Literal) or expr.value is None:
        return None
    if not (expr.type.is_integer or expr.type.is_decimal or expr.type.is_float):
        return None
    kind, value = negated(expr.type, expr.value)
    span = None if expr.span is None else Span(max(0, expr.span.start - 1), expr.span.end)
    return Literal(kind, value, span=span)


# Casts ------------------------------------------------------------------------------------------------------
@binds(exp.Cast, exp.TryCast)
def _cast(binder: ExpressionBinder, node: exp.Expr) -> Expr:
    reject_unknown_args(node, "this", "to", "safe")
    arg = binder.bind(node.this)
    span = arg.span or span_of(node)
    target = bind_type(node.args["to"], span)
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
