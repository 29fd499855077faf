"""Calls of every scalar function, generated from the registry's signatures, compared with DuckDB.

    python sql_tests/oracle/function_calls.py [--calls N] [--seed N] [--only NAME]

Arguments are drawn from awkward values of their types: NULL, extremes, unicode, NaN, -0.0. Calls of one
signature run in one statement; where an engine refuses that, one by one. Both must refuse a call, or give one
value of one type. What differs on purpose is in docs/compatibility.md, and left out by `is_known`.
"""

from __future__ import annotations

import argparse
import math
import random
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path[0] = str(Path(__file__).resolve().parents[1])

import duckdb
import tandemdb
from tandemdb.planner.errors import SqlError
from tandemdb.planner.functions import SCALARS, Volatility
from tandemdb.planner.functions.signature import Overload, Pattern

_INTEGERS = ("0", "1", "-1", "2", "7", "-13", "100", "-128", "127")
_TEXTS = (
    "'a'",
    "''",
    "'abc'",
    "'Hello World'",
    "'é'",
    "'éa🦆'",
    "' pad '",
    "'a%b_c'",
    "'0'",
    "'-12'",
    "'aGVsbG8='",
    "'ff0A'",
    "'a/b\\c.d'",
    "'naïve'",
    "'ABC'",
    "'%d'",
    "'{}'",
    "'abcabc'",
    "'year'",
    "'10110'",
)
VALUES: dict[str, tuple[str, ...]] = {
    "BOOLEAN": ("true", "false"),
    "TINYINT": _INTEGERS,
    "SMALLINT": (*_INTEGERS, "32767", "-32768"),
    "INTEGER": (*_INTEGERS, "2147483647", "-2147483648", "12345"),
    "BIGINT": (*_INTEGERS, "9223372036854775807", "-9223372036854775808", "1234567890123"),
    "HUGEINT": (*_INTEGERS, "12345678901234567890123", "-98765432109876543210"),
    "UTINYINT": ("0", "1", "7", "255"),
    "USMALLINT": ("0", "1", "7", "65535"),
    "UINTEGER": ("0", "1", "7", "4294967295"),
    "UBIGINT": ("0", "1", "7", "18446744073709551615"),
    "FLOAT": ("0", "-0.0", "1.5", "-2.25", "1e30", "1e-30", "'nan'", "'inf'", "'-inf'"),
    "DOUBLE": ("0", "-0.0", "1.5", "-2.25", "0.1", "1e300", "1e-300", "3", "'nan'", "'inf'", "'-inf'"),
    "DECIMAL(9,2)": ("0", "1.25", "-1.25", "0.05", "9999999.99", "-9999999.99"),
    "DECIMAL(30,5)": ("0", "1.25", "-0.00001", "1234567890123456789012345.5"),
    "VARCHAR": _TEXTS,
    "BLOB": ("''", "'abc'", "'\\x00\\xFF'", "'é'::BLOB"),
    "DATE": ("'2020-02-29'", "'1970-01-01'", "'1969-12-31'", "'0001-01-01'", "'9999-12-31'", "'2021-03-28'"),
    "TIME": ("'00:00:00'", "'12:34:56.789012'", "'23:59:59.999999'"),
    "TIMESTAMP": (
        "'2020-02-29 12:34:56.789012'",
        "'1970-01-01'",
        "'1969-12-31 23:59:59.999999'",
        "'1582-10-15'",
    ),
    "TIMESTAMP WITH TIME ZONE": ("'2020-02-29 12:34:56.789012+00'", "'1969-12-31 23:59:59.5+00'"),
    "TIMESTAMP_NS": ("'2020-02-29 12:34:56.789012345'", "'1969-12-31 23:59:59.999999999'"),
    "TIMESTAMP_S": ("'2020-02-29 12:34:56'", "'1969-12-31 23:59:59'"),
    "TIMESTAMP_MS": ("'2020-02-29 12:34:56.789'", "'1969-12-31 23:59:59.999'"),
    "INTERVAL": (
        "'1 day'",
        "'1 month'",
        "'-3 days 04:05:06.7'",
        "'2 years 3 months'",
        "'00:00:00.000001'",
        "'0 days'",
    ),
}
_ANY = ("INTEGER", "VARCHAR", "DOUBLE", "DECIMAL(9,2)", "DATE", "BOOLEAN")
_PREFIX = {"neg": "-", "~": "~"}
_WORDS = {"like": "LIKE", "ilike": "ILIKE"}
# Values of arguments that have a meaning of their own, by function and place.
_PLACES: dict[tuple[str, int], tuple[str, ...]] = {
    **{
        (f, 0): ("'year'", "'month'", "'hour'", "'quarter'", "'week'", "'decade'", "'second'", "'day'")
        for f in ("date_trunc", "date_diff", "date_sub", "date_part")
    },
    **{(f, 1): ("'%Y-%m-%d'", "'%d %b %H:%M'", "'%j %A'") for f in ("strftime", "strptime", "try_strptime")},
    **{
        (f, 1): ("'a.c'", "'[a-c]+'", "'(l+)o'", "''")
        for f in ("regexp_matches", "regexp_full_match", "regexp_replace", "regexp_extract")
    },
    **{(f, 2): ("'i'", "''") for f in ("regexp_matches", "regexp_full_match")},
    ("regexp_extract", 2): ("0", "1"),
    ("regexp_extract", 3): ("'i'", "'g'"),
    ("regexp_replace", 3): ("'g'", "''"),
    **{(f, 1): ("0", "1", "3", "-1") for f in ("repeat", "round", "trunc", "round_even", "<<", ">>")},
    **{(f, 1): ("0", "1", "3", "8", "-1") for f in ("lpad", "rpad")},
    ("timezone", 0): ("'UTC'", "'Europe/Paris'", "'America/New_York'"),
    ("time_bucket", 2): (),
    ("decode", 1): ("'strict'", "'replace'", "'ignore'"),
    ("like_escape", 2): ("'\\'", "'%'"),
    ("ilike_escape", 2): ("'$'",),
}
# What depends on the moment of the call, or raises whatever it is given.
LEFT_OUT = frozenset({"now", "current_date", "age", "random", "error"})


