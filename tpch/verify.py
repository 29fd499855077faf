"""Compare a result with the oracle's: types, values, and order as far as ORDER BY determines it.

Integers, decimals, strings and dates must be equal. Doubles may differ by a relative tolerance, because the
order of additions differs between engines and thread counts.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import pyarrow as pa

TOLERANCE: Final = 1e-9

# Above this many rows with equal exact columns, doubles are paired by their sorted order only.
_PAIRING_LIMIT: Final = 500

Row = tuple[Any, ...]


@dataclass(frozen=True)
class Order:
    """What the query's ORDER BY promises.

    Attributes:
        keys: output columns ordered by, most significant first; empty without ORDER BY.
        unlimited: for a query with LIMIT, makes the oracle's result without it. Rows tied with the last one
            may then be any of those that tie in it. Asked only if they differ.
    """

    keys: tuple[str, ...] = ()
    unlimited: Callable[[], pa.Table] | None = None


@dataclass(frozen=True)
class Rules:
    """How strict to be.

    Attributes:
        tolerance: relative difference allowed between two doubles.
        types: whether column types must match; names always must, unless `names` is false.
        names: whether column names must match.
        numbers_as_double: compare any two numbers as doubles, for engines with other decimal rules.
    """

    tolerance: float = TOLERANCE
    types: bool = True
    names: bool = True
    numbers_as_double: bool = False


STRICT: Final = Rules()

# For rival engines: the same numbers in whatever type they choose.
LENIENT: Final = Rules(tolerance=1e-4, types=False, names=False, numbers_as_double=True)


@dataclass
class _Comparison:
    """Two results' rows, split for pairing into exact columns and doubles."""

    rules: Rules
    doubles: frozenset[int]
    found: list[str] = field(default_factory=list)


def compare(expected: pa.Table, actual: pa.Table, order: Order = Order(), rules: Rules = STRICT) -> list[str]:
    """Differences between the oracle's result and another; empty if they agree.

    Args:
        expected: the oracle's result.
        actual: the result under test.
        order: what ORDER BY promises; without keys rows are compared as a multiset.
        rules: tolerance, and whether types and names count.

    >>> compare(pa.table({"a": [1, 2]}), pa.table({"a": [2, 1]}))
    []
    >>> compare(pa.table({"a": [1, 2]}), pa.table({"a": [2, 1]}), Order(("a",)))
    ["row 1: ORDER BY column 'a' is 2, expected 1"]
    """
    shape = _compare_schemas(expected.schema, actual.schema, rules)
    if expected.num_columns != actual.num_columns:
        return shape
    if expected.num_rows != actual.num_rows:
        return [*shape, f"{actual.num_rows} rows, expected {expected.num_rows}"]
    wanted, got = _rows(expected), _rows(actual)
    comparison = _Comparison(rules, _double_columns(expected, actual, rules))
    places = [expected.schema.get_field_index(key) for key in order.keys]
    assert -1 not in places, f"ORDER BY columns {order.keys} are not all in {expected.schema.names}"
    if places:
        _compare_ordered(comparison, wanted, got, places, order, expected.schema.names)
    else:
        _compare_multisets(comparison, wanted, got, "rows")
    return shape + comparison.found


def _compare_schemas(expected: pa.Schema, actual: pa.Schema, rules: Rules) -> list[str]:
    if len(expected) != len(actual):
        return [f"{len(actual)} columns, expected {len(expected)}"]
    found = []
    for place, (wanted, got) in enumerate(zip(expected, actual, strict=True), start=1):
        if rules.names and wanted.name.lower() != got.name.lower():
            found.append(f"column {place} is named '{got.name}', expected '{wanted.name}'")
        if rules.types and normal_type(wanted.type) != normal_type(got.type):
            found.append(f"column '{wanted.name}' is {got.type}, expected {wanted.type}")
    return found


