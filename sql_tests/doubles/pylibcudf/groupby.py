"""Rows grouped by keys. The groups come in no order, and another with each call's size."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..arguments import check, library, scratch
from ..device import device
from ..errors import expects, invalid_argument, logic_error
from ..kernels import keys as row_keys
from ..kernels import storage
from ._aggregates import GROUPED, Groups, aggregate
from ._scans import grouped_scan
from .aggregation import Aggregation, Kind
from .column import Column, made
from .replace import ReplacePolicy, filled_places
from .scalar import Scalar
from .stream_compaction import rows_at
from .table import Table
from .types import NullOrder, NullPolicy, Order, Sorted

_SCANNED = {Kind.SUM, Kind.PRODUCT, Kind.MIN, Kind.MAX, Kind.COUNT_VALID, Kind.COUNT_ALL, Kind.RANK}


class GroupByRequest:
    """What to compute of a column."""

    __hash__ = None  # type: ignore[assignment]

    def __init__(self, values: Column, aggregations: list[Aggregation]) -> None:
        check("values", Column, values)
        check("aggregations", list[Aggregation], aggregations)
        self._values, self._aggregations = values, aggregations


def _supported(requests: list[GroupByRequest], known: set[Kind], algorithm: str) -> None:
    for request in requests:
        for agg in request._aggregations:
            if agg.kind() not in known:
                raise NotImplementedError(f"{agg.kind()!r} aggregations are not supported by {algorithm}")


class GroupBy:
    """Keys whose equal rows make a group. Rows with a NULL among their keys are left out, unless included."""

    __hash__ = None  # type: ignore[assignment]

    def __init__(
        self,
        keys: Table,
        null_handling: NullPolicy = NullPolicy.EXCLUDE,
        keys_are_sorted: Sorted = Sorted.NO,
        column_order: list[Order] | None = None,
        null_precedence: list[NullOrder] | None = None,
    ) -> None:
        check("keys", Table, keys)
        check("null_handling", NullPolicy, null_handling)
        check("keys_are_sorted", Sorted, keys_are_sorted)
        check("column_order", list[Order] | None, column_order)
        check("null_precedence", list[NullOrder] | None, null_precedence)
        self._keys, self._nulls, self._sorted = keys, null_handling, keys_are_sorted is Sorted.YES

    def _groups(self, *, shuffled: bool) -> Groups:
        """The groups in an order of chance, or in that of the sorted keys."""
        rows = self._keys.num_rows()
        parts = [c._rows for c in self._keys.columns()]
        places = np.arange(rows)
        if self._nulls is NullPolicy.EXCLUDE:
            places = places[~row_keys.with_null(parts, rows)]
        codes = row_keys.row_codes(parts, rows)[places]
        if self._sorted:
            first = np.append(True, codes[1:] != codes[:-1])[: len(codes)]
            return Groups(places, np.flatnonzero(first))
        if shuffled:
            renamed = device.order(int(codes.max(initial=-1)) + 1)[codes] if len(codes) else codes
            order = np.argsort(renamed, kind="stable")
        else:
            count = len(parts)
            ranked = row_keys.sorted_places(parts, [False] * count, [False] * count)
            place = np.empty(rows, np.int64)
            place[ranked] = np.arange(rows)
            order = np.argsort(place[places], kind="stable")
        codes = codes[order]
        first = np.append(True, codes[1:] != codes[:-1])[: len(codes)]
        return Groups(places[order], np.flatnonzero(first))

    def _checked(self, requests: list[GroupByRequest]) -> None:
        for request in requests:
            expects(
                request._values.size() == self._keys.num_rows(),
                logic_error("Size mismatch between request values and groupby keys."),
            )

    @library
    def aggregate(
        self, requests: list[GroupByRequest], stream: Any = None, mr: Any = None
    ) -> tuple[Table, list[Table]]:
        """A row of keys for each group, and the aggregates of each request as a table."""
        _supported(requests, GROUPED, "groupby")
        self._checked(requests)
        with scratch(16 * self._keys.num_rows()):
            groups = self._groups(shuffled=True)
            found = rows_at(self._keys, groups.rows[groups.starts])
            results = [
                Table(
                    [
                        made(*aggregate(r._values._kind, r._values._rows, groups, agg))
                        for agg in r._aggregations
                    ]
                )
                for r in requests
            ]
        return found, results

    @library
    def scan(
        self, requests: list[GroupByRequest], stream: Any = None, mr: Any = None
    ) -> tuple[Table, list[Table]]:
        """Running aggregates within each group; the keys of each row beside them."""
        _supported(requests, _SCANNED, "groupby_scan")
        self._checked(requests)
        with scratch(16 * self._keys.num_rows()):
            groups = self._groups(shuffled=True)
            found = rows_at(self._keys, groups.rows)
            results = [
                Table(
                    [
                        made(*grouped_scan(r._values._kind, r._values._rows, groups, agg))
                        for agg in r._aggregations
                    ]
                )
                for r in requests
            ]
        return found, results

    @library
    def shift(
        self,
        values: Table,
        offset: list[int],
        fill_values: list[Scalar],
        stream: Any = None,
        mr: Any = None,
    ) -> tuple[Table, Table]:
        """Each row of a group gets what the row `offset` before it has."""
        counts = {values.num_columns(), len(offset), len(fill_values)}
        expects(len(counts) == 1, invalid_argument("Mismatch number of fill_values and columns."))
        groups = self._groups(shuffled=True)
        numbers, sizes = groups.numbers, groups.sizes
        inside = np.arange(len(groups.rows)) - np.repeat(groups.starts, sizes)
        columns = []
        for column, step, fill in zip(values.columns(), offset, fill_values, strict=True):
            expects(
                column.type() == fill.type(), logic_error("values and fill_value should have the same type.")
            )
            source = inside - step
            kept = (source >= 0) & (source < sizes[numbers])
            at = np.where(
                kept, groups.rows[np.where(kept, groups.starts[numbers] + source, 0)], column.size()
            )
            columns.append(
                made(column._kind, storage.take(storage.concatenate([column._rows, fill._row]), at))
            )
        return rows_at(self._keys, groups.rows), Table(columns, len(groups.rows))

    @library
    def replace_nulls(
        self, value: Table, replace_policies: list[ReplacePolicy], stream: Any = None, mr: Any = None
    ) -> tuple[Table, Table]:
        """NULLs become the value before or after them in their group."""
        expects(
            len(replace_policies) == value.num_columns(),
            logic_error("Size mismatch between num_columns and replace_policies."),
        )
        groups = self._groups(shuffled=True)
        columns = []
        for column, policy in zip(value.columns(), replace_policies, strict=True):
            rows = storage.take(column._rows, groups.rows)
            at, keep = filled_places(storage.validity(rows), policy, groups.numbers)
            columns.append(made(column._kind, storage.take(rows, at, keep)))
        return rows_at(self._keys, groups.rows), Table(columns, len(groups.rows))

    @library
    def get_groups(
        self, values: Table | None = None, stream: Any = None, mr: Any = None
    ) -> tuple[list[int], Table, Table | None]:
        """Where each group starts and ends, with keys and values in that order: the keys are sorted."""
        groups = self._groups(shuffled=False)
        device.synchronized("GroupBy.get_groups", implicit=True)
        offsets = [*groups.starts.tolist(), len(groups.rows)]
        found = rows_at(self._keys, groups.rows)
        return offsets, found, None if values is None else rows_at(values, groups.rows)
