"""Which row groups of a Parquet file can hold a row that a predicate keeps, by their statistics."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ..planner.expr import And, ColumnRef, Comparison, Expr, InList, IsNull, Literal, Not, Or, conjuncts
from ..planner.types import TypeId
from .parquet_meta import RowGroupStats

# (statistics of a row group by column id, its rows) -> whether a row of it may satisfy the term.
Check = Callable[[Mapping[int, RowGroupStats], int], bool]
_FLIPPED = {"=": "=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}


def compile_checks(predicate: Expr | None) -> tuple[list[Check], set[int]]:
    """The checks of a predicate's conjuncts and the ids of the columns whose statistics they read. Terms that
    statistics cannot decide have no check."""
    checks: list[Check] = []
    columns: set[int] = set()
    for term in conjuncts(predicate):
        check = _check(term, columns)
        if check is not None:
            checks.append(check)
    return checks, columns


def _check(term: Expr, columns: set[int]) -> Check | None:
    match term:
        case Comparison():
            return _comparison(term, columns)
        case InList(arg=ColumnRef() as column, items=items):
            values = [i.value for i in items if isinstance(i, Literal) and i.value is not None]
            literals = all(isinstance(i, Literal) for i in items)
            if not literals or not values or _unordered(column):
                return None
            low, high = min(values), max(values)
            columns.add(column.id)
            return lambda stats, rows: _overlaps(stats[column.id], rows, low, high)
        case IsNull(arg=ColumnRef() as column):
            columns.add(column.id)
            return lambda stats, rows: stats[column.id].nulls != 0
        case Not(arg=IsNull(arg=ColumnRef() as column)):
            columns.add(column.id)
            return lambda stats, rows: stats[column.id].nulls != rows
        case Or(args=args):
            return _any(args, columns)
        case And(args=args):
            return _all(args, columns)
        case _:
            return None


def _any(args: tuple[Expr, ...], columns: set[int]) -> Check | None:
    own: set[int] = set()
    checks = [_check(a, own) for a in args]
    known = [c for c in checks if c is not None]
    if len(known) < len(checks):
        return None
    columns |= own
    return lambda stats, rows: any(c(stats, rows) for c in known)


def _all(args: tuple[Expr, ...], columns: set[int]) -> Check | None:
    known = [c for a in args if (c := _check(a, columns)) is not None]
    if not known:
        return None
    return lambda stats, rows: all(c(stats, rows) for c in known)


def _unordered(column: ColumnRef) -> bool:
    """Floats: NaN is equal to itself and above all numbers, but statistics leave it out."""
    return column.type.id in (TypeId.FLOAT, TypeId.DOUBLE, TypeId.BLOB)


def _comparison(term: Comparison, columns: set[int]) -> Check | None:
    if isinstance(term.left, ColumnRef) and isinstance(term.right, Literal):
        column, value, op = term.left, term.right.value, term.op
    elif isinstance(term.right, ColumnRef) and isinstance(term.left, Literal):
        column, value, op = term.right, term.left.value, _FLIPPED.get(term.op, "")
    else:
        return None
    if value is None or op not in _FLIPPED:
        return None
    number = column.id
    if _unordered(column):
        # A number below NaN: only upper bounds can be decided, and only against a number.
        if op not in ("<", "<=") or value != value or column.type.id is TypeId.BLOB:
            return None
    columns.add(number)
    if op == "=":
        return lambda stats, rows: _overlaps(stats[number], rows, value, value)
    if op in ("<", "<="):
        inclusive = op == "<="
        return lambda stats, rows: _not_above(stats[number], rows, value, inclusive)
    inclusive = op == ">="
    return lambda stats, rows: _not_below(stats[number], rows, value, inclusive)


def _overlaps(stats: RowGroupStats, rows: int, low: Any, high: Any) -> bool:
    return _not_above(stats, rows, high, True) and _not_below(stats, rows, low, True)


def _not_above(stats: RowGroupStats, rows: int, value: Any, inclusive: bool) -> bool:
    if stats.nulls == rows:
        return False
    return stats.low is None or stats.low < value or (inclusive and stats.low == value)


def _not_below(stats: RowGroupStats, rows: int, value: Any, inclusive: bool) -> bool:
    if stats.nulls == rows:
        return False
    return stats.high is None or stats.high > value or (inclusive and stats.high == value)
