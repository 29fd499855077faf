"""Arithmetic, concatenation, bit operators and the logical connectives."""

from __future__ import annotations

from sqlglot import exp

from .. import messages
from ..expr import And, Cast, Expr, Literal, Not, Or
from ..folding import NotConstant, constant_value
from ..frontend import Caret, UnaryPlus
from ..frontend.spans import span_of
from ..types import BIGINT, BOOLEAN, HUGEINT, INTEGER, INTEGER_RANGES, NULL, SMALLINT, TypeId
from .calls import call
from .expr_core import ExpressionBinder, binds, joined_span
from .expr_literals import negated_literal
from .guard import reject_unknown_args

_BINARY: dict[type[exp.Expr], str] = {
    exp.Add: "+",
    exp.Sub: "-",
    exp.Mul: "*",
    exp.Div: "/",
    exp.IntDiv: "//",
    exp.Mod: "%",
    exp.Pow: "pow",
    Caret: "pow",
    exp.DPipe: "||",
    exp.BitwiseAnd: "&",
    exp.BitwiseOr: "|",
    exp.BitwiseLeftShift: "<<",
    exp.BitwiseRightShift: ">>",
    exp.StartsWith: "starts_with",
}
_WIDER = {
    TypeId.TINYINT: SMALLINT,
    TypeId.SMALLINT: INTEGER,
    TypeId.INTEGER: BIGINT,
    TypeId.BIGINT: HUGEINT,
}
# Entries that the parser sets to record its dialect's semantics, which are DuckDB's.
_FLAGS = ("typed", "safe")


@binds(*_BINARY)
def _binary(binder: ExpressionBinder, node: exp.Expr) -> Expr:
    # Long chains lean to the left: walk down that side without recursion.
    spine = []
    while type(node) in _BINARY:
        reject_unknown_args(node, "this", "expression", *_FLAGS)
        spine.append(node)
        node = node.this
    result = binder.bind(node)
    for outer in reversed(spine):
        right = binder.bind(outer.args["expression"])
        name = _BINARY[type(outer)]
        if name == "/" and binder.context.settings.get("integer_division") and _are_whole(result, right):
            name = "//"
        shown = "^" if name == "pow" else name
        result = call(name, (result, right), joined_span(result, right), shown)
    return result


def _are_whole(*args: Expr) -> bool:
    return all(arg.type.is_integer for arg in args)


@binds(exp.Neg)
def _negation(binder: ExpressionBinder, node: exp.Expr) -> Expr:
    reject_unknown_args(node, "this")
    arg = binder.bind(node.this)
    return negated_literal(arg) or call("neg", (_with_room(arg),), shown="-")


def _with_room(arg: Expr) -> Expr:
    """A constant that is the least value of its type in the next wider one, which has its negation too."""
    wider = _WIDER.get(arg.type.id)
    if wider is None:
        return arg
    try:
        value = constant_value(arg)
    except NotConstant:
        return arg
    return Cast(wider, arg, span=arg.span) if value == INTEGER_RANGES[arg.type.id][0] else arg


@binds(UnaryPlus)
def _plus(binder: ExpressionBinder, node: exp.Expr) -> Expr:
    """The value itself; a number after it is no longer as flexible as a literal."""
    reject_unknown_args(node, "this")
    arg = binder.bind(node.this)
    span = span_of(node)
    if not (arg.type.is_numeric or arg.type == NULL):
        raise messages.no_matching_function("+", [arg.type], ["+(number)"], span)
    if arg.type == NULL:
        return Cast(BIGINT, arg, span=span)
    return Cast(arg.type, arg, span=span) if isinstance(arg, Literal) and arg.value is not None else arg


@binds(exp.BitwiseNot)
def _complement(binder: ExpressionBinder, node: exp.Expr) -> Expr:
    reject_unknown_args(node, "this")
    return call("~", (binder.bind(node.this),))


@binds(exp.Abs)
def _absolute(binder: ExpressionBinder, node: exp.Expr) -> Expr:
    reject_unknown_args(node, "this")
    return call("abs", (binder.bind(node.this),), shown="@")


# Connectives ------------------------------------------------------------------------------------------------
def _terms(node: exp.Expr, kind: type[exp.Expr]) -> list[exp.Expr]:
    """Operands of a chain of one connective, in order, found without recursion."""
    found: list[exp.Expr] = []
    stack = [node]
    while stack:
        item = stack.pop()
        inner = item
        while isinstance(inner, exp.Paren):
            inner = inner.this
        if type(inner) is kind:
            reject_unknown_args(inner, "this", "expression")
            stack.append(inner.args["expression"])
            stack.append(inner.this)
        else:
            found.append(item)
    return found


@binds(exp.And)
def _and(binder: ExpressionBinder, node: exp.Expr) -> Expr:
    args = tuple(binder.bind_condition(t, "AND") for t in _terms(node, exp.And))
    return And(BOOLEAN, args, span=joined_span(*args))


@binds(exp.Or)
def _or(binder: ExpressionBinder, node: exp.Expr) -> Expr:
    args = tuple(binder.bind_condition(t, "OR") for t in _terms(node, exp.Or))
    return Or(BOOLEAN, args, span=joined_span(*args))


@binds(exp.Not)
def _not(binder: ExpressionBinder, node: exp.Expr) -> Expr:
    reject_unknown_args(node, "this")
    return Not(BOOLEAN, binder.bind_condition(node.this, "NOT"), span=span_of(node))
