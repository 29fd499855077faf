"""Covariance, correlation, regression; skewness and kurtosis."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pyarrow as pa

from ...planner import messages_values as messages
from ..kernels import arrays, moments
from ..kernels.aggregates import grow
from ..kernels.arrays import F64, I32
from ..vector import Vector
from .aggregate_state import Rows, as_mask, padded


class Pairs:
    """Moments of pairs of doubles none of which is NULL."""

    def __init__(self) -> None:
        self.state: F64 = np.zeros((0, moments.PAIR))

    def update(self, rows: Rows) -> None:
        left, right = rows.args
        self.state = grow(self.state, rows.groups, 0)
        xs, ys = _doubles(left), _doubles(right)
        moments.add_pairs(rows.numbers, xs, ys, rows.valid(left, right), self.state)

    def merge(self, other: Pairs, gids: I32, groups: int) -> None:
        self.state = grow(self.state, groups, 0)
        moments.merge_pairs(gids, padded(other.state, len(gids)), self.state)

    @property
    def nbytes(self) -> int:
        return self.state.nbytes


class Powers:
    """Sums of the first four powers of doubles."""

    def __init__(self) -> None:
        self.state: F64 = np.zeros((0, moments.POWERS))

    def update(self, rows: Rows) -> None:
        (arg,) = rows.args
        self.state = grow(self.state, rows.groups, 0)
        moments.add_powers(rows.numbers, _doubles(arg), rows.valid(arg), self.state)

    def merge(self, other: Powers, gids: I32, groups: int) -> None:
        self.state = grow(self.state, groups, 0)
        self.state[gids] += padded(other.state, len(gids))

    @property
    def nbytes(self) -> int:
        return self.state.nbytes


def _doubles(arg: Vector) -> F64:
    return np.ascontiguousarray(arg.values)


# Of (n, mean of x, mean of y, deviations of x, of y, of both): the values, and the rows that have one. With
# regr_ y is the first argument, so x is it here.
_Formula = Callable[..., tuple[F64, "np.ndarray | None"]]


def _slope(n: F64, mx: F64, my: F64, xx: F64, yy: F64, xy: F64) -> F64:
    return (xy / n) / (yy / n)


_FORMULAS: dict[str, _Formula] = {
    "covar_pop": lambda n, mx, my, xx, yy, xy: (xy / n, None),
    "covar_samp": lambda n, mx, my, xx, yy, xy: (xy / (n - 1), n > 1),
    "corr": lambda n, mx, my, xx, yy, xy: (
        (xy / n) / (np.sqrt(xx / n) * np.sqrt(yy / n)),
        None,
    ),
    "regr_avgx": lambda n, mx, my, xx, yy, xy: (my, None),
    "regr_avgy": lambda n, mx, my, xx, yy, xy: (mx, None),
    "regr_slope": lambda n, mx, my, xx, yy, xy: (_slope(n, mx, my, xx, yy, xy), None),
    "regr_intercept": lambda n, mx, my, xx, yy, xy: (mx - _slope(n, mx, my, xx, yy, xy) * my, yy != 0),
    "regr_r2": lambda n, mx, my, xx, yy, xy: (
        np.where(xx == 0, 1.0, ((xy / n) / (np.sqrt(xx / n) * np.sqrt(yy / n))) ** 2),
        yy != 0,
    ),
    "regr_sxx": lambda n, mx, my, xx, yy, xy: (yy, None),
    "regr_syy": lambda n, mx, my, xx, yy, xy: (xx, None),
    "regr_sxy": lambda n, mx, my, xx, yy, xy: (xy, None),
}
PAIR_FUNCTIONS = tuple(_FORMULAS)


def pair_column(function: str, state: Pairs, groups: int) -> pa.Array:
    """A function of pairs; NULL over no pair, and where the formula has no value."""
    parts = padded(state.state, groups).T
    with np.errstate(all="ignore"):
        values, known = _FORMULAS[function](*parts)
    some = parts[0] > 0 if known is None else (parts[0] > 0) & known
    return arrays.make_array(np.ascontiguousarray(values, dtype=np.float64), as_mask(some), pa.float64())


def pair_counts(state: Pairs, groups: int) -> pa.Array:
    """regr_count, 0 over no pair."""
    counts = np.ascontiguousarray(padded(state.state, groups)[:, 0]).astype(np.uint32)
    return arrays.make_array(counts, None, pa.uint32())


def shape_column(function: str, state: Powers, groups: int) -> pa.Array:
    """skewness, kurtosis and kurtosis_pop. Raises OutOfRangeError where one is not finite."""
    # The terms cancel each other: the widest floats that there are keep what is left.
    sums = padded(state.state, groups).T
    n, s1, s2, s3, s4 = sums.astype(np.longdouble)
    with np.errstate(all="ignore"):
        spread = sums[2] - sums[1] * sums[1] * (1.0 / sums[0])
        part = 1.0 / n
        if function == "skewness":
            divisor = np.sqrt(np.maximum((part * (s2 - s1 * s1 * part)) ** 3, 0))
            bias = np.sqrt(n * (n - 1)) / (n - 2)
            values = bias * part * (s3 - 3 * s2 * s1 * part + 2 * s1**3 * part * part) / divisor
            some = (n > 2) & ~(spread <= 0)
        else:
            m4 = part * (s4 - 4 * s3 * s1 * part + 6 * s2 * s1 * s1 * part * part - 3 * s1**4 * part**3)
            m2 = part * (s2 - s1 * s1 * part)
            some = (n > 1) & ~(spread <= 0)
            values = m4 / (m2 * m2) - 3
            if function == "kurtosis":
                some &= n > 3
                values = (n - 1) * ((n + 1) * m4 / (m2 * m2) - 3 * (n - 1)) / ((n - 2) * (n - 3))
    if (some & ~np.isfinite(values)).any():
        what = "SKEW" if function == "skewness" else "Kurtosis"
        raise messages.out_of_range(f"{what} is out of range!")
    return arrays.make_array(np.ascontiguousarray(values, dtype=np.float64), as_mask(some), pa.float64())
