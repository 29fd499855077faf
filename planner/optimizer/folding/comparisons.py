"""Comparisons: constants to the right, casts and added constants moved off the column, so that scans and
statistics can use them.
"""

from __future__ import annotations

from fractions import Fraction
from math import floor
from typing import Any

from ...expr import And, Call, Cast, Comparison, Expr, InList, IsNull, Literal, Not, Or
from ...types import BOOLEAN, INTEGER_RANGES, SQLType, TypeId
from ..properties import is_lossless, is_volatile
from .dates import DAY, to_date
from .values import as_fraction, compare, in_range

_NULL_SAFE = ("is distinct from", "is not distinct from")
# What an operator becomes when its sides change places, and when it is negated.
FLIPPED = {"=": "=", "<>": "<>", "<": ">", "<=": ">=", ">": "<", ">=": "<=", **{op: op for op in _NULL_SAFE}}
INVERSE = {"=": "<>", "<>": "=", "<": ">=", "<=": ">", ">": "<=", ">=": "<"}
INVERSE |= {"is distinct from": "is not distinct from", "is not distinct from": "is distinct from"}
_NULL = Literal(BOOLEAN, None)


def simplify_comparison(node: Comparison) -> Expr:
    """One step on a comparison whose sides are simplified; the same object if there is nothing to do."""
    left, right, op = node.left, node.right, node.op
    if isinstance(left, Literal):
        if isinstance(right, Literal):
            return _constant(node, left.value, right.value)
        return Comparison(BOOLEAN, FLIPPED[op], right, left, span=node.span)
    if not isinstance(right, Literal):
        if op in _NULL_SAFE and left == right and not is_volatile(left):
            return Literal(BOOLEAN, op == "is not distinct from")
        return node
    if right.value is None:
        if op == "is not distinct from":
            return IsNull(BOOLEAN, left, span=node.span)
        if op == "is distinct from":
            return Not(BOOLEAN, IsNull(BOOLEAN, left), span=node.span)
        return _NULL
    if left.type.id is TypeId.BOOLEAN and op in ("=", "<>"):
        return left if right.value == (op == "=") else Not(BOOLEAN, left)
    if isinstance(left, Cast) and not left.safe:
        return _without_cast(node, left, right)
    if isinstance(left, Call) and left.function in ("+", "-") and op not in _NULL_SAFE:
        return _without_constant(node, left, right)
    return node


def _constant(node: Comparison, left: Any, right: Any) -> Expr:
    """The value of a comparison of two literals."""
    if left is None or right is None:
        if node.op not in _NULL_SAFE:
            return _NULL
        return Literal(BOOLEAN, (left is right) == (node.op == "is not distinct from"))
    order = compare(left, right, node.left.type)
    return node if order is None else Literal(BOOLEAN, holds(node.op, order))


def holds(op: str, order: int) -> bool:
    """Whether `op` holds for values that compare as `order` (-1, 0, 1)."""
    if op in ("=", "is not distinct from"):
        return order == 0
    if op in ("<>", "is distinct from"):
        return order != 0
    if op == "<":
        return order < 0
    if op == "<=":
        return order <= 0
    return order > 0 if op == ">" else order >= 0


def never(arg: Expr) -> Expr:
    """FALSE, but NULL where `arg` is."""
    return And(BOOLEAN, (IsNull(BOOLEAN, arg), _NULL))


def always(arg: Expr) -> Expr:
    """TRUE, but NULL where `arg` is."""
    return Or(BOOLEAN, (Not(BOOLEAN, IsNull(BOOLEAN, arg)), _NULL))


def _without_cast(node: Comparison, cast: Cast, literal: Literal) -> Expr:
    """CAST(x AS wider) op constant, told in x's own type."""
    arg, op = cast.arg, node.op
    if not is_lossless(arg.type, cast.type):
        return node
    place = lower_neighbour(literal.value, literal.type, arg.type)
    if place is None:
        return node
    value, exact = place
    if op in _NULL_SAFE and not exact:
        return Literal(BOOLEAN, op == "is distinct from")
    if op in ("=", "<>") and not exact:
        return never(arg) if op == "=" else always(arg)
    if not _fits(value, arg.type):
        if op in _NULL_SAFE:
            return Literal(BOOLEAN, op == "is distinct from")
        above = value > 0
        return always(arg) if op == "<>" or ((op in ("<", "<=")) == above and op != "=") else never(arg)
    if not exact:
        op = {"<": "<=", ">=": ">"}.get(op, op)
    return Comparison(BOOLEAN, op, arg, Literal(arg.type, value, span=literal.span), span=node.span)


