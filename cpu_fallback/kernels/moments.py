"""Running moments of pairs of numbers, and running sums of powers, by group."""

from __future__ import annotations

from ._jit import IN_F64, IN_I32, IN_U8, OUT_F64, kernel
from .arrays import F64, I32, Valid, kernel_mask

# The columns of a state of pairs: count, means of x and y, sums of squared deviations and of their products.
PAIR = 6
# Of a state of powers: count, sums of x, x^2, x^3 and x^4.
POWERS = 5


def add_pairs(gids: I32, xs: F64, ys: F64, valid: Valid, state: F64) -> None:
    """Takes pairs into the rows `gids` of a state, `float64[groups, PAIR]` (start: zeros)."""
    _add_pairs(gids, xs, ys, kernel_mask(valid), state.reshape(-1))


def merge_pairs(gids: I32, part: F64, state: F64) -> None:
    """Merges the rows of another state into the rows `gids` (Chan, Golub and LeVeque, 1983)."""
    _merge_pairs(gids, part.reshape(-1), state.reshape(-1))


def add_powers(gids: I32, xs: F64, valid: Valid, state: F64) -> None:
    """Adds the powers of numbers to the rows `gids` of a state, `float64[groups, POWERS]` (start: zeros)."""
    _add_powers(gids, xs, kernel_mask(valid), state.reshape(-1))


@kernel(IN_I32, IN_F64, IN_F64, IN_U8, OUT_F64)
def _add_pairs(gids, xs, ys, valid, state):
    for i in range(len(gids)):
        if valid.size != 0 and valid[i] == 0:
            continue
        at = gids[i] * 6
        x, y = xs[i], ys[i]
        count = state[at] + 1.0
        dx, dy = x - state[at + 1], y - state[at + 2]
        state[at] = count
        state[at + 1] += dx / count
        state[at + 2] += dy / count
        state[at + 3] += dx * (x - state[at + 1])
        state[at + 4] += dy * (y - state[at + 2])
        state[at + 5] += dx * (y - state[at + 2])


@kernel(IN_I32, IN_F64, OUT_F64)
def _merge_pairs(gids, part, state):
    for i in range(len(gids)):
        to, of = gids[i] * 6, i * 6
        if part[of] == 0.0:
            continue
        if state[to] == 0.0:
            for j in range(6):
                state[to + j] = part[of + j]
            continue
        both = state[to] + part[of]
        dx, dy = part[of + 1] - state[to + 1], part[of + 2] - state[to + 2]
        share = state[to] * (part[of] / both)
        state[to + 3] += part[of + 3] + dx * dx * share
        state[to + 4] += part[of + 4] + dy * dy * share
        state[to + 5] += part[of + 5] + dx * dy * share
        state[to + 1] += dx * (part[of] / both)
        state[to + 2] += dy * (part[of] / both)
        state[to] = both


@kernel(IN_I32, IN_F64, IN_U8, OUT_F64)
def _add_powers(gids, xs, valid, state):
    for i in range(len(gids)):
        if valid.size != 0 and valid[i] == 0:
            continue
        at, x = gids[i] * 5, xs[i]
        state[at] += 1.0
        state[at + 1] += x
        state[at + 2] += x**2
        state[at + 3] += x**3
        state[at + 4] += x**4