@dataclass(frozen=True)
class Signature:
    """A function, its argument types, and which arguments must be written as constants."""

    name: str
    types: tuple[str, ...]
    constant: bool


def signatures() -> list[Signature]:
    """All of the registry, patterns filled in with types."""
    found = []
    for name, function in sorted(SCALARS.items()):
        if name in LEFT_OUT or function.volatility is Volatility.VOLATILE:
            continue
        for overload in function.overloads:
            constant = bool(function.constants) or overload.bind is not None
            for types in _types(overload):
                found.append(Signature(name, types, constant))
    return found


def _types(overload: Overload) -> Iterator[tuple[str, ...]]:
    count = len(overload.params) + (1 if overload.variadic is not None else 0)
    wild = [isinstance(overload.parameter(i), Pattern) for i in range(count)]
    for some in _ANY if any(wild) else ("",):
        kinds = []
        for i in range(count):
            parameter = overload.parameter(i)
            if parameter is Pattern.DECIMAL:
                kinds.append("DECIMAL(30,5)" if some in ("DATE", "BOOLEAN") else "DECIMAL(9,2)")
            else:
                kinds.append(some if wild[i] else str(parameter))
        if all(kind in VALUES for kind in kinds):
            yield tuple(kinds)


def arguments(signature: Signature, chance: random.Random) -> tuple[str, ...]:
    """Values for one call."""
    made = []
    for place, kind in enumerate(signature.types):
        values = _PLACES.get((signature.name, place)) or VALUES[kind]
        value = "NULL" if chance.random() < 0.1 else chance.choice(values)
        made.append(f"({value})::{kind}" if not value.endswith("::BLOB") else value)
    return tuple(made)


def written(name: str, args: tuple[str, ...]) -> str:
    """The call as SQL."""
    if name in _PREFIX:
        return f"{_PREFIX[name]}({args[0]})"
    if name in _WORDS:
        return f"({args[0]}) {_WORDS[name]} ({args[1]})"
    if not name[0].isalpha():
        return f"({args[0]}) {name} ({args[1]})"
    return f"{name}({', '.join(args)})"


_BROKEN: list[tuple[Any, ...]] = [("broken text", None)]


_LONG = ("substring", "left", "right", "left_grapheme", "right_grapheme", "substring_grapheme")
_FAR = ("9223372036854775", "1234567890123")


