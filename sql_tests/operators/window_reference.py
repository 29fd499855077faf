"""Window calls by their definition, a row at a time: slow and plain, written without a look at operators.

Values are in literal form (see harness): what a call gives for each row of a relation, in the order of the
rows.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

from operators.harness import Relation
from operators.window_reference_aggregates import FrameError, aggregated, rank
from tandemdb.planner.expr import Cast, ColumnRef, Expr, Literal, SortKey, WindowCall
from tandemdb.planner.types import SQLType

# Values by relation, partition and order, then by call: the same ones are asked for under every batch size.
_known: dict[Any, tuple[Relation, dict[WindowCall, list[Any]]]] = {}


def compared(a: Any, b: Any, key: SortKey) -> int:
    """-1, 0 or 1 as ORDER BY orders two values."""
    if a is None or b is None:
        if a is None and b is None:
            return 0
        return -1 if (a is None) == key.nulls_first else 1
    x, y = rank(a), rank(b)
    if x == y:
        return 0
    return -1 if (x < y) != key.descending else 1


def window_values(
    data: Relation, partition: Sequence[ColumnRef], order: Sequence[SortKey], call: WindowCall
) -> list[Any]:
    """The values of a call for all rows. Raises FrameError."""
    position = {c.id: i for i, c in enumerate(data.columns)}

    def value(expr: Expr, row: int) -> Any:
        if isinstance(expr, Literal):
            return expr.value
        if isinstance(expr, Cast):
            return converted(expr.arg.type, expr.type, value(expr.arg, row))
        assert isinstance(expr, ColumnRef)
        return data.rows[row][position[expr.id]]

    known = _known.setdefault((id(data), tuple(partition), tuple(order)), (data, {}))[1]
    if call in known:
        return known[call]
    parts: dict[Any, list[int]] = {}
    for row in range(len(data.rows)):
        name = tuple(None if value(e, row) is None else (rank(value(e, row)),) for e in partition)
        parts.setdefault(name, []).append(row)
    result: list[Any] = [None] * len(data.rows)
    for rows in parts.values():
        rows.sort(key=functools.cmp_to_key(functools.partial(_by_keys, order, value)))
        groups: list[list[int]] = []
        for place, row in enumerate(rows):
            if not place or _by_keys(order, value, rows[place - 1], row):
                groups.append([])
            groups[-1].append(place)
        for number, group in enumerate(groups):
            for place in group:
                result[rows[place]] = _Place(rows, place, groups, number, order, call, value).result()
    known[call] = result
    return result


def converted(source: SQLType, target: SQLType, value: Any) -> Any:
    """The casts that calls need: to a wider number."""
    if value is None or source == target:
        return value
    if target.is_float:
        return float(value)
    assert target.is_integer, (source, target)
    return int(value)


def _by_keys(order: Sequence[SortKey], value: Any, a: int, b: int) -> int:
    for key in order:
        found = compared(value(key.expr, a), value(key.expr, b), key)
        if found:
            return found
    return 0


class _Place:
    """One row among those of its partition, in order."""

    def __init__(
        self,
        rows: list[int],
        place: int,
        groups: list[list[int]],
        group: int,
        order: Sequence[SortKey],
        call: WindowCall,
        value: Any,
    ) -> None:
        self.rows = rows
        self.place = place
        self.groups = groups
        self.group = group
        self.peers = groups[group]
        self.row = rows[place]
        self.order = order
        self.call = call
        self.value = value

    def argument(self, number: int, row: int | None = None) -> Any:
        return self.value(self.call.args[number], self.row if row is None else row)

    def result(self) -> Any:
        made = getattr(self, self.call.function, None)
        return self.aggregate() if made is None else made()

    # Of the partition
    def row_number(self) -> int:
        return self.place + 1

    def rank(self) -> int:
        return self.peers[0] + 1

    def dense_rank(self) -> int:
        return self.group + 1

    def percent_rank(self) -> float:
        return self.peers[0] / (len(self.rows) - 1) if len(self.rows) > 1 else 0.0

    def cume_dist(self) -> float:
        return (self.peers[-1] + 1) / len(self.rows)

    def ntile(self) -> int | None:
        parts = self.argument(0)
        if parts is None:
            return None
        if parts <= 0:
            raise FrameError("Argument for ntile must be greater than zero")
        sizes = [
            len(self.rows) // parts + (i < len(self.rows) % parts) for i in range(min(parts, len(self.rows)))
        ]
        end = 0
        for number, size in enumerate(sizes, 1):
            end += size
            if self.place < end:
                return number
        raise AssertionError

    def lag(self) -> Any:
        return self._shifted(-1)

    def lead(self) -> Any:
        return self._shifted(1)

    def _shifted(self, sign: int) -> Any:
        offset = self.argument(1) if len(self.call.args) > 1 else 1
        if offset is None:
            return None
        step, left, place = (1 if sign * offset > 0 else -1), abs(offset), self.place
        while left and 0 <= place < len(self.rows):
            place += step
            if 0 <= place < len(self.rows):
                counts = not self.call.ignore_nulls or self.argument(0, self.rows[place]) is not None
                left -= counts
        if 0 <= place < len(self.rows):
            return self.argument(0, self.rows[place])
        return self.argument(2) if len(self.call.args) > 2 else None

    # Of the frame
    def frame(self) -> list[int]:
        """The rows of the frame, in order."""
        frame = self.call.frame
        begin, end = self._edge(frame.start, False), self._edge(frame.end, True)
        gone: set[int] = set()
        if frame.exclude in ("group", "ties"):
            gone |= set(self.peers)
        if frame.exclude == "current row":
            gone.add(self.place)
        if frame.exclude == "ties":
            gone.discard(self.place)
        return [self.rows[i] for i in range(max(begin, 0), min(end, len(self.rows))) if i not in gone]

    def _edge(self, bound: Any, is_end: bool) -> int:
        """The place of the first row of the frame, or behind the last one."""
        unit = self.call.frame.unit
        if bound.kind == "unbounded preceding":
            return 0
        if bound.kind == "unbounded following":
            return len(self.rows)
        own = (self.peers[-1] + 1) if is_end else self.peers[0]
        if bound.kind == "current row":
            return self.place + is_end if unit == "rows" else own
        offset = self.value(bound.offset, self.row)
        sign = -1 if bound.kind == "preceding" else 1
        if unit == "rows":
            if offset is None:
                raise FrameError(f"Window ROWS {bound.kind.upper()} expression cannot be NULL")
            if offset < 0:
                raise FrameError(f"Window ROWS {bound.kind.upper()} expression cannot be negative")
            return self.place + sign * offset + is_end
        if offset is None:
            return own
        if unit == "groups":
            if offset < 0:
                raise FrameError(f"Invalid GROUPS {bound.kind.upper()} value")
            return self._group_edge(sign * offset, is_end)
        (key,) = self.order
        here = self.value(key.expr, self.row)
        if here is None:
            return own
        if compared(offset, here, key) == -sign:
            raise FrameError(f"Invalid RANGE {bound.kind.upper()} value")
        for i, row in enumerate(self.rows):
            there = self.value(key.expr, row)
            if there is None:
                if not key.nulls_first:
                    return i
                continue
            if compared(there, offset, key) > (0 if is_end else -1):
                return i
        return len(self.rows)

    def _group_edge(self, by: int, is_end: bool) -> int:
        number = self.group + by + is_end
        if number < 0:
            return 0
        return self.groups[number][0] if number < len(self.groups) else len(self.rows)

    def _of_frame(self) -> list[Any]:
        found = [self.argument(0, row) for row in self.frame()]
        return [v for v in found if v is not None] if self.call.ignore_nulls else found

    def first_value(self) -> Any:
        return next(iter(self._of_frame()), None)

    def last_value(self) -> Any:
        return next(reversed(self._of_frame()), None)

    def nth_value(self) -> Any:
        number, found = self.argument(1), self._of_frame()
        return found[number - 1] if number is not None and 1 <= number <= len(found) else None

    def aggregate(self) -> Any:
        rows = self.frame()
        if self.call.filter is not None:
            rows = [row for row in rows if self.value(self.call.filter, row)]
        pairs = [tuple(self.value(e, row) for e in self.call.args) for row in rows]
        return aggregated(self.call, pairs)
