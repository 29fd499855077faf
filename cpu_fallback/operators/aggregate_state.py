"""What the states of aggregate functions share: their input, their protocol, and results with NULLs.

A state holds one value a group, as arrays indexed by the group's number. Without GROUP BY there is one group
and no numbers: `gids` is None then, and states that gain from it use kernels for a single group.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol, Self

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from ...physical.stored import may_be_wide
from ...planner.types import SQLType
from ..kernels import arrays
from ..kernels.arrays import I32, U8, Valid, Words
from ..storage import arrow_type
from ..vector import Vector
from .concat import narrowed_words


class Rows:
    """Some rows for a state: `gids[i]` < `groups` is the group of row i; `args` are never constants.

    `selected` (uint8, 0 = left out) is what FILTER says. `position` is the place of row 0 in the whole input;
    later rows of this call follow it.
    """

    __slots__ = ("_numbers", "args", "gids", "groups", "n", "position", "selected")

    def __init__(
        self,
        args: Sequence[Vector],
        gids: I32 | None,
        groups: int,
        n: int,
        selected: Valid = None,
        position: int = 0,
    ) -> None:
        self.args = args
        self.gids = gids
        self.groups = groups
        self.n = n
        self.selected = selected
        self.position = position
        self._numbers = gids

    @property
    def numbers(self) -> I32:
        """The group of every row, also where there is one group."""
        if self._numbers is None:
            self._numbers = np.zeros(self.n, dtype=np.int32)
        return self._numbers

    def valid(self, *args: Vector) -> Valid:
        """Rows that are selected and have no NULL in the given arguments; None for all of them."""
        return arrays.and_valid(self.selected, *(mask_of(arg) for arg in args))


def mask_of(vector: Vector) -> Valid:
    """1 at the rows that are not NULL, None when no row is."""
    valid = vector.valid
    return None if valid is None else valid.view(np.uint8)


class State(Protocol):
    """One task's partial result of one aggregate for every group."""

    def update(self, rows: Rows) -> None:
        """Takes rows in, in the order of their positions."""
        ...

    def merge(self, other: Self, gids: I32, groups: int) -> None:
        """Takes another task's state in: its group g is our group gids[g] < groups."""
        ...

    @property
    def nbytes(self) -> int:
        """Bytes held."""
        ...


# From the states that a call uses and the number of groups to its column.
Finish = Callable[[Sequence[State], int], pa.Array]


def padded(state: np.ndarray, groups: int, fill: float = 0) -> np.ndarray:
    """The entries of the first `groups` groups; those that no row has reached yet hold `fill`."""
    from ..kernels.aggregates import grow

    return grow(state, groups, fill)[:groups]


def integer_column(type_: SQLType, values: npt.NDArray[Any], valid: Valid) -> pa.Array:
    """A column of `type_` of stored integers that fit int64."""
    return arrays.make_array(values, valid, arrow_type(type_))


def wide_column(type_: SQLType, words: Words, valid: Valid) -> pa.Array:
    """A DECIMAL or HUGEINT column of 128-bit integers: int64 where every value fits, else decimal128."""
    assert may_be_wide(type_)
    return narrowed_words(words, valid, type_)


def null_column(type_: SQLType, groups: int) -> pa.Array:
    """NULL for every group."""
    return pa.nulls(groups, arrow_type(type_))


def as_mask(flags: np.ndarray) -> U8:
    """Booleans as the byte mask that kernels and arrays take."""
    return flags.view(np.uint8) if flags.dtype == np.bool_ else flags
