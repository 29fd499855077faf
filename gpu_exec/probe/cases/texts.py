"""Strings: length, case, search, patterns, pieces, conversions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pyarrow as pa

from .. import samples
from ..case import Case
from ..forms import Form, call, column, dtype, name, scalar, table

_TEXT, _I64 = pa.string(), pa.int64()
_VALUES = column(
    _TEXT, ["", "abc", "ABC", "éa日", None, "a%b_c\\d", "  x \t", "aXbXc", "ß", "İ", "\n", "a\nb"]
)


def _one(text: str | None) -> Form:
    return scalar(_TEXT, text)


def cases() -> Iterator[Case]:
    yield from _whole()
    yield from _search()
    yield from _patterns()
    yield from _pieces()
    yield from _conversions()


def _whole() -> Iterator[Case]:
    functions = {
        "count_characters": "attributes",
        "count_bytes": "attributes",
        "to_upper": "case",
        "to_lower": "case",
        "swapcase": "case",
        "reverse": "reverse",
        "title": "capitalize",
    }
    for function, module in functions.items():
        yield Case(f"strings/{function}", call(f"strings.{module}.{function}", _VALUES))
        for pattern, values in samples.patterns(_TEXT):
            if pattern in ("all_null", "empty", "sliced"):
                yield Case(f"strings/{function}/{pattern}", call(f"strings.{module}.{function}", values))
    for times in (0, 1, 3, -1):
        yield Case(f"strings/repeat/{times}", call("strings.repeat.repeat_strings", _VALUES, times))
    for side in ("LEFT", "RIGHT", "BOTH"):
        where = name(f"strings.side_type.SideType.{side}")
        yield Case(f"strings/pad/{side}", call("strings.padding.pad", _VALUES, 5, where, "*"))
        yield Case(f"strings/strip/{side}", call("strings.strip.strip", _VALUES, where, _one(" ")))
        yield Case(f"strings/strip/{side}/default", call("strings.strip.strip", _VALUES, where))
        yield Case(f"strings/strip/{side}/several", call("strings.strip.strip", _VALUES, where, _one("ac")))
    yield Case("strings/zfill", call("strings.padding.zfill", column(_TEXT, ["-1", "12345", None, ""]), 4))
    yield Case("strings/concatenate", call("strings.combine.concatenate", table(_VALUES, _VALUES), _one("-")))
    filled = call("strings.combine.concatenate", table(_VALUES, _VALUES), _one(""), _one(""))
    yield Case("strings/concatenate/null_as_empty", filled)
    yield Case("strings/join", call("strings.combine.join_strings", _VALUES, _one(","), _one(None)))


def _search() -> Iterator[Case]:
    for function in ("contains", "starts_with", "ends_with", "find"):
        for title, target in (("a", "a"), ("empty", ""), ("unicode", "日"), ("null", None)):
            yield Case(f"strings/{function}/{title}", call(f"strings.find.{function}", _VALUES, _one(target)))
    targets = column(_TEXT, ["", "b", "x", "日", "a", None, "x", "c", "s", "i", "\n", "\n"])
    for function in ("contains", "starts_with", "find"):
        yield Case(f"strings/{function}/column", call(f"strings.find.{function}", _VALUES, targets))
    yield Case("strings/rfind", call("strings.find.rfind", _VALUES, _one("X")))
    yield Case("strings/replace", call("strings.replace.replace", _VALUES, _one("X"), _one("--")))
    yield Case("strings/replace/once", call("strings.replace.replace", _VALUES, _one("X"), _one(""), 1))
    yield Case("strings/replace/empty", call("strings.replace.replace", _VALUES, _one(""), _one("-")))


def _patterns() -> Iterator[Case]:
    patterns = ("%", "", "a%", "%c", "a_c", "%a%b%", "___", "é%", "%\\%", "abc", "%\n%", "a%b")
    for i, pattern in enumerate(patterns):
        yield Case(f"strings/like/{i}", call("strings.contains.like", _VALUES, pattern))
    yield Case("strings/like/escape", call("strings.contains.like", _VALUES, "a!%b!_c%", "!"))
    yield Case("strings/like/escape/last", call("strings.contains.like", _VALUES, "a!", "!"))
    expressions = (
        "a.c",
        "^a",
        "c$",
        "[a-c]+",
        "(?i)abc",
        "\\d",
        "\\w+",
        "a|x",
        "(a)(b)?",
        "b*",
        "\\s",
        "é",
        "x{2}",
        ".",
    )
    for i, expression in enumerate(expressions):
        flags = name("strings.regex_flags.RegexFlags.DEFAULT")
        program = call("strings.regex_program.RegexProgram.create", expression, flags)
        for function in ("contains_re", "matches_re", "count_re"):
            yield Case(f"strings/{function}/{i}", call(f"strings.contains.{function}", _VALUES, program))
        yield Case(
            f"strings/replace_re/{i}", call("strings.replace_re.replace_re", _VALUES, program, _one("#"))
        )
    groups = call(
        "strings.regex_program.RegexProgram.create", "(a)(.)", name("strings.regex_flags.RegexFlags.DEFAULT")
    )
    yield Case("strings/extract", call("strings.extract.extract", _VALUES, groups))
    yield Case(
        "strings/backrefs", call("strings.replace_re.replace_with_backrefs", _VALUES, groups, "\\2\\1")
    )
    broken = call(
        "strings.regex_program.RegexProgram.create", "(", name("strings.regex_flags.RegexFlags.DEFAULT")
    )
    yield Case("strings/regex/broken", broken)


def _pieces() -> Iterator[Case]:
    whole = pa.int32()
    for start, stop in ((0, 2), (1, None), (-2, None), (2, 1), (0, 99)):
        ends = scalar(whole, start), scalar(whole, stop) if stop is not None else None
        yield Case(f"strings/slice/{start}_{stop}", call("strings.slice.slice_strings", _VALUES, *ends, None))
    starts = column(whole, [0, 1, 2, 0, 0, 1, 1, 1, 0, 0, 0, 1])
    stops = column(whole, [1, 2, 99, 2, 1, 3, 3, 3, 1, 1, 1, 3])
    yield Case("strings/slice/columns", call("strings.slice.slice_strings", _VALUES, starts, stops))
    for index in (0, 1, 5):
        yield Case(
            f"strings/split_part/{index}", call("strings.split.split.split_part", _VALUES, _one("X"), index)
        )
    yield Case("strings/split_record", call("strings.split.split.split_record", _VALUES, _one("X"), -1))
    yield Case("strings/partition", call("strings.split.partition.partition", _VALUES, _one("X")))


def _conversions() -> Iterator[Case]:
    numbers = column(_TEXT, ["1", "-7", " 3", "9223372036854775808", "", "x", None, "1.5", "+4"])
    yield Case(
        "convert/to_integers", call("strings.convert.convert_integers.to_integers", numbers, dtype("INT64"))
    )
    yield Case(
        "convert/is_integer", call("strings.convert.convert_integers.is_integer", numbers, dtype("INT64"))
    )
    yield Case(
        "convert/from_integers",
        call("strings.convert.convert_integers.from_integers", samples.with_nulls(_I64)),
    )
    floats = column(_TEXT, ["1.5", "-0", "inf", "nan", "1e308", "1e400", "", "x", None])
    yield Case(
        "convert/to_floats", call("strings.convert.convert_floats.to_floats", floats, dtype("FLOAT64"))
    )
    yield Case("convert/is_float", call("strings.convert.convert_floats.is_float", floats))
    doubles = column(pa.float64(), [0.1, 1e20, -0.0, 1.0, 1e-7, None, 123456789.125])
    yield Case("convert/from_floats", call("strings.convert.convert_floats.from_floats", doubles))
    amounts = column(_TEXT, ["1.25", "-0.05", "7", "1.239", "", None])
    kinds: list[Any] = ["DECIMAL64", "DECIMAL128"]
    for kind in kinds:
        form = call("strings.convert.convert_fixed_point.to_fixed_point", amounts, dtype(kind, 2))
        yield Case(f"convert/to_fixed_point/{kind}", form)
    decimals = samples.with_nulls(pa.decimal128(38, 2))
    yield Case(
        "convert/from_fixed_point", call("strings.convert.convert_fixed_point.from_fixed_point", decimals)
    )
    yes, no = _one("true"), _one("false")
    flags = samples.with_nulls(pa.bool_())
    yield Case(
        "convert/from_booleans", call("strings.convert.convert_booleans.from_booleans", flags, yes, no)
    )
    days = column(_TEXT, ["2000-02-29", "1969-12-31", "2001-02-29", "", None])
    form = call("strings.convert.convert_datetime.to_timestamps", days, dtype("TIMESTAMP_DAYS"), "%Y-%m-%d")
    yield Case("convert/to_timestamps", form)
    yield Case(
        "convert/is_timestamp", call("strings.convert.convert_datetime.is_timestamp", days, "%Y-%m-%d")
    )
    names = column(_TEXT, [])
    for kind, pattern in ((pa.date32(), "%Y-%m-%d"), (pa.timestamp("us"), "%Y-%m-%d %H:%M:%S.%6f")):
        form = call(
            "strings.convert.convert_datetime.from_timestamps", samples.with_nulls(kind), pattern, names
        )
        yield Case(f"convert/from_timestamps/{samples.label(kind)}", form)
