"""Joins: pairs of row numbers, in no order."""

from __future__ import annotations

from typing import Any

from ..arguments import check, library
from . import _joins
from ._joins import conditional, equal, flags, matched
from .column import Column
from .expressions import Expression
from .table import Table
from .types import NullEquality


@library
def inner_join(
    left_keys: Table, right_keys: Table, nulls_equal: NullEquality, stream: Any = None, mr: Any = None
) -> tuple[Column, Column]:
    """Numbers of the rows whose keys are equal."""
    return matched("inner", equal(left_keys, right_keys, nulls_equal), left_keys, right_keys)


@library
def left_join(
    left_keys: Table, right_keys: Table, nulls_equal: NullEquality, stream: Any = None, mr: Any = None
) -> tuple[Column, Column]:
    """Also left rows without a partner, which is numbered with the smallest integer."""
    return matched("left", equal(left_keys, right_keys, nulls_equal), left_keys, right_keys)


@library
def full_join(
    left_keys: Table, right_keys: Table, nulls_equal: NullEquality, stream: Any = None, mr: Any = None
) -> tuple[Column, Column]:
    """Also rows of either side without a partner."""
    return matched("full", equal(left_keys, right_keys, nulls_equal), left_keys, right_keys)


@library
def left_semi_join(
    left_keys: Table, right_keys: Table, nulls_equal: NullEquality, stream: Any = None, mr: Any = None
) -> Column:
    """Numbers of the left rows with a partner, each once."""
    return flags("semi", equal(left_keys, right_keys, nulls_equal), left_keys)


@library
def left_anti_join(
    left_keys: Table, right_keys: Table, nulls_equal: NullEquality, stream: Any = None, mr: Any = None
) -> Column:
    """Numbers of the left rows without a partner."""
    return flags("anti", equal(left_keys, right_keys, nulls_equal), left_keys)


@library
def cross_join(left: Table, right: Table, stream: Any = None, mr: Any = None) -> Table:
    """Every left row beside every right row."""
    return _joins.cross(left, right)


@library
def conditional_inner_join(
    left: Table, right: Table, binary_predicate: Expression, stream: Any = None, mr: Any = None
) -> tuple[Column, Column]:
    return matched("inner", conditional(left, right, binary_predicate), left, right)


@library
def conditional_left_join(
    left: Table, right: Table, binary_predicate: Expression, stream: Any = None, mr: Any = None
) -> tuple[Column, Column]:
    return matched("left", conditional(left, right, binary_predicate), left, right)


@library
def conditional_full_join(
    left: Table, right: Table, binary_predicate: Expression, stream: Any = None, mr: Any = None
) -> tuple[Column, Column]:
    return matched("full", conditional(left, right, binary_predicate), left, right)


@library
def conditional_left_semi_join(
    left: Table, right: Table, binary_predicate: Expression, stream: Any = None, mr: Any = None
) -> Column:
    return flags("semi", conditional(left, right, binary_predicate), left)


@library
def conditional_left_anti_join(
    left: Table, right: Table, binary_predicate: Expression, stream: Any = None, mr: Any = None
) -> Column:
    return flags("anti", conditional(left, right, binary_predicate), left)


@library
def mixed_inner_join(
    left_keys: Table,
    right_keys: Table,
    left_conditional: Table,
    right_conditional: Table,
    binary_predicate: Expression,
    nulls_equal: NullEquality,
    stream: Any = None,
    mr: Any = None,
) -> tuple[Column, Column]:
    """Pairs with equal keys for which the condition over the other tables is true."""
    sides = left_keys, right_keys, left_conditional, right_conditional
    return matched("inner", _joins.mixed(*sides, binary_predicate, nulls_equal), left_keys, right_keys)


@library
def mixed_left_join(
    left_keys: Table,
    right_keys: Table,
    left_conditional: Table,
    right_conditional: Table,
    binary_predicate: Expression,
    nulls_equal: NullEquality,
    stream: Any = None,
    mr: Any = None,
) -> tuple[Column, Column]:
    sides = left_keys, right_keys, left_conditional, right_conditional
    return matched("left", _joins.mixed(*sides, binary_predicate, nulls_equal), left_keys, right_keys)


@library
def mixed_full_join(
    left_keys: Table,
    right_keys: Table,
    left_conditional: Table,
    right_conditional: Table,
    binary_predicate: Expression,
    nulls_equal: NullEquality,
    stream: Any = None,
    mr: Any = None,
) -> tuple[Column, Column]:
    sides = left_keys, right_keys, left_conditional, right_conditional
    return matched("full", _joins.mixed(*sides, binary_predicate, nulls_equal), left_keys, right_keys)


@library
def mixed_left_semi_join(
    left_keys: Table,
    right_keys: Table,
    left_conditional: Table,
    right_conditional: Table,
    binary_predicate: Expression,
    nulls_equal: NullEquality,
    stream: Any = None,
    mr: Any = None,
) -> Column:
    sides = left_keys, right_keys, left_conditional, right_conditional
    return flags("semi", _joins.mixed(*sides, binary_predicate, nulls_equal), left_keys)


@library
def mixed_left_anti_join(
    left_keys: Table,
    right_keys: Table,
    left_conditional: Table,
    right_conditional: Table,
    binary_predicate: Expression,
    nulls_equal: NullEquality,
    stream: Any = None,
    mr: Any = None,
) -> Column:
    sides = left_keys, right_keys, left_conditional, right_conditional
    return flags("anti", _joins.mixed(*sides, binary_predicate, nulls_equal), left_keys)


class FilteredJoin:
    """The right side of semi and anti joins, prepared once for several left sides."""

    def __init__(
        self,
        right: Table,
        compare_nulls: NullEquality = NullEquality.EQUAL,
        load_factor: float = 0.5,
        stream: Any = None,
    ) -> None:
        check("right", Table, right)
        check("compare_nulls", NullEquality, compare_nulls)
        check("load_factor", float, load_factor)
        if not 0 < load_factor <= 1:
            raise ValueError("CUDF failure: Invalid load factor: must be greater than 0 and at most 1")
        self._right, self._nulls = right, compare_nulls
        self._table = _joins.HashTable(right, load_factor)

    @library
    def semi_join(self, left: Table, stream: Any = None, mr: Any = None) -> Column:
        return flags("semi", equal(left, self._right, self._nulls), left)

    @library
    def anti_join(self, left: Table, stream: Any = None, mr: Any = None) -> Column:
        return flags("anti", equal(left, self._right, self._nulls), left)
