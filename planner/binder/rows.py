"""Row values: (a, b) = (c, d), (a, b) < (c, d), (a, b) IN ((1, 2), ...).

As in DuckDB a row comparison is never NULL: fields that are both NULL are equal, and NULL is larger than any
value.
"""

from __future__ import annotations

from collections.abc import Sequence

from .. import messages
from ..errors import Span
from ..expr import And, Coalesce, Comparison, Expr, IsNull, Not, Or
from ..types import BOOLEAN
from .casting import comparable

Row = tuple[Expr, ...]
_SAME = "is not distinct from"


def compare_rows(op: str, left: Row, right: Row, span: Span | None) -> Expr:
    """The comparison of two rows, field by field. Raises BinderError for rows of different lengths or types
    that do not compare."""
    if len(left) != len(right):
        raise messages.row_size(len(left), len(right), span)
    match op:
        case "=" | "is not distinct from":
            return _equal(left, right, span)
        case "<>" | "is distinct from":
            return Not(BOOLEAN, _equal(left, right, span), span=span)
        case "<":
            return _less(left, right, span)
        case ">":
            return _less(right, left, span)
        case "<=":
            return Not(BOOLEAN, _less(right, left, span), span=span)
        case _:
            assert op == ">=", op
            return Not(BOOLEAN, _less(left, right, span), span=span)


def any_row(left: Row, rows: Sequence[Row], span: Span | None) -> Expr:
    """`left IN (rows)`."""
    terms = tuple(
        _equal(left, row, span) if len(row) == len(left) else _wrong_size(left, row, span) for row in rows
    )
    return terms[0] if len(terms) == 1 else Or(BOOLEAN, terms, span=span)


def _wrong_size(left: Row, row: Row, span: Span | None) -> Expr:
    raise messages.row_size(len(left), len(row), span)


def _and(terms: Sequence[Expr], span: Span | None) -> Expr:
    return terms[0] if len(terms) == 1 else And(BOOLEAN, tuple(terms), span=span)


def _equal(left: Row, right: Row, span: Span | None) -> Expr:
    pairs = [comparable(_SAME, a, b, span) for a, b in zip(left, right, strict=True)]
    return _and([Comparison(BOOLEAN, _SAME, a, b, span=span) for a, b in pairs], span)


def _less(left: Row, right: Row, span: Span | None) -> Expr:
    """True where the first differing field of `left` is smaller."""
    terms = []
    for count in range(1, len(left) + 1):
        a, b = comparable("<", left[count - 1], right[count - 1], span)
        smaller = Comparison(BOOLEAN, "<", a, b, span=span)
        null_last = And(BOOLEAN, (Not(BOOLEAN, IsNull(BOOLEAN, a)), IsNull(BOOLEAN, b)))
        here = Coalesce(BOOLEAN, (smaller, null_last), span=span)
        before = [_equal(left[: count - 1], right[: count - 1], span)] if count > 1 else []
        terms.append(_and([*before, here], span))
    return terms[0] if len(terms) == 1 else Or(BOOLEAN, tuple(terms), span=span)
