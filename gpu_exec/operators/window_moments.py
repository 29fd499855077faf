"""The spread of the values of each frame: what variance and standard deviation are made of.

Counts, means and sums of squared distances from the mean are put together pair by pair (T. Chan, G. Golub,
R. LeVeque, "Updating Formulae and a Pairwise Algorithm for Computing Sample Variances").
"""

from __future__ import annotations

from typing import Any

from ..number import Number
from ..ops import Ops
from .window_folds import Columns, Fold, Folded
from .window_frames import Framed
from .window_rows import WindowRows


def moments(column: Any, rows: WindowRows, framed: Framed) -> tuple[Number, Number]:
    """How many values of a FLOAT64 column are in each frame, and the sum of the squares of their distances
    from their mean; as doubles, without NULL."""
    ops = rows.ops
    known = Number(ops.is_valid(column), ops, "FLOAT64")
    number, _, spread = Folded(
        [known.column, column, rows.number(0.0, "FLOAT64").column], _MOMENTS, rows
    ).over(framed)
    return Number(number, ops, "FLOAT64"), Number(spread, ops, "FLOAT64")


def _together(left: Columns, right: Columns, ops: Ops) -> Columns:
    (n, mean, spread), (m, other, more) = (
        [Number(c, ops, "FLOAT64") for c in some] for some in (left, right)
    )
    total = n + m
    share = m.over(total.greatest(1.0))
    apart = other - mean
    # Without values on one side, the other one's mean stays as it is, even where it is no number.
    moved = (mean + apart * share).unless(n.equals(0), other).unless(m.equals(0), mean)
    # The last part is 0, or NaN where one of them is infinite: then the spread is no number.
    added = (apart * apart * n * share + (apart - apart)).unless(ops.either(n.equals(0), m.equals(0)), 0.0)
    return [total.column, moved.column, (spread + more + added).column]


_MOMENTS = Fold(_together, (0.0, 0.0, 0.0))
