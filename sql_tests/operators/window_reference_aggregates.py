"""Aggregates over the rows of a frame by their definition: see window_reference."""

from __future__ import annotations

import functools
import math
import struct
from fractions import Fraction
from typing import Any

from tandemdb.planner.expr import WindowCall
from tandemdb.planner.types import SQLType, TypeId

MICROS_A_DAY = 86_400_000_000


class FrameError(Exception):
    """An offset of a frame, or an argument, that is an error; the text is part of the message."""


def rank(value: Any) -> Any:
    """What Python compares in place of a value: NaN above all numbers, text by bytes, intervals by length."""
    if isinstance(value, float):
        return (value != value, 0.0 if value != value else value + 0.0)
    if isinstance(value, tuple):
        months, days, micros = value
        return (30 * months + days) * MICROS_A_DAY + micros
    return value.encode() if isinstance(value, str) else value


def aggregated(call: WindowCall, rows: list[tuple[Any, ...]]) -> Any:
    """An aggregate over the arguments of rows in order."""
    function = call.function
    if function == "count_star":
        return len(rows)
    if function in ("first", "last"):
        return rows[0 if function == "first" else -1][0] if rows else None
    if function in ("quantile_disc", "quantile_cont", "string_agg"):
        rows = [row for row in rows if row[0] is not None]
    else:
        rows = [row for row in rows if None not in row]
    if call.distinct:
        seen: dict[Any, tuple[Any, ...]] = {}
        for row in rows:
            seen.setdefault(tuple(map(rank, row)), row)
        rows = list(seen.values())
    values = [row[0] for row in rows]
    if function == "count":
        return len(values)
    if not values:
        return None
    if function in ("arg_min", "arg_max"):
        best = rows[0]
        for row in rows[1:]:
            x, y = rank(row[1]), rank(best[1])
            if x < y if function == "arg_min" else x > y:
                best = row
        return best[0]
    return _AGGREGATES[function](call, values)


def _added(values: list[Any]) -> float:
    if all(math.isfinite(v) for v in values):
        try:
            return math.fsum(values)
        except OverflowError:
            pass
    return sum(values)


def _sum(call: WindowCall, values: list[Any]) -> Any:
    if call.type.is_float:
        return _added(values)
    total = sum(int(v) for v in values)
    if abs(total) >= 10**38:
        raise FrameError("Overflow in SUM")
    return total


def _avg(call: WindowCall, values: list[Any]) -> Any:
    kind, n = call.args[0].type, len(values)
    if kind.is_float:
        return _added(values) / n
    if kind.id is TypeId.INTERVAL:
        months, days, micros = (Fraction(sum(part), n) for part in zip(*values, strict=True))
        days += (months - int(months)) * 30
        micros += (days - int(days)) * MICROS_A_DAY
        return (int(months), int(days), round(micros))
    exact = Fraction(sum(values), n)
    return float(exact / 10**kind.scale) if call.type.is_float else int(exact)


def _least(call: WindowCall, values: list[Any]) -> Any:
    return (min if call.function == "min" else max)(values, key=rank)


def _variance(call: WindowCall, values: list[float]) -> Any:
    n = len(values)
    if n == 1:
        return 0.0 if call.function.endswith("pop") else None
    if all(math.isfinite(v) for v in values):
        mean = math.fsum(values) / n
        squares = math.fsum((v - mean) ** 2 for v in values)
    else:
        squares = math.nan
    found = squares / (n if call.function.endswith("pop") else n - 1)
    return math.sqrt(found) if call.function.startswith("stddev") else found


def _quantile(call: WindowCall, values: list[Any]) -> Any:
    fraction = call.args[1].value if len(call.args) > 1 else 0.5  # type: ignore[attr-defined]
    kind, ordered = call.args[0].type, sorted(values, key=rank)
    if fraction is None:
        return None
    if fraction < 0:
        ordered, fraction = ordered[::-1], -fraction
    if call.function == "quantile_disc" or not (kind.is_numeric or kind.is_temporal or _is_interval(kind)):
        n = len(ordered)
        return ordered[max(n - math.floor(n - fraction * n), 1) - 1]
    place = (len(ordered) - 1) * fraction
    low, high, part = ordered[math.floor(place)], ordered[math.ceil(place)], place - math.floor(place)
    if part == 0:
        return _scaled(call.type, kind, low)
    if kind.is_float or kind.is_integer:
        found = float(low) * (1 - part) + float(high) * part
        return struct.unpack("f", struct.pack("f", found))[0] if call.type.id is TypeId.FLOAT else found
    if _is_interval(kind):
        micros = int(Fraction(rank(low)) + Fraction(rank(high) - rank(low)) * Fraction(part))
        days, rest = divmod(abs(micros), MICROS_A_DAY)
        return (0, days, rest) if micros >= 0 else (0, -days, -rest)
    exact = Fraction(low) + Fraction(high - low) * Fraction(part)
    if call.type.is_decimal:
        if call.type.width > 18:
            return low + int(float(high - low) * part)
        return int(float(Fraction(float(low)) + Fraction(float(high - low)) * Fraction(part)))
    return _scaled(call.type, kind, exact)


def _is_interval(kind: SQLType) -> bool:
    return kind.id is TypeId.INTERVAL


def _scaled(target: SQLType, source: SQLType, exact: Any) -> Any:
    """A number between two values as the result's type."""
    if target.is_float:
        return float(exact / 10**source.scale) if source.is_decimal else float(exact)
    if isinstance(exact, tuple):
        return exact
    if source.id is TypeId.DATE and target.id is not TypeId.DATE:
        exact *= MICROS_A_DAY
    return int(exact) if target.is_decimal else math.floor(exact + Fraction(1, 2))


def _mode(call: WindowCall, values: list[Any]) -> Any:
    counts: dict[Any, int] = {}
    for value in values:
        counts[rank(value)] = counts.get(rank(value), 0) + 1
    most = max(counts.values())
    return next(value for value in values if counts[rank(value)] == most)


def _joined(call: WindowCall, values: list[Any]) -> Any:
    separator = call.args[1].value if len(call.args) > 1 else ","  # type: ignore[attr-defined]
    return None if separator is None else separator.join(values)


_AGGREGATES: dict[str, Any] = {
    **dict.fromkeys(("median", "quantile_disc", "quantile_cont"), _quantile),
    "mode": _mode,
    "string_agg": _joined,
    "sum": _sum,
    "count_if": _sum,
    "avg": _avg,
    "min": _least,
    "max": _least,
    "any_value": lambda call, values: values[0],
    "bool_and": lambda call, values: all(values),
    "bool_or": lambda call, values: any(values),
    "bit_and": lambda call, values: functools.reduce(lambda a, b: a & b, values),
    "bit_or": lambda call, values: functools.reduce(lambda a, b: a | b, values),
    "bit_xor": lambda call, values: functools.reduce(lambda a, b: a ^ b, values),
    "product": lambda call, values: math.prod(values),
    **dict.fromkeys(("var_pop", "var_samp", "stddev_pop", "stddev_samp"), _variance),
}
