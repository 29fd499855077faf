"""Are two results the same? Types and values; exact but for floating point, a multiset where no order is
promised.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from oracle.engines import Result, Row

RELATIVE = {"DOUBLE": 1e-9, "FLOAT": 1e-6}
ABSOLUTE = 1e-12
SHOWN = 6


def difference(expected: Result, actual: Result, *, ordered: bool) -> str | None:
    """None where the two agree, else a few lines that say what differs ("-" expected, "+" actual)."""
    if len(expected.types) != len(actual.types):
        return f"{len(expected.types)} columns expected, {len(actual.types)} given"
    if expected.types != actual.types:
        pairs = zip(expected.names, expected.types, actual.types, strict=True)
        wrong = [f"column {name!r}: type {a} expected, {b} given" for name, a, b in pairs if a != b]
        return "\n".join(wrong)
    return rows_difference(expected.rows, actual.rows, expected.types, ordered=ordered)


def rows_difference(
    expected: list[Row], actual: list[Row], types: tuple[str, ...], *, ordered: bool
) -> str | None:
    """None where the rows agree, in order if `ordered` and as a multiset otherwise."""
    if ordered:
        return _ordered_difference(expected, actual, types)
    missing = _unmatched(expected, actual, types)
    if not missing and len(expected) == len(actual):
        return None
    extra = _unmatched(actual, expected, types)
    lines = [
        f"{len(expected)} rows expected, {len(actual)} given; {len(missing)} missing, {len(extra)} extra"
    ]
    lines += [f"- {row}" for row in missing[:SHOWN]] + [f"+ {row}" for row in extra[:SHOWN]]
    return "\n".join(lines)


def _ordered_difference(expected: list[Row], actual: list[Row], types: tuple[str, ...]) -> str | None:
    for index, (a, b) in enumerate(zip(expected, actual, strict=False)):
        if not same_row(a, b, types):
            return f"row {index} of {len(expected)}:\n- {a}\n+ {b}"
    if len(expected) != len(actual):
        return f"{len(expected)} rows expected, {len(actual)} given"
    return None


def _unmatched(left: list[Row], right: list[Row], types: tuple[str, ...]) -> list[Row]:
    """Rows of `left` that have no partner in `right`: by exact key first, then within the tolerance."""
    exact = Counter(_key(row) for row in right)
    pool: dict[tuple[Any, ...], list[Row]] = {}
    for row in right:
        pool.setdefault(_key(row), []).append(row)
    rest = []
    for row in left:
        key = _key(row)
        if exact[key]:
            exact[key] -= 1
            pool[key].pop()
        else:
            rest.append(row)
    near = [row for rows in pool.values() for row in rows]
    missing = []
    for row in rest:
        partner = next((i for i, other in enumerate(near) if same_row(row, other, types)), None)
        if partner is None:
            missing.append(row)
        else:
            near.pop(partner)
    return missing


def same_row(left: Row, right: Row, types: tuple[str, ...]) -> bool:
    """Are two rows of these SQL types equal, column by column?"""
    if len(left) != len(right):
        return False
    return all(same_value(a, b, type_) for a, b, type_ in zip(left, right, types, strict=True))


def same_value(left: Any, right: Any, type_: str = "DOUBLE") -> bool:
    """Equal as results are: NULL is NULL, NaN is NaN, -0.0 is 0.0; nested values element by element."""
    if left is None or right is None:
        return left is right
    if isinstance(left, float) and isinstance(right, float):
        if math.isnan(left) or math.isnan(right):
            return math.isnan(left) and math.isnan(right)
        return math.isclose(left, right, rel_tol=RELATIVE.get(type_, 1e-9), abs_tol=ABSOLUTE)
    if isinstance(left, bool) != isinstance(right, bool) or isinstance(left, str) != isinstance(right, str):
        return False
    if isinstance(left, (list, tuple)) and isinstance(right, (list, tuple)):
        return len(left) == len(right) and all(same_value(a, b) for a, b in zip(left, right, strict=True))
    if isinstance(left, dict) and isinstance(right, dict):
        return left.keys() == right.keys() and all(same_value(left[k], right[k]) for k in left)
    return left == right


def _key(row: Row) -> tuple[Any, ...]:
    return tuple(_hashable(value) for value in row)


def _hashable(value: Any) -> Any:
    if isinstance(value, float):
        return "NaN" if math.isnan(value) else ("f", value + 0.0)
    if isinstance(value, bool):
        return ("b", value)
    if isinstance(value, (int, Decimal)):
        return ("n", value)
    if isinstance(value, dict):
        return tuple((key, _hashable(item)) for key, item in value.items())
    if isinstance(value, (list, tuple)):
        return tuple(_hashable(item) for item in value)
    return value


def same_in_order(left: Sequence[Sequence[Any]], right: Sequence[Sequence[Any]]) -> bool:
    """Whether two results have the same rows in the same order."""
    return len(left) == len(right) and all(
        same_value(a, b)
        for one, other in zip(left, right, strict=True)
        for a, b in zip(one, other, strict=True)
    )
