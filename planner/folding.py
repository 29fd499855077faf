"""Values of constant expressions that must be known while binding: LIMIT, digits to round to, separators,
fractions."""

from __future__ import annotations

from typing import Any

from .expr import Call, Cast, Expr, Literal
from .literals import cast_value
from .types import TypeId


class NotConstant(Exception):
    """The expression has no value that is known while binding."""


def constant_value(expr: Expr) -> Any:
    """The value of a literal, a cast literal, + - * and negation of whole numbers, and strings put together,
    in the literal form of its type.

    Raises NotConstant for everything else.
    """
    match expr:
        case Literal(value=value):
            return value
        case Cast(arg=arg, type=target, safe=safe):
            value = constant_value(arg)
            try:
                return cast_value(value, arg.type, target)
            except ValueError:
                if safe:
                    return None
                raise NotConstant from None
        case Call(function="||", args=args, type=kind) if kind.is_string:
            texts = [constant_value(a) for a in args]
            return None if any(t is None for t in texts) else "".join(texts)
        case Call(function=name, args=args, type=kind) if kind.is_integer or kind.id is TypeId.DECIMAL:
            values = [constant_value(a) for a in args]
            if any(v is None for v in values):
                return None
            if name == "neg":
                return -values[0]
            if all(a.type.is_integer for a in args) and name in ("+", "-", "*"):
                left, right = values
                return left + right if name == "+" else left - right if name == "-" else left * right
    raise NotConstant
