"""Conditions on the names of columns: the body of a lambda in COLUMNS(lambda name: ...)."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable
from typing import Any

from sqlglot import exp

from .. import messages
from ..frontend import span_of
from ..text_patterns import glob_to_regex, like_to_regex

_COMPARED: dict[type[exp.Expr], Callable[[Any, Any], Any]] = {
    exp.EQ: operator.eq,
    exp.NEQ: operator.ne,
    exp.LT: operator.lt,
    exp.LTE: operator.le,
    exp.GT: operator.gt,
    exp.GTE: operator.ge,
    exp.Add: operator.add,
    exp.Sub: operator.sub,
    exp.Mod: operator.mod,
    exp.DPipe: operator.add,
    exp.StartsWith: str.startswith,
}
_CALLS: dict[str, Callable[..., Any]] = {
    "length": len,
    "len": len,
    "strlen": lambda s: len(s.encode()),
    "lower": str.lower,
    "lcase": str.lower,
    "upper": str.upper,
    "ucase": str.upper,
    "starts_with": str.startswith,
    "prefix": str.startswith,
    "ends_with": str.endswith,
    "suffix": str.endswith,
    "contains": lambda s, part: part in s,
    "regexp_matches": lambda s, pattern: re.search(pattern, s) is not None,
    "regexp_full_match": lambda s, pattern: re.fullmatch(pattern, s) is not None,
    "left": lambda s, n: s[:n],
    "right": lambda s, n: s[len(s) - n :] if n else "",
    "substring": lambda s, start, n=None: s[start - 1 : None if n is None else start - 1 + n],
    "substr": lambda s, start, n=None: s[start - 1 : None if n is None else start - 1 + n],
    "replace": str.replace,
    "reverse": lambda s: s[::-1],
    "trim": str.strip,
}


def holds_for(body: exp.Expr, parameter: str, name: str) -> bool:
    """Whether the body of a lambda is true for the name of a column."""
    return bool(_value(body, parameter.lower(), name))


def _value(node: exp.Expr, parameter: str, name: str) -> Any:
    def inner(part: exp.Expr) -> Any:
        return _value(part, parameter, name)

    try:
        return _evaluated(node, inner, parameter, name)
    except (TypeError, ValueError, re.error):
        raise messages.unsupported("This condition on names of columns is", span_of(node)) from None


def _evaluated(node: Any, inner: Callable[[exp.Expr], Any], parameter: str, name: str) -> Any:
    match node:
        case exp.Paren():
            return inner(node.this)
        case exp.Identifier() | exp.Column() if node.name.lower() == parameter:
            return name
        case exp.Literal():
            return node.this if node.is_string else int(node.this)
        case exp.Boolean():
            return node.this
        case exp.And():
            return inner(node.this) and inner(node.expression)
        case exp.Or():
            return inner(node.this) or inner(node.expression)
        case exp.Not():
            return not inner(node.this)
        case exp.In(expressions=[_, *_]):
            return inner(node.this) in [inner(e) for e in node.expressions]
        case exp.Between():
            return inner(node.args["low"]) <= inner(node.this) <= inner(node.args["high"])
        case exp.Like() | exp.ILike():
            flags = re.DOTALL | (re.IGNORECASE if isinstance(node, exp.ILike) else 0)
            found = re.fullmatch(like_to_regex(inner(node.expression)), inner(node.this), flags)
            return (found is None) == bool(node.args.get("negate"))
        case exp.SimilarTo():
            return re.fullmatch(inner(node.expression), inner(node.this)) is not None
        case exp.RegexpLike():
            return re.search(inner(node.expression), inner(node.this)) is not None
        case exp.Glob():
            regex = glob_to_regex(inner(node.expression))
            return regex is not None and re.fullmatch(regex, inner(node.this), re.DOTALL) is not None
        case exp.Anonymous() if str(node.this).lower() in _CALLS:
            return _CALLS[str(node.this).lower()](*map(inner, node.expressions))
        case _ if type(node) in _COMPARED:
            return _COMPARED[type(node)](inner(node.this), inner(node.expression))
        case _:
            raise messages.unsupported("This condition on names of columns is", span_of(node))
