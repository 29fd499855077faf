"""State of variances and standard deviations."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from ..kernels import aggregates as grouped
from ..kernels import aggregates_one as one
from ..kernels import arrays
from ..kernels.arrays import F64, I32, I64
from .aggregate_state import Rows, as_mask, padded


class Moments:
    """Count, mean and sum of squared deviations of doubles (Welford)."""

    def __init__(self) -> None:
        self.count: I64 = np.zeros(0, dtype=np.int64)
        self.mean: F64 = np.zeros(0)
        self.m2: F64 = np.zeros(0)

    def update(self, rows: Rows) -> None:
        (arg,) = rows.args
        values, valid = arg.values, rows.valid(arg)
        self._reserve(rows.groups)
        if rows.gids is not None:
            grouped.welford(rows.gids, values, valid, self.count, self.mean, self.m2)
            return
        count, mean, m2 = one.welford_one(values, valid)
        state = np.array([count]), np.array([mean]), np.array([m2])
        grouped.merge_welford(np.zeros(1, dtype=np.int32), *state, self.count, self.mean, self.m2)

    def merge(self, other: Moments, gids: I32, groups: int) -> None:
        self._reserve(groups)
        n = len(gids)
        state = padded(other.count, n), padded(other.mean, n), padded(other.m2, n)
        grouped.merge_welford(gids, *state, self.count, self.mean, self.m2)

    def _reserve(self, groups: int) -> None:
        self.count = grouped.grow(self.count, groups, 0)
        self.mean = grouped.grow(self.mean, groups, 0)
        self.m2 = grouped.grow(self.m2, groups, 0)

    @property
    def nbytes(self) -> int:
        return self.count.nbytes + self.mean.nbytes + self.m2.nbytes


def variance_column(function: str, state: Moments, groups: int) -> pa.Array:
    """var_pop, var_samp, stddev_pop, stddev_samp, sem: see `variances`."""
    return variances(function, padded(state.count, groups), padded(state.m2, groups))


def variances(function: str, count: I64, squares: F64) -> pa.Array:
    """From sums of squared deviations; NULL below two values of a sample, one of a population."""
    missing = 1 if function.endswith("samp") else 0
    divisor = np.maximum(count - missing, 1)
    with np.errstate(over="ignore", invalid="ignore"):
        values = squares / divisor
        # A population of one value has no variance, even where the value is infinite.
        values = np.where(count == 1, 0.0, values)
        if function == "sem":
            values = np.sqrt(values) / np.sqrt(np.maximum(count, 1))
        elif function.startswith("stddev"):
            values = np.sqrt(values)
    return arrays.make_array(values, as_mask(count > missing), pa.float64())
