"""Quantiles of sorted numbers."""

from __future__ import annotations

import math

import numpy as np

from .types import Interpolation


def quantile(ordered: np.ndarray, share: float, how: Interpolation) -> float:
    """The value at a share of the way from the first to the last; NaN counts as the largest.

    LINEAR weighs both neighbours, also by 0: an infinity becomes NaN.

    >>> quantile(np.array([1.0, 2.0, 4.0]), 0.25, Interpolation.LINEAR)
    1.5
    >>> quantile(np.array([1.0, np.inf, np.inf]), 0.5, Interpolation.LINEAR)
    nan
    """
    if len(ordered) == 1:
        return float(ordered[0])
    place = min(max(share, 0.0), 1.0) * (len(ordered) - 1)
    low, high = math.floor(place), math.ceil(place)
    match how:
        case Interpolation.LOWER:
            return float(ordered[low])
        case Interpolation.HIGHER:
            return float(ordered[high])
        case Interpolation.MIDPOINT:
            return float((ordered[low] + ordered[high]) / 2)
        case Interpolation.NEAREST:
            return float(ordered[round(place)])
        case Interpolation.NEAREST_HALF_UP:
            return float(ordered[math.floor(place + 0.5)])
        case _:
            with np.errstate(invalid="ignore"):
                return float(ordered[low] * (1.0 - (place - low)) + ordered[high] * (place - low))
