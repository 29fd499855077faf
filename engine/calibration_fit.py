"""From observations (so much work took so long) to rates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

# How much an assumed rate weighs against an observation: enough to stand where nothing was observed.
_PRIOR = 2e-4
# Seconds below which differences are noise, and how far below the assumed a rate may fall: nothing is free.
_NOISE = 5e-4
_LEAST = 0.02
_ROUNDS, _WEIGHINGS = 400, 10


@dataclass(frozen=True)
class Observation:
    """Amounts of work by name, and the seconds they took together."""

    amounts: Mapping[str, float]
    seconds: float


def fit(observations: Sequence[Observation], assumed: Mapping[str, float]) -> dict[str, float]:
    """Seconds for one unit of each work: about the least squares of the logarithms of predicted over observed
    times, drawn to the `assumed` ones (which must be above 0) where the observations leave them open.

    Coordinate descent on linear least squares, weighed anew by what was predicted before (iteratively
    reweighted least squares): without that, times far too short would count less than times as much too
    long.

    >>> known = {"a": 1.0, "b": 1.0}
    >>> found = fit([Observation({"a": 2.0}, 6.0), Observation({"b": 1.0}, 4.0)], known)
    >>> [round(value, 1) for value in found.values()]
    [3.0, 4.0]
    """
    names = list(assumed)
    scale = np.array([assumed[name] for name in names])
    amounts = np.array([[o.amounts.get(name, 0.0) for name in names] for o in observations])
    amounts = amounts.reshape(len(observations), len(names)) * scale
    seconds = np.array([o.seconds for o in observations])
    share = np.ones(len(names))
    for _ in range(_WEIGHINGS):
        weight = 1.0 / np.sqrt((seconds + _NOISE) * (amounts @ share + _NOISE))
        _descend(amounts * weight[:, None], seconds * weight, share)
    return dict(zip(names, (share * scale).tolist(), strict=True))


def _descend(matrix: np.ndarray, wanted: np.ndarray, share: np.ndarray) -> None:
    """Brings matrix @ share nearer to what is wanted, and share to 1, in place."""
    strength = np.square(matrix).sum(axis=0) + _PRIOR
    rest = wanted - matrix @ share
    for _ in range(_ROUNDS):
        for place in range(len(share)):
            column = matrix[:, place]
            step = (column @ rest + _PRIOR * (1.0 - share[place])) / strength[place]
            new = max(_LEAST, share[place] + step)
            rest -= column * (new - share[place])
            share[place] = new
