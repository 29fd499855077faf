"""Functions of lists that compare elements: searching, sorting, sets."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from ...planner import messages_values as messages
from ...planner.expr import Call, Literal
from ...planner.types import BIGINT, BOOLEAN, INTEGER, UBIGINT
from ..kernels.arrays import I64
from ..nested import Lists, concatenated, list_vector, lists_of
from ..operators.nested import ordered
from ..vector import Valid, Vector
from .lists import valid_rows
from .registry import Evaluate, scalar

Flags = npt.NDArray[np.bool_]


def _known(vector: Vector, n: int) -> Flags:
    """Rows that are not NULL."""
    if vector.is_null:
        return np.zeros(n, dtype=np.bool_)
    valid = vector.expand(n).valid
    return np.ones(n, dtype=np.bool_) if valid is None else valid


def _search(args: Sequence[Vector], n: int, *, null_is_value: bool) -> tuple[I64, I64]:
    """For each row the number of elements equal to the value, and the place of the first (-1: none)."""
    lists, value = lists_of(args[0], n), args[1]
    rows, elements = lists.rows, lists.dense()
    total = len(rows)
    element = args[0].type.element
    both = concatenated(
        element,
        [(elements, total), (value.expand(1) if value.is_constant else value, 1 if value.is_constant else n)],
    )
    codes = ordered(both, len(both))
    wanted = codes[total:][np.zeros(total, dtype=np.int64) if value.is_constant else rows]
    hit = codes[:total] == wanted
    if not null_is_value:
        hit &= _known(both, len(both))[:total]
    counts = np.bincount(rows[hit], minlength=n).astype(np.int64)
    first = np.full(n, -1, dtype=np.int64)
    places = np.flatnonzero(hit)[::-1]
    before = np.cumsum(lists.lengths) - lists.lengths
    first[rows[places]] = places - before[rows[places]]
    return counts, first


@scalar("list_contains")
def list_contains(call: Call) -> Evaluate:
    """Whether the value is an element."""

    def evaluate(args: Sequence[Vector], n: int) -> Vector:
        counts, _ = _search(args, n, null_is_value=False)
        return Vector.of_truth(BOOLEAN, counts > 0, valid_rows(n, *args))

    return evaluate


@scalar("list_position")
def list_position(call: Call) -> Evaluate:
    """From 1; NULL is found as a value."""

    def evaluate(args: Sequence[Vector], n: int) -> Vector:
        _, first = _search(args, n, null_is_value=True)
        return Vector.of_values(INTEGER, (first + 1).astype(np.int32), first >= 0)

    return evaluate


class _Distinct:
    """The different elements of each list that are not NULL, the first of each."""

    def __init__(self, lists: Lists, n: int) -> None:
        self.rows, self.elements = lists.rows, lists.dense()
        total = len(self.rows)
        self.codes = ordered(self.elements, total)
        known = np.flatnonzero(_known(self.elements, total))
        keys = np.stack([self.rows[known], self.codes[known]], axis=1)
        _, first = np.unique(keys, axis=0, return_index=True) if len(known) else (None, known)
        self.places = np.sort(known[first])
        self.lengths = np.bincount(self.rows[self.places], minlength=n).astype(np.int64)


@scalar("list_distinct")
def list_distinct(call: Call) -> Evaluate:
    """In the order of their last appearance, from the end."""

    def evaluate(args: Sequence[Vector], n: int) -> Vector:
        lists = lists_of(args[0], n)
        found = _Distinct(lists, n)
        kept = Lists(np.zeros(n, dtype=np.int64), found.lengths, None, found.elements)
        ends = np.cumsum(found.lengths)
        back = (ends - 1)[kept.rows] - kept.places if len(found.places) else found.places
        places = found.places[back] if len(found.places) else found.places
        return list_vector(call.type, found.lengths, found.elements.take(places), lists.valid)

    return evaluate


@scalar("list_unique")
def list_unique(call: Call) -> Evaluate:
    """The number of different elements."""

    def evaluate(args: Sequence[Vector], n: int) -> Vector:
        lists = lists_of(args[0], n)
        return Vector.of_values(UBIGINT, _Distinct(lists, n).lengths.astype(np.uint64), lists.valid)

    return evaluate


def _sorting(call: Call) -> tuple[bool, bool]:
    """Whether descending, and whether NULL comes first."""
    words = [arg.value for arg in call.args[1:] if isinstance(arg, Literal)]
    if call.function == "list_reverse_sort":
        words = ["DESC", *words]
    down = first = False
    if words:
        order = str(words[0]).strip().upper()
        if order not in ("ASC", "DESC", "DEFAULT"):
            raise messages.invalid_input("Sorting order must be either ASC, DESC or DEFAULT")
        down = order == "DESC"
    if len(words) > 1:
        nulls = str(words[1]).strip().upper()
        if nulls not in ("NULLS FIRST", "NULLS LAST", "DEFAULT"):
            raise messages.invalid_input(
                "Null sorting order must be either NULLS FIRST, NULLS LAST or DEFAULT"
            )
        first = nulls == "NULLS FIRST"
    return down, first


def _order(call: Call, lists: Lists) -> tuple[I64, Vector]:
    """Elements of each list in turn, and the order in which they come."""
    down, first = _sorting(call)
    rows, elements = lists.rows, lists.dense()
    codes = ordered(elements, len(rows))
    null = ~_known(elements, len(rows))
    return np.lexsort((-codes if down else codes, null ^ first, rows)), elements


@scalar("list_sort", "list_reverse_sort")
def list_sort(call: Call) -> Evaluate:
    """Stable; NULL last unless said otherwise."""

    def evaluate(args: Sequence[Vector], n: int) -> Vector:
        lists = lists_of(args[0], n)
        order, elements = _order(call, lists)
        return list_vector(call.type, lists.lengths, elements.take(order), lists.valid)

    return evaluate


@scalar("list_grade_up")
def list_grade_up(call: Call) -> Evaluate:
    """The positions of the elements in order."""

    def evaluate(args: Sequence[Vector], n: int) -> Vector:
        lists = lists_of(args[0], n)
        order, _ = _order(call, lists)
        before = np.cumsum(lists.lengths) - lists.lengths
        places = order - before[lists.rows] + 1
        return list_vector(call.type, lists.lengths, Vector.of_values(BIGINT, places), lists.valid)

    return evaluate


def _shared(left: Lists, right: Lists, n: int) -> tuple[Flags, Flags, Vector, Vector]:
    """Which elements of either side are also in the other list of their row (NULL never is)."""
    one, two = left.dense(), right.dense()
    a, b = len(left.rows), len(right.rows)
    both = concatenated(left.elements.type, [(one, a), (two, b)])
    rows = np.concatenate([left.rows, right.rows])
    codes = ordered(both, a + b)
    known = _known(both, a + b)
    keys = rows * (int(codes.max(initial=0)) + 1) + codes
    here = np.isin(keys[:a], keys[a:][known[a:]]) & known[:a]
    there = np.isin(keys[a:], keys[:a][known[:a]]) & known[a:]
    return here, there, one, two


def _both(args: Sequence[Vector], n: int) -> tuple[Lists, Lists, Valid]:
    return lists_of(args[0], n), lists_of(args[1], n), valid_rows(n, *args)


@scalar("list_has_any")
def list_has_any(call: Call) -> Evaluate:
    """Whether an element is in both lists."""

    def evaluate(args: Sequence[Vector], n: int) -> Vector:
        left, right, valid = _both(args, n)
        here, _, _, _ = _shared(left, right, n)
        return Vector.of_truth(BOOLEAN, np.bincount(left.rows[here], minlength=n) > 0, valid)

    return evaluate


@scalar("list_has_all")
def list_has_all(call: Call) -> Evaluate:
    """Whether every element of the second list that is not NULL is in the first."""

    def evaluate(args: Sequence[Vector], n: int) -> Vector:
        left, right, valid = _both(args, n)
        _, there, _, two = _shared(left, right, n)
        missing = ~there & _known(two, len(there))
        return Vector.of_truth(BOOLEAN, np.bincount(right.rows[missing], minlength=n) == 0, valid)

    return evaluate


@scalar("list_intersect")
def list_intersect(call: Call) -> Evaluate:
    """The different elements that both lists have, as they come in the first."""

    def evaluate(args: Sequence[Vector], n: int) -> Vector:
        left, right, valid = _both(args, n)
        if valid is not None:
            left = left._replace(lengths=np.where(valid, left.lengths, 0))
        here, _, _, _ = _shared(left, right, n)
        found = _Distinct(left, n)
        places = found.places[here[found.places]]
        lengths = np.bincount(found.rows[places], minlength=n).astype(np.int64)
        return list_vector(call.type, lengths, found.elements.take(places), valid)

    return evaluate
