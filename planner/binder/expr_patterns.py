"""LIKE, ILIKE, SIMILAR TO and the regular expression operators."""

from __future__ import annotations

from sqlglot import exp

from .. import messages
from ..errors import Span
from ..expr import Call, Expr, Literal, Not
from ..frontend.spans import span_of
from ..text_patterns import glob_to_regex
from ..types import BOOLEAN, VARCHAR
from .calls import call
from .expr_core import ExpressionBinder, binds
from .guard import reject_unknown_args

_LIKES: dict[type[exp.Expr], str] = {exp.Like: "like", exp.ILike: "ilike"}


@binds(exp.Like, exp.ILike)
def _like(binder: ExpressionBinder, node: exp.Expr) -> Expr:
    return _bind_like(binder, node, None, span_of(node))


@binds(exp.Escape)
def _escape(binder: ExpressionBinder, node: exp.Expr) -> Expr:
    reject_unknown_args(node, "this", "expression")
    if type(node.this) not in _LIKES:
        raise messages.unsupported("ESCAPE of this is", span_of(node))
    return _bind_like(binder, node.this, node.args["expression"], span_of(node))


def _bind_like(binder: ExpressionBinder, node: exp.Expr, escape: exp.Expr | None, span: Span | None) -> Expr:
    reject_unknown_args(node, "this", "expression", "negate")
    name = _LIKES[type(node)]
    pattern = node.args["expression"]
    if isinstance(pattern, exp.Any | exp.All):
        raise messages.unsupported("LIKE ANY and LIKE ALL are", span)
    args = [binder.bind(node.this), binder.bind(pattern)]
    if escape is not None:
        args.append(binder.bind(escape))
    result = call(name if escape is None else f"{name}_escape", args, span, name.upper())
    return Not(BOOLEAN, result, span=span) if node.args.get("negate") else result


@binds(exp.SimilarTo)
def _similar(binder: ExpressionBinder, node: exp.Expr) -> Expr:
    reject_unknown_args(node, "this", "expression")
    args = (binder.bind(node.this), binder.bind(node.args["expression"]))
    return call("regexp_full_match", args, span_of(node), "SIMILAR TO")


@binds(exp.Glob)
def _glob(binder: ExpressionBinder, node: exp.Expr) -> Expr:
    reject_unknown_args(node, "this", "expression")
    args = (binder.bind(node.this), binder.bind(node.args["expression"]))
    result = call("~~~", args, span_of(node), "GLOB")
    pattern = result.args[1] if isinstance(result, Call) else None
    if isinstance(result, Call) and isinstance(pattern, Literal) and isinstance(pattern.value, str):
        regex = glob_to_regex(pattern.value)
        if regex is not None:
            # Devices have regular expressions.
            rest = (Literal(VARCHAR, regex), Literal(VARCHAR, "s"))
            return Call(BOOLEAN, "regexp_full_match", (result.args[0], *rest), span=result.span)
    return result


@binds(exp.RegexpLike)
def _matches(binder: ExpressionBinder, node: exp.Expr) -> Expr:
    reject_unknown_args(node, "this", "expression")
    args = (binder.bind(node.this), binder.bind(node.args["expression"]))
    return call("regexp_matches", args, span_of(node), "~")
