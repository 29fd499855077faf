"""AND, OR, NOT, CASE and COALESCE in three-valued logic."""

from __future__ import annotations

from ...expr import (
    And,
    Case,
    Coalesce,
    Comparison,
    Expr,
    InList,
    Literal,
    Not,
    Or,
    conjuncts,
    is_constant,
)
from ...types import BOOLEAN
from ..properties import is_volatile, may_fail
from .comparisons import INVERSE

_FALSE = Literal(BOOLEAN, False)
_TRUE = Literal(BOOLEAN, True)


def joined(kind: type[And] | type[Or], terms: list[Expr]) -> Expr:
    """AND or OR of any number of terms."""
    if not terms:
        return _TRUE if kind is And else _FALSE
    return terms[0] if len(terms) == 1 else kind(BOOLEAN, tuple(terms))


def simplify_connective(node: And | Or) -> Expr:
    """Flattens, drops neutral and repeated terms, stops at the deciding constant."""
    kind = type(node)
    neutral = kind is And
    terms: dict[Expr, None] = {}
    for arg in node.args:
        for term in arg.args if isinstance(arg, kind) else (arg,):
            if isinstance(term, Literal) and term.value is not None:
                if term.value is not neutral:
                    return term
                continue
            if term in terms and is_volatile(term):
                return node
            terms.setdefault(term)
    kept = list(terms)
    if kind is Or and len(kept) > 1:
        merged = _membership(_common_factor(kept))
        if len(merged) != len(kept) or any(a is not b for a, b in zip(merged, kept, strict=True)):
            return joined(Or, merged)
    if len(kept) == len(node.args) and all(a is b for a, b in zip(kept, node.args, strict=True)):
        return node
    return joined(kind, kept)


def _common_factor(terms: list[Expr]) -> list[Expr]:
    """(a AND b) OR (a AND c) is a AND (b OR c); a OR (a AND c) is a."""
    if not any(isinstance(t, And) for t in terms):
        return terms
    common = dict.fromkeys(t for t in conjuncts(terms[0]) if not is_volatile(t))
    for term in terms[1:]:
        if not common:
            return terms
        here = set(conjuncts(term))
        common = {t: None for t in common if t in here}
    if not common:
        return terms
    rests = []
    for term in terms:
        rest = [t for t in conjuncts(term) if t not in common]
        if not rest:
            return [joined(And, list(common))]
        rests.append(joined(And, rest))
    return [joined(And, [*common, Or(BOOLEAN, tuple(rests))])]


def _membership(terms: list[Expr]) -> list[Expr]:
    """x = 1 OR x = 2 is x IN (1, 2)."""
    groups: dict[Expr, list[Expr]] = {}
    places: dict[int, Expr] = {}
    for index, term in enumerate(terms):
        arg: Expr
        if isinstance(term, Comparison) and term.op == "=" and isinstance(term.right, Literal):
            arg, items = term.left, [term.right]
        elif isinstance(term, InList) and all(isinstance(i, Literal) for i in term.items):
            arg, items = term.arg, list(term.items)
        else:
            continue
        if is_volatile(arg):
            continue
        groups.setdefault(arg, []).extend(items)
        places[index] = arg
    if len(places) == len(groups):
        return terms
    merged: list[Expr] = []
    done: set[Expr] = set()
    for index, term in enumerate(terms):
        place = places.get(index)
        if place is None:
            merged.append(term)
        elif place not in done:
            done.add(place)
            items = list(dict.fromkeys(groups[place]))
            merged.append(term if len(items) == 1 else InList(BOOLEAN, place, tuple(items), span=term.span))
    return merged


def simplify_not(node: Not) -> Expr:
    """Pushes a negation inwards."""
    arg = node.arg
    match arg:
        case Literal(value=value):
            return arg if value is None else Literal(BOOLEAN, not value)
        case Not():
            return arg.arg
        case Comparison(op=op, left=left, right=right):
            return Comparison(BOOLEAN, INVERSE[op], left, right, span=arg.span)
        case And(args=args):
            return Or(BOOLEAN, tuple(Not(BOOLEAN, a) for a in args), span=arg.span)
        case Or(args=args):
            return And(BOOLEAN, tuple(Not(BOOLEAN, a) for a in args), span=arg.span)
        case _:
            return node


def simplify_case(node: Case) -> Expr:
    """Drops branches that are never chosen and everything after one that always is."""
    branches: list[tuple[Expr, Expr]] = []
    default = node.default
    for condition, value in node.branches:
        if isinstance(condition, Literal):
            if condition.value is True:
                default = value
                break
            continue
        branches.append((condition, value))
    while branches and branches[-1][1] == default and not is_volatile(default) and _quiet(branches[-1][0]):
        branches.pop()
    if not branches:
        return default
    if len(branches) == len(node.branches) and default is node.default:
        return node
    return Case(node.type, tuple(branches), default, span=node.span)


def _quiet(condition: Expr) -> bool:
    """Whether a condition may go unevaluated: it decides nothing any more and has no error to show."""
    return not may_fail(condition)


def simplify_coalesce(node: Coalesce) -> Expr:
    """Drops NULLs, repeats and what follows a constant."""
    kept: list[Expr] = []
    for arg in node.args:
        if is_constant(arg, None) or (arg in kept and not is_volatile(arg)):
            continue
        kept.append(arg)
        if isinstance(arg, Literal):
            break
    if not kept:
        return Literal(node.type, None)
    if len(kept) == 1:
        return kept[0]
    return node if len(kept) == len(node.args) else Coalesce(node.type, tuple(kept), span=node.span)