def lower_neighbour(value: Any, kind: SQLType, target: SQLType) -> tuple[int, bool] | None:
    """The greatest value of `target` that is not above a literal of a wider type, and whether it equals it;
    None where that is not known.

    The result may lie outside of the range of `target`.

    >>> from ...types import DATE, INTEGER, TIMESTAMP, decimal
    >>> lower_neighbour(25, decimal(3, 1), INTEGER), lower_neighbour(3 * DAY + 1, TIMESTAMP, DATE)
    ((2, False), (3, False))
    """
    if target.is_integer or target.is_decimal:
        number = as_fraction(value, kind)
        if number is None:
            return None
        scaled = number * Fraction(10) ** target.scale
        whole = floor(scaled)
        return whole, whole == scaled
    if target.id is TypeId.DATE and kind.id is TypeId.TIMESTAMP:
        days, rest = divmod(value, DAY)
        return (days, rest == 0) if to_date(days) is not None else None
    return None


def _fits(value: int, kind: SQLType) -> bool:
    return kind.id is TypeId.DATE or in_range(value, kind)


def _without_constant(node: Comparison, call: Call, literal: Literal) -> Expr:
    """x + 5 op 7 is x op 2, for integers and days, where the new constant is in range."""
    if len(call.args) != 2:
        return node
    arg, added = call.args
    if isinstance(arg, Literal) and call.function == "+":
        arg, added = added, arg
    if not isinstance(added, Literal) or added.value is None or isinstance(arg, Literal):
        return node
    integers = arg.type == added.type == call.type and call.type.id in INTEGER_RANGES
    days = arg.type.id is TypeId.DATE is call.type.id and added.type.is_integer
    if not (integers or days):
        return node
    value = literal.value - added.value if call.function == "+" else literal.value + added.value
    if not (in_range(value, arg.type) if integers else to_date(value) is not None):
        return node
    return Comparison(BOOLEAN, node.op, arg, Literal(arg.type, value, span=literal.span), span=node.span)


def simplify_in(node: InList) -> Expr:
    """One step on `arg IN (items)`: constants, repeated items, one item, casts of the argument."""
    items = tuple(dict.fromkeys(node.items))
    if len(items) == 1:
        return Comparison(BOOLEAN, "=", node.arg, items[0], span=node.span)
    if isinstance(node.arg, Literal) and all(isinstance(i, Literal) for i in items):
        return _constant_in(node, items)
    if isinstance(node.arg, Cast) and not node.arg.safe and all(isinstance(i, Literal) for i in items):
        return _in_without_cast(node, node.arg, items)
    return node if len(items) == len(node.items) else InList(BOOLEAN, node.arg, items, span=node.span)


def _constant_in(node: InList, items: tuple[Expr, ...]) -> Expr:
    value = node.arg.value if isinstance(node.arg, Literal) else None
    if value is None:
        return _NULL
    found = False
    unknown = False
    for item in items:
        other = item.value if isinstance(item, Literal) else None
        if other is None:
            unknown = True
            continue
        order = compare(value, other, node.arg.type)
        if order is None:
            return node
        found |= order == 0
    return Literal(BOOLEAN, True) if found else _NULL if unknown else Literal(BOOLEAN, False)


def _in_without_cast(node: InList, cast: Cast, items: tuple[Expr, ...]) -> Expr:
    arg = cast.arg
    if not is_lossless(arg.type, cast.type):
        return node
    kept: list[Expr] = []
    for item in items:
        assert isinstance(item, Literal)
        if item.value is None:
            kept.append(Literal(arg.type, None))
            continue
        place = lower_neighbour(item.value, item.type, arg.type)
        if place is None:
            return node
        value, exact = place
        if exact and _fits(value, arg.type):
            kept.append(Literal(arg.type, value, span=item.span))
    return InList(BOOLEAN, arg, tuple(kept), span=node.span) if kept else never(arg)
