"""Values replaced."""

from __future__ import annotations

from enum import IntEnum
from typing import Any

import numpy as np

from ..arguments import library
from ..errors import data_type_error, expects, invalid_argument, logic_error
from ..kernels import keys, storage
from . import traits
from .column import Column, made
from .scalar import Scalar


class ReplacePolicy(IntEnum):
    PRECEDING = 0
    FOLLOWING = 1


def filled_places(
    valid: np.ndarray, policy: ReplacePolicy, groups: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """For each row the nearest valid row before (or after) it in its group, and whether there is one."""
    forward = policy is ReplacePolicy.PRECEDING
    keep, group = (valid, groups) if forward else (valid[::-1], groups[::-1])
    rows = np.arange(len(keep))
    at = np.maximum.accumulate(np.where(keep, rows, -1)) if len(keep) else rows
    found = (at >= 0) & (group[np.maximum(at, 0)] == group)
    at = np.where(found, at, 0)
    return (at, found) if forward else ((len(keep) - 1 - at)[::-1], found[::-1])


@library
def replace_nulls(
    source_column: Column,
    replacement: Column | Scalar | ReplacePolicy,
    stream: Any = None,
    mr: Any = None,
) -> Column:
    """NULLs become a scalar, the row of another column, or the value before or after."""
    rows, keep = source_column._rows, storage.validity(source_column._rows)
    if isinstance(replacement, ReplacePolicy):
        at, found = filled_places(keep, replacement, np.zeros(len(keep), np.int64))
        return made(source_column._kind, storage.take(rows, at, found))
    expects(source_column.type() == replacement.type(), data_type_error("Data type mismatch"))
    here = np.arange(len(keep))
    if isinstance(replacement, Column):
        expects(replacement.size() == source_column.size(), invalid_argument("Column size mismatch"))
        other, at = replacement._rows, len(keep) + here
    else:
        other, at = replacement._row, np.full(len(keep), len(keep))
    return made(
        source_column._kind, storage.take(storage.concatenate([rows, other]), np.where(keep, here, at))
    )


@library
def find_and_replace_all(
    source_column: Column,
    values_to_replace: Column,
    replacement_values: Column,
    stream: Any = None,
    mr: Any = None,
) -> Column:
    """Each value that is in one column becomes the one beside it in the other."""
    parts = source_column, values_to_replace, replacement_values
    expects(values_to_replace.size() == replacement_values.size(), invalid_argument("size mismatch"))
    expects(len({c.type() for c in parts}) == 1, data_type_error("Columns type mismatch"))
    expects(values_to_replace.null_count() == 0, invalid_argument("Nulls are in values_to_replace column"))
    rows = source_column.size()
    codes = keys.row_codes([storage.concatenate([source_column._rows, values_to_replace._rows])], 0)
    place = {int(code): i for i, code in reversed(list(enumerate(codes[rows:])))}
    at = np.array([rows + place.get(int(c), i - rows) for i, c in enumerate(codes[:rows])], np.int64)
    return made(
        source_column._kind,
        storage.take(storage.concatenate([source_column._rows, replacement_values._rows]), at),
    )


@library
def normalize_nans_and_zeros(
    source_column: Column, inplace: bool = False, stream: Any = None, mr: Any = None
) -> Column:
    """One NaN, and 0.0 for -0.0."""
    expects(traits.is_floating_point(source_column.type()), logic_error("Expects float or double input"))
    expects(not inplace, logic_error("the double changes no column in place"))
    values = keys.canonical(storage.values(source_column._rows))
    return made(source_column._kind, storage.build(values, storage.valid(source_column._rows)))