def is_known(signature: Signature, args: tuple[str, ...]) -> bool:
    """Whether docs/compatibility.md has the difference that this call may show."""
    name, types = signature.name, signature.types
    null = any(arg.startswith("(NULL") for arg in args)
    far = any(part in arg for arg in args for part in _FAR)
    match name:
        case "epoch_ms":
            return types == ("TIMESTAMP_NS",)  # an error of DuckDB's own
        case "make_timestamp":
            return len(args) == 1 and far
        case "timezone":
            return any(part in arg for arg in args for part in ("'196", "'0001", "'1582"))
        case "date_part":
            return null
        case "*" | "/" | "to_microseconds":
            return far or "INTERVAL" in types
        case _ if name.startswith("regexp_"):
            return len(args) > 2 and (null or "('g')::VARCHAR" in args)
        case _:
            return name in _LONG and far


@dataclass(frozen=True)
class Difference:
    """A call whose results are not the same."""

    sql: str
    duckdb: Any
    ours: Any

    def __str__(self) -> str:
        return f"{self.sql}\n    DuckDB: {self.duckdb}\n    ours:   {self.ours}"


class Comparison:
    """Both engines, and what differed."""

    def __init__(self) -> None:
        self.theirs = duckdb.connect(config={"threads": 1})
        self.theirs.execute("SET TimeZone = 'UTC'")
        self.ours = tandemdb.connect()
        self.calls = 0
        self.differences: list[Difference] = []

    def _rows(self, engine: Any, sql: str) -> list[tuple[Any, ...]] | None:
        try:
            return engine.execute(sql).fetchall()
        except (duckdb.Error, SqlError):
            return None
        except UnicodeDecodeError:
            return _BROKEN  # DuckDB cuts a letter in two

    def check(self, signature: Signature, calls: list[tuple[str, ...]]) -> None:
        """Compares calls of one signature."""
        self.calls += len(calls)
        if not signature.constant and signature.types and len(calls) > 1:
            names = [f"a{i}" for i in range(len(signature.types))]
            rows = ", ".join(f"({i}, {', '.join(args)})" for i, args in enumerate(calls))
            call = written(signature.name, tuple(names))
            source = f"FROM (VALUES {rows}) t(i, {', '.join(names)}) ORDER BY i"
            sql = f"SELECT {_shown(call)} {source}"
            left, right = self._rows(self.theirs, sql), self._rows(self.ours, sql)
            if left is not None and right is not None and _equal(left, right):
                return
        for args in calls:
            sql = f"SELECT {_shown(written(signature.name, args))}"
            left, right = self._rows(self.theirs, sql), self._rows(self.ours, sql)
            if left == _BROKEN or is_known(signature, args):
                continue
            if (left is None) != (right is None) or (left is not None and not _equal(left, right)):
                self.differences.append(Difference(sql, left, right))


def _shown(call: str) -> str:
    return f"typeof({call}), CAST({call} AS VARCHAR)"


def _equal(left: Any, right: Any) -> bool:
    if len(left) != len(right):
        return False
    return all(a == b and (x == y or _near(a, x, y)) for (a, x), (b, y) in zip(left, right, strict=True))


def _near(kind: str, left: str | None, right: str | None) -> bool:
    """Floats may differ in the last digits."""
    if kind not in ("DOUBLE", "FLOAT") or left is None or right is None:
        return False
    if left == "-nan":  # the sign of a NaN means nothing
        return right == "nan"
    return math.isclose(
        float(left), float(right), rel_tol=1e-13 if kind == "DOUBLE" else 1e-6, abs_tol=5e-324
    )


def run(calls: int, seed: int, only: str | None = None, every: int = 1) -> Comparison:
    """Compares about so many calls, as many of each signature; of every so-manieth of them."""
    compared, chance = Comparison(), random.Random(seed)
    known = [s for s in signatures()[seed % every :: every] if only is None or s.name == only]
    each = max(1, calls // len(known))
    for signature in known:
        compared.check(signature, [arguments(signature, chance) for _ in range(each)])
    return compared


def main() -> int:
    parser = argparse.ArgumentParser(description="Compare calls of functions with DuckDB.")
    parser.add_argument("--calls", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only")
    options = parser.parse_args()
    compared = run(options.calls, options.seed, options.only)
    for difference in compared.differences:
        print(difference)
    print(f"{compared.calls} calls, {len(compared.differences)} differences")
    return 1 if compared.differences else 0


if __name__ == "__main__":
    sys.exit(main())
