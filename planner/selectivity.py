"""Selectivity of predicates: the share of rows for which they are true, from column statistics.

Terms are taken to be independent, except that bounds of one column are put together into one range. Without
statistics the classic constants of Selinger et al. ("Access path selection in a relational database
management system", SIGMOD 1979) are used, or thereabouts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from .expr import (
    And,
    Call,
    Cast,
    ColumnRef,
    Comparison,
    Expr,
    InList,
    IsNull,
    Literal,
    Not,
    Or,
    Quantified,
    references,
)
from .statistics import ColumnStats

Lookup = Callable[[int], ColumnStats | None]

EQUALS = 0.1
RANGE = 1 / 3
LIKE_PREFIX = 0.05
LIKE_INNER = 0.1
OTHER = 0.25
_FLIPPED = {"=": "=", "<>": "<>", "<": ">", "<=": ">=", ">": "<", ">=": "<="}


@dataclass
class _Range:
    """Literal bounds that a conjunction sets on one column."""

    low: float | None = None
    high: float | None = None
    terms: int = field(default=0)


def selectivity(terms: Iterable[Expr], stats: Lookup) -> float:
    """The share of rows, 0..1, that satisfy all terms; `stats` gives the statistics of a column id."""
    result = 1.0
    ranges: dict[int, _Range] = {}
    for term in terms:
        bound = _bound(term, stats)
        if bound is None:
            result *= of_term(term, stats)
            continue
        column, op, value = bound
        found = ranges.setdefault(column, _Range())
        found.terms += 1
        if op in (">", ">="):
            found.low = value if found.low is None else max(found.low, value)
        else:
            found.high = value if found.high is None else min(found.high, value)
    for column, found in ranges.items():
        result *= _range_share(found, stats(column))
    return min(1.0, max(0.0, result))


def of_term(term: Expr, stats: Lookup) -> float:
    """The share of rows that satisfy one term."""
    match term:
        case Literal(value=value):
            return 1.0 if value else 0.0
        case And(args=args):
            return selectivity(args, stats)
        case Or(args=args):
            missed = 1.0
            for arg in args:
                missed *= 1.0 - of_term(arg, stats)
            return 1.0 - missed
        case Not(arg=arg):
            return 1.0 - of_term(arg, stats)
        case IsNull(arg=arg):
            return _null_share(arg, stats)
        case Comparison():
            return _comparison(term, stats)
        case InList(arg=arg, items=items):
            return min(1.0, len(items) * _equals_share(arg, stats))
        case Call(function=name, args=(_, Literal(value=str() as pattern), *_)) if "like" in name:
            return _like_share(pattern)
        case Quantified():
            return 0.5
        case ColumnRef():
            return 0.5
        case _:
            return OTHER


def _column(expr: Expr) -> ColumnRef | None:
    while isinstance(expr, Cast):
        expr = expr.arg
    return expr if isinstance(expr, ColumnRef) else None


def number(value: Any) -> float | None:
    """A literal value on the number line, for interpolation; None when it has no place there."""
    return (
        float(value)
        if isinstance(value, (int, float)) and not isinstance(value, bool) and value == value
        else None
    )


def _bound(term: Expr, stats: Lookup) -> tuple[int, str, float] | None:
    """(column, op, value) when the term bounds a column whose range is known by a number."""
    if not isinstance(term, Comparison) or term.op not in ("<", "<=", ">", ">="):
        return None
    for side, other, op in ((term.left, term.right, term.op), (term.right, term.left, _FLIPPED[term.op])):
        if isinstance(side, ColumnRef) and isinstance(other, Literal):
            value = number(other.value)
            known = stats(side.id)
            if (
                value is not None
                and known is not None
                and number(known.low) is not None
                and number(known.high) is not None
            ):
                return side.id, op, value
    return None


def _range_share(found: _Range, stats: ColumnStats | None) -> float:
    low = number(stats.low) if stats else None
    high = number(stats.high) if stats else None
    if low is None or high is None:
        return RANGE**found.terms
    width = high - low
    start = low if found.low is None else max(low, found.low)
    stop = high if found.high is None else min(high, found.high)
    if stop < start:
        return 0.0
    share = (stop - start) / width if width > 0 else 1.0
    # A point or a sliver still holds about one distinct value's rows.
    ndv = stats.ndv if stats and stats.ndv else 1.0
    return max(share, min(1.0, 1.0 / ndv)) * _present(stats)


def _present(stats: ColumnStats | None) -> float:
    if stats is None or not stats.nulls or not stats.rows:
        return 1.0
    return max(0.0, 1.0 - stats.nulls / stats.rows)


def _null_share(arg: Expr, stats: Lookup) -> float:
    column = _column(arg)
    known = stats(column.id) if column is not None else None
    if known is None or known.nulls is None or not known.rows:
        return 0.05
    return min(1.0, known.nulls / known.rows)


def _equals_share(arg: Expr, stats: Lookup) -> float:
    column = _column(arg)
    known = stats(column.id) if column is not None else None
    if known is not None and known.ndv:
        return min(1.0, 1.0 / known.ndv) * _present(known)
    if isinstance(arg, Call) and arg.function in ("year", "month", "day", "quarter"):
        return {"year": 1 / 7, "month": 1 / 12, "day": 1 / 31, "quarter": 1 / 4}[arg.function]
    return EQUALS


def _comparison(term: Comparison, stats: Lookup) -> float:
    left, right, op = term.left, term.right, term.op
    if isinstance(left, Literal):
        left, right, op = right, left, _FLIPPED.get(op, op)
    if op in ("=", "is not distinct from"):
        if isinstance(right, Literal):
            return 0.0 if _outside(left, right, stats) else _equals_share(left, stats)
        if not references(right):
            return _equals_share(left, stats)
        return min(_equals_share(left, stats), _equals_share(right, stats))
    if op in ("<>", "is distinct from"):
        return 1.0 - (_equals_share(left, stats) if not references(right) else EQUALS)
    return RANGE


def _outside(arg: Expr, literal: Literal, stats: Lookup) -> bool:
    """Whether a constant lies outside the known bounds of a plain column."""
    if not isinstance(arg, ColumnRef):
        return False
    known = stats(arg.id)
    value = number(literal.value)
    low, high = (number(known.low), number(known.high)) if known else (None, None)
    return value is not None and low is not None and high is not None and not low <= value <= high


def _like_share(pattern: str) -> float:
    if not any(c in pattern for c in "%_"):
        return EQUALS
    return LIKE_INNER if pattern.startswith(("%", "_")) else LIKE_PREFIX
