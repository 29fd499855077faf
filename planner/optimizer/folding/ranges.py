"""Bounds that one conjunction sets on an expression: the tightest are kept, contradictions are found."""

from __future__ import annotations

from typing import Any

from ...expr import Comparison, Expr, InList, Literal
from ...types import BOOLEAN
from ..properties import is_volatile
from .comparisons import holds
from .values import compare, is_comparable

_RANGE_OPS = frozenset({"=", "<", "<=", ">", ">="})


def merge_ranges(terms: list[Expr]) -> list[Expr]:
    """Terms of a filter's conjunction without those that others imply; a single FALSE if they contradict each
    other.

    >>> from ...expr import ColumnRef
    >>> from ...types import INTEGER
    >>> x = ColumnRef(INTEGER, 1, "x")
    >>> above = [Comparison(BOOLEAN, ">", x, Literal(INTEGER, n)) for n in (3, 5)]
    >>> [t.right.value for t in merge_ranges(above)]
    [5]
    """
    groups: dict[Expr, list[int]] = {}
    for index, term in enumerate(terms):
        arg = _bounded(term)
        if arg is not None:
            groups.setdefault(arg, []).append(index)
    dropped: set[int] = set()
    replaced: dict[int, Expr] = {}
    for arg, places in groups.items():
        if len(places) < 2 or is_volatile(arg):
            continue
        if not _merge(arg, places, terms, dropped, replaced):
            return [Literal(BOOLEAN, False)]
    if not dropped and not replaced:
        return terms
    return [replaced.get(i, t) for i, t in enumerate(terms) if i not in dropped]


def _bounded(term: Expr) -> Expr | None:
    """The expression that a term bounds by constants."""
    if isinstance(term, Comparison):
        if term.op in _RANGE_OPS and isinstance(term.right, Literal) and term.right.value is not None:
            return term.left if is_comparable(term.left.type) else None
        return None
    if isinstance(term, InList) and is_comparable(term.arg.type):
        if all(isinstance(i, Literal) and i.value is not None for i in term.items):
            return term.arg
    return None


def _merge(
    arg: Expr, places: list[int], terms: list[Expr], dropped: set[int], replaced: dict[int, Expr]
) -> bool:
    """Settles the terms at `places`; False if no value satisfies all."""
    lists = [p for p in places if isinstance(terms[p], InList)]
    bounds = [p for p in places if p not in lists]
    tests = [(term.op, _value(term.right)) for p in bounds if isinstance(term := terms[p], Comparison)]
    if lists:
        return _merge_lists(arg, lists, bounds, tests, terms, dropped, replaced)
    equal = next((i for i, (op, _) in enumerate(tests) if op == "="), None)
    if equal is not None:
        value = tests[equal][1]
        if not all(_satisfies(value, test, arg) for test in tests):
            return False
        dropped.update(p for i, p in enumerate(bounds) if i != equal)
        return True
    low = _tightest(tests, arg, (">", ">="))
    high = _tightest(tests, arg, ("<", "<="))
    dropped.update(p for i, p in enumerate(bounds) if i not in (low, high))
    if low is None or high is None:
        return True
    order = compare(tests[low][1], tests[high][1], arg.type)
    assert order is not None
    return order < 0 or (order == 0 and tests[low][0] == ">=" and tests[high][0] == "<=")


def _merge_lists(
    arg: Expr,
    lists: list[int],
    bounds: list[int],
    tests: list[tuple[str, Any]],
    terms: list[Expr],
    dropped: set[int],
    replaced: dict[int, Expr],
) -> bool:
    """Items of the first list that every other term allows."""
    first, *others = [term.items for p in lists if isinstance(term := terms[p], InList)]
    kept = [
        item
        for item in first
        if all(_satisfies(_value(item), test, arg) for test in tests)
        and all(any(compare(_value(item), _value(o), arg.type) == 0 for o in other) for other in others)
    ]
    if not kept:
        return False
    dropped.update(bounds, lists[1:])
    if len(kept) < len(first):
        replaced[lists[0]] = (
            Comparison(BOOLEAN, "=", arg, kept[0]) if len(kept) == 1 else InList(BOOLEAN, arg, tuple(kept))
        )
    return True


def _value(expr: Expr) -> Any:
    assert isinstance(expr, Literal)
    return expr.value


def _satisfies(value: Any, test: tuple[str, Any], arg: Expr) -> bool:
    order = compare(value, test[1], arg.type)
    assert order is not None
    return holds(test[0], order)


def _tightest(tests: list[tuple[str, Any]], arg: Expr, ops: tuple[str, str]) -> int | None:
    """Index of the strictest lower (or upper) bound."""
    strict = ops[0]
    sign = 1 if strict == ">" else -1
    best: int | None = None
    for index, (op, value) in enumerate(tests):
        if op not in ops:
            continue
        if best is None:
            best = index
            continue
        order = compare(value, tests[best][1], arg.type)
        assert order is not None
        if order * sign > 0 or (order == 0 and op == strict):
            best = index
    return best