def normal_type(arrow_type: pa.DataType) -> pa.DataType:
    """The type that stands for all Arrow encodings of the same SQL type.

    >>> normal_type(pa.dictionary(pa.int32(), pa.large_string()))
    DataType(string)
    """
    if pa.types.is_dictionary(arrow_type):
        return normal_type(arrow_type.value_type)
    if pa.types.is_large_string(arrow_type) or pa.types.is_string_view(arrow_type):
        return pa.string()
    if pa.types.is_large_binary(arrow_type) or pa.types.is_binary_view(arrow_type):
        return pa.binary()
    if pa.types.is_large_list(arrow_type) or pa.types.is_list(arrow_type):
        return pa.list_(normal_type(arrow_type.value_type))
    if pa.types.is_decimal(arrow_type) and arrow_type.precision <= 38:
        return pa.decimal128(arrow_type.precision, arrow_type.scale)
    return arrow_type


def _rows(table: pa.Table) -> list[Row]:
    columns = [column.to_pylist() for column in table.columns]
    return list(zip(*columns, strict=True)) if columns else [()] * table.num_rows


def _is_number(arrow_type: pa.DataType) -> bool:
    tests: tuple[Callable[[pa.DataType], bool], ...] = (
        pa.types.is_integer,
        pa.types.is_floating,
        pa.types.is_decimal,
    )
    return any(test(arrow_type) for test in tests)


def _double_columns(expected: pa.Table, actual: pa.Table, rules: Rules) -> frozenset[int]:
    """The columns compared within the tolerance."""
    kind = _is_number if rules.numbers_as_double else pa.types.is_floating
    both = zip(expected.schema.types, actual.schema.types, strict=True)
    return frozenset(place for place, (wanted, got) in enumerate(both) if kind(wanted) and kind(got))


def _compare_ordered(
    comparison: _Comparison,
    wanted: Sequence[Row],
    got: Sequence[Row],
    places: Sequence[int],
    order: Order,
    names: Sequence[str],
) -> None:
    """Keys must agree row by row; rows between which the keys do not decide are compared as a multiset."""
    for number, (one, other) in enumerate(zip(wanted, got, strict=True), start=1):
        for place in places:
            if not _equal(one[place], other[place], place, comparison):
                said = f"is {other[place]!r}, expected {one[place]!r}"
                comparison.found.append(f"row {number}: ORDER BY column '{names[place]}' {said}")
                return
    for start, end in _tie_groups(wanted, places, comparison):
        where = f"row {end}" if end == start + 1 else f"rows {start + 1} to {end}"
        _compare_multisets(comparison, wanted[start:end], got[start:end], where)
        if comparison.found:
            if end == len(wanted) and order.unlimited is not None:
                tied = _rows_like(wanted[-1], _rows(order.unlimited()), places, comparison)
                if _is_part(got[start:end], tied, comparison):
                    comparison.found.clear()
            return


def _rows_like(
    row: Row, candidates: Sequence[Row], places: Sequence[int], comparison: _Comparison
) -> list[Row]:
    """The candidates that tie with a row on the ORDER BY columns."""
    return [
        other
        for other in candidates
        if all(_equal(row[place], other[place], place, comparison) for place in places)
    ]


def _is_part(rows: Sequence[Row], whole: Sequence[Row], comparison: _Comparison) -> bool:
    """Whether every row finds a partner of its own in `whole`."""
    groups = _by_exact(comparison, whole)
    return all(
        not _unpaired(comparison, members, groups.get(key, []))[0]
        for key, members in _by_exact(comparison, rows).items()
    )


def _tie_groups(
    rows: Sequence[Row], places: Sequence[int], comparison: _Comparison
) -> Iterator[tuple[int, int]]:
    """Runs of rows with equal keys, as half-open ranges."""
    start = 0
    for end in range(1, len(rows) + 1):
        if end == len(rows) or not all(
            _equal(rows[start][place], rows[end][place], place, comparison) for place in places
        ):
            yield start, end
            start = end


