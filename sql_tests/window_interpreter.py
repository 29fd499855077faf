"""Window functions straight from their definitions, for plan_interpreter: frames are lists of rows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tandemdb.planner import expr as e

Row = dict[int, Any]
Value = Callable[[e.Expr, Row], Any]
# The value of an aggregate over some rows.
Aggregate = Callable[[e.AggregateCall, list[Row]], Any]


class Partition:
    """The rows of a partition in their order; `peers[i]` numbers the group of equal rows of row i."""

    def __init__(self, rows: list[Row], keys: Sequence[tuple[Any, ...]], value: Value) -> None:
        self.rows = rows
        self.value = value
        self.peers: list[int] = []
        for i, key in enumerate(keys):
            self.peers.append(0 if i == 0 else self.peers[-1] + (key != keys[i - 1]))

    def call(self, call: e.WindowCall, aggregate: Aggregate) -> list[Any]:
        """The value of a call in each row."""
        if call.function in _PLACES:
            return [_PLACES[call.function](self, i) for i in range(len(self.rows))]
        if call.function in ("lag", "lead"):
            return [self._shifted(call, i) for i in range(len(self.rows))]
        frames = [[self.rows[j] for j in self.frame(call.frame, i)] for i in range(len(self.rows))]
        if call.function in ("first_value", "last_value"):
            place = 0 if call.function == "first_value" else -1
            return [self.value(call.args[0], f[place]) if f else None for f in frames]
        plain = e.AggregateCall(call.type, call.function, call.args, filter=call.filter)
        return [aggregate(plain, frame) for frame in frames]

    def _shifted(self, call: e.WindowCall, row: int) -> Any:
        here = self.rows[row]
        distance = self.value(call.args[1], here) if len(call.args) > 1 else 1
        place = row - distance if call.function == "lag" else row + distance
        if 0 <= place < len(self.rows):
            return self.value(call.args[0], self.rows[place])
        return self.value(call.args[2], here) if len(call.args) > 2 else None

    def frame(self, frame: e.Frame, row: int) -> list[int]:
        """The places of the rows in a row's frame. RANGE has no distances here."""
        places = range(len(self.rows))
        if frame.unit == "rows":
            mine, of = row, list(places)
        else:
            mine, of = self.peers[row], self.peers
        low, high = (self._edge(bound, row, mine) for bound in (frame.start, frame.end))
        found = [i for i in places if low <= of[i] <= high]
        if frame.exclude == "current row":
            return [i for i in found if i != row]
        if frame.exclude == "group":
            return [i for i in found if self.peers[i] != self.peers[row]]
        if frame.exclude == "ties":
            return [i for i in found if i == row or self.peers[i] != self.peers[row]]
        return found

    def _edge(self, bound: e.FrameBound, row: int, mine: int) -> int:
        if bound.kind == "current row":
            return mine
        if bound.offset is None:
            return -1 if bound.kind == "unbounded preceding" else len(self.rows)
        distance = self.value(bound.offset, self.rows[row])
        return mine - distance if bound.kind == "preceding" else mine + distance


def _rank(partition: Partition, row: int) -> int:
    return partition.peers.index(partition.peers[row]) + 1


_PLACES: dict[str, Callable[[Partition, int], Any]] = {
    "row_number": lambda p, i: i + 1,
    "rank": _rank,
    "dense_rank": lambda p, i: p.peers[i] + 1,
    "cume_dist": lambda p, i: sum(q <= p.peers[i] for q in p.peers) / len(p.rows),
    "percent_rank": lambda p, i: (_rank(p, i) - 1) / (len(p.rows) - 1) if len(p.rows) > 1 else 0.0,
}