def _compare_multisets(
    comparison: _Comparison, wanted: Sequence[Row], got: Sequence[Row], where: str
) -> None:
    """Group rows by their exact columns, then pair the doubles within each group."""
    expected_groups, actual_groups = _by_exact(comparison, wanted), _by_exact(comparison, got)
    for key, rows in expected_groups.items():
        others = actual_groups.get(key, [])
        left, surplus = _unpaired(comparison, rows, others)
        if left or surplus:
            _report_pair(comparison, left, surplus, expected_groups, actual_groups, where)
            return
    extra = next((rows[0] for key, rows in actual_groups.items() if key not in expected_groups), None)
    if extra is not None:
        comparison.found.append(f"{where}: unexpected row {_show(extra)}")


def _report_pair(
    comparison: _Comparison,
    left: Sequence[Row],
    surplus: Sequence[Row],
    expected_groups: dict[Row, list[Row]],
    actual_groups: dict[Row, list[Row]],
    where: str,
) -> None:
    """Name one missing row, and one that stands in its place."""
    if not surplus:
        surplus = [rows[0] for key, rows in actual_groups.items() if key not in expected_groups]
    texts = [f"missing row {_show(left[0])}"] if left else []
    if surplus:
        texts.append(f"unexpected row {_show(surplus[0])}")
    comparison.found.append(f"{where}: {', '.join(texts)}")


def _by_exact(comparison: _Comparison, rows: Sequence[Row]) -> dict[Row, list[Row]]:
    groups: dict[Row, list[Row]] = {}
    for row in rows:
        key = tuple(
            value is None if place in comparison.doubles else _hashable(value)
            for place, value in enumerate(row)
        )
        groups.setdefault(key, []).append(row)
    return groups


def _unpaired(
    comparison: _Comparison, wanted: Sequence[Row], got: Sequence[Row]
) -> tuple[list[Row], list[Row]]:
    """Rows of both sides that find no partner within the tolerance."""
    if not comparison.doubles:
        return list(wanted[len(got) :]), list(got[len(wanted) :])

    def doubles(row: Row) -> tuple[tuple[bool, float], ...]:
        return tuple(_sortable(row[place]) for place in sorted(comparison.doubles))

    def alike(one: Row, other: Row) -> bool:
        return all(_equal(one[place], other[place], place, comparison) for place in comparison.doubles)

    wanted, got = sorted(wanted, key=doubles), sorted(got, key=doubles)
    if len(wanted) == len(got) and all(map(alike, wanted, got)):
        return [], []
    if max(len(wanted), len(got)) > _PAIRING_LIMIT:
        differing = next(
            (i for i, pair in enumerate(zip(wanted, got, strict=False)) if not alike(*pair)), None
        )
        place = min(len(wanted), len(got)) if differing is None else differing
        return list(wanted[place : place + 1]), list(got[place : place + 1])
    surplus = list(got)
    left = []
    for row in wanted:
        partner = next((i for i, other in enumerate(surplus) if alike(row, other)), None)
        if partner is None:
            left.append(row)
        else:
            del surplus[partner]
    return left, surplus


def _sortable(value: Any) -> tuple[bool, float]:
    number = 0.0 if value is None else float(value)
    return (True, 0.0) if math.isnan(number) else (False, number)


def _hashable(value: Any) -> Any:
    if isinstance(value, list):
        return tuple(_hashable(item) for item in value)
    if isinstance(value, dict):
        return tuple((key, _hashable(item)) for key, item in value.items())
    # NaN is one value here, as in GROUP BY, though it is not equal to itself.
    return "NaN" if isinstance(value, float) and math.isnan(value) else value


def _equal(one: Any, other: Any, place: int, comparison: _Comparison) -> bool:
    if place not in comparison.doubles or one is None or other is None:
        return _hashable(one) == _hashable(other)
    one, other = float(one), float(other)
    if math.isnan(one) or math.isnan(other):
        return math.isnan(one) and math.isnan(other)
    return one == other or math.isclose(one, other, rel_tol=comparison.rules.tolerance)


def _show(row: Row) -> str:
    return "(" + ", ".join(str(value) if value is not None else "NULL" for value in row) + ")"
